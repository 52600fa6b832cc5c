//! Walks: order, filters, bounds, paths and cycles, on one small program and on random ones.

use std::collections::BTreeSet;

use graph::{EdgeKind, GraphView, NodeId, NodeKind, WalkConfig, Ways};
use proptest::prelude::*;
use syntax::facts::SymbolKind;

use crate::named;

const PROGRAM: &str = "\
class Store:
    def load(self):
        read()

def main():
    a()
    d()

def a():
    b()

def b():
    c()
    Store()

def c():
    b()

def d():
    c()

def again():
    again()

def read():
    pass
";

fn with_view<T>(text: &str, look: impl FnOnce(GraphView<'_>) -> T) -> T {
    crate::with_view(&[("src/program.py", text)], look)
}

fn names(view: GraphView<'_>, nodes: impl IntoIterator<Item = NodeId>) -> String {
    let names: Vec<&str> = nodes.into_iter().map(|node| view.name(node)).collect();
    names.join(" ")
}

#[track_caller]
fn check_walk(start: &str, config: &WalkConfig, breadth: &str, depth: &str) {
    with_view(PROGRAM, |view| {
        let start = [named(view, start)];
        let bfs = view.bfs(&start, config);
        let dfs = view.dfs(&start, config);
        assert_eq!(names(view, bfs.steps.iter().map(|step| step.node)), breadth);
        assert_eq!(names(view, dfs.steps.iter().map(|step| step.node)), depth);
        let mut reached: Vec<NodeId> = dfs.steps.iter().map(|step| step.node).collect();
        reached.sort_unstable();
        assert_eq!(view.reachable_nodes(&start, config), reached);
    });
}

#[test]
fn breadth_and_depth_first() {
    check_walk(
        "main",
        &WalkConfig::calls(),
        "a d b c Store",
        "a b Store c d",
    );
    let one_step = WalkConfig {
        max_depth: 1,
        ..WalkConfig::calls()
    };
    check_walk("main", &one_step, "a d", "a d");
    let nowhere = WalkConfig {
        max_depth: 0,
        ..WalkConfig::calls()
    };
    check_walk("main", &nowhere, "", "");
}

#[test]
fn the_other_way_and_both() {
    let back = WalkConfig {
        ways: Ways::In,
        ..WalkConfig::calls()
    };
    check_walk("b", &back, "a c main d", "a main c d");
    let both = WalkConfig {
        ways: Ways::Both,
        max_depth: 1,
        ..WalkConfig::calls()
    };
    check_walk("b", &both, "Store c a", "Store c a");
}

#[test]
fn filters_of_nodes_edges_and_confidence() {
    let functions = WalkConfig {
        symbol_kinds: vec![SymbolKind::Function],
        ..WalkConfig::calls()
    };
    check_walk("main", &functions, "a d b c", "a b c d");
    let sure = WalkConfig {
        min_confidence: 100,
        ..WalkConfig::calls()
    };
    check_walk("main", &sure, "", "");
    let up = WalkConfig {
        ways: Ways::In,
        edge_kinds: vec![EdgeKind::Defines, EdgeKind::Contains],
        ..WalkConfig::default()
    };
    check_walk("load", &up, "Store program.py src", "Store program.py src");
    let files = WalkConfig {
        node_kinds: vec![NodeKind::File],
        ..up
    };
    check_walk("main", &files, "program.py", "program.py");
    check_walk("load", &files, "", "");
}

#[test]
fn a_walk_ends_where_it_is_told_and_says_so() {
    with_view(PROGRAM, |view| {
        let config = WalkConfig {
            max_nodes: 3,
            ..WalkConfig::calls()
        };
        let start = [named(view, "main")];
        for walk in [view.bfs(&start, &config), view.dfs(&start, &config)] {
            assert_eq!((walk.steps.len(), walk.is_cut), (3, true));
        }
        let piece = view.extract_subgraph(&start, &config);
        assert_eq!((piece.nodes.len(), piece.is_cut), (4, true));
    });
}

#[test]
fn paths_the_shortest_first() {
    with_view(PROGRAM, |view| {
        let (main, b, c) = (named(view, "main"), named(view, "b"), named(view, "c"));
        let config = WalkConfig::calls();
        let shortest = view.shortest_path(&[main], &[c], &config).expect("a way");
        assert_eq!(names(view, shortest.nodes), "main d c");
        assert_eq!(
            view.call_chain(&[main], &[b], 9)
                .map(|path| names(view, path.nodes)),
            Some("main a b".to_owned())
        );
        let shown = |max_paths| {
            let found = view.find_paths(&[main], &[c], max_paths, &config);
            let paths = found.paths.into_iter().map(|path| names(view, path.nodes));
            (paths.collect::<Vec<_>>(), found.is_cut)
        };
        assert_eq!(
            shown(9),
            (vec!["main d c".to_owned(), "main a b c".to_owned()], false)
        );
        assert_eq!(shown(1), (vec!["main d c".to_owned()], true));
        assert!(view.has_path(&[main], &[main], &config));
        assert!(!view.has_path(&[c], &[main], &config));
        assert!(view.find_paths(&[c], &[main], 9, &config).paths.is_empty());
        let near = WalkConfig {
            max_depth: 1,
            ..config
        };
        assert!(!view.has_path(&[main], &[c], &near));
    });
}

#[test]
fn circles_and_loops() {
    with_view(PROGRAM, |view| {
        let found = view.detect_cycles(&[], 9, &WalkConfig::calls());
        let shown: Vec<(String, String)> = found
            .cycles
            .into_iter()
            .map(|cycle| (names(view, cycle.nodes), names(view, cycle.path.nodes)))
            .collect();
        assert_eq!(
            shown,
            [
                ("b c".to_owned(), "b c b".to_owned()),
                ("again".to_owned(), "again again".to_owned())
            ]
        );
        let within = view.detect_cycles(&[named(view, "main")], 9, &WalkConfig::calls());
        assert_eq!(within.total, 1);
        assert_eq!(
            view.detect_cycles(&[], 1, &WalkConfig::calls())
                .cycles
                .len(),
            1
        );
    });
}

#[test]
fn a_piece_has_all_edges_among_its_nodes() {
    with_view(PROGRAM, |view| {
        let config = WalkConfig {
            max_depth: 1,
            ..WalkConfig::calls()
        };
        let piece = view.extract_subgraph(&[named(view, "b")], &config);
        assert_eq!(names(view, piece.nodes.iter().copied()), "Store b c");
        let edges: Vec<String> = piece
            .edges
            .iter()
            .map(|edge| names(view, [edge.source, edge.target]))
            .collect();
        assert_eq!(edges, ["b Store", "b c", "c b"]);
    });
}

/// A program of functions `f0`, `f1`, … that call one another.
fn program(calls: &[(usize, usize)]) -> String {
    let mut text = String::new();
    for caller in 0..8 {
        text += &format!("def f{caller}():\n    pass\n");
        for (_, callee) in calls.iter().filter(|(from, _)| *from == caller) {
            text += &format!("    f{callee}()\n");
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn all_walks_agree(calls in prop::collection::vec((0..8usize, 0..8usize), 0..20), depth in 0..5u32) {
        with_view(&program(&calls), |view| {
            let config = WalkConfig { max_depth: depth, ..WalkConfig::calls() };
            let functions: Vec<NodeId> = (0..8).map(|n| named(view, &format!("f{n}"))).collect();
            for &start in &functions {
                let breadth = view.bfs(&[start], &config);
                let deep: BTreeSet<NodeId> = view.dfs(&[start], &config).steps.iter().map(|step| step.node).collect();
                let reached: BTreeSet<NodeId> = breadth.steps.iter().map(|step| step.node).collect();
                prop_assert_eq!(&deep, &reached);
                for step in &breadth.steps {
                    let path = view.shortest_path(&[start], &[step.node], &config);
                    prop_assert_eq!(path.map(|path| path.edges.len() as u32), Some(step.depth));
                }
                for &end in &functions {
                    let paths = view.find_paths(&[start], &[end], 1_000, &config);
                    prop_assert_eq!(!paths.paths.is_empty(), view.has_path(&[start], &[end], &config));
                    prop_assert!(paths.paths.is_sorted_by_key(|path| path.edges.len()));
                    let different: BTreeSet<Vec<NodeId>> = paths.paths.iter().map(|path| path.nodes.clone()).collect();
                    prop_assert_eq!(different.len(), paths.paths.len());
                    for path in &paths.paths {
                        let once: BTreeSet<&NodeId> = path.nodes.iter().collect();
                        prop_assert_eq!(once.len(), path.nodes.len());
                        prop_assert!(path.edges.len() as u32 <= depth);
                    }
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn circles_are_circles(calls in prop::collection::vec((0..8usize, 0..8usize), 0..20)) {
        with_view(&program(&calls), |view| {
            let config = WalkConfig::calls();
            let found = view.detect_cycles(&[], 100, &config);
            let in_circles: BTreeSet<NodeId> = found.cycles.iter().flat_map(|cycle| cycle.nodes.iter().copied()).collect();
            for cycle in &found.cycles {
                prop_assert_eq!(cycle.path.nodes.first(), cycle.path.nodes.last());
                prop_assert!(cycle.path.edges.windows(2).all(|pair| pair[0].target == pair[1].source));
                prop_assert!(!cycle.path.edges.is_empty());
            }
            for n in 0..8 {
                let node = named(view, &format!("f{n}"));
                let callees: Vec<NodeId> = view.out_of_kind(node, EdgeKind::Calls).map(|edge| edge.target).collect();
                prop_assert_eq!(view.has_path(&callees, &[node], &config), in_circles.contains(&node));
            }
            Ok(())
        })?;
    }
}
