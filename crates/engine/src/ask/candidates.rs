//! Chooses among several matches: a name may match many definitions, and an answer about one of them must say which,
//! and how to select the others.

use graph::{Edge, EdgeKind, NodeId, NodeKind};
use syntax::facts::{Modifiers, SymbolKind};

use crate::{Error, ErrorKind, Reader};

/// The symbol that a selector resolves to, and the other candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The most likely symbol.
    pub symbol: NodeId,
    /// All candidates, the most likely first; only one if the selector is unambiguous.
    pub candidates: Vec<NodeId>,
}

impl Reader {
    /// Chooses the most likely symbol, file or folder for a selector, and returns all candidates with it. Headings count only where
    /// no code has the name.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`].
    pub fn choose(&self, selector: &str) -> Result<Chosen, Error> {
        let mut candidates = self.select_nodes(selector)?;
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

    /// Returns a selector that matches this symbol and no other: by file and name, or by its line where the file has
    /// several symbols of that name.
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

    /// The edge from the type that a constructor constructs; `None` if the node is not a constructor. Constructions are
    /// calls of the type.
    pub(crate) fn constructed_by(&self, node: NodeId) -> Option<Edge> {
        let graph = self.graph();
        let is_constructor = graph.symbol_kind(node) == Some(SymbolKind::Constructor);
        is_constructor.then(|| graph.owner_of(node)).flatten()
    }

    /// Edges from a type to its constructors.
    pub(crate) fn constructors_of(&self, node: NodeId) -> impl Iterator<Item = Edge> + use<'_> {
        let graph = self.graph();
        graph
            .out_of_kind(node, EdgeKind::HasMethod)
            .filter(move |edge| graph.symbol_kind(edge.target) == Some(SymbolKind::Constructor))
    }

    /// Where a node is in lists that put product code first: 0 product code, 1 examples, documents, tooling and copies, 2 tests.
    pub(crate) fn distance_from_product(&self, node: NodeId) -> u8 {
        use search::PathClass;
        const BESIDE: PathClass = PathClass::EXAMPLE
            .union(PathClass::GENERATED)
            .union(PathClass::VENDORED)
            .union(PathClass::PROSE)
            .union(PathClass::TOOLING)
            .union(PathClass::META);
        if self.is_test(node) {
            return 2;
        }
        let file = self.graph().file_of(node);
        let class = file.map_or(PathClass::empty(), |file| self.path_class(file));
        u8::from(class.intersects(BESIDE))
    }

    /// Whether a node is test code: marked as such, within something marked as such, or in a file that holds tests.
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
            // Parents come before their children, so this ends on any archive.
            current = graph.parent(id).filter(|parent| *parent < id);
        }
        false
    }

    /// Returns a symbol, file or folder and all that is defined in it, itself first.
    #[must_use]
    pub fn with_members(&self, symbol: NodeId) -> Vec<NodeId> {
        let graph = self.graph();
        let mut all = vec![symbol];
        let mut seen: rustc_hash::FxHashSet<NodeId> = all.iter().copied().collect();
        let mut at = 0;
        while let Some(&node) = all.get(at) {
            at += 1;
            let members = graph.out(node).filter(|edge| is_member(edge.kind));
            for edge in members {
                if seen.insert(edge.target) {
                    all.push(edge.target);
                }
            }
        }
        all
    }
}

/// Whether the target of such an edge is a part of its source.
pub(crate) fn is_member(kind: EdgeKind) -> bool {
    matches!(
        kind,
        EdgeKind::Defines | EdgeKind::HasMethod | EdgeKind::Contains
    )
}
