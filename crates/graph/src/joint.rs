//! Builds the graphs of parts one after another, then the joint.
//!
//! Of each part the builder keeps its edges (16 bytes each), the uses that leave it and the signs of flows in its
//! files; centrality, communities and processes are made of all of them in the end, as for a graph in one piece.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use source::FileId;
use syntax::facts::ReferenceForm;
use syntax::order::InOrder;

use crate::each::{Each, both};
use crate::freeze::{Grouped, Hub, in_order, resolved_edges};
use crate::frozen::{Graph, Nodes};
use crate::kinds::Reason;
use crate::layout::Layout;
use crate::part::{Numbers, PartResolution};
use crate::processes::Signs;
use crate::resolution::{RawEdge, RawUse, Resolution};
use crate::rows::column;
use crate::view::{Joint, JointEdges, JointUses, name_hash};

/// Takes the resolution of each part, gives back what its graph is made of, and in the end the joint.
#[derive(Default)]
pub struct JointBuilder {
    part_of_file: Vec<u16>,
    /// Edges of each part so far. Packages have the numbers of `externals`, behind the symbols.
    edges: Vec<Vec<RawEdge>>,
    externals: FxHashMap<String, u32>,
    /// Number of uses in each file.
    n_uses: Vec<u32>,
    /// Uses that lead out of each part, in its order. One list for all would be copied as it grows.
    uses: Vec<Vec<LeavingUse>>,
    signs: Signs,
}

/// A use that leads out of its part, with its place among the uses of the file.
struct LeavingUse {
    file: FileId,
    place: u32,
    start: u32,
    end: u32,
    line: u32,
    target: u32,
    enclosing: u32,
    form: ReferenceForm,
    confidence: u8,
    reason: Reason,
}

impl JointBuilder {
    /// A builder for files of these parts, in the order of the files. Parts are numbered from 0 without gaps.
    #[must_use]
    pub fn new(part_of_file: Vec<u16>) -> Self {
        Self {
            n_uses: vec![0; part_of_file.len()],
            part_of_file,
            ..Self::default()
        }
    }

    /// The files of a part.
    pub fn files_of(&self, part: u16) -> impl Iterator<Item = FileId> + '_ {
        let files = (0..).map(FileId).zip(&self.part_of_file);
        files
            .filter(move |(_, of)| **of == part)
            .map(|(file, _)| file)
    }

    /// Adds a part and returns what is within it. `layout` has all files, those of the part with all of their facts; `resolution`
    /// has the uses, imports and supertypes of the part's files, and may have supertypes of others.
    pub fn add(
        &mut self,
        part: u16,
        layout: &Layout<'_>,
        resolution: Resolution,
    ) -> PartResolution {
        let mut resolution = resolution;
        resolution.uses.resize_with(layout.files.len(), Vec::new);
        let files: Vec<FileId> = self.files_of(part).collect();
        let numbers = Numbers::new(layout, &files);
        self.signs.add(Signs::new(layout, &resolution.uses));
        let edges = self.edges_of(&numbers, &mut resolution);
        let inner = edges.iter().filter_map(|edge| {
            Some(RawEdge {
                source: numbers.own(edge.source)?,
                target: numbers.own(edge.target)?,
                ..*edge
            })
        });
        let inner: Vec<RawEdge> = inner.collect();
        self.edges.push(edges);
        let mut leaving = Vec::new();
        let uses: Vec<Vec<RawUse>> = files
            .iter()
            .map(|file| {
                let uses = &resolution.uses[file.index()];
                self.n_uses[file.index()] = uses.len() as u32;
                inner_uses(&numbers, *file, uses, &mut leaving)
            })
            .collect();
        leaving.shrink_to_fit();
        self.uses.push(leaving);
        PartResolution {
            shape: numbers.shape,
            uses,
            edges: inner,
        }
    }

    /// The edges that start in a part, each once; packages get their numbers here.
    fn edges_of(&mut self, numbers: &Numbers<'_>, resolution: &mut Resolution) -> Vec<RawEdge> {
        let end = numbers.whole.end();
        let known: Vec<u32> = std::mem::take(&mut resolution.externals)
            .into_iter()
            .map(|name| {
                let next = self.externals.len() as u32;
                *self.externals.entry(name).or_insert(next)
            })
            .collect();
        let mut raw = std::mem::take(&mut resolution.edges);
        raw.retain(|edge| numbers.own(edge.source).is_some());
        for edge in &mut raw {
            let external = edge.target.checked_sub(end);
            if let Some(number) = external.and_then(|id| known.get(id as usize)) {
                edge.target = end + number;
            }
        }
        let n_nodes = end as usize + self.externals.len();
        resolved_edges(numbers.whole, &resolution.uses, raw, n_nodes)
    }

    /// Makes the joint of all parts. `layout` has all files; of their facts it needs none of the uses. `each` may make what follows from the
    /// edges beside the columns of uses and names, after which `then` is called.
    #[must_use]
    pub fn finish(
        mut self,
        layout: &Layout<'_>,
        each: Each<'_>,
        then: &(dyn Fn() + Sync),
    ) -> Joint {
        let edges = std::mem::take(&mut self.edges);
        let externals = std::mem::take(&mut self.externals);
        let (externals, edges) = renumbered(layout.end(), externals, edges);
        // Taken by who makes columns of them, which is done once.
        let (edges, leaving) = (
            Mutex::new(edges),
            Mutex::new(std::mem::take(&mut self.uses)),
        );
        let hub = || Hub::new(layout, &externals, taken(&edges));
        let uses = || {
            let offsets = offsets(self.n_uses.iter().copied());
            let uses = joint_uses(&taken(&leaving), &self.part_of_file, &offsets);
            (offsets, uses)
        };
        let (hub, (use_offsets, uses)) = both(each, &hub, &uses);
        let beside = || {
            let (centrality, names) = (hub.centrality(), names(layout));
            then();
            (centrality, names)
        };
        let groups = || hub.unlabelled(layout);
        let (unlabelled, (centrality, (name_hashes, named))) = both(each, &groups, &beside);
        let grouped = hub.grouped(layout, &self.signs, centrality, unlabelled);
        let joint = joint_of(grouped, layout, &self.part_of_file);
        let (file_offsets, files) = files_by_part(&self.part_of_file);
        Joint {
            use_offsets,
            uses,
            name_hashes,
            named,
            file_offsets,
            files,
            part_of_file: self.part_of_file,
            ..joint
        }
    }
}

/// A joint without uses, names and parts.
fn joint_of(grouped: Grouped, layout: &Layout<'_>, part_of_file: &[u16]) -> Joint {
    let part_of_node = PartOfNode {
        layout,
        parts: part_of_file,
    };
    Joint {
        symbol_offsets: layout.symbol_offsets.clone(),
        n_edges: grouped.edges.len() as u32,
        edge_kinds: counts(&grouped.edges),
        edges: joint_edges(grouped.edges, &part_of_node),
        centrality: grouped.centrality,
        hub: Graph {
            n_files: layout.files.len() as u32,
            n_folders: layout.folders.len() as u32,
            nodes: Nodes {
                // It is in the joint's own column, for all nodes.
                centrality: vec![0.0; grouped.nodes.kind.len()],
                ..grouped.nodes
            },
            strings: grouped.strings,
            communities: grouped.communities,
            processes: grouped.processes,
            ..Graph::default()
        },
        ..Joint::default()
    }
}

fn taken<T: Default>(value: &Mutex<T>) -> T {
    std::mem::take(&mut value.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The uses in a file that stay in its part; the others go to `leaving`.
fn inner_uses(
    numbers: &Numbers<'_>,
    file: FileId,
    uses: &[RawUse],
    leaving: &mut Vec<LeavingUse>,
) -> Vec<RawUse> {
    let mut inner = Vec::with_capacity(uses.len());
    for (place, used) in (0..).zip(in_order(uses)) {
        match (numbers.own(used.target), numbers.own(used.enclosing)) {
            (Some(target), Some(enclosing)) => inner.push(RawUse {
                target,
                enclosing,
                ..*used
            }),
            _ => leaving.push(LeavingUse {
                file,
                place,
                start: used.span.start,
                end: used.span.end,
                line: used.span.start_line,
                target: used.target,
                enclosing: used.enclosing,
                form: used.form,
                confidence: used.confidence,
                reason: used.reason,
            }),
        }
    }
    inner
}

/// Packages by name, as in a graph in one piece, and the edges with their new numbers.
fn renumbered(
    first: u32,
    externals: FxHashMap<String, u32>,
    mut edges: Vec<Vec<RawEdge>>,
) -> (Vec<String>, Vec<Vec<RawEdge>>) {
    let mut names: Vec<(String, u32)> = externals.into_iter().collect();
    names.sort_unstable();
    let mut numbers = vec![0; names.len()];
    for (number, (_, before)) in (first..).zip(&names) {
        numbers[*before as usize] = number;
    }
    for edge in edges.iter_mut().flatten() {
        let before = edge.target.checked_sub(first);
        if let Some(number) = before.and_then(|before| numbers.get(before as usize)) {
            edge.target = *number;
        }
    }
    (names.into_iter().map(|(name, _)| name).collect(), edges)
}

/// Tells which edges are in the graph of a part.
struct PartOfNode<'a> {
    layout: &'a Layout<'a>,
    parts: &'a [u16],
}

impl PartOfNode<'_> {
    /// The part of a file or symbol.
    fn of(&self, node: u32) -> Option<u16> {
        let file = match self.parts.get(node as usize) {
            Some(part) => return Some(*part),
            None => self.layout.symbol(node)?.0,
        };
        self.parts.get(file as usize).copied()
    }

    fn is_inner(&self, edge: &RawEdge) -> bool {
        let source = self.of(edge.source);
        source.is_some() && source == self.of(edge.target)
    }
}

fn joint_edges(mut edges: Vec<RawEdge>, parts: &PartOfNode<'_>) -> JointEdges {
    edges.retain(|edge| !parts.is_inner(edge));
    let targets = column(&edges, |edge| edge.target);
    JointEdges {
        sources: column(&edges, |edge| edge.source),
        kinds: column(&edges, |edge| edge.kind as u8),
        confidences: column(&edges, |edge| edge.confidence),
        reasons: column(&edges, |edge| edge.reason as u8),
        lines: column(&edges, |edge| edge.line),
        by_target: by_value(&targets),
        targets,
    }
}

/// The uses that leave each part, in the order of all. The files of a part rise, and so do the uses of a file: the next use of a
/// file is the next of its part.
fn joint_uses(uses: &[Vec<LeavingUse>], part_of_file: &[u16], first: &[u32]) -> JointUses {
    let n_uses = uses.iter().map(Vec::len).sum();
    let mut next = vec![0_usize; uses.len()];
    let mut in_order: Vec<&LeavingUse> = Vec::with_capacity(n_uses);
    for (file, part) in (0..).map(FileId).zip(part_of_file) {
        let part = usize::from(*part);
        let (Some(list), Some(next)) = (uses.get(part), next.get_mut(part)) else {
            continue;
        };
        while let Some(used) = list.get(*next).filter(|used| used.file == file) {
            in_order.push(used);
            *next += 1;
        }
    }
    let numbers = in_order.iter();
    let numbers = numbers.map(|used| first[used.file.index()] + used.place);
    let target = column(&in_order, |used| used.target);
    JointUses {
        numbers: numbers.collect(),
        start: column(&in_order, |used| used.start),
        end: column(&in_order, |used| used.end),
        line: column(&in_order, |used| used.line),
        form: column(&in_order, |used| used.form as u8),
        confidence: column(&in_order, |used| used.confidence),
        reason: column(&in_order, |used| used.reason as u8),
        enclosing: column(&in_order, |used| used.enclosing),
        by_target: by_value(&target),
        target,
    }
}

/// Places of a column by value, then by place.
fn by_value(column: &[u32]) -> Vec<u32> {
    let mut places: Vec<u32> = (0..column.len() as u32).collect();
    places.order_by_key(|place| column[*place as usize]);
    places
}

fn offsets(counts: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut sum = 0;
    let ends = counts.map(|count| {
        sum += count;
        sum
    });
    std::iter::once(0).chain(ends).collect()
}

fn counts(edges: &[RawEdge]) -> Vec<u32> {
    let mut counts: Vec<u32> = Vec::new();
    for edge in edges {
        let kind = edge.kind as usize;
        counts.resize(counts.len().max(kind + 1), 0);
        counts[kind] += 1;
    }
    counts
}

fn names(layout: &Layout<'_>) -> (Vec<u32>, Vec<u32>) {
    let n_symbols = layout.end() - layout.first_symbol();
    let mut names: Vec<(u32, u32)> = Vec::with_capacity(n_symbols as usize);
    names.extend(
        (layout.first_symbol()..)
            .zip(layout.symbols())
            .map(|(node, (_, symbol))| (name_hash(&symbol.name), node)),
    );
    names.sort_unstable();
    names.into_iter().unzip()
}

fn files_by_part(part_of_file: &[u16]) -> (Vec<u32>, Vec<u32>) {
    let n_parts = part_of_file
        .iter()
        .max()
        .map_or(0, |most| usize::from(*most) + 1);
    let mut counts = vec![0; n_parts];
    for part in part_of_file {
        counts[usize::from(*part)] += 1;
    }
    let mut files: Vec<u32> = (0..part_of_file.len() as u32).collect();
    files.order_by_key(|file| part_of_file[*file as usize]);
    (offsets(counts.into_iter()), files)
}
