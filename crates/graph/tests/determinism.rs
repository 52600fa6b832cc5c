//! Properties of every set of files: the same input gives the same graph, and a file unrelated to the others changes
//! nothing about them.

extern crate portolan_graph as graph;

use std::collections::BTreeSet;

use graph::frozen::{ArchivedGraph, Graph};
use graph::{GraphBuilder, GraphView, NodeKind};
use proptest::prelude::*;
use source::FileId;
use syntax::facts::FileFacts;
use syntax::{Language, ParseConfig, Parsers};

thread_local! {
    static PARSERS: std::cell::RefCell<Parsers> = std::cell::RefCell::new(Parsers::new(ParseConfig::default()));
}

/// A file of a small generated program.
#[derive(Debug, Clone)]
struct Unit {
    language: usize,
    n_functions: usize,
    /// Calls from a function here to a function of a unit: caller, unit, callee.
    calls: Vec<(usize, usize, usize)>,
}

fn unit() -> impl Strategy<Value = Unit> {
    (
        0..3usize,
        1..4usize,
        prop::collection::vec((0..4usize, 0..6usize, 0..4usize), 0..6),
    )
        .prop_map(|(language, n_functions, calls)| Unit {
            language,
            n_functions,
            calls,
        })
}

/// Path and text of each unit; every third language imports in its own way.
fn texts(units: &[Unit]) -> Vec<(String, String)> {
    let extension = |unit: &Unit| ["py", "ts", "rs"][unit.language];
    let mut files: Vec<(String, String)> = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let mut text = String::new();
        for (_, other, callee) in &unit.calls {
            if let Some(target) = units
                .get(*other)
                .filter(|target| target.language == unit.language && *other != index)
            {
                let name = format!("f{other}_{}", callee % target.n_functions);
                text += &match unit.language {
                    0 => format!("from m{other} import {name}\n"),
                    1 => format!("import {{ {name} }} from './m{other}'\n"),
                    _ => format!("use crate::m{other}::{name};\n"),
                };
            }
        }
        for function in 0..unit.n_functions {
            let calls = unit
                .calls
                .iter()
                .filter(|(caller, ..)| caller % unit.n_functions == function)
                .map(|(_, other, callee)| {
                    let n_functions = units.get(*other).map_or(1, |target| target.n_functions);
                    format!("f{other}_{}()", callee % n_functions)
                });
            let calls: Vec<String> = calls.collect();
            text += &match unit.language {
                0 => format!(
                    "def f{index}_{function}():\n    {}\n",
                    if calls.is_empty() {
                        "pass".to_owned()
                    } else {
                        calls.join("\n    ")
                    }
                ),
                1 => format!(
                    "export function f{index}_{function}() {{ {} }}\n",
                    calls.join("; ")
                ),
                _ => format!(
                    "pub fn f{index}_{function}() {{ {} }}\n",
                    calls.iter().map(|c| format!("{c};")).collect::<String>()
                ),
            };
        }
        files.push((format!("src/m{index}.{}", extension(unit)), text));
    }
    let modules: String = units
        .iter()
        .enumerate()
        .filter(|(_, u)| u.language == 2)
        .map(|(i, _)| format!("mod m{i};\n"))
        .collect();
    files.push(("src/lib.rs".to_owned(), modules));
    files.sort();
    files
}

fn build(files: &[(String, String)]) -> Graph {
    let read = |(path, text): &(String, String)| {
        // Compiling the grammar's queries takes longer than all the rest, so the parsers are kept.
        PARSERS.with_borrow_mut(|parsers| parsers.read(Language::from_text(path, text), text))
    };
    let facts: Vec<FileFacts> = files.iter().map(read).collect();
    let mut builder = GraphBuilder::new();
    for (id, ((path, _), facts)) in files.iter().zip(&facts).enumerate() {
        builder.add_file(FileId(id as u32), path, facts);
    }
    builder.build(|layout| resolve::resolve(layout, &[]))
}

/// Edges by names, which do not depend on numbers.
fn edges(graph: &Graph) -> BTreeSet<String> {
    let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(graph).expect("a graph serialises");
    let view = GraphView::new(
        rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(&bytes)
            .expect("a fresh archive is valid"),
    );
    let show = |id| {
        let node = view.node(id);
        let path = node.file.map_or("", |file| view.path(file));
        if node.kind == NodeKind::Symbol {
            format!("{path}#{}", view.qualified_name(id))
        } else {
            view.qualified_name(id)
        }
    };
    view.edges()
        .map(|e| {
            format!(
                "{} {} {} {} {}",
                show(e.source),
                e.kind,
                show(e.target),
                e.reason,
                e.line
            )
        })
        .collect()
}

/// Edges of resolved names. Communities and flows depend on the whole graph, and may change with any part of it.
fn named(graph: &Graph) -> BTreeSet<String> {
    let mut edges = edges(graph);
    edges.retain(|edge| !edge.contains(" MEMBER_OF ") && !edge.contains(" STEP_IN_PROCESS "));
    edges
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_same_input_gives_the_same_graph(units in prop::collection::vec(unit(), 1..6)) {
        let files = texts(&units);
        let graph = build(&files);
        prop_assert_eq!(&graph, &build(&files));
        let bytes = |graph: &Graph| rkyv::to_bytes::<rkyv::rancor::Error>(graph).expect("a graph serialises").to_vec();
        prop_assert_eq!(bytes(&graph), bytes(&build(&files)));
    }

    #[test]
    fn an_unrelated_file_changes_nothing_of_the_others(units in prop::collection::vec(unit(), 1..6), first in any::<bool>()) {
        let mut files = texts(&units);
        let before = named(&build(&files));
        let path = if first { "aaa/unrelated.py" } else { "zzz/unrelated.py" };
        files.push((path.to_owned(), "class Lonely:\n    def alone(self):\n        return 1\n".to_owned()));
        files.sort();
        let after = named(&build(&files));
        let kept: BTreeSet<String> = after.iter().filter(|edge| !edge.contains("unrelated") && !edge.contains("Lonely")).cloned().collect();
        prop_assert_eq!(before, kept);
    }
}

#[test]
fn an_empty_index_is_a_graph() {
    let graph = GraphBuilder::new().build(|layout| resolve::resolve(layout, &[]));
    assert_eq!(graph.n_files, 0);
    assert!(edges(&graph).is_empty());
}
