//! The definitions of a file as a tree.

use graph::NodeId;
use source::FileId;

use crate::{Error, Reader};

/// A definition and its place in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineEntry {
    /// The definition.
    pub symbol: NodeId,
    /// Index of the entry it stands in; always before this one.
    pub parent: Option<usize>,
}

impl Reader {
    /// The definitions of a file in source order.
    ///
    /// # Errors
    ///
    /// `file.not-found`.
    pub fn outline(&self, path: &str) -> Result<(FileId, Vec<OutlineEntry>), Error> {
        let file = self.file(path)?;
        let graph = self.graph();
        let symbols: Vec<NodeId> = graph.symbols_of(file).collect();
        let entry = |(idx, symbol): (usize, &NodeId)| {
            let parent = graph
                .parent(*symbol)
                .and_then(|parent| symbols.binary_search(&parent).ok());
            OutlineEntry {
                symbol: *symbol,
                parent: parent.filter(|parent| *parent < idx),
            }
        };
        Ok((file, symbols.iter().enumerate().map(entry).collect()))
    }
}
