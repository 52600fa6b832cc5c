//! Walks over the code graph.

use engine::{Edge, MAX_WALK_DEPTH, NodeId, Reader, Step, WalkWords, Ways};

use super::budget::{Budget, DEFAULT_BYTES, Paging};
use super::{limit, percent, share, symbol_ref};
use crate::{
    CyclesRequest, CyclesResponse, ErrorBody, PathsRequest, PathsResponse, SubgraphRequest,
    SubgraphResponse, SymbolRef, TraverseRequest, TraverseResponse, WalkCycle, WalkDirection,
    WalkEdge, WalkOrder, WalkPath, WalkStep,
};

/// Nodes after which a walk ends; an answer shows a page of them.
const MAX_REACHED: usize = 10_000;
/// Maximum number of shown members of a cycle, and of definitions that a name resolves to.
const MAX_SHOWN: usize = 50;

/// Traverses the graph from a node.
///
/// # Errors
///
/// `query.empty`, `query.invalid`, `symbol.not-found`, `file.not-found`.
pub fn traverse(reader: &Reader, request: &TraverseRequest) -> Result<TraverseResponse, ErrorBody> {
    let mut paging = Paging::new(request, 200, MAX_REACHED as u32)?;
    let from = reader.select_nodes(&request.from)?;
    let order = match request.order {
        WalkOrder::Breadth => engine::WalkOrder::Breadth,
        WalkOrder::Depth => engine::WalkOrder::Depth,
    };
    let words = WalkWords {
        ways: ways(request.direction),
        edges: &request.edges,
        nodes: &request.nodes,
        depth: request.depth.unwrap_or(3),
        min_confidence: percent(request.min_confidence)?,
        max_nodes: MAX_REACHED,
    };
    let walk = reader.walk(&from, order, &words)?;
    let shown = named(reader, &from, &mut paging.budget);
    let (steps, page) = paging.list(walk.steps.iter(), |found| step(reader, found));
    Ok(TraverseResponse {
        from: shown,
        steps,
        page,
        complete: !walk.is_cut,
    })
}

/// Ways from here to there.
///
/// # Errors
///
/// As [`traverse`].
pub fn paths(reader: &Reader, request: &PathsRequest) -> Result<PathsResponse, ErrorBody> {
    let mut budget = Budget::new(request.max_bytes, DEFAULT_BYTES)?;
    let max_paths = limit(request.limit, 5, 1_000)?;
    let from = reader.select_nodes(&request.from)?;
    let to = reader.select_nodes(&request.to)?;
    let words = WalkWords {
        ways: ways(request.direction),
        edges: &request.edges,
        nodes: &request.nodes,
        depth: request.depth.unwrap_or(10),
        min_confidence: percent(request.min_confidence)?,
        max_nodes: MAX_REACHED,
    };
    let found = reader.paths(&from, &to, max_paths, &words)?;
    let from = named(reader, &from, &mut budget);
    let to = named(reader, &to, &mut budget);
    let (paths, page) = budget.page(found.paths.iter(), 0, max_paths, |way| path(reader, way));
    Ok(PathsResponse {
        from,
        to,
        found: !found.paths.is_empty(),
        paths,
        complete: !found.is_cut && !page.truncated,
    })
}

/// Finds cycles.
///
/// # Errors
///
/// As [`traverse`].
pub fn cycles(reader: &Reader, request: &CyclesRequest) -> Result<CyclesResponse, ErrorBody> {
    let mut paging = Paging::new(request, 50, MAX_REACHED as u32)?;
    let from = match &request.from {
        Some(from) => reader.select_nodes(from)?,
        None => Vec::new(),
    };
    let calls = ["CALLS".to_owned()];
    let words = WalkWords {
        ways: Ways::Out,
        edges: if request.edges.is_empty() {
            &calls
        } else {
            &request.edges
        },
        nodes: &request.nodes,
        depth: request.depth.unwrap_or(MAX_WALK_DEPTH),
        min_confidence: percent(request.min_confidence)?,
        max_nodes: usize::MAX,
    };
    let found = reader.cycles(&from, paging.end(), &words)?;
    let convert = |cycle: &engine::Cycle| WalkCycle {
        n_members: cycle.nodes.len() as u32,
        members: refs(reader, &cycle.nodes),
        path: path(reader, &cycle.path),
    };
    let (cycles, mut page) = paging.list(found.cycles.iter(), convert);
    page.total = found.total as u32;
    page.truncated = (page.offset as usize).saturating_add(cycles.len()) < found.total;
    Ok(CyclesResponse { cycles, page })
}

/// A piece of the graph.
///
/// # Errors
///
/// As [`traverse`].
pub fn subgraph(reader: &Reader, request: &SubgraphRequest) -> Result<SubgraphResponse, ErrorBody> {
    let mut budget = Budget::new(request.max_bytes, 2 * DEFAULT_BYTES)?;
    let limit = limit(request.limit, 100, MAX_REACHED as u32)?;
    let from = reader.select_nodes(&request.from)?;
    let words = WalkWords {
        ways: ways(request.direction.unwrap_or(WalkDirection::Both)),
        edges: &request.edges,
        nodes: &request.nodes,
        depth: request.depth.unwrap_or(2),
        min_confidence: percent(request.min_confidence)?,
        max_nodes: limit,
    };
    let piece = reader.subgraph(&from, &words)?;
    let (nodes, nodes_page) = budget.page(piece.nodes.iter(), 0, usize::MAX, |node| {
        symbol_ref(reader, *node)
    });
    // An edge whose end was cut off says nothing.
    let is_shown = |node: NodeId| nodes.iter().any(|shown| shown.id == node.0);
    let edges: Vec<&Edge> = piece
        .edges
        .iter()
        .filter(|edge| is_shown(edge.source) && is_shown(edge.target))
        .collect();
    let (edges, edges_page) = budget.page(edges.into_iter(), 0, usize::MAX, edge);
    Ok(SubgraphResponse {
        complete: !piece.is_cut && !nodes_page.truncated && !edges_page.truncated,
        nodes,
        nodes_page,
        edges,
        edges_page,
    })
}

pub(super) fn ways(direction: WalkDirection) -> Ways {
    match direction {
        WalkDirection::Out => Ways::Out,
        WalkDirection::In => Ways::In,
        WalkDirection::Both => Ways::Both,
    }
}

/// Lists the definitions that a name was resolved to; at least the likeliest.
fn named(reader: &Reader, nodes: &[NodeId], budget: &mut Budget) -> Vec<SymbolRef> {
    let (named, _) = budget.page(nodes.iter(), 0, MAX_SHOWN, |node| symbol_ref(reader, *node));
    named
}

fn refs(reader: &Reader, nodes: &[NodeId]) -> Vec<SymbolRef> {
    let shown = nodes.iter().take(MAX_SHOWN);
    shown.map(|node| symbol_ref(reader, *node)).collect()
}

fn step(reader: &Reader, step: &Step) -> WalkStep {
    WalkStep {
        symbol: symbol_ref(reader, step.node),
        depth: step.depth,
        via: step.via().0,
        relation: step.edge.kind.name().to_owned(),
        use_line: step.edge.line.saturating_add(1),
        confidence: share(step.edge.confidence),
        reason: step.edge.reason.name().to_owned(),
    }
}

fn path(reader: &Reader, path: &engine::Path) -> WalkPath {
    WalkPath {
        nodes: path
            .nodes
            .iter()
            .map(|node| symbol_ref(reader, *node))
            .collect(),
        edges: path.edges.iter().map(edge).collect(),
    }
}

fn edge(edge: &Edge) -> WalkEdge {
    WalkEdge {
        source: edge.source.0,
        target: edge.target.0,
        kind: edge.kind.name().to_owned(),
        use_line: edge.line.saturating_add(1),
        confidence: share(edge.confidence),
        reason: edge.reason.name().to_owned(),
    }
}
