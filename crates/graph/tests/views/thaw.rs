//! The resolution of a frozen graph is the one that it was made of.

use graph::frozen::{ArchivedGraph, Graph};
use graph::{EdgeKind, Resolution};

use crate::build;

const FILES: [(&str, &str); 3] = [
    (
        "a.py",
        "import os\nfrom b import add, Cart\n\ndef run(cart: Cart):\n    cart.total()\n    return add(1)\n",
    ),
    (
        "b.py",
        "import os\nimport numpy\n\ndef add(n):\n    return numpy.sum(n)\n\nclass Cart(Base):\n    def total(self):\n        return add(2)\n\nclass Base: pass\n",
    ),
    ("c.py", "from a import run\n\nrun(None)\n"),
];

fn thawed(graph: &Graph) -> Option<Resolution> {
    let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(graph).unwrap();
    Resolution::thawed(rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(&bytes).unwrap())
}

#[test]
fn uses_imports_and_packages_come_back() {
    let graph = build(&FILES);
    let thawed = thawed(&graph).unwrap();
    assert_eq!(thawed.externals, ["numpy", "os"]);
    assert!(!thawed.was_cut_short);
    let columns = &graph.occurrences;
    let uses: Vec<_> = thawed.uses.iter().flatten().collect();
    assert!(uses.len() > 5);
    assert_eq!(uses.len(), columns.start.len());
    for (row, used) in uses.iter().enumerate() {
        assert_eq!(
            [
                used.span.start,
                used.span.end,
                used.span.start_line,
                used.target,
                used.enclosing
            ],
            [
                columns.start[row],
                columns.end[row],
                columns.line[row],
                columns.target[row],
                columns.enclosing[row]
            ]
        );
        assert_eq!(
            [used.form as u8, used.reason as u8, used.confidence],
            [
                columns.form[row],
                columns.reason[row],
                columns.confidence[row]
            ]
        );
    }
    let is_import = |kind: &&u8| **kind == EdgeKind::Imports as u8;
    assert_eq!(
        thawed.edges.len(),
        graph.edges.kinds.iter().filter(is_import).count()
    );
    assert!(
        thawed
            .edges
            .iter()
            .all(|edge| edge.kind == EdgeKind::Imports)
    );
}

#[test]
fn a_graph_that_was_cut_short_or_is_damaged_is_not_reused() {
    let graph = build(&FILES);
    assert!(graph.is_reusable);
    let mut cut_short = graph.clone();
    cut_short.is_reusable = false;
    assert!(thawed(&cut_short).is_none());
    let mut damaged = graph.clone();
    damaged.occurrences.form[0] = u8::MAX;
    assert!(thawed(&damaged).is_none());
    let mut damaged = graph;
    damaged.occurrences.target[0] = u32::MAX;
    assert!(thawed(&damaged).is_none());
}
