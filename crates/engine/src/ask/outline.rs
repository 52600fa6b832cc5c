//! Document outline: the definitions of a file as a tree.

use graph::NodeId;
use source::FileId;

use crate::{Error, Reader};

/// A definition and its place in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineEntry {
    /// The definition.
    pub symbol: NodeId,
    /// Index of the enclosing entry, always before this one; `None` at the top level.
    pub parent: Option<usize>,
}

impl Reader {
    /// Returns a file and its definitions in source order.
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
