//! Who uses a symbol, and how.

use std::cmp::Reverse;

use graph::{NodeId, Occurrence};

use crate::order::InOrder;
use crate::{Error, Reader};

/// The uses of some symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct References {
    /// What the selector was taken for.
    pub symbols: Vec<NodeId>,
    /// By path and place.
    pub uses: Vec<Occurrence>,
    /// How many before limit and offset.
    pub total: usize,
}

impl Reader {
    /// Every use of the symbols that `selector` stands for, by path and place. A use that may mean several of them stands
    /// once, with the likeliest.
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

    /// The line that a use stands on, trimmed; empty where the snapshot holds no texts.
    #[must_use]
    pub fn line_of_use(&self, used: &Occurrence) -> &str {
        self.line_at(used.file, used.start).1.trim()
    }

    /// Qualified name of the definition around a use; none at the top level of a file.
    #[must_use]
    pub fn enclosing_name(&self, used: &Occurrence) -> Option<String> {
        self.is_symbol(used.enclosing)
            .then(|| self.graph().qualified_name(used.enclosing))
    }
}
