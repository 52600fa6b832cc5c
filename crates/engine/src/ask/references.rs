//! Find references: who uses a symbol, and how.

use std::cmp::Reverse;

use graph::{NodeId, Occurrence};
use syntax::facts::SymbolKind;

use rustc_hash::FxHashSet;

use crate::{Error, Reader};
use syntax::order::InOrder;

/// The uses of some symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct References {
    /// Symbols that the selector matches.
    pub symbols: Vec<NodeId>,
    /// Product code first, then examples and documents, then tests; each sorted by path and position.
    pub uses: Vec<Occurrence>,
    /// Number of uses in product code.
    pub n_product: usize,
    /// Number of uses before limit and offset.
    pub total: usize,
}

impl Reader {
    /// Returns every use of the symbols of this kind that `selector` matches: product code first, then by path and position. A use that may
    /// mean several of them is listed once, with the most likely one.
    ///
    /// # Errors
    ///
    /// As [`Reader::select_nodes`].
    pub fn references(
        &self,
        selector: &str,
        kind: Option<SymbolKind>,
        offset: usize,
        limit: usize,
    ) -> Result<References, Error> {
        let symbols = self.select_of_kind(selector, kind)?;
        let graph = self.graph();
        // Of a file or folder those from elsewhere: within it nearly every name is used.
        let is_group = !symbols.iter().any(|symbol| self.is_symbol(*symbol));
        let within = self.with_definitions(&symbols);
        let own: FxHashSet<_> = (within.iter())
            .filter_map(|node| graph.file_of(*node))
            .filter(|_| is_group)
            .collect();
        let mut uses: Vec<Occurrence> = within
            .iter()
            .flat_map(|symbol| graph.uses_of(*symbol))
            .filter(|used| !own.contains(&used.file))
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
        uses.order_by_cached_key(|used| self.distance_from_product(used.enclosing));
        let n_product = (uses.iter())
            .filter(|used| self.distance_from_product(used.enclosing) == 0)
            .count();
        let uses = uses.into_iter().skip(offset).take(limit).collect();
        Ok(References {
            symbols,
            uses,
            n_product,
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
