//! petgraph's algorithms on an opened archive, without a copy: each on a small program whose result is easy to check.

use std::collections::BTreeSet;

use graph::{EdgeKind, EdgeReference, GraphView, NodeId};
use petgraph::Direction;
use petgraph::algo::{self, dominators, page_rank};
use petgraph::data::DataMap;
use petgraph::visit::{
    Bfs, Data, Dfs, DfsPostOrder, EdgeCount, EdgeFiltered, EdgeIndexable, EdgeRef,
    GetAdjacencyMatrix, GraphBase, GraphProp, IntoEdgeReferences, IntoEdges, IntoEdgesDirected,
    IntoNeighborsDirected, IntoNodeIdentifiers, IntoNodeReferences, NodeCompactIndexable,
    NodeCount, NodeFiltered, NodeIndexable, Reversed, Topo, Visitable,
};

use crate::named;

/// `main` → `a` → `b` ⇄ `c`, `main` → `d` → `c`, `lone` on its own.
const PROGRAM: &str = "\
def main():
    a()
    d()

def a():
    b()

def b():
    c()

def c():
    b()

def d():
    c()

def lone():
    pass
";

fn with_view(look: impl FnOnce(GraphView<'_>)) {
    crate::with_view(&[("src/program.py", PROGRAM)], look);
}

fn is_call(edge: EdgeReference) -> bool {
    edge.edge.kind == EdgeKind::Calls
}

/// Compiles only for graphs with every trait that petgraph's algorithms need.
fn has_all_traits<G>(_: G)
where
    G: GraphBase
        + Data
        + DataMap
        + NodeCount
        + NodeIndexable
        + NodeCompactIndexable
        + IntoNodeIdentifiers
        + IntoNodeReferences
        + IntoEdgeReferences
        + IntoEdges
        + IntoEdgesDirected
        + IntoNeighborsDirected
        + Visitable
        + EdgeCount
        + EdgeIndexable
        + GraphProp
        + GetAdjacencyMatrix,
{
}

#[test]
fn all_traits() {
    with_view(|view| {
        has_all_traits(view);
        assert_eq!(view.node_references().count(), view.node_count());
        assert_eq!(view.node_identifiers().count(), view.node_bound());
        assert_eq!(view.edge_references().count(), view.edge_count());
        let ids: Vec<u32> = view.edge_references().map(|edge| edge.id().0).collect();
        assert!(ids.iter().copied().eq(0..view.n_edges() as u32));
        for edge in view.edge_references() {
            assert_eq!(view.edge_weight(edge.id()), Some(edge.weight()));
            assert!(view.is_adjacent(&(), edge.source(), edge.target()));
            let back = view.edges_directed(edge.target(), Direction::Incoming);
            assert!(back.into_iter().any(|other| other == edge));
        }
        let pairs: BTreeSet<(NodeId, NodeId)> = view
            .edge_references()
            .map(|edge| (edge.source(), edge.target()))
            .collect();
        for a in view.node_identifiers() {
            for b in view.node_identifiers() {
                assert_eq!(view.is_adjacent(&(), a, b), pairs.contains(&(a, b)));
            }
        }
    });
}

#[test]
fn tarjan_and_kosaraju_find_the_cycle() {
    with_view(|view| {
        let calls = EdgeFiltered::from_fn(view, is_call);
        let cycle = BTreeSet::from([named(view, "b"), named(view, "c")]);
        for components in [algo::tarjan_scc(&calls), algo::kosaraju_scc(&calls)] {
            let large: Vec<BTreeSet<NodeId>> = components
                .into_iter()
                .filter(|component| component.len() > 1)
                .map(|component| component.into_iter().collect())
                .collect();
            assert_eq!(large, std::slice::from_ref(&cycle));
        }
        assert!(algo::is_cyclic_directed(&calls));
        let structure =
            EdgeFiltered::from_fn(view, |edge: EdgeReference| edge.edge.kind < EdgeKind::Calls);
        assert!(!algo::is_cyclic_directed(&structure));
        assert_eq!(
            algo::toposort(&structure, None).map(|order| order.len()),
            Ok(view.n_nodes())
        );
    });
}

#[test]
fn dijkstra_and_astar_agree() {
    with_view(|view| {
        let calls = EdgeFiltered::from_fn(view, is_call);
        let (main, c) = (named(view, "main"), named(view, "c"));
        let distances = algo::dijkstra(&calls, main, None, |_| 1u32);
        assert_eq!(distances.get(&c), Some(&2));
        assert_eq!(distances.get(&named(view, "lone")), None);
        let found = algo::astar(&calls, main, |node| node == c, |_| 1u32, |_| 0);
        let (cost, path) = found.expect("main reaches c");
        let names: Vec<&str> = path.iter().map(|node| view.name(*node)).collect();
        assert_eq!((cost, names), (2, vec!["main", "d", "c"]));
        assert!(algo::astar(&calls, c, |node| node == main, |_| 1u32, |_| 0).is_none());
    });
}

#[test]
fn page_rank_prefers_what_is_called() {
    with_view(|view| {
        let calls = EdgeFiltered::from_fn(view, is_call);
        let ranks: Vec<f64> = page_rank::page_rank(&calls, 0.85, 30);
        let rank = |name| ranks[named(view, name).index()];
        assert!(rank("c") > rank("d") && rank("d") > rank("lone"));
    });
}

#[test]
fn dominators_of_the_entry() {
    with_view(|view| {
        let calls = EdgeFiltered::from_fn(view, is_call);
        let main = named(view, "main");
        let found = dominators::simple_fast(&calls, main);
        assert_eq!(found.immediate_dominator(named(view, "a")), Some(main));
        assert_eq!(found.immediate_dominator(named(view, "c")), Some(main));
        assert_eq!(found.immediate_dominator(named(view, "lone")), None);
    });
}

#[test]
fn walks_there_and_back() {
    with_view(|view| {
        let calls = EdgeFiltered::from_fn(view, is_call);
        let (main, c) = (named(view, "main"), named(view, "c"));
        let mut breadth = Vec::new();
        let mut walk = Bfs::new(&calls, main);
        while let Some(node) = walk.next(&calls) {
            breadth.push(view.name(node));
        }
        assert_eq!(breadth, ["main", "a", "d", "b", "c"]);
        let mut depth = Vec::new();
        let mut walk = Dfs::new(&calls, main);
        while let Some(node) = walk.next(&calls) {
            depth.push(view.name(node));
        }
        assert_eq!((depth.len(), depth[0]), (5, "main"));
        let mut last = None;
        let mut walk = DfsPostOrder::new(&calls, main);
        while let Some(node) = walk.next(&calls) {
            last = Some(node);
        }
        assert_eq!(last, Some(main));
        let mut callers = BTreeSet::new();
        let mut walk = Bfs::new(Reversed(&calls), c);
        while let Some(node) = walk.next(Reversed(&calls)) {
            callers.insert(view.name(node));
        }
        assert_eq!(callers, BTreeSet::from(["main", "a", "b", "c", "d"]));
        let mut n_sorted = 0;
        let symbols = NodeFiltered::from_fn(view, |node| node != c);
        let mut walk = Topo::new(&symbols);
        while walk.next(&symbols).is_some() {
            n_sorted += 1;
        }
        assert!(n_sorted >= 6);
    });
}
