//! Find references: who uses a symbol, and how.

use std::cmp::Reverse;

use graph::{NodeId, Occurrence};

use crate::order::InOrder;
use crate::{Error, Reader};

/// The uses of some symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct References {
    /// Symbols that the selector matches.
    pub symbols: Vec<NodeId>,
    /// Sorted by path and position.
    pub uses: Vec<Occurrence>,
    /// Number of uses before limit and offset.
    pub total: usize,
}

impl Reader {
    /// Returns every use of the symbols that `selector` matches, sorted by path and position. A use that may mean
    /// several of them is listed once, with the most likely one.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`].
    pub fn references(
        &self,
        selector: &str,
        offset: usize,
        limit: usize,
    ) -> Result<References, Error> {
        let symbols = self.select(selector)?;
        let graph = self.graph();
        let mut uses: Vec<Occurrence> = symbols
            .iter()
            .flat_map(|symbol| graph.uses_of(*symbol))
            .collect();
        uses.order_by_key(|used| {
            (
                used.file,
                used.start,
                used.end,
                Reverse(used.confidence),
                used.target,
            )
        });
        uses.dedup_by_key(|used| (used.file, used.start, used.end));
        let total = uses.len();
        let uses = uses.into_iter().skip(offset).take(limit).collect();
        Ok(References {
            symbols,
            uses,
            total,
        })
    }

    /// Returns the line that a use is on, trimmed; empty where the snapshot holds no texts.
    #[must_use]
    pub fn line_of_use(&self, used: &Occurrence) -> &str {
        self.line_at(used.file, used.start).1.trim()
    }

    /// Returns the qualified name of the definition around a use; `None` at the top level of a file.
    #[must_use]
    pub fn enclosing_name(&self, used: &Occurrence) -> Option<String> {
        self.is_symbol(used.enclosing)
            .then(|| self.graph().qualified_name(used.enclosing))
    }
}
