//! Sorts nodes, edges and uses into the frozen columns.

mod edges;
mod nodes;
mod strings;

use crate::centrality::centrality;
use crate::communities::Clustering;
use crate::frozen::{Communities, Graph, NONE, Nodes, Occurrences, Processes};
use crate::kinds::{EdgeKind, NodeKind, Reason};
use crate::layout::Layout;
use crate::processes::{Flow, flows};
use crate::resolution::{RawEdge, RawUse, Resolution};
use crate::rows::Rows;

use edges::{edges, sorted, structure_edges, use_edges};
use nodes::{NewNode, nodes};
use strings::{StringTable, by_name};

/// Freezes the graph of a layout and its resolution.
pub(crate) fn freeze(layout: &Layout<'_>, resolution: Resolution) -> Graph {
    let mut resolution = resolution;
    let externals = std::mem::take(&mut resolution.externals);
    let mut strings = StringTable::new(2 * layout.end() as usize);
    let mut nodes = nodes(layout, &externals, &mut strings);
    let n_resolved = nodes.kind.len();
    let mut raw = resolution.edges;
    structure_edges(layout, &mut raw);
    use_edges(layout, &resolution.uses, &mut raw);
    let mut sorted = sorted(&raw, n_resolved);
    let resolved = edges(&sorted, n_resolved);
    nodes.centrality = centrality(&resolved, n_resolved);

    let clustering = Clustering::new(layout, &resolved, &nodes.centrality);
    let flows = flows(
        layout,
        &resolution.uses,
        &resolved,
        &nodes.centrality,
        &clustering,
    );
    let communities = community_nodes(&clustering, &mut nodes, &mut strings, &mut sorted);
    let processes = process_nodes(&flows, &mut nodes, &mut strings, &mut sorted);
    let n_nodes = nodes.kind.len();
    nodes.centrality.resize(n_nodes, 0.0);
    // Kinds of these edges are the last two, and both came in the order of their targets: rows are sorted as they are.
    let sorted = Rows::new(n_nodes, &sorted, |edge| edge.source).into_entries();
    debug_assert!(sorted.is_sorted_by_key(|edge| (edge.source, edge.kind, edge.target)));
    Graph {
        n_files: layout.files.len() as u32,
        n_folders: layout.folders.len() as u32,
        by_name: by_name(layout),
        strings: strings.strings,
        nodes,
        symbol_offsets: layout.symbol_offsets.clone(),
        edges: edges(&sorted, n_nodes),
        occurrences: occurrences(&resolution.uses, n_nodes),
        communities,
        processes,
    }
}

/// Communities as nodes, and the edges to them.
fn community_nodes(
    clustering: &Clustering,
    nodes: &mut Nodes,
    strings: &mut StringTable<'_>,
    edges: &mut Vec<RawEdge>,
) -> Communities {
    let first = nodes.kind.len() as u32;
    for label in &clustering.labels {
        NewNode::plain(NodeKind::Community, label, NONE, NONE).push_owned(nodes, strings);
    }
    let members = (0u32..).zip(&clustering.of_node);
    for (node, community) in members.filter(|(_, community)| **community != NONE) {
        edges.push(RawEdge {
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
fn process_nodes(
    flows: &[Flow],
    nodes: &mut Nodes,
    strings: &mut StringTable<'_>,
    edges: &mut Vec<RawEdge>,
) -> Processes {
    let mut processes = Processes {
        first: nodes.kind.len() as u32,
        offsets: vec![0],
        ..Processes::default()
    };
    for flow in flows {
        let target = nodes.kind.len() as u32;
        NewNode::plain(NodeKind::Process, &flow.label, NONE, NONE).push_owned(nodes, strings);
        processes.kinds.push(flow.kind as u8);
        processes.entries.push(flow.entry_kind as u8);
        processes.scores.push(flow.score);
        for (step, (&source, &confidence)) in (1..).zip(flow.steps.iter().zip(&flow.confidences)) {
            processes.steps.push(source);
            processes.confidences.push(confidence);
            edges.push(RawEdge {
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

fn occurrences(uses: &[Vec<RawUse>], n_nodes: usize) -> Occurrences {
    let mut columns = Occurrences::default();
    columns.offsets.push(0);
    for uses in uses {
        let mut sorted: Vec<&RawUse> = uses.iter().collect();
        sorted.sort_by_key(|used| (used.span.start, std::cmp::Reverse(used.confidence)));
        for used in sorted {
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
