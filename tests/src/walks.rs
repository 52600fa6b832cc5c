//! Walks, execution flows, areas and `code_intelligence`, asked by name and in JSON as every host asks them.

use std::fmt::Write as _;
use std::sync::LazyLock;

use api::answer::{self, Asked, Json};
use engine::Reader;
use expect_test::{Expect, expect};
use fixture::Fixture;
use serde_json::{Value, json};

use crate::support::{files_of, reader};

/// A shop: orders are routed to a handler that prices a cart and writes a letter.
const SHOP: &str = "
//- /shop/price.py
def price(items):
    return total(items)

def total(items):
    return rounded(taxed(items))

def taxed(items):
    return rounded(items)

def rounded(items):
    return items

def discounted(items):
    return total(taxed(items))

//- /shop/letter.py
class Letter:
    def __init__(self, text):
        self.text = text

    def send(self):
        return self.line(self.heading())

    def heading(self):
        return self.line(self.text)

    def line(self, text):
        return text

//- /shop/app.py
import requests
from shop.price import price
from shop.letter import Letter

@app.post(\"/orders\")
def order(items):
    Letter(price(items)).send()

def again(items):
    more(items)

def more(items):
    again(items)

//- /tests/test_app.py
from shop.app import order

def test_order():
    order([])
";

static READER: LazyLock<Reader> = LazyLock::new(|| reader(files_of(&Fixture::parse(SHOP))));

fn ask(tool: &str, request: &Value) -> Result<Value, api::ErrorBody> {
    let asked = Asked {
        index: READER.index(),
        embed: &|_| Ok(None),
        clock: None,
    };
    let answer = answer::ask(asked, tool, &Json(&request.to_string()))?;
    Ok(serde_json::from_str(&answer).expect("JSON"))
}

fn name(symbol: &Value) -> &str {
    symbol["qualified_name"].as_str().unwrap_or_default()
}

fn names(symbols: &Value) -> String {
    let symbols = symbols.as_array().map_or(&[][..], Vec::as_slice);
    symbols.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn list<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    value[field]
        .as_array()
        .map_or(&[][..], Vec::as_slice)
        .iter()
}

/// Renders an answer, one line per item of its list.
fn shown(tool: &str, answer: &Value) -> String {
    let mut text = String::new();
    let mut line = |written: String| writeln!(text, "{written}").expect("strings grow");
    match tool {
        "traverse" => list(answer, "steps").for_each(|step| {
            let (depth, relation) = (
                &step["depth"],
                step["relation"].as_str().unwrap_or_default(),
            );
            line(format!("{depth} {relation} {}", name(&step["symbol"])));
        }),
        "paths" => list(answer, "paths").for_each(|path| line(names(&path["nodes"]))),
        "cycles" => list(answer, "cycles").for_each(|cycle| line(names(&cycle["path"]["nodes"]))),
        "subgraph" => {
            line(names(&answer["nodes"]));
            list(answer, "edges")
                .for_each(|edge| line(format!("{} {}", edge["kind"], edge["use_line"])));
        }
        "processes" => list(answer, "processes").for_each(|process| {
            line(format!(
                "{} {} {}",
                process["label"], process["entry_kind"], process["n_steps"]
            ));
        }),
        "process" => list(answer, "steps").for_each(|step| {
            line(format!("{} {}", step["step"], name(&step["symbol"])));
        }),
        "communities" => list(answer, "communities").for_each(|community| {
            line(format!("{} {}", community["label"], community["n_members"]));
        }),
        "community" => line(names(&answer["members"])),
        _ => line(answer.to_string()),
    }
    text
}

/// Compares an answer, or its error, with the expected text.
#[track_caller]
pub fn check(tool: &str, request: Value, expected: &Expect) {
    let answer = match ask(tool, &request) {
        Ok(answer) => shown(tool, &answer),
        Err(error) => format!("{} {} | {}\n", error.code, error.message, error.help),
    };
    expected.assert_eq(&answer);
}

#[test]
fn what_is_within_reach() {
    check(
        "traverse",
        json!({"from": "order"}),
        &expect![[r#"
        1 CALLS Letter
        1 CALLS Letter.send
        1 CALLS price
        2 CALLS Letter.heading
        2 CALLS Letter.line
        2 CALLS total
        3 REFERENCES Letter.text
        3 CALLS taxed
        3 CALLS rounded
    "#]],
    );
    check(
        "traverse",
        json!({"from": "order", "edges": ["calls"], "order": "depth"}),
        &expect![[r#"
            1 CALLS Letter
            1 CALLS Letter.send
            2 CALLS Letter.heading
            3 CALLS Letter.line
            1 CALLS price
            2 CALLS total
            3 CALLS taxed
            3 CALLS rounded
        "#]],
    );
    check(
        "traverse",
        json!({"from": "rounded", "direction": "in", "edges": ["CALLS"], "depth": 2}),
        &expect![[r#"
            1 CALLS total
            1 CALLS taxed
            2 CALLS price
            2 CALLS discounted
        "#]],
    );
    check(
        "traverse",
        json!({"from": "shop/app.py", "edges": ["IMPORTS"], "nodes": ["file", "external"]}),
        &expect![[r#"
            1 IMPORTS shop/letter.py
            1 IMPORTS shop/price.py
            1 IMPORTS requests
        "#]],
    );
    check(
        "traverse",
        json!({"from": "shop", "edges": ["CONTAINS", "DEFINES"], "nodes": ["file", "class"]}),
        &expect![[r#"
            1 CONTAINS shop/app.py
            1 CONTAINS shop/letter.py
            1 CONTAINS shop/price.py
            2 DEFINES Letter
        "#]],
    );
    check(
        "traverse",
        json!({"from": "requests", "direction": "in"}),
        &expect![[r#"
            1 IMPORTS shop/app.py
            2 IMPORTS tests/test_app.py
        "#]],
    );
}

#[test]
fn ways_circles_and_pieces() {
    check(
        "paths",
        json!({"from": "order", "to": "rounded"}),
        &expect![[r#"
            order price total rounded
            order price total taxed rounded
        "#]],
    );
    check(
        "paths",
        json!({"from": "order", "to": "rounded", "limit": 1}),
        &expect![[r#"
            order price total rounded
        "#]],
    );
    check(
        "paths",
        json!({"from": "rounded", "to": "order", "direction": "in", "limit": 1}),
        &expect![[r#"
            rounded total price order
        "#]],
    );
    check(
        "paths",
        json!({"from": "rounded", "to": "order"}),
        &expect![[""]],
    );
    check(
        "cycles",
        json!({}),
        &expect![[r#"
        again more again
    "#]],
    );
    check("cycles", json!({"from": "order"}), &expect![[""]]);
    check(
        "subgraph",
        json!({"from": "taxed", "depth": 1, "edges": ["CALLS"]}),
        &expect![[r#"
            total taxed rounded discounted
            "CALLS" 5
            "CALLS" 5
            "CALLS" 8
            "CALLS" 14
            "CALLS" 14
        "#]],
    );
}

#[test]
fn flows_and_areas() {
    check(
        "processes",
        json!({}),
        &expect![[r#"
            "order → total" "route" 3
            "discounted → taxed" "exported" 3
        "#]],
    );
    check(
        "processes",
        json!({"entry_kinds": ["test"]}),
        &expect![[r#"
            "test_order → total" "test" 4
        "#]],
    );
    check(
        "processes",
        json!({"symbol": "total", "entry_kinds": ["route"]}),
        &expect![[r#"
            "order → total" "route" 3
        "#]],
    );
    let all = ask("processes", &json!({})).expect("flows");
    let id = all["processes"][0]["id"].to_string();
    check(
        "process",
        json!({"process": id}),
        &expect![[r#"
            1 order
            2 price
            3 total
        "#]],
    );
    check(
        "communities",
        json!({}),
        &expect![[r#"
            "Letter" 7
        "#]],
    );
    check(
        "community",
        json!({"community": "Letter"}),
        &expect![[r#"
            order Letter Letter.__init__ Letter.send Letter.heading Letter.line price
        "#]],
    );
}

#[test]
fn code_intelligence_is_the_other_questions() {
    for (command, tool, request) in [
        ("find", "find", json!({"symbol": "order", "limit": 50})),
        (
            "refs",
            "references",
            json!({"symbol": "order", "limit": 50}),
        ),
        (
            "callers",
            "callers",
            json!({"symbol": "order", "depth": 2, "limit": 50}),
        ),
        (
            "callees",
            "callees",
            json!({"symbol": "order", "depth": 2, "limit": 50}),
        ),
        (
            "graph",
            "traverse",
            json!({"from": "order", "direction": "in", "edges": ["CALLS", "REFERENCES"], "depth": 2, "limit": 50}),
        ),
    ] {
        let mut expected = ask(tool, &request).expect(tool);
        expected["command"] = json!(command);
        let found = ask(
            "code_intelligence",
            &json!({"command": command, "symbol": "order"}),
        );
        assert_eq!(found, Ok(expected), "{command}");
    }
    let both = ask(
        "code_intelligence",
        &json!({"command": "query", "symbol": "order"}),
    )
    .expect("both");
    assert_eq!(both["callers"]["total"], 1);
    assert!(both["references"]["total"].as_u64() >= Some(2));
}

#[test]
fn answers_are_cut_where_they_are_told() {
    let request = json!({"from": "order", "limit": 2, "offset": 1});
    let answer = ask("traverse", &request).expect("steps");
    assert_eq!(list(&answer, "steps").count(), 2);
    assert_eq!(answer["page"]["offset"], 1);
    assert_eq!(answer["page"]["truncated"], true);
    for (tool, request) in [
        ("traverse", json!({"from": "order", "max_bytes": 256})),
        ("subgraph", json!({"from": "order", "max_bytes": 256})),
        ("processes", json!({"max_bytes": 256})),
    ] {
        let answer = ask(tool, &request).expect(tool).to_string();
        assert!(answer.len() < 1_500, "{tool}: {} bytes", answer.len());
    }
}

#[test]
fn methods_written_outside_of_their_object_are_found_by_the_name_they_are_shown_with() {
    let fixture = Fixture::parse(
        "
//- /lib/response.js
var res = module.exports = {}

res.send = function send(body) {
  return this.set('length', body.length)
}

res.set = function (name, value) {
  this.headers[name] = value
}
",
    );
    let reader = reader(files_of(&fixture));
    let graph = reader.graph();
    let found = reader.select("res.send").expect("it is shown so");
    let names: Vec<String> = found.iter().map(|id| graph.qualified_name(*id)).collect();
    assert_eq!(names, ["res.send"]);
    let set = reader.select("res.set").expect("it is shown so");
    assert!(graph.has_path(&found, &set, &graph::WalkConfig::calls()));
}
