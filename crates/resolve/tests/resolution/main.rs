//! Resolution, language by language, with the same names of cases: each case is a few files whose markers say what a
//! name means (`calls: PATH:LINE`, `refers: PATH:LINE`, lines from 1) or that it means nothing here (`calls: nothing`).

extern crate portolan_resolve as resolve;

mod bash;
mod c;
mod csharp;
mod csharp_types;
mod dart;
mod dart_members;
mod documents;
mod elixir;
mod go;
mod haskell;
mod java;
mod javascript;
mod kotlin;
mod kotlin_lambdas;
mod kotlin_types;
mod long_chains;
mod lua;
mod lua_tables;
mod php;
mod php_namespaces;
mod python;
mod python_values;
mod ruby;
mod ruby_classes;
mod ruby_conventions;
mod rust;
mod rust_foreign;
mod rust_scopes;
mod rust_traits;
mod scala;
mod scala_types;
mod scala_values;
mod swift;
mod swift_types;
mod typescript;
mod typescript_scopes;
mod zig;

use fixture::Fixture;
use graph::frozen::{ArchivedGraph, Graph};
use graph::{EdgeKind, GraphBuilder, GraphView, NodeKind};
use resolve::{Manifest, is_manifest, resolve};
use source::FileId;
use syntax::facts::FileFacts;
use syntax::{Language, ParseConfig, Parsers};

/// The graph of a fixture, its files sorted by path as in an index.
fn build(fixture: &mut Fixture) -> Graph {
    let mut parsers = Parsers::new(ParseConfig::default());
    let order = sorted(fixture);
    let facts: Vec<FileFacts> = order
        .iter()
        .map(|&index| {
            let file = &fixture.files[index];
            parsers.read(Language::from_text(&file.path, &file.text), &file.text)
        })
        .collect();
    let mut builder = GraphBuilder::new();
    for (id, (&index, facts)) in order.iter().zip(&facts).enumerate() {
        let file = &fixture.files[index];
        builder.add_file(FileId(id as u32), &file.path, facts);
    }
    let files = fixture.files.iter();
    let manifests: Vec<Manifest<'_>> = files
        .filter(|file| is_manifest(&file.path))
        .map(|file| Manifest {
            path: &file.path,
            text: &file.text,
        })
        .collect();
    builder.build(|layout| resolve(layout, &manifests))
}

fn sorted(fixture: &Fixture) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fixture.files.len()).collect();
    order.sort_by(|&a, &b| fixture.files[a].path.cmp(&fixture.files[b].path));
    order
}

fn with_view(graph: &Graph, look: impl FnOnce(GraphView<'_>)) {
    let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(graph).expect("a graph serialises");
    look(GraphView::new(
        rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(&bytes)
            .expect("a fresh archive is valid"),
    ));
}

/// Checks every marker of a fixture.
#[track_caller]
fn check(text: &str) {
    let mut fixture = Fixture::parse(text);
    assert!(!fixture.markers.is_empty(), "a case asserts something");
    let graph = build(&mut fixture);
    let order = sorted(&fixture);
    let mut wrong = Vec::new();
    with_view(&graph, |view| {
        for marker in &fixture.markers {
            let file = FileId(
                order
                    .iter()
                    .position(|&index| index == marker.file)
                    .unwrap_or_default() as u32,
            );
            let occurrence = view
                .occurrence_at(file, marker.offset)
                .filter(|found| found.start <= marker.offset && marker.offset < found.end);
            let found = match occurrence {
                Some(found) if marker.key == "calls" && !found.form.is_call() => {
                    format!("no call but {:?}", found.form)
                }
                Some(found) => place(view, found.target),
                None => "nothing".to_owned(),
            };
            if found != marker.value {
                let path = &fixture.files[marker.file].path;
                let reason = occurrence.map_or("", |found| found.reason.name());
                wrong.push(format!(
                    "{path}:{} {}: wanted {}, found {found} {reason}",
                    marker.line + 1,
                    marker.key,
                    marker.value
                ));
            }
        }
    });
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn place(view: GraphView<'_>, id: graph::NodeId) -> String {
    let node = view.node(id);
    match node.file {
        Some(file) if node.kind == NodeKind::Symbol => {
            format!("{}:{}", view.path(file), node.name_span.start_line + 1)
        }
        Some(file) => view.path(file).to_owned(),
        None => node.name.to_owned(),
    }
}

/// The edges of a kind as `source → target` by qualified names, sorted.
#[track_caller]
fn check_edges(text: &str, kind: EdgeKind, expected: &expect_test::Expect) {
    let mut fixture = Fixture::parse(text);
    let graph = build(&mut fixture);
    with_view(&graph, |view| {
        let mut lines: Vec<String> = view
            .edges()
            .filter(|edge| edge.kind == kind)
            .map(|edge| {
                format!(
                    "{} → {} ({})\n",
                    view.qualified_name(edge.source),
                    view.qualified_name(edge.target),
                    edge.reason
                )
            })
            .collect();
        lines.sort();
        expected.assert_eq(&lines.concat());
    });
}
