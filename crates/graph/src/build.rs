//! Builds the frozen graph from facts: numbers the nodes, has the uses resolved, sorts everything into columns.

use source::FileId;
use syntax::facts::FileFacts;

use crate::each::{Each, in_turn};
use crate::exact::{self, ExactFacts};
use crate::freeze::freeze;
use crate::frozen::{ArchivedGraph, Graph};
use crate::layout::{InputFile, Layout};
use crate::resolution::Resolution;

/// Takes the facts of every file, then makes the graph. Facts are borrowed: nothing is copied until [`Self::build`].
#[derive(Default)]
pub struct GraphBuilder<'a> {
    files: Vec<InputFile<'a>>,
    exact: ExactFacts,
}

impl<'a> GraphBuilder<'a> {
    /// Returns an empty builder.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. Files must come in the order of their ids, from 0, without gaps; paths are relative, with `/`.
    pub fn add_file(&mut self, id: FileId, path: &'a str, facts: &'a FileFacts) {
        debug_assert_eq!(
            id.index(),
            self.files.len(),
            "files come in the order of their ids"
        );
        self.files.push(InputFile { path, facts });
    }

    /// Adds the statements of a compiler's index about these files; they replace the resolver's.
    pub fn add_exact(&mut self, exact: ExactFacts) {
        self.exact = exact;
    }

    /// Resolves every use with `resolve` and freezes the graph. The same input gives the same graph, byte for byte, as
    /// long as `resolve` gives the same resolution.
    #[must_use]
    pub fn build(self, resolve: impl FnOnce(&Layout<'_>) -> Resolution) -> Graph {
        let layout = self.layout();
        let resolution = resolve(&layout);
        self.freeze(&layout, resolution, None, &mut in_turn)
    }

    /// Numbers the nodes.
    #[must_use]
    pub fn layout(&self) -> Layout<'_> {
        Layout::new(&self.files)
    }

    /// Freezes the graph of a resolution of the builder's layout; `each` does its parts, side by side where it can. `last` is a
    /// graph of the same paths, all of them with the interface that they have now ([`FileFacts::interface`]).
    #[must_use]
    pub fn freeze(
        &self,
        layout: &Layout<'_>,
        resolution: Resolution,
        last: Option<&ArchivedGraph>,
        each: Each<'_>,
    ) -> Graph {
        let mut resolution = resolution;
        resolution.uses.resize_with(self.files.len(), Vec::new);
        exact::apply(layout, &self.exact, &mut resolution);
        freeze(layout, resolution, last, each)
    }
}
