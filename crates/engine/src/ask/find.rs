//! Finds symbols by name, and by similar names where nothing has the name.

use graph::NodeId;
use search::MatchKind;
use syntax::facts::SymbolKind;

use crate::{Error, Reader};
use syntax::order::InOrder;

/// Which symbols [`Reader::find`] returns, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FindConfig {
    /// Only symbols of this kind; any kind if `None`.
    pub kind: Option<SymbolKind>,
    /// Whether to look for similar names where none matches exactly.
    pub fuzzy: bool,
    /// Maximum number of symbols.
    pub limit: usize,
}

/// Symbols that match a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Best match first.
    pub symbols: Vec<NodeId>,
    /// Number of matches before the limit.
    pub total: usize,
}

/// Maximum number of similar names considered; further ones are too different to help.
const MAX_NEAR: usize = 500;

impl Reader {
    /// Finds the symbols that `selector` (see [`Reader::select`]) matches; an empty list, not an error, where there are
    /// none.
    ///
    /// # Errors
    ///
    /// `query.empty`; `file.not-found` where the selector names a file.
    pub fn find(&self, selector: &str, config: &FindConfig) -> Result<Found, Error> {
        let wanted = |node: &NodeId| {
            config
                .kind
                .is_none_or(|kind| self.graph().symbol_kind(*node) == Some(kind))
        };
        let mut symbols: Vec<NodeId> = self
            .select_exact(selector)?
            .into_iter()
            .filter(wanted)
            .collect();
        if symbols.is_empty() && config.fuzzy {
            symbols = self.near(selector).into_iter().filter(wanted).collect();
        }
        let total = symbols.len();
        symbols.truncate(config.limit);
        Ok(Found { symbols, total })
    }

    /// Symbols with similar names: by how the name matches, then by its length, then by likelihood.
    fn near(&self, name: &str) -> Vec<NodeId> {
        let matches: Vec<(NodeId, MatchKind)> = self
            .view()
            .names()
            .lookup(name.trim(), MAX_NEAR)
            .into_iter()
            .map(|(node, kind)| (NodeId(node), kind))
            .filter(|(node, _)| self.is_symbol(*node))
            .collect();
        let mut nodes: Vec<NodeId> = matches.iter().map(|(node, _)| *node).collect();
        self.sort_by_likelihood(&mut nodes);
        let kind_of: rustc_hash::FxHashMap<NodeId, MatchKind> = matches.into_iter().collect();
        // The sort is stable: likelihood decides among names that match alike.
        nodes.order_by_key(|node| (kind_of.get(node).copied(), self.graph().name(*node).len()));
        nodes
    }
}
