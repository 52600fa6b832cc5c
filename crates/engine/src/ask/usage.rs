//! Usage counts of a symbol: enough to compare several symbols before querying one of them in detail.

use graph::{EdgeKind, NodeId};

use crate::Reader;

/// Usage counts of one symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Number of places that name it, calls included.
    pub n_references: u32,
    /// Number of definitions, and of files with code at their top level, that call it.
    pub n_callers: u32,
    /// Number of definitions that it calls.
    pub n_callees: u32,
}

impl Reader {
    /// Counts the uses of a symbol; all zero if the node is not a symbol. Linear in its edges, a byte each.
    #[must_use]
    pub fn usage(&self, symbol: NodeId) -> Usage {
        let graph = self.graph();
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Usage {
            n_references: count(graph.n_uses_of(symbol)),
            n_callers: count(graph.n_in_of_kind(symbol, EdgeKind::Calls)),
            n_callees: count(graph.out_of_kind(symbol, EdgeKind::Calls).count()),
        }
    }
}
