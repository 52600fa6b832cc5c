//! Cypher queries over one small repository: each case is a query and its table, or its error. The cases follow the
//! features of openCypher's own test kit (match, where, with, return, aggregation, …), on code.

extern crate portolan_cypher as cypher;

mod budget;
mod conditions;
mod expressions;
mod faults;
mod hostile;
mod limits;
mod paths;
mod patterns;
mod projections;

use std::fmt::Write;

use cypher::{Limits, Options, Value};
use graph::frozen::ArchivedGraph;
use graph::{GraphBuilder, GraphView};
use source::FileId;
use syntax::facts::FileFacts;
use syntax::{Language, ParseConfig, Parsers};

const FILES: [(&str, &str); 4] = [
    (
        "app/main.py",
        "from app.shop import Basket, total\n\ndef main():\n    \"\"\"Starts it.\"\"\"\n    basket = Basket()\n    basket.add(1)\n    report(total(basket))\n\ndef report(value):\n    print(value)\n",
    ),
    (
        "app/shop.py",
        "from app.tax import add_tax\n\nclass Store:\n    def add(self, item):\n        pass\n\nclass Basket(Store):\n    def add(self, item):\n        self.count()\n\n    def count(self):\n        return 1\n\ndef total(basket):\n    if basket:\n        return add_tax(basket.count())\n    return 0\n",
    ),
    (
        "app/tax.py",
        "def add_tax(value):\n    return round_up(value)\n\ndef round_up(value):\n    return again(value)\n\ndef again(value):\n    return round_up(value)\n",
    ),
    (
        "tests/test_shop.py",
        "from app.shop import total\n\ndef test_total():\n    assert total(None)\n",
    ),
];

fn archive() -> rkyv::util::AlignedVec {
    let mut parsers = Parsers::new(ParseConfig::default());
    let facts: Vec<FileFacts> = FILES
        .iter()
        .map(|(_, text)| parsers.read(Language::Python, text))
        .collect();
    let mut builder = GraphBuilder::new();
    for (id, ((path, _), facts)) in FILES.iter().zip(&facts).enumerate() {
        builder.add_file(FileId(id as u32), path, facts);
    }
    rkyv::to_bytes::<rkyv::rancor::Error>(&builder.build(|layout| resolve::resolve(layout, &[])))
        .expect("a graph serialises")
}

fn with_view<T>(look: impl FnOnce(GraphView<'_>) -> T) -> T {
    static ARCHIVE: std::sync::OnceLock<rkyv::util::AlignedVec> = std::sync::OnceLock::new();
    let bytes = ARCHIVE.get_or_init(archive);
    look(GraphView::new(
        rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(bytes)
            .expect("a fresh archive is valid"),
    ))
}

/// The answer as a table, columns separated by ` | `; or the error with its help.
fn answer(query: &str, options: &[(&str, Value<'static>)], limits: Limits) -> String {
    with_view(|view| {
        let options = Options {
            parameters: options
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone()))
                .collect(),
            limits,
            clock: None,
        };
        let mut text = String::new();
        match cypher::run(view, query, &options) {
            Ok(table) => {
                let _ = writeln!(text, "{}", table.columns.join(" | "));
                for row in &table.rows {
                    let cells: Vec<String> = row.iter().map(|value| shown(view, value)).collect();
                    let _ = writeln!(text, "{}", cells.join(" | "));
                }
                if table.truncated {
                    let _ = writeln!(text, "…");
                }
            }
            Err(error) => {
                let _ = writeln!(text, "{:?}: {error}", error.kind);
                if !error.help.is_empty() {
                    let _ = writeln!(text, "  {}", error.help);
                }
            }
        }
        text
    })
}

fn shown(view: GraphView<'_>, value: &Value<'_>) -> String {
    let list = |values: &mut dyn Iterator<Item = String>| values.collect::<Vec<_>>().join(", ");
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Text(text) => format!("'{text}'"),
        Value::List(items) => format!(
            "[{}]",
            list(&mut items.iter().map(|item| shown(view, item)))
        ),
        Value::Map(entries) => {
            let mut entries = entries
                .iter()
                .map(|(key, value)| format!("{key}: {}", shown(view, value)));
            format!("{{{}}}", list(&mut entries))
        }
        Value::Node(node) => format!(
            "({}:{})",
            graph::label(view, *node),
            view.qualified_name(*node)
        ),
        Value::Edge(edge) => format!(
            "[{} {}→{}]",
            edge.kind,
            view.name(edge.source),
            view.name(edge.target)
        ),
        Value::Path(path) => path
            .nodes
            .iter()
            .map(|node| view.name(*node))
            .collect::<Vec<_>>()
            .join("–"),
    }
}

#[track_caller]
fn check(query: &str, expected: expect_test::Expect) {
    expected.assert_eq(&answer(query, &[], Limits::default()));
}

#[track_caller]
fn check_with(query: &str, parameters: &[(&str, Value<'static>)], expected: expect_test::Expect) {
    expected.assert_eq(&answer(query, parameters, Limits::default()));
}

#[track_caller]
fn check_limits(query: &str, limits: Limits, expected: expect_test::Expect) {
    expected.assert_eq(&answer(query, &[], limits));
}
