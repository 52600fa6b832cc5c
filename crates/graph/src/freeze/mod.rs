//! Sorts nodes, edges and uses into the frozen columns.

mod clusters;
mod edges;
mod hub;
mod nodes;
mod strings;

use crate::communities::Clustering;
use crate::each::{Each, both};
use crate::frozen::{
    ArchivedGraph, Communities, Edges, Graph, NONE, Nodes, Occurrences, Processes, Strings,
};
use crate::kinds::{EdgeKind, NodeKind, Reason};
use crate::layout::Layout;
use crate::processes::{Flow, Signs, flows};
use crate::resolution::{RawEdge, RawUse, Resolution};

use clusters::Clustered;
use edges::{edges, joined, sorted, structure_edges, use_edges};
pub(crate) use hub::Hub;
use nodes::{NewNode, nodes};
use strings::{StringTable, by_name};

/// Freezes the graph of a layout and its resolution.
///
/// Columns of nodes and uses, and signs of flows, need nothing of the edges and their communities: `each` may make both side
/// by side. `last` is a graph of files with the same interfaces: where the edges are the same, too, communities are.
pub(crate) fn freeze(
    layout: &Layout<'_>,
    resolution: Resolution,
    last: Option<&ArchivedGraph>,
    each: Each<'_>,
) -> Graph {
    let externals = resolution.externals.as_slice();
    let n_resolved = layout.end() as usize + externals.len();
    let columns = || {
        let mut strings = StringTable::new(2 * layout.end() as usize);
        let nodes = nodes(layout, externals, &mut strings);
        let uses = occurrences(&resolution.uses, n_resolved);
        let signs = Signs::new(layout, &resolution.uses);
        (nodes, strings, uses, by_name(layout), signs)
    };
    let clustered = || {
        let mut raw = resolution.edges.clone();
        structure_edges(layout, &mut raw);
        use_edges(layout, &resolution.uses, &mut raw);
        let sorted = sorted(raw.iter().copied(), n_resolved);
        drop(raw);
        Clustered::new(layout, n_resolved, sorted, last)
    };
    let (columns, clustered) = both(each, &columns, &clustered);
    let (nodes, strings, mut occurrences, by_name, signs) = columns;
    let grouped = Grouped::new(clustered, layout, &signs, nodes, 0, strings);
    let n_nodes = grouped.nodes.kind.len();
    // Nothing uses a group.
    let n_uses = occurrences.uses.len() as u32;
    occurrences.use_offsets.resize(n_nodes + 1, n_uses);
    Graph {
        n_files: layout.files.len() as u32,
        n_folders: layout.folders.len() as u32,
        by_name,
        strings: grouped.strings,
        nodes: Nodes {
            centrality: grouped.centrality,
            ..grouped.nodes
        },
        symbol_offsets: layout.symbol_offsets.clone(),
        edges: edges(&grouped.edges, n_nodes),
        occurrences,
        communities: grouped.communities,
        processes: grouped.processes,
        is_reusable: !resolution.was_cut_short,
    }
}

/// Nodes with the groups that follow from all edges.
pub(crate) struct Grouped {
    pub nodes: Nodes,
    pub strings: Strings,
    /// All edges, those to groups included, by source, kind and target.
    pub edges: Vec<RawEdge>,
    /// Of all nodes, those left out included.
    pub centrality: Vec<f32>,
    pub communities: Communities,
    pub processes: Processes,
}

impl Grouped {
    /// Adds communities and processes to nodes, of which `n_left_out` are not among them, and to their edges.
    fn new(
        clustered: Clustered,
        layout: &Layout<'_>,
        signs: &Signs,
        mut nodes: Nodes,
        n_left_out: u32,
        mut strings: StringTable<'_>,
    ) -> Self {
        let Clustered {
            mut edges,
            mut centrality,
            clustering,
        } = clustered;
        edges.index_targets(edges.out_offsets.len().saturating_sub(1));
        let flows = flows(layout, signs, &edges, &centrality, &clustering);
        let edges = Edges {
            in_offsets: Vec::new(),
            in_sources: Vec::new(),
            in_edges: Vec::new(),
            ..edges
        };
        let mut to_groups = Vec::new();
        let mut groups = Groups {
            n_left_out,
            nodes: &mut nodes,
            strings: &mut strings,
            edges: &mut to_groups,
        };
        let communities = groups.add_communities(&clustering);
        let processes = groups.add_processes(&flows);
        let n_nodes = nodes.kind.len() + n_left_out as usize;
        centrality.resize(n_nodes, 0.0);
        // Kinds of these edges are the last two, and both came in the order of their targets: rows are sorted as they are.
        let sorted = joined(&edges, &to_groups, n_nodes);
        debug_assert!(sorted.is_sorted_by_key(|edge| (edge.source, edge.kind, edge.target)));
        Grouped {
            nodes,
            strings: strings.strings,
            edges: sorted,
            centrality,
            communities,
            processes,
        }
    }
}

/// Where groups are added.
struct Groups<'g, 'a> {
    n_left_out: u32,
    nodes: &'g mut Nodes,
    strings: &'g mut StringTable<'a>,
    edges: &'g mut Vec<RawEdge>,
}

impl Groups<'_, '_> {
    /// The number of the next node.
    fn next(&self) -> u32 {
        self.nodes.kind.len() as u32 + self.n_left_out
    }

    /// Communities as nodes, and the edges to them.
    fn add_communities(&mut self, clustering: &Clustering) -> Communities {
        let first = self.next();
        for label in &clustering.labels {
            NewNode::plain(NodeKind::Community, label, NONE, NONE)
                .push_owned(self.nodes, self.strings);
        }
        let members = (0u32..).zip(&clustering.of_node);
        for (node, community) in members.filter(|(_, community)| **community != NONE) {
            self.edges.push(RawEdge {
                source: node,
                kind: EdgeKind::MemberOf,
                target: first + community,
                line: 0,
                confidence: Reason::Clustering.confidence(),
                reason: Reason::Clustering,
            });
        }
        Communities {
            first,
            cohesion: clustering.cohesion.clone(),
        }
    }

    /// Processes as nodes, and the edges to them.
    fn add_processes(&mut self, flows: &[Flow]) -> Processes {
        let mut processes = Processes {
            first: self.next(),
            offsets: vec![0],
            ..Processes::default()
        };
        for flow in flows {
            let target = self.next();
            NewNode::plain(NodeKind::Process, &flow.label, NONE, NONE)
                .push_owned(self.nodes, self.strings);
            processes.kinds.push(flow.kind as u8);
            processes.entries.push(flow.entry_kind as u8);
            processes.scores.push(flow.score);
            for (step, (&source, &confidence)) in
                (1..).zip(flow.steps.iter().zip(&flow.confidences))
            {
                processes.steps.push(source);
                processes.confidences.push(confidence);
                self.edges.push(RawEdge {
                    source,
                    kind: EdgeKind::StepInProcess,
                    target,
                    line: step,
                    confidence,
                    reason: Reason::Tracing,
                });
            }
            processes.offsets.push(processes.steps.len() as u32);
        }
        processes
    }
}

/// The graph of one part: symbols of its files, edges and uses between them. It has no groups, and no centrality, which
/// follow from all parts.
pub(crate) fn freeze_part(
    layout: &Layout<'_>,
    uses: &[Vec<RawUse>],
    mut raw: Vec<RawEdge>,
) -> Graph {
    let mut strings = StringTable::new(2 * layout.end() as usize);
    let mut nodes = nodes(layout, &[], &mut strings);
    let n_nodes = nodes.kind.len();
    nodes.centrality = vec![0.0; n_nodes];
    structure_edges(layout, &mut raw);
    let groups = || n_nodes as u32;
    Graph {
        n_files: layout.files.len() as u32,
        n_folders: layout.folders.len() as u32,
        by_name: by_name(layout),
        strings: strings.strings,
        nodes,
        symbol_offsets: layout.symbol_offsets.clone(),
        edges: edges(&sorted(raw.iter().copied(), n_nodes), n_nodes),
        occurrences: occurrences(uses, n_nodes),
        communities: Communities {
            first: groups(),
            ..Communities::default()
        },
        processes: Processes {
            first: groups(),
            offsets: vec![0],
            ..Processes::default()
        },
        // It lacks what leads to other parts.
        is_reusable: false,
    }
}

/// Sorted edges of uses and of `raw`, each once.
pub(crate) fn resolved_edges(
    layout: &Layout<'_>,
    uses: &[Vec<RawUse>],
    mut raw: Vec<RawEdge>,
    n_nodes: usize,
) -> Vec<RawEdge> {
    use_edges(layout, uses, &mut raw);
    sorted(raw.iter().copied(), n_nodes)
}

/// The uses in a file in the order of the columns.
pub(crate) fn in_order(uses: &[RawUse]) -> Vec<&RawUse> {
    let mut sorted: Vec<&RawUse> = uses.iter().collect();
    sorted.sort_by_key(|used| (used.span.start, std::cmp::Reverse(used.confidence)));
    sorted
}

fn occurrences(uses: &[Vec<RawUse>], n_nodes: usize) -> Occurrences {
    let mut columns = Occurrences::default();
    columns.offsets.push(0);
    for uses in uses {
        for used in in_order(uses) {
            columns.start.push(used.span.start);
            columns.end.push(used.span.end);
            columns.line.push(used.span.start_line);
            columns.form.push(used.form as u8);
            columns.target.push(used.target);
            columns.confidence.push(used.confidence);
            columns.reason.push(used.reason as u8);
            columns.enclosing.push(used.enclosing);
        }
        columns.offsets.push(columns.start.len() as u32);
    }
    columns.index_targets(n_nodes);
    columns
}

/// Row offsets of sorted keys below `n_rows`.
fn offsets(sorted_keys: impl Iterator<Item = u32>, n_rows: usize) -> Vec<u32> {
    let mut offsets = vec![0u32; n_rows + 1];
    for key in sorted_keys {
        if let Some(count) = offsets.get_mut(key as usize + 1) {
            *count += 1;
        }
    }
    for index in 0..n_rows {
        offsets[index + 1] += offsets[index];
    }
    offsets
}
