//! Reads a graph in parts: finds the part of a node, and joins its edges and uses with those of the joint.
//!
//! One graph in parts: each has the symbols of its files and the edges and uses between them; a joint has the rest.
//!
//! A node has the number that it has in the graph of all files, so that walks, ties and answers are the same. The joint
//! knows which file is in which part; folders, packages, communities and processes; edges and uses from one part to
//! another; and the centrality of every node. A part is opened when a question reaches one of its nodes.

use rkyv::rend::{f32_le, u32_le};
use source::FileId;
use syntax::order::InOrder;

use super::joint::{ArchivedJoint, ArchivedJointEdges, ArchivedJointUses, name_hash};
use crate::frozen::ArchivedGraph;
use crate::kinds::{EdgeKind, FORMS, NodeId, Reason};
use crate::view::{Edge, Occurrence, at, edge, edge_in, occurrence, row, uses_of};

/// Where the graphs of parts are.
pub trait Parts {
    /// The graph of a part. `None` where it cannot be read; who implements this keeps the reason.
    fn graph(&self, part: u16) -> Option<&ArchivedGraph>;
}

/// No place in any column.
const NOWHERE: usize = u32::MAX as usize - 1;

/// A joint, and the way to its parts.
#[derive(Clone, Copy)]
pub(crate) struct Joined<'a> {
    joint: &'a ArchivedJoint,
    parts: &'a dyn Parts,
}

/// A file or symbol in the graph of its part.
#[derive(Clone, Copy)]
struct Inner<'a> {
    part: u16,
    graph: &'a ArchivedGraph,
    node: u32,
}

impl<'a> Joined<'a> {
    pub fn new(joint: &'a ArchivedJoint, parts: &'a dyn Parts) -> Self {
        Self { joint, parts }
    }

    pub fn hub(self) -> &'a ArchivedGraph {
        &self.joint.hub
    }

    pub fn centrality(self) -> &'a [f32_le] {
        &self.joint.centrality
    }

    pub fn symbol_offsets(self) -> &'a [u32_le] {
        &self.joint.symbol_offsets
    }

    pub fn n_edges(self) -> usize {
        self.joint.n_edges.to_native() as usize
    }

    pub fn n_symbols(self) -> usize {
        let (first, end) = self.ends();
        end.saturating_sub(first) as usize
    }

    pub fn n_nodes(self) -> usize {
        self.hub().nodes.kind.len() + self.n_symbols()
    }

    /// First symbol, and one past the last.
    fn ends(self) -> (u32, u32) {
        let offsets = self.symbol_offsets();
        let end = |offset: Option<&u32_le>| offset.map_or(0, |offset| offset.to_native());
        (end(offsets.first()), end(offsets.last()))
    }

    pub fn symbols(self) -> impl Iterator<Item = NodeId> {
        let (first, end) = self.ends();
        (first..end).map(NodeId)
    }

    pub fn is_symbol(self, id: NodeId) -> bool {
        let (first, end) = self.ends();
        first <= id.0 && id.0 < end
    }

    /// The file of a symbol; a file's own number.
    pub fn file_of(self, id: NodeId) -> Option<FileId> {
        if id.0 < self.hub().n_files.to_native() {
            return Some(FileId(id.0));
        }
        if !self.is_symbol(id) {
            return None;
        }
        let past = self.symbol_offsets();
        let past = past.partition_point(|first| first.to_native() <= id.0);
        Some(FileId(past.checked_sub(1)? as u32))
    }

    /// Symbols whose names have this name's hash, by node.
    pub fn may_be_named(self, name: &str) -> impl Iterator<Item = NodeId> + use<'a> {
        let hash = name_hash(name);
        let hashes = &self.joint.name_hashes;
        let start = hashes.partition_point(|other| other.to_native() < hash);
        let end = hashes.partition_point(|other| other.to_native() <= hash);
        let named = self.joint.named.get(start..end).unwrap_or_default();
        named.iter().map(|id| NodeId(id.to_native()))
    }

    /// The columns that have a node, and its place in them.
    pub fn place(self, id: NodeId) -> (&'a ArchivedGraph, usize) {
        let (first, end) = self.ends();
        if id.0 < first {
            return (self.hub(), id.index());
        }
        if id.0 >= end {
            let index = id.0 - (end - first);
            return (self.hub(), index as usize);
        }
        match self.inner(id) {
            Some(inner) => (inner.graph, inner.node as usize),
            None => (self.hub(), NOWHERE),
        }
    }

    /// A file or symbol in its part. Opens the part.
    fn inner(self, id: NodeId) -> Option<Inner<'a>> {
        let file = self.file_of(id)?;
        let part = self.joint.part_of_file.get(file.index())?.to_native();
        let files = self.joint.files_of(part);
        let local = files.partition_point(|other| other.to_native() < file.0);
        let graph = self.parts.graph(part)?;
        let node = if id.0 == file.0 {
            local as u32
        } else {
            let within = id.0 - at(self.symbol_offsets(), file.index());
            let symbols = row(&graph.symbol_offsets, local);
            (within < symbols.len() as u32).then_some(symbols.start as u32 + within)?
        };
        Some(Inner { part, graph, node })
    }

    /// The number of a file or symbol of a part in the whole graph; none of its folders.
    fn lifted(self, of: Inner<'_>, local: u32) -> Option<u32> {
        let file = of.graph.nodes.file.get(local as usize)?.to_native();
        let global = self.joint.files_of(of.part).get(file as usize)?.to_native();
        if local == file {
            return Some(global);
        }
        let first = of.graph.symbol_offsets.get(file as usize)?.to_native();
        let within = local.checked_sub(first)?;
        let symbols = row(self.symbol_offsets(), global as usize);
        ((within as usize) < symbols.len()).then_some(symbols.start as u32 + within)
    }

    /// A number from the columns of a node, in the whole graph.
    pub fn lifted_from(self, id: NodeId, number: u32) -> Option<u32> {
        if self.is_symbol(id) {
            self.lifted(self.inner(id)?, number)
        } else {
            Some(number)
        }
    }

    /// Edges that start at a node, by kind and target.
    pub fn out(self, id: NodeId) -> Vec<Edge> {
        let joint = &self.joint.edges;
        let start = joint
            .sources
            .partition_point(|source| source.to_native() < id.0);
        let end = joint
            .sources
            .partition_point(|source| source.to_native() <= id.0);
        let mut edges: Vec<Edge> = (start..end).filter_map(|index| joint.edge(index)).collect();
        if let Some(inner) = self.inner(id) {
            let rows = row(&inner.graph.edges.out_offsets, inner.node as usize);
            let found = rows.filter_map(|index| edge(inner.graph, NodeId(inner.node), index));
            edges.extend(found.filter_map(|edge| self.lifted_edge(inner, edge)));
        }
        edges.order_by_key(|edge| (edge.kind, edge.target));
        edges
    }

    /// Edges that end at a node, by source, then kind.
    pub fn in_(self, id: NodeId) -> Vec<Edge> {
        let joint = &self.joint.edges;
        let target = |number: &u32_le| at(&joint.targets, number.to_native() as usize);
        let start = joint
            .by_target
            .partition_point(|number| target(number) < id.0);
        let end = joint
            .by_target
            .partition_point(|number| target(number) <= id.0);
        let rows = joint.by_target.get(start..end).unwrap_or_default();
        let rows = rows.iter().map(|number| number.to_native() as usize);
        let mut edges: Vec<Edge> = rows.filter_map(|index| joint.edge(index)).collect();
        if let Some(inner) = self.inner(id) {
            let rows = row(&inner.graph.edges.in_offsets, inner.node as usize);
            let found = rows.filter_map(|index| edge_in(inner.graph, index));
            edges.extend(found.filter_map(|edge| self.lifted_edge(inner, edge)));
        }
        edges.order_by_key(|edge| (edge.source, edge.kind));
        edges
    }

    /// An edge between files and symbols of a part; those of its folders are in the joint.
    fn lifted_edge(self, of: Inner<'_>, edge: Edge) -> Option<Edge> {
        Some(Edge {
            source: NodeId(self.lifted(of, edge.source.0)?),
            target: NodeId(self.lifted(of, edge.target.0)?),
            ..edge
        })
    }

    /// The uses in a file, by position.
    pub fn occurrences_in(self, file: FileId) -> Vec<Occurrence> {
        let mut uses: Vec<Occurrence> = self.joint_uses_in(file).collect();
        if let Some(inner) = self.inner(NodeId(file.0)) {
            let local = FileId(inner.node);
            let rows = row(&inner.graph.occurrences.offsets, local.index());
            let found = rows.filter_map(|index| occurrence(inner.graph, local, index));
            let numbers = self.free_numbers(file);
            let found = found.zip(numbers);
            uses.extend(found.filter_map(|(used, number)| self.lifted_use(inner, used, number)));
        }
        uses.order_by_key(|used| used.index);
        uses
    }

    /// The uses of a node, by file and position.
    pub fn uses_of(self, id: NodeId) -> Vec<Occurrence> {
        let joint = &self.joint.uses;
        let target = |place: &u32_le| at(&joint.target, place.to_native() as usize);
        let start = joint
            .by_target
            .partition_point(|place| target(place) < id.0);
        let end = joint
            .by_target
            .partition_point(|place| target(place) <= id.0);
        let places = joint.by_target.get(start..end).unwrap_or_default();
        let places = places.iter().map(|place| place.to_native() as usize);
        let mut uses: Vec<Occurrence> = places
            .filter_map(|place| joint.occurrence(place, |number| self.file_of_use(number)))
            .collect();
        if let Some(inner) = self.inner(id) {
            let found = uses_of(inner.graph, inner.node as usize);
            uses.extend(found.filter_map(|used| {
                let number = self.number_of(inner, &used)?;
                self.lifted_use(inner, used, number)
            }));
        }
        uses.order_by_key(|used| used.index);
        uses
    }

    fn lifted_use(self, of: Inner<'_>, used: Occurrence, number: u32) -> Option<Occurrence> {
        Some(Occurrence {
            index: number,
            file: FileId(self.lifted(of, used.file.0)?),
            target: NodeId(self.lifted(of, used.target.0)?),
            enclosing: NodeId(self.lifted(of, used.enclosing.0)?),
            ..used
        })
    }

    /// The number of a use of a part among all uses: those of the joint have theirs, the others take what is left.
    fn number_of(self, of: Inner<'_>, used: &Occurrence) -> Option<u32> {
        let first = of.graph.occurrences.offsets.get(used.file.index())?;
        let rank = used.index.checked_sub(first.to_native())?;
        let file = FileId(self.lifted(of, used.file.0)?);
        let start = at(&self.joint.use_offsets, file.index());
        let taken = self.joint_numbers(file);
        // Before the taken number `n` of a file there are as many free ones as its distance from the start, less `n`.
        let (mut low, mut high) = (0, taken.len());
        while low < high {
            let middle = low.midpoint(high);
            let free = taken[middle].to_native() - start - middle as u32;
            if free <= rank {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Some(start.saturating_add(rank).saturating_add(low as u32))
    }

    /// The numbers of a file's uses that are in its part.
    fn free_numbers(self, file: FileId) -> impl Iterator<Item = u32> + use<'a> {
        let range = row(&self.joint.use_offsets, file.index());
        let mut taken = self.joint_numbers(file).iter().peekable();
        (range.start as u32..range.end as u32).filter(move |number| {
            let is_taken = taken.peek().is_some_and(|next| next.to_native() == *number);
            if is_taken {
                taken.next();
            }
            !is_taken
        })
    }

    fn joint_range(self, file: FileId) -> std::ops::Range<usize> {
        let range = row(&self.joint.use_offsets, file.index());
        let numbers = &self.joint.uses.numbers;
        let place =
            |end: usize| numbers.partition_point(|other| (other.to_native() as usize) < end);
        place(range.start)..place(range.end)
    }

    fn joint_numbers(self, file: FileId) -> &'a [u32_le] {
        let range = self.joint_range(file);
        self.joint.uses.numbers.get(range).unwrap_or_default()
    }

    fn joint_uses_in(self, file: FileId) -> impl Iterator<Item = Occurrence> + use<'a> {
        let uses = &self.joint.uses;
        (self.joint_range(file)).filter_map(move |place| uses.occurrence(place, |_| file))
    }

    fn file_of_use(self, number: u32) -> FileId {
        let offsets = &self.joint.use_offsets;
        let past = offsets.partition_point(|first| first.to_native() <= number);
        FileId(past.saturating_sub(1) as u32)
    }
}

impl ArchivedJointEdges {
    fn edge(&self, index: usize) -> Option<Edge> {
        Some(Edge {
            source: NodeId(self.sources.get(index)?.to_native()),
            target: NodeId(at(&self.targets, index)),
            kind: EdgeKind::from_byte(*self.kinds.get(index)?)?,
            confidence: *self.confidences.get(index)?,
            reason: Reason::from_byte(*self.reasons.get(index)?)?,
            line: at(&self.lines, index),
        })
    }
}

impl ArchivedJointUses {
    fn occurrence(&self, place: usize, file: impl Fn(u32) -> FileId) -> Option<Occurrence> {
        let number = self.numbers.get(place)?.to_native();
        Some(Occurrence {
            index: number,
            file: file(number),
            start: at(&self.start, place),
            end: at(&self.end, place),
            line: at(&self.line, place),
            form: *FORMS.get(usize::from(*self.form.get(place)?))?,
            target: NodeId(at(&self.target, place)),
            confidence: *self.confidence.get(place)?,
            reason: Reason::from_byte(*self.reason.get(place)?)?,
            enclosing: NodeId(at(&self.enclosing, place)),
        })
    }
}
