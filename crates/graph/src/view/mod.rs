//! Reads a frozen graph in place, without a copy. Nothing panics on a damaged archive: ids out of range read as empty.

mod edges;
mod either;
mod joined;
mod joint;
mod node;
mod uses;

use rkyv::rend::u32_le;
use source::FileId;
use syntax::facts::{Modifiers, Span, SymbolKind};

use crate::frozen::{ArchivedGraph, NONE};
use crate::kinds::{EdgeKind, NodeId, NodeKind, SYMBOL_KINDS};
pub use edges::Edge;
pub(crate) use edges::{edge, edge_in};
pub(crate) use either::Either;
pub(crate) use joined::Joined;
pub use joined::Parts;
pub(crate) use joint::name_hash;
pub use joint::{ArchivedJoint, Joint, JointEdges, JointUses};
pub use node::Node;
pub use uses::Occurrence;
pub(crate) use uses::{occurrence, uses_of};

/// A graph in an archive, or in the archives of its parts, read in place.
#[derive(Clone, Copy)]
pub struct GraphView<'a>(pub(crate) Form<'a>);

/// Where the columns of a graph are.
#[derive(Clone, Copy)]
pub(crate) enum Form<'a> {
    /// All in one archive.
    Whole(&'a ArchivedGraph),
    /// Symbols and the edges between them in parts, by files; everything else joined.
    Parts(Joined<'a>),
}

pub(crate) fn at(column: &[u32_le], index: usize) -> u32 {
    column.get(index).map_or(0, |value| value.to_native())
}

fn some(id: u32) -> Option<u32> {
    (id != NONE).then_some(id)
}

/// `offsets[index]..offsets[index + 1]`, empty where the archive has no such row. `index` may be `NONE`, which is the
/// largest `usize` in wasm32.
pub(crate) fn row(offsets: &[u32_le], index: usize) -> std::ops::Range<usize> {
    match (offsets.get(index), offsets.get(index.wrapping_add(1))) {
        (Some(start), Some(end)) => start.to_native() as usize..end.to_native() as usize,
        _ => 0..0,
    }
}

impl<'a> GraphView<'a> {
    /// Reads a graph that is in one archive.
    #[must_use]
    pub fn new(graph: &'a ArchivedGraph) -> Self {
        Self(Form::Whole(graph))
    }

    /// Reads a graph in parts. Its nodes have the numbers that they have in the graph of all files.
    #[must_use]
    pub fn joined(joint: &'a ArchivedJoint, parts: &'a dyn Parts) -> Self {
        Self(Form::Parts(Joined::new(joint, parts)))
    }

    /// The columns that are not by symbol: counts, communities, processes.
    pub(crate) fn columns(self) -> &'a ArchivedGraph {
        match self.0 {
            Form::Whole(graph) => graph,
            Form::Parts(joined) => joined.hub(),
        }
    }

    /// The columns that have a node, and its place in them.
    pub(crate) fn place(self, id: NodeId) -> (&'a ArchivedGraph, usize) {
        match self.0 {
            Form::Whole(graph) => (graph, id.index()),
            Form::Parts(joined) => joined.place(id),
        }
    }

    /// Number of nodes.
    #[must_use]
    pub fn n_nodes(self) -> usize {
        match self.0 {
            Form::Whole(graph) => graph.nodes.kind.len(),
            Form::Parts(joined) => joined.n_nodes(),
        }
    }

    /// Number of files; they are the nodes from 0.
    #[must_use]
    pub fn n_files(self) -> usize {
        self.columns().n_files.to_native() as usize
    }

    /// Number of edges.
    #[must_use]
    pub fn n_edges(self) -> usize {
        match self.0 {
            Form::Whole(graph) => graph.edges.targets.len(),
            Form::Parts(joined) => joined.n_edges(),
        }
    }

    /// Number of symbols.
    #[must_use]
    pub fn n_symbols(self) -> usize {
        match self.0 {
            Form::Whole(graph) => graph.by_name.len(),
            Form::Parts(joined) => joined.n_symbols(),
        }
    }

    /// A node by number.
    #[must_use]
    pub fn node(self, id: NodeId) -> Node<'a> {
        let (graph, index) = self.place(id);
        let nodes = &graph.nodes;
        let kind = self.kind(id);
        let start_line = at(&nodes.start_line, index);
        let name_line = at(&nodes.name_line, index);
        Node {
            id,
            kind,
            symbol_kind: self.symbol_kind(id),
            name: self.name(id),
            file: self.file_of(id),
            parent: self.parent(id),
            span: Span {
                start: at(&nodes.start, index),
                end: at(&nodes.end, index),
                start_line,
                end_line: at(&nodes.end_line, index),
            },
            name_span: Span {
                start: at(&nodes.name_start, index),
                end: at(&nodes.name_end, index),
                start_line: name_line,
                end_line: name_line,
            },
            signature: if kind == NodeKind::Symbol {
                string(graph, at(&nodes.signature, index))
            } else {
                ""
            },
            doc: string(graph, at(&nodes.doc, index)),
            modifiers: Modifiers::from_bits_retain(at(&nodes.modifiers, index)),
            complexity: nodes
                .complexity
                .get(index)
                .map_or(0, |value| value.to_native()),
            centrality: self.centrality(id),
        }
    }

    /// The kind of a node.
    #[must_use]
    pub fn kind(self, id: NodeId) -> NodeKind {
        // Told by the number where there are parts: their files need not be opened for it.
        if let Form::Parts(joined) = self.0
            && joined.is_symbol(id)
        {
            return NodeKind::Symbol;
        }
        let (graph, index) = self.place(id);
        let kind = graph.nodes.kind.get(index).copied();
        kind.and_then(NodeKind::from_byte)
            .unwrap_or(NodeKind::External)
    }

    /// The kind of definition, for symbols.
    #[must_use]
    pub fn symbol_kind(self, id: NodeId) -> Option<SymbolKind> {
        let (graph, index) = self.place(id);
        let byte = *graph.nodes.symbol_kind.get(index)?;
        SYMBOL_KINDS.get(usize::from(byte)).copied()
    }

    /// Simple name of a node.
    #[must_use]
    pub fn name(self, id: NodeId) -> &'a str {
        let (graph, index) = self.place(id);
        string(graph, at(&graph.nodes.name, index))
    }

    /// The definition, file or folder around a node.
    #[must_use]
    pub fn parent(self, id: NodeId) -> Option<NodeId> {
        let (graph, index) = self.place(id);
        some(at(&graph.nodes.parent, index))
            .and_then(|parent| match self.0 {
                Form::Whole(_) => Some(parent),
                Form::Parts(joined) => joined.lifted_from(id, parent),
            })
            .filter(|&parent| (parent as usize) < self.n_nodes())
            .map(NodeId)
    }

    /// PageRank over calls, references and imports; the highest node has 1.
    #[must_use]
    pub fn centrality(self, id: NodeId) -> f32 {
        let column = match self.0 {
            Form::Whole(graph) => &graph.nodes.centrality,
            Form::Parts(joined) => joined.centrality(),
        };
        column
            .get(id.index())
            .map_or(0.0, |value| value.to_native())
    }

    /// The file that contains a node; for a file its own number.
    #[must_use]
    pub fn file_of(self, id: NodeId) -> Option<FileId> {
        match self.0 {
            Form::Whole(graph) => some(at(&graph.nodes.file, id.index())).map(FileId),
            Form::Parts(joined) => joined.file_of(id),
        }
    }

    /// The modifiers of a definition, such as `pub` or `async`.
    #[must_use]
    pub fn modifiers(self, id: NodeId) -> Modifiers {
        let (graph, index) = self.place(id);
        Modifiers::from_bits_retain(at(&graph.nodes.modifiers, index))
    }

    /// The edge from the type that a function is a method of, wherever it is written. Linear in the edges that end at a
    /// function, a byte each.
    #[must_use]
    pub fn owner_of(self, id: NodeId) -> Option<Edge> {
        use SymbolKind::{Constructor, Function, Method};
        let can_have_owner = matches!(self.symbol_kind(id), Some(Function | Method | Constructor));
        let mut owners = self.in_of_kind(id, EdgeKind::HasMethod);
        can_have_owner.then(|| owners.next()).flatten()
    }

    /// Number of calls, references and imports that end at a node.
    #[must_use]
    pub fn in_degree(self, id: NodeId) -> usize {
        [EdgeKind::Calls, EdgeKind::References, EdgeKind::Imports]
            .into_iter()
            .map(|kind| self.n_in_of_kind(id, kind))
            .sum()
    }

    /// Path of a file.
    #[must_use]
    pub fn path(self, file: FileId) -> &'a str {
        if file.index() < self.n_files() {
            let columns = self.columns();
            string(columns, at(&columns.nodes.signature, file.index()))
        } else {
            ""
        }
    }

    /// Path of a file or folder node; empty for others.
    #[must_use]
    pub fn path_of(self, id: NodeId) -> &'a str {
        match self.kind(id) {
            NodeKind::File | NodeKind::Folder => {
                let (graph, index) = self.place(id);
                string(graph, at(&graph.nodes.signature, index))
            }
            NodeKind::Symbol | NodeKind::External | NodeKind::Community | NodeKind::Process => "",
        }
    }

    /// The name with the names of the definitions around it, joined by `.` (`Router.add`); of files and folders the
    /// path.
    #[must_use]
    pub fn qualified_name(self, id: NodeId) -> String {
        if self.kind(id) != NodeKind::Symbol {
            let path = self.path_of(id);
            return if path.is_empty() {
                self.name(id).to_owned()
            } else {
                path.to_owned()
            };
        }
        let mut parts = vec![self.name(id)];
        let mut current = id;
        // The name of a method written outside of its type (Go, C++, prototypes) includes the type as well.
        let is_outside = self
            .parent(id)
            .is_none_or(|parent| self.kind(parent) != NodeKind::Symbol);
        if is_outside && let Some(owner) = self.owner_of(id) {
            parts.push(self.name(owner.source));
            current = owner.source;
        }
        while let Some(parent) = self
            .parent(current)
            .filter(|&p| self.kind(p) == NodeKind::Symbol && p < current)
        {
            parts.push(self.name(parent));
            current = parent;
        }
        parts.reverse();
        parts.join(".")
    }

    /// The symbols of a file, in source order.
    pub fn symbols_of(
        self,
        file: FileId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<'a> {
        let range = if file.index() < self.n_files() {
            let offsets = match self.0 {
                Form::Whole(graph) => &graph.symbol_offsets,
                Form::Parts(joined) => joined.symbol_offsets(),
            };
            row(offsets, file.index())
        } else {
            0..0
        };
        let (start, end) = (range.start as u32, range.end.min(self.n_nodes()) as u32);
        (start.min(end)..end).map(NodeId)
    }

    /// The folders.
    pub fn folders(self) -> impl Iterator<Item = NodeId> + use<'a> {
        let columns = self.columns();
        let start = columns.n_files.to_native();
        (start..start.saturating_add(columns.n_folders.to_native())).map(NodeId)
    }

    /// The symbols of exactly this name, by node.
    pub fn by_name(self, name: &str) -> impl Iterator<Item = NodeId> + use<'a> {
        match self.0 {
            Form::Whole(graph) => Either::Whole(named(graph, name)),
            Form::Parts(joined) => {
                let mut found: Vec<NodeId> = joined.may_be_named(name).collect();
                found.retain(|id| self.name(*id) == name);
                Either::Parts(found.into_iter())
            }
        }
    }

    /// Every symbol, sorted by name. Of a graph in parts it reads all of them.
    pub fn symbols_by_name(self) -> impl Iterator<Item = NodeId> + use<'a> {
        match self.0 {
            Form::Whole(graph) => {
                let column = graph.by_name.iter();
                Either::Whole(column.map(|id| NodeId(id.to_native())))
            }
            Form::Parts(joined) => {
                let mut all: Vec<NodeId> = joined.symbols().collect();
                all.sort_by_key(|id| self.name(*id));
                Either::Parts(all.into_iter())
            }
        }
    }

    /// The innermost symbol whose definition covers a byte of a file.
    #[must_use]
    pub fn symbol_at(self, file: FileId, offset: u32) -> Option<NodeId> {
        let span = |id: NodeId| {
            let (graph, index) = self.place(id);
            at(&graph.nodes.start, index)..at(&graph.nodes.end, index)
        };
        self.symbols_of(file)
            .take_while(|id| span(*id).start <= offset)
            .filter(|id| offset < span(*id).end)
            .last()
    }
}

/// The string with this number.
fn string(graph: &ArchivedGraph, id: u32) -> &str {
    let strings = &graph.strings;
    strings
        .text
        .as_str()
        .get(row(&strings.offsets, id as usize))
        .unwrap_or_default()
}

/// The symbols of a name in one archive, by node.
fn named<'a>(graph: &'a ArchivedGraph, name: &str) -> impl Iterator<Item = NodeId> + use<'a> {
    let name_of = |id: u32| string(graph, at(&graph.nodes.name, id as usize));
    let column = graph.by_name.as_slice();
    let start = column.partition_point(|id| name_of(id.to_native()) < name);
    let rest = column.get(start..).unwrap_or_default();
    let len = rest.partition_point(|id| name_of(id.to_native()) == name);
    rest.get(..len)
        .unwrap_or_default()
        .iter()
        .map(|id| NodeId(id.to_native()))
}
