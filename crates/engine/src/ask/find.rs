//! Symbols by name, and by near names where nothing has the name.

use graph::NodeId;
use search::MatchKind;
use syntax::facts::SymbolKind;

use crate::order::InOrder;
use crate::{Error, Reader};

/// How far names may differ and how many are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FindConfig {
    /// Only this kind.
    pub kind: Option<SymbolKind>,
    /// Where nothing fits exactly, near names too.
    pub fuzzy: bool,
    /// At most so many.
    pub limit: usize,
}

/// Symbols that were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Best first.
    pub symbols: Vec<NodeId>,
    /// How many before the limit.
    pub total: usize,
}

/// Near names looked at; more are no answer to anything.
const MAX_NEAR: usize = 500;

impl Reader {
    /// The symbols that `selector` (see [`Reader::select`]) stands for; none is an empty list, not an error.
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

    /// By how the name matches, then by likelihood.
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
        // Stable: likelihood decides among names that match alike.
        nodes.order_by_key(|node| (kind_of.get(node).copied(), self.graph().name(*node).len()));
        nodes
    }
}
