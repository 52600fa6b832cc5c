//! How much a symbol is used, in numbers: what one wants to know of several symbols before asking more of one.

use graph::{EdgeKind, NodeId};

use crate::Reader;

/// Counts for one symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Places that name it, calls included.
    pub n_references: u32,
    /// Definitions, and files with code at their top level, that call it.
    pub n_callers: u32,
    /// Definitions that it calls.
    pub n_callees: u32,
}

impl Reader {
    /// Counts for one symbol, all zero for what is none. Linear in its edges, a byte each.
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
