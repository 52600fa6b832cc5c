//! Faults that were found by use: each test is named after the fault that it keeps away.

use api::answer::{self, Asked, Json};
use engine::Reader;
use serde_json::{Value, json};
use source::{FileSet, SourceConfig};

use crate::support::{bytes_of, reader};

const SHOP: &[(&str, &str)] = &[
    (
        "docs/examples/use.js",
        "import { addTax } from '../../src/tax.js';\nexport function example() { return addTax(1); }\n",
    ),
    (
        "src/cart.js",
        "import { addTax } from './tax.js';\nexport function total() { return addTax(2); }\n",
    ),
    (
        "src/tax.js",
        "export function addTax(net) { return round(net); }\nfunction round(n) { return n; }\n",
    ),
    (
        "test/cart.test.js",
        "import { addTax } from '../src/tax.js';\nfunction checks() { return addTax(3); }\nchecks();\n",
    ),
    ("notes.md", "# Notes\n\naddTax is called by total.\n"),
];

fn shop() -> Reader {
    reader(FileSet::from_files(
        bytes_of(SHOP),
        &SourceConfig::default(),
    ))
}

fn ask(reader: &Reader, tool: &str, request: &Value) -> Result<Value, api::ErrorBody> {
    let asked = Asked {
        index: reader.index(),
        embed: &|_| Ok(None),
        clock: None,
    };
    let answer = answer::ask(asked, tool, &Json(&request.to_string()))?;
    Ok(serde_json::from_str(&answer).expect("JSON"))
}

fn answered(tool: &str, request: &Value) -> Value {
    ask(&shop(), tool, request).unwrap_or_else(|error| panic!("{tool} {request}: {error:?}"))
}

fn paths(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list");
    list.iter()
        .map(|one| one["path"].as_str().unwrap())
        .collect()
}

#[test]
fn a_rename_changes_nothing_outside_of_its_paths() {
    let request = json!({"symbol": "addTax", "new_name": "addVat", "paths": ["src/**"]});
    let rename = answered("rename", &request);
    let diff = rename["diff"].as_str().expect("a diff");
    assert!(
        diff.contains("src/cart.js") && diff.contains("src/tax.js"),
        "{diff}"
    );
    assert!(!diff.contains("test/") && !diff.contains("docs/"), "{diff}");
    let left: Vec<(&str, &str)> = rename["changes"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|file| {
            let edits = file["edits"].as_array().unwrap().iter();
            let left = edits.filter(|edit| edit["applied"] == false);
            left.map(|edit| {
                (
                    file["path"].as_str().unwrap(),
                    edit["source"].as_str().unwrap(),
                )
            })
        })
        .collect();
    assert_eq!(rename["n_left"], left.len());
    assert!(
        left.contains(&("docs/examples/use.js", "graph")),
        "{left:?}"
    );
    assert!(left.contains(&("test/cart.test.js", "graph")), "{left:?}");
    assert!(
        !left.iter().any(|(path, _)| path.starts_with("src/")),
        "{left:?}"
    );
}

#[test]
fn uses_in_product_code_come_before_examples_and_tests() {
    let found = answered("references", &json!({"symbol": "addTax"}));
    let uses = paths(&found["references"]);
    assert_eq!(
        uses,
        [
            "src/cart.js",
            "src/cart.js",
            "docs/examples/use.js",
            "docs/examples/use.js",
            "test/cart.test.js",
            "test/cart.test.js"
        ]
    );
    assert_eq!(
        (&found["n_product"], &found["total"]),
        (&json!(2), &json!(6))
    );
    let found = answered("callers", &json!({"symbol": "addTax"}));
    assert_eq!(
        paths(&found["calls"]),
        ["src/cart.js", "docs/examples/use.js", "test/cart.test.js"]
    );
    assert_eq!(
        (&found["n_product"], &found["total"]),
        (&json!(1), &json!(3))
    );
}

#[test]
fn relations_of_a_symbol_begin_with_product_code() {
    let context = answered("context", &json!({"symbol": "addTax"}));
    let groups = context["incoming"].as_array().unwrap();
    let calls = groups
        .iter()
        .find(|group| group["kind"] == "CALLS")
        .unwrap();
    let callers = calls["relations"].as_array().unwrap().iter();
    let callers: Vec<&str> = callers
        .map(|relation| relation["symbol"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(callers, ["total", "example", "checks"]);
}

#[test]
fn callers_have_an_offset_and_a_kind() {
    let found = answered("callers", &json!({"symbol": "addTax", "offset": 2}));
    assert_eq!(paths(&found["calls"]), ["test/cart.test.js"]);
    assert_eq!(found["total"], 3);
    let other = ask(
        &shop(),
        "callers",
        &json!({"symbol": "addTax", "kind": "class"}),
    );
    assert_eq!(other.unwrap_err().code, "symbol.not-found");
    let other = ask(
        &shop(),
        "references",
        &json!({"symbol": "addTax", "kind": "class"}),
    );
    assert_eq!(other.unwrap_err().code, "symbol.not-found");
}

#[test]
fn files_and_folders_are_symbols() {
    let callers = answered("callers", &json!({"symbol": "src/tax.js"}));
    assert_eq!(paths(&callers["calls"])[0], "src/cart.js");
    let callers = answered("callers", &json!({"symbol": "src"}));
    assert_eq!(
        paths(&callers["calls"]),
        ["docs/examples/use.js", "test/cart.test.js"]
    );
    let uses = answered("references", &json!({"symbol": "src/tax.js"}));
    assert!(
        !paths(&uses["references"]).contains(&"src/tax.js"),
        "{uses}"
    );
    for path in ["src/tax.js", "./src/tax.js", "src", "src/"] {
        let context = answered("context", &json!({"symbol": path}));
        let is_file = path.ends_with(".js");
        assert_eq!(
            context["symbol"]["kind"],
            if is_file { "file" } else { "folder" }
        );
        assert_eq!(
            context["symbol"]["path"],
            path.trim_start_matches("./").trim_end_matches('/')
        );
        let incoming = context["incoming"].as_array().unwrap();
        assert!(
            incoming.iter().any(|group| group["kind"] == "CALLS"),
            "{context}"
        );
        assert!(
            !context["members"].as_array().unwrap().is_empty(),
            "{context}"
        );
        let impact = answered("impact", &json!({"symbol": path}));
        assert_eq!(
            impact["target"]["qualified_name"]
                .as_str()
                .unwrap()
                .rsplit('/')
                .next(),
            impact["target"]["name"].as_str()
        );
        let names = impact["by_depth"][0]["symbols"].to_string();
        assert!(names.contains("example"), "{impact}");
    }
}

#[test]
fn the_first_process_and_community_are_number_0() {
    for (list, one) in [("processes", "process"), ("communities", "community")] {
        let all = answered(list, &json!({}));
        let Some(first) = all[list].get(0) else {
            continue;
        };
        let found = answered(one, &json!({ one: "0" }));
        assert_eq!(found[one]["id"], first["id"]);
        let found = answered(one, &json!({ one: first["id"].to_string() }));
        assert_eq!(found[one]["id"], first["id"]);
        let error = ask(&shop(), one, &json!({ one: "999999" })).unwrap_err();
        assert_eq!(error.code, "query.invalid");
    }
}

#[test]
fn unknown_fields_of_requests_are_refused() {
    let reader = shop();
    for tool in api::answer::TOOLS {
        let error = ask(&reader, tool.name, &json!({"limt": 3})).unwrap_err();
        assert_eq!(error.code, "request.invalid", "{}", tool.name);
        assert!(
            error.message.contains("`limt`"),
            "{}: {}",
            tool.name,
            error.message
        );
    }
    let nested = json!({"after": [{"path": "a.js", "text": "", "txet": ""}]});
    let error = ask(&reader, "detect_changes", &nested).unwrap_err();
    assert!(error.message.contains("`txet`"), "{}", error.message);
}

#[test]
fn similar_compares_code_and_leaves_the_symbol_itself_out() {
    let reader = shop();
    let request = json!({"command": "similar", "symbol": "addTax"});
    let found = ask(&reader, "code_intelligence", &request).unwrap();
    assert_eq!(
        (&found["query"], &found["mode"]),
        (&json!("addTax"), &json!("vector"))
    );
    let hits = found["hits"].as_array().unwrap();
    assert!(!hits.is_empty());
    for hit in hits {
        assert!(
            hit["path"] != "src/tax.js" || hit["start_line"] != 1,
            "{hit}"
        );
    }
    // The score is that of the vectors, not of the name in a query.
    let by_words = json!({"command": "similar", "symbol": "code that rounds"});
    let found = ask(&reader, "code_intelligence", &by_words).unwrap();
    assert_eq!(found["query"], "code that rounds");
}

#[test]
fn a_trace_without_a_way_says_how_far_it_came_and_what_is_missing() {
    let trace = answered("trace", &json!({"from": "total", "to": "checks"}));
    assert_eq!(trace["direction"], "none");
    let gap = &trace["gap"];
    assert!(gap["forward"]["n_reached"].as_u64().unwrap() >= 2, "{gap}");
    assert_eq!(gap["forward"]["last"][0]["name"], "round");
    assert!(gap["missing"].as_str().unwrap().len() > 20, "{gap}");
    let trace = answered("trace", &json!({"from": "round", "to": "example"}));
    assert_eq!(trace["direction"], "backward");
    assert!(
        trace["gap"]["missing"]
            .as_str()
            .unwrap()
            .contains("round calls nothing"),
        "{trace}"
    );
    let trace = answered("trace", &json!({"from": "total", "to": "round"}));
    assert_eq!(
        (&trace["direction"], trace.get("gap")),
        (&json!("forward"), None)
    );
    let trace = answered(
        "trace",
        &json!({"from": "total", "to": "round", "kinds": ["REFERENCES"]}),
    );
    assert!(
        trace["gap"]["missing"]
            .as_str()
            .unwrap()
            .contains("calls nothing"),
        "{trace}"
    );
}

#[test]
fn translations_of_one_document_are_one_hit() {
    let text = "# Tax\n\nThe tax is added to a net price: addTax.\n";
    let files = [
        "README.md",
        "README.fr.md",
        "README_zh-CN.md",
        "docs/en/docs/tax.md",
        "docs/de/docs/tax.md",
        "docs/zh-hant/docs/tax.md",
        "docs/python/tax.md",
        "docs/ruby/tax.md",
    ];
    let reader = reader(FileSet::from_files(
        bytes_of(&files.map(|path| (path, text))),
        &SourceConfig::default(),
    ));
    for ungrouped in [false, true] {
        let request = json!({"query": "tax of a net price", "ungrouped": ungrouped, "limit": 50});
        let found = ask(&reader, "search", &request).unwrap();
        let mut documents = paths(&found["hits"]);
        documents.dedup();
        let of = |part: &str| documents.iter().filter(|path| path.contains(part)).count();
        let expected = [("README", 1), ("/docs/tax.md", 1)];
        assert_eq!(expected.map(|(part, _)| (part, of(part))), expected);
        assert_eq!((of("python"), of("ruby")), (1, 1), "{documents:?}");
        assert_eq!(found["total"], 4, "{documents:?}");
    }
}
