//! The facts of all files, in blocks, written against what a snapshot holds anyway.
//!
//! Nearly all that facts say is in the text: names, receivers, types are places in it, lines follow from bytes, and definitions
//! are in the graph, chunks in the lexical index. So facts are written as differences from what these lead one to expect, most of which
//! are zero; reading them takes all of them. See [`walk`] for the prediction of each field, [`habits`] for the statistics that it learns.

mod check;
mod flow;
mod habits;
mod known;
mod lines;
mod uses;
mod walk;

use std::ops::Range;
use std::sync::Arc;

use graph::frozen::ArchivedGraph;
use graph::{Each, collect};
use search::ArchivedLexical;
use syntax::facts::FileFacts;

use super::blocks::{Directory, cut};
use super::columns::{Fault, Reader, Writer, unpack};
use crate::frozen::{ArchivedChunks, ArchivedFiles};
pub use check::check as check_facts;
use flow::{Reading, Writing};
use known::Known;

/// A file to be written.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// Its path.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Its facts.
    pub facts: &'a FileFacts,
}

/// The other sections that facts are read with.
pub struct Beside<'a, T> {
    /// Languages of files.
    pub files: &'a ArchivedFiles,
    /// Their definitions.
    pub graph: &'a ArchivedGraph,
    /// Where their chunks are.
    pub lexical: &'a ArchivedLexical,
    /// Their chunks.
    pub chunks: &'a ArchivedChunks,
    /// Text of a file.
    pub text: T,
}

/// The facts of a snapshot, in the order of its files.
#[derive(Default)]
pub struct FactStore {
    /// Block of each file, and its number in it.
    places: Vec<(u32, u32)>,
    blocks: Vec<Arc<[u8]>>,
    n_files: Vec<u32>,
}

impl FactStore {
    /// The facts of files in order. Blocks whose files are all found in `last`, at these numbers, are shared with it; the others are
    /// written side by side where `each` can.
    pub fn new(
        files: &[Facts<'_>],
        graph: &ArchivedGraph,
        last: Option<(&Self, &[Option<u32>])>,
        each: Each<'_>,
    ) -> Self {
        let cuts = cut(files.iter().map(|file| (file.path, file.text.len())));
        let blocks = collect(each, cuts.len(), &|number| {
            let range = cuts.get(number).cloned().unwrap_or_default();
            let shared = last.and_then(|(last, origins)| last.shared(origins.get(range.clone())?));
            shared.unwrap_or_else(|| write_block(files, range, graph).into())
        });
        let mut store = Self::default();
        for (range, block) in cuts.iter().zip(blocks) {
            store.push(range.len(), block);
        }
        store
    }

    fn push(&mut self, n_files: usize, block: Arc<[u8]>) {
        let number = self.blocks.len() as u32;
        self.places
            .extend((0..n_files as u32).map(|idx| (number, idx)));
        self.n_files.push(n_files as u32);
        self.blocks.push(block);
    }

    /// The block of exactly these files.
    fn shared(&self, origins: &[Option<u32>]) -> Option<Arc<[u8]>> {
        let first = (*origins.first()?)?;
        let (block, 0) = *self.places.get(first as usize)? else {
            return None;
        };
        let mut expected = (first..).map(Some);
        let is_whole = self.n_files.get(block as usize).copied() == Some(origins.len() as u32);
        let is_same = is_whole
            && origins
                .iter()
                .all(|origin| expected.next() == Some(*origin));
        is_same.then(|| self.blocks.get(block as usize).cloned())?
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Bytes that all blocks take.
    pub fn n_bytes(&self) -> usize {
        self.blocks.iter().map(|block| block.len()).sum()
    }

    /// The files of each block.
    pub fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let mut first = 0;
        self.n_files.iter().map(move |n_files| {
            let files = first..first + *n_files as usize;
            first = files.end;
            files
        })
    }

    /// The block of a file.
    pub fn block_of(&self, file: usize) -> Option<usize> {
        self.places.get(file).map(|(block, _)| *block as usize)
    }

    /// The facts of the files of a block, which are `files`.
    pub fn of_block<'a>(
        &self,
        block: usize,
        files: Range<usize>,
        beside: &Beside<'a, impl Fn(usize) -> &'a str>,
    ) -> Result<Vec<FileFacts>, Fault> {
        let packed = self.blocks.get(block).ok_or("there is no such block")?;
        read_block(packed, files, 0, beside)
    }

    /// The facts of a file, given the texts of its block. Unpacks the block up to this file.
    pub fn get<'a>(
        &self,
        file: usize,
        beside: &Beside<'a, impl Fn(usize) -> &'a str>,
    ) -> Result<FileFacts, Fault> {
        let (block, idx) = *self.places.get(file).ok_or("there is no such file")?;
        let packed = self
            .blocks
            .get(block as usize)
            .ok_or("there is no such block")?;
        let first = file - idx as usize;
        let mut facts = read_block(packed, first..file + 1, idx as usize, beside)?;
        facts.pop().ok_or("it ends too early")
    }

    /// The section of a file.
    pub fn write(&self) -> Vec<u8> {
        let mut directory = Directory {
            sizes: vec![0; self.places.len()],
            ..Directory::default()
        };
        for (n_files, block) in self.n_files.iter().zip(&self.blocks) {
            directory.push(*n_files as usize, block);
        }
        let mut writer = Writer::default();
        writer.bytes(&directory.write());
        let mut section = writer.into_bytes();
        self.blocks
            .iter()
            .for_each(|block| section.extend_from_slice(block));
        section
    }

    /// The facts of a section.
    pub fn read(section: &[u8]) -> Result<Self, Fault> {
        let mut reader = Reader::new(section);
        let directory = Directory::read(reader.bytes()?)?;
        let blocks = reader.rest();
        let mut store = Self::default();
        for (n_files, range) in directory.n_files.iter().zip(directory.ranges()) {
            let block = blocks
                .get(range)
                .ok_or("its blocks are not as long as it says")?;
            store.push(*n_files as usize, block.into());
        }
        Ok(store)
    }
}

/// Packs the facts of the files of a block.
fn write_block(files: &[Facts<'_>], range: Range<usize>, graph: &ArchivedGraph) -> Vec<u8> {
    let mut writing = Writing::default();
    let of_block = files.get(range.clone()).unwrap_or_default();
    for (file, facts) in range.zip(of_block) {
        let known = Known::new(graph, &facts.facts.chunks, file);
        walk::write(&mut writing, facts.text, facts.facts, &known);
    }
    writing.finish()
}

/// The facts of files of a block from its number `from` on; those before are read, too, but not given.
fn read_block<'a>(
    packed: &[u8],
    files: Range<usize>,
    from: usize,
    beside: &Beside<'a, impl Fn(usize) -> &'a str>,
) -> Result<Vec<FileFacts>, Fault> {
    let bytes = unpack(packed)?;
    let mut reading = Reading::new(&bytes)?;
    let mut all = Vec::with_capacity(files.len());
    for (idx, file) in files.enumerate() {
        let known = Known::archived(beside, file);
        let language = beside.files.language(file);
        let facts = walk::read(&mut reading, (beside.text)(file), language, &known)?;
        if idx >= from {
            check_facts(&facts)?;
            all.push(facts);
        }
    }
    Ok(all)
}
