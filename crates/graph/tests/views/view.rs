//! Reading a frozen graph: names, positions, uses, traversal, and petgraph's algorithms on the archive.

use graph::{EdgeKind, GraphView, NodeId, NodeKind};
use petgraph::visit::{Bfs, Reversed};
use source::FileId;
use syntax::facts::SymbolKind;

use crate::named;

const FILES: [(&str, &str); 3] = [
    (
        "src/a.py",
        "from src.b import two\n\ndef one():\n    two()\n    two()\n",
    ),
    (
        "src/b.py",
        "def two():\n    three()\n\ndef three():\n    pass\n",
    ),
    (
        "src/c.py",
        "from src.b import three\n\nclass Router:\n    def add(self):\n        three()\n",
    ),
];

fn with_view(look: impl FnOnce(GraphView<'_>)) {
    crate::with_view(&FILES, look);
}

#[test]
fn nodes_by_name_and_place() {
    with_view(|view| {
        let add = named(view, "add");
        assert_eq!(view.qualified_name(add), "Router.add");
        assert_eq!(view.node(add).symbol_kind, Some(SymbolKind::Method));
        assert_eq!(
            view.node(add).file.map(|file| view.path(file)),
            Some("src/c.py")
        );
        assert_eq!(
            view.symbol_at(FileId(2), FILES[2].1.find("three()").unwrap_or(0) as u32),
            Some(add)
        );
        assert_eq!(view.by_name("missing").count(), 0);
        assert_eq!(view.kind(NodeId(0)), NodeKind::File);
        let folders: Vec<String> = view.folders().map(|id| view.qualified_name(id)).collect();
        assert_eq!(folders, ["src"]);
    });
}

#[test]
fn uses_lead_both_ways() {
    with_view(|view| {
        let two = named(view, "two");
        let lines: Vec<(u32, u32)> = view
            .uses_of(two)
            .map(|found| (found.file.0, found.line))
            .collect();
        assert_eq!(lines, [(0, 0), (0, 3), (0, 4)]);
        let offset = FILES[0].1.find("two()").unwrap_or(0) as u32;
        for place in [offset, offset + 2, offset + 3] {
            assert_eq!(
                view.occurrence_at(FileId(0), place)
                    .map(|found| found.target),
                Some(two)
            );
        }
        assert_eq!(view.occurrence_at(FileId(0), offset + 4), None);
    });
}

#[test]
fn callers_and_callees_by_depth() {
    with_view(|view| {
        let steps = view.callers(&[named(view, "three")], 5, 0);
        let shown: Vec<(String, u32)> = steps
            .iter()
            .map(|step| (view.qualified_name(step.node), step.depth))
            .collect();
        assert_eq!(
            shown,
            [
                ("two".to_owned(), 1),
                ("Router.add".to_owned(), 1),
                ("one".to_owned(), 2)
            ]
        );
        assert_eq!(steps[2].via(), named(view, "two"));
        let callees = view.callees(&[named(view, "one")], 1, 0);
        assert_eq!(
            callees
                .iter()
                .map(|step| view.name(step.node))
                .collect::<Vec<_>>(),
            ["two"]
        );
        assert!(view.callers(&[named(view, "three")], 5, 101).is_empty());
    });
}

#[test]
fn the_most_used_is_the_most_central() {
    with_view(|view| {
        let three = named(view, "three");
        assert!(view.centrality(three) > view.centrality(named(view, "one")));
        assert!(view.in_degree(three) >= 3);
    });
}

#[test]
fn petgraph_runs_on_the_archive() {
    with_view(|view| {
        let mut reached = Vec::new();
        let mut search = Bfs::new(view, named(view, "one"));
        while let Some(node) = search.next(view) {
            reached.push(view.name(node).to_owned());
        }
        assert_eq!(reached, ["one", "two", "three"]);
        let mut search = Bfs::new(Reversed(view), named(view, "three"));
        let mut n_reached = 0;
        while search.next(Reversed(view)).is_some() {
            n_reached += 1;
        }
        assert!(n_reached > 3);
        assert!(!petgraph::algo::is_cyclic_directed(view));
        assert!(petgraph::algo::has_path_connecting(
            view,
            named(view, "one"),
            named(view, "three"),
            None
        ));
        let calls = view
            .edges()
            .filter(|edge| edge.kind == EdgeKind::Calls)
            .count();
        assert_eq!(calls, 3);
    });
}
