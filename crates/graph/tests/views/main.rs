//! Reading a frozen graph: names and places, walks, and petgraph's algorithms on the archive.

extern crate portolan_graph as graph;

mod algorithms;
mod thaw;
mod view;
mod walk;

use graph::frozen::{ArchivedGraph, Graph};
use graph::{GraphBuilder, GraphView, NodeId};
use source::FileId;
use syntax::facts::FileFacts;
use syntax::{Language, ParseConfig, Parsers};

thread_local! {
    // Compiling the grammar's queries takes longer than all the rest, so the parsers are kept.
    static PARSERS: std::cell::RefCell<Parsers> = std::cell::RefCell::new(Parsers::new(ParseConfig::default()));
}

/// The graph of files in Python.
fn build(files: &[(&str, &str)]) -> Graph {
    let facts: Vec<FileFacts> = PARSERS.with_borrow_mut(|parsers| {
        let texts = files.iter();
        texts
            .map(|(_, text)| parsers.read(Language::Python, text))
            .collect()
    });
    let mut builder = GraphBuilder::new();
    for (id, ((path, _), facts)) in files.iter().zip(&facts).enumerate() {
        builder.add_file(FileId(id as u32), path, facts);
    }
    builder.build(|layout| resolve::resolve(layout, &[]))
}

fn with_view<T>(files: &[(&str, &str)], look: impl FnOnce(GraphView<'_>) -> T) -> T {
    let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&build(files)).expect("a graph serialises");
    look(GraphView::new(
        rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(&bytes)
            .expect("a fresh archive is valid"),
    ))
}

fn named(view: GraphView<'_>, name: &str) -> NodeId {
    view.by_name(name)
        .next()
        .unwrap_or_else(|| panic!("{name} is defined"))
}
