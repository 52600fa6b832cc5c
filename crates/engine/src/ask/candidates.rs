//! Which of several: a name may stand for many definitions, and an answer about one of them must say which, and how to ask for
//! the others.

use graph::{Edge, EdgeKind, NodeId, NodeKind};
use syntax::facts::{Modifiers, SymbolKind};

use crate::{Error, ErrorKind, Reader};

/// What a selector was taken for, and what else it may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The likeliest.
    pub symbol: NodeId,
    /// All, the likeliest first; one where the selector is clear.
    pub candidates: Vec<NodeId>,
}

impl Reader {
    /// The likeliest symbol for a selector, with all that it may stand for. Headings are meant only where no code has the name.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`].
    pub fn choose(&self, selector: &str) -> Result<Chosen, Error> {
        let mut candidates = self.select(selector)?;
        let is_heading = |id: &NodeId| self.graph().symbol_kind(*id) == Some(SymbolKind::Section);
        if !candidates.first().is_some_and(is_heading) {
            candidates.retain(|id| !is_heading(id));
        }
        match candidates.first() {
            Some(&symbol) => Ok(Chosen { symbol, candidates }),
            None => Err(Error::new(
                ErrorKind::SymbolNotFound,
                format!("the index has no symbol {selector:?}"),
            )),
        }
    }

    /// A selector that stands for this symbol and no other: by file and name, or by its line where the file has several of
    /// the name.
    #[must_use]
    pub fn selector_of(&self, symbol: NodeId) -> String {
        let graph = self.graph();
        let node = graph.node(symbol);
        let path = node.file.map(|file| self.path(file)).unwrap_or_default();
        let by_name = format!("{path}#{}", graph.qualified_name(symbol));
        match self.select_exact(&by_name).as_deref() {
            Ok([only]) if *only == symbol => by_name,
            _ => format!("{path}:{}", node.name_span.start_line.saturating_add(1)),
        }
    }

    /// The type that this constructs, where it is a constructor: constructions are calls of the type.
    pub(crate) fn constructed_by(&self, node: NodeId) -> Option<Edge> {
        let graph = self.graph();
        let is_constructor = graph.symbol_kind(node) == Some(SymbolKind::Constructor);
        is_constructor.then(|| graph.owner_of(node)).flatten()
    }

    /// The constructors of a type.
    pub(crate) fn constructors_of(&self, node: NodeId) -> impl Iterator<Item = Edge> + use<'_> {
        let graph = self.graph();
        graph
            .out_of_kind(node, EdgeKind::HasMethod)
            .filter(move |edge| graph.symbol_kind(edge.target) == Some(SymbolKind::Constructor))
    }

    /// Whether a node is test code: marked so, within something marked so, or in a file that holds tests.
    #[must_use]
    pub fn is_test(&self, node: NodeId) -> bool {
        let graph = self.graph();
        if self.is_test_file(graph.file_of(node)) {
            return true;
        }
        let mut current = Some(node);
        while let Some(id) = current.filter(|id| graph.kind(*id) == NodeKind::Symbol) {
            if graph.modifiers(id).contains(Modifiers::TEST) {
                return true;
            }
            // Parents stand before their children, so this ends on any archive.
            current = graph.parent(id).filter(|parent| *parent < id);
        }
        false
    }

    /// A symbol with all that is defined in it, itself first.
    #[must_use]
    pub fn with_members(&self, symbol: NodeId) -> Vec<NodeId> {
        let graph = self.graph();
        let mut all = vec![symbol];
        let mut seen: rustc_hash::FxHashSet<NodeId> = all.iter().copied().collect();
        let mut at = 0;
        while let Some(&node) = all.get(at) {
            at += 1;
            let members = graph
                .out(node)
                .filter(|edge| matches!(edge.kind, EdgeKind::Defines | EdgeKind::HasMethod));
            for edge in members {
                if seen.insert(edge.target) {
                    all.push(edge.target);
                }
            }
        }
        all
    }
}
