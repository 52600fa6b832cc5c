//! Communities, and the centrality that names them: made of the edges, or those of a graph with the same edges.

use crate::centrality::centrality;
use crate::communities::{Clustering, Unlabelled};
use crate::frozen::{ArchivedGraph, Edges, NONE};
use crate::kinds::{EdgeKind, NodeId};
use crate::layout::Layout;
use crate::resolution::RawEdge;
use crate::view::GraphView;

use super::edges::edges_by_source;

/// Edges with the measures that follow from them alone.
pub(super) struct Clustered {
    /// The edges by source, kind and target, without the columns by target.
    pub edges: Edges,
    pub centrality: Vec<f32>,
    pub clustering: Clustering,
}

impl Clustered {
    /// Measures the edges of `n_resolved` nodes. `last` is a graph whose files declare the same.
    pub fn new(
        layout: &Layout<'_>,
        n_resolved: usize,
        sorted: Vec<RawEdge>,
        last: Option<&ArchivedGraph>,
    ) -> Self {
        let edges = edges_by_source(&sorted, n_resolved);
        drop(sorted);
        let last = last.filter(|last| has_same_edges(&edges, last));
        let known = last.and_then(|last| thawed(last, n_resolved));
        let (centrality, clustering) = known.unwrap_or_else(|| {
            let centrality = centrality(&edges, n_resolved);
            let unlabelled = Unlabelled::new(layout, &edges);
            let clustering = unlabelled.labelled(layout, &edges, &centrality);
            (centrality, clustering)
        });
        Clustered {
            edges,
            centrality,
            clustering,
        }
    }
}

/// Kinds from this one on are of edges to groups; they are behind the others of a node.
const TO_GROUPS: u8 = EdgeKind::MemberOf as u8;

/// Whether a graph has these edges, besides those to its groups. Lines may differ: no measure reads them.
fn has_same_edges(edges: &Edges, last: &ArchivedGraph) -> bool {
    let n_nodes = edges.out_offsets.len().saturating_sub(1);
    let at = |node: usize| {
        last.edges
            .out_offsets
            .get(node)
            .map(|at| at.to_native() as usize)
    };
    let is_same = |node: usize| {
        let row = edges.out_offsets[node] as usize..edges.out_offsets[node + 1] as usize;
        let (Some(first), Some(end)) = (at(node), at(node + 1)) else {
            return false;
        };
        let past = first + row.len();
        let rest = last.edges.kinds.get(past..end);
        let targets = last.edges.targets.get(first..past).into_iter().flatten();
        rest.is_some_and(|kinds| kinds.iter().all(|kind| *kind >= TO_GROUPS))
            && last.edges.kinds.get(first..past) == edges.kinds.get(row.clone())
            && last.edges.confidences.get(first..past) == edges.confidences.get(row.clone())
            && targets
                .map(|target| target.to_native())
                .eq(edges.targets[row].iter().copied())
    };
    last.communities.first.to_native() as usize == n_nodes && (0..n_nodes).all(is_same)
}

/// Centrality and communities of a graph; none where its columns do not fit together.
fn thawed(last: &ArchivedGraph, n_resolved: usize) -> Option<(Vec<f32>, Clustering)> {
    let centrality = last.nodes.centrality.get(..n_resolved)?;
    let first = last.communities.first.to_native();
    let past = last.processes.first.to_native();
    let n_communities = past.checked_sub(first)?;
    let view = GraphView::new(last);
    let cohesion = last.communities.cohesion.iter();
    let mut clustering = Clustering {
        labels: (first..past)
            .map(|node| view.name(NodeId(node)).to_owned())
            .collect(),
        cohesion: cohesion.map(|share| share.to_native()).collect(),
        of_node: vec![NONE; n_resolved],
    };
    for (node, community) in clustering.of_node.iter_mut().enumerate() {
        let [start, end] = [node, node + 1].map(|row| last.edges.out_offsets.get(row));
        for edge in start?.to_native() as usize..end?.to_native() as usize {
            if *last.edges.kinds.get(edge)? == TO_GROUPS {
                *community = last
                    .edges
                    .targets
                    .get(edge)?
                    .to_native()
                    .checked_sub(first)?;
            }
        }
    }
    let is_known = |community: &u32| *community == NONE || *community < n_communities;
    let fits = clustering.labels.len() == clustering.cohesion.len();
    (fits && clustering.of_node.iter().all(is_known)).then(|| {
        let centrality = centrality.iter().map(|share| share.to_native());
        (centrality.collect(), clustering)
    })
}
