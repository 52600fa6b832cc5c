//! One part of a graph: the numbers of its nodes, and what its columns are made of.

use source::FileId;

use crate::freeze::freeze_part;
use crate::frozen::{Graph, NONE};
use crate::layout::{InputFile, Layout, LayoutShape};
use crate::resolution::{RawEdge, RawUse};

/// Uses and edges within one part, by its own numbers: with its files they are its graph.
pub struct PartResolution {
    pub(crate) shape: LayoutShape,
    pub(crate) uses: Vec<Vec<RawUse>>,
    pub(crate) edges: Vec<RawEdge>,
}

impl PartResolution {
    /// Makes the graph of the part, whose files these are, with all of their facts.
    #[must_use]
    pub fn graph(self, files: &[InputFile<'_>]) -> Graph {
        freeze_part(
            &Layout::of_shape(files, &self.shape),
            &self.uses,
            self.edges,
        )
    }
}

/// The nodes of one part in the whole layout, and in its own.
pub(crate) struct Numbers<'a> {
    pub whole: &'a Layout<'a>,
    /// The part's own layout, without its files.
    pub shape: LayoutShape,
    /// The own number of each file and symbol, or none. It is asked for both ends of every edge and use.
    numbers: Vec<u32>,
}

impl<'a> Numbers<'a> {
    /// `files` are the numbers in the whole layout of the files of the part.
    pub fn new(whole: &'a Layout<'a>, files: &[FileId]) -> Self {
        let inputs: Vec<InputFile<'_>> = (files.iter())
            .map(|file| whole.files[file.index()])
            .collect();
        let own = Layout::new(&inputs);
        let mut numbers = vec![NONE; whole.end() as usize];
        for (number, file) in (0..).zip(files) {
            numbers[file.index()] = number;
            let first = whole.node(file.0, 0) as usize;
            let n_symbols = inputs[number as usize].facts.symbols.len();
            for (slot, node) in numbers[first..first + n_symbols]
                .iter_mut()
                .zip(own.node(number, 0)..)
            {
                *slot = node;
            }
        }
        Self {
            whole,
            shape: own.shape(),
            numbers,
        }
    }

    /// The own number of a file or symbol of the part.
    pub fn own(&self, node: u32) -> Option<u32> {
        let number = self.numbers.get(node as usize).copied();
        number.filter(|number| *number != NONE)
    }
}
