//! The tools that speak of changes, on a real repository: this one's own sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use api::answer::{self, Asked, Json};
use engine::{Engine, EngineConfig, Reader, Snapshot};
use serde_json::{Value, json};
use source::{FileSet, SourceConfig};

use crate::support::{bytes_of, parsers};

/// The crates between parsing and the wire, as they lie beside this one.
pub static OWN: LazyLock<Reader> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for part in ["source", "graph", "engine", "api"] {
        let folder = root.join("crates").join(part);
        collect(&root, &folder.join("src"), &mut files);
        // Says under which name the others know the crate.
        add(&root, &folder.join("Cargo.toml"), &mut files);
    }
    add(&root, &root.join("Cargo.toml"), &mut files);
    let files = FileSet::from_files(files, &SourceConfig::default());
    let config = EngineConfig {
        name: "portolan".to_owned(),
        ..EngineConfig::default()
    };
    let Ok((_, snapshot)) = Engine::index(config, files, &mut parsers(), None, &mut |_| true)
    else {
        panic!("own sources can be indexed");
    };
    Reader::new(std::sync::Arc::new(
        Snapshot::open(snapshot.to_bytes().unwrap()).expect("it opens"),
    ))
    .unwrap()
});

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            add(root, &path, files);
        }
    }
}

fn add(root: &Path, path: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    let name = path.strip_prefix(root).expect("below the root");
    let bytes = fs::read(path).expect("a file");
    files.push((name.to_string_lossy().replace('\\', "/"), bytes));
}

pub fn ask(tool: &str, request: &Value) -> Result<Value, api::ErrorBody> {
    put(&OWN, tool, request)
}

fn put(reader: &Reader, tool: &str, request: &Value) -> Result<Value, api::ErrorBody> {
    let asked = Asked {
        index: reader.index(),
        embed: &|_| Ok(None),
        clock: None,
    };
    let answer = answer::ask(asked, tool, &Json(&request.to_string()))?;
    Ok(serde_json::from_str(&answer).expect("JSON"))
}

pub fn list<'a>(value: &'a Value, pointer: &str) -> &'a Vec<Value> {
    let found = value.pointer(pointer).and_then(Value::as_array);
    found.unwrap_or_else(|| panic!("no list at {pointer} of {value:.300}"))
}

/// The qualified names of symbols in a list.
pub fn names(value: &Value, pointer: &str) -> Vec<String> {
    let symbols = list(value, pointer).iter();
    symbols
        .map(|entry| {
            let symbol = entry.get("symbol").unwrap_or(entry);
            symbol["qualified_name"].as_str().unwrap().to_owned()
        })
        .collect()
}

fn related(context: &Value, side: &str, kind: &str) -> Vec<String> {
    let groups = list(context, side);
    let group = groups.iter().find(|group| group["kind"] == kind);
    group.map_or_else(Vec::new, |group| names(group, "/relations"))
}

fn reached(impact: &Value) -> Vec<String> {
    let groups = list(impact, "/by_depth");
    groups
        .iter()
        .flat_map(|group| names(group, "/symbols"))
        .collect()
}

pub fn text_of(path: &str) -> &'static str {
    OWN.text(OWN.file(path).expect("a file")).expect("its text")
}

pub fn code_of(outcome: Result<Value, api::ErrorBody>) -> String {
    outcome.map_or_else(
        |error| error.code,
        |answer| format!("an answer: {answer:.200}"),
    )
}

#[test]
fn context_tells_what_leads_to_a_symbol_and_where_it_leads() {
    let context = ask("context", &json!({"symbol": "Reader.select"})).unwrap();
    assert_eq!(context["status"], "found");
    assert_eq!(context["symbol"]["path"], "crates/engine/src/ask/select.rs");
    let callers = related(&context, "/incoming", "CALLS");
    for caller in ["Reader.family_of", "Reader.select_nodes"] {
        assert!(callers.iter().any(|name| name == caller), "{callers:?}");
    }
    assert!(related(&context, "/outgoing", "CALLS").contains(&"Reader.select_exact".to_owned()));
    assert!(!list(&context, "/processes").is_empty());
    assert!(context["community"].is_string());
    let context = ask("context", &json!({"symbol": "FileFilter"})).unwrap();
    assert!(
        names(&context, "/members").contains(&"FileFilter.is_open".to_owned())
            || !list(&context, "/incoming").is_empty()
    );
}

#[test]
fn a_name_of_several_is_told_with_ways_to_name_each() {
    let context = ask("context", &json!({"symbol": "new", "limit": 3})).unwrap();
    assert_eq!(context["status"], "ambiguous");
    let candidates = list(&context, "/candidates");
    assert!(candidates.len() > 5, "{}", candidates.len());
    assert_eq!(candidates[0]["symbol"]["id"], context["symbol"]["id"]);
    for candidate in candidates {
        let one = ask("context", &json!({"symbol": candidate["selector"]})).unwrap();
        assert_eq!(one["status"], "found", "{}", candidate["selector"]);
        assert_eq!(one["symbol"]["id"], candidate["symbol"]["id"]);
    }
    let refused = ask("rename", &json!({"symbol": "new", "new_name": "create"}));
    assert_eq!(code_of(refused), "symbol.ambiguous");
    assert_eq!(
        code_of(ask("impact", &json!({"symbol": "nothingLikeThat"}))),
        "symbol.not-found"
    );
}

#[test]
fn impact_goes_by_depth_and_starts_from_members_too() {
    let impact = ask("impact", &json!({"symbol": "Reader.select", "depth": 3})).unwrap();
    assert_eq!(
        names(&impact, "/by_depth/0/symbols").len() as u64,
        impact["by_depth"][0]["total"]
    );
    let all = reached(&impact);
    assert!(all.contains(&"Reader.choose".to_owned()) && all.contains(&"Reader.impact".to_owned()));
    assert!(!all.contains(&"Reader.select".to_owned()));
    assert!(["medium", "high", "critical"].contains(&impact["risk"]["level"].as_str().unwrap()));
    // Nobody calls a struct; its methods are called.
    let budget = ask(
        "impact",
        &json!({"symbol": "crates/api/src/answer/budget.rs#Budget", "depth": 1}),
    )
    .unwrap();
    assert!(
        reached(&budget).contains(&"context".to_owned()),
        "{:?}",
        reached(&budget)
    );
    let down = ask(
        "impact",
        &json!({"symbol": "Reader.choose", "direction": "downstream", "depth": 1}),
    )
    .unwrap();
    assert!(reached(&down).contains(&"Reader.select_nodes".to_owned()));
}

#[test]
fn tests_can_be_left_out_or_asked_for_alone() {
    let ask_for = |tests: &str| {
        let symbol = "crates/engine/src/position.rs#offset_of";
        ask(
            "impact",
            &json!({"symbol": symbol, "depth": 1, "tests": tests}),
        )
        .unwrap()
    };
    let is_test = |impact: &Value| -> Vec<bool> {
        let symbols = list(impact, "/by_depth/0/symbols").iter();
        symbols
            .map(|symbol| symbol["is_test"].as_bool().unwrap())
            .collect()
    };
    let (all, none, only) = (ask_for("include"), ask_for("exclude"), ask_for("only"));
    assert!(is_test(&none).iter().all(|test| !test));
    assert!(!is_test(&only).is_empty() && is_test(&only).iter().all(|test| *test));
    assert_eq!(
        is_test(&all).len(),
        is_test(&none).len() + is_test(&only).len()
    );
    assert_eq!(all["risk"], none["risk"], "tests are no risk");
}

#[test]
fn no_answer_is_larger_than_asked_for_and_pages_hold_everything() {
    for symbol in [
        "Error",
        "NodeId",
        "Reader",
        "Reader.graph",
        "GraphView.node",
    ] {
        for (tool, max_bytes) in [
            ("impact", 4_096),
            ("context", 4_096),
            ("impact", 32_768),
            ("context", 32_768),
        ] {
            let mut request = json!({"symbol": symbol, "limit": 10_000, "max_bytes": max_bytes});
            if tool == "impact" {
                request["depth"] = json!(3);
            }
            let n_bytes = ask(tool, &request).unwrap().to_string().len();
            // Fields other than lists come first: the symbol, counts, the first entry of each list.
            assert!(
                n_bytes < max_bytes + 6_000,
                "{tool} {symbol}: {n_bytes} bytes"
            );
        }
    }
    let request = |offset: u64, max_bytes: u64| json!({"symbol": "Reader.graph", "limit": 10_000, "offset": offset, "max_bytes": max_bytes});
    let whole = ask("impact", &request(0, 100_000_000)).unwrap();
    assert_eq!(whole["page"]["truncated"], false);
    let (mut pieced, mut n_pages) = (Vec::new(), 0);
    loop {
        let page = ask("impact", &request(pieced.len() as u64, 20_000)).unwrap();
        pieced.extend(reached(&page));
        n_pages += 1;
        assert_eq!(page["page"]["total"], whole["page"]["total"]);
        if page["page"]["truncated"] == false {
            break;
        }
    }
    assert_eq!(pieced, reached(&whole));
    assert!(n_pages > 1);
}

#[test]
fn a_trace_goes_step_by_step_or_says_that_it_goes_back() {
    let (from, to) = ("crates/api/src/answer/rename.rs#rename", "clean_path");
    let trace = ask("trace", &json!({"from": from, "to": to})).unwrap();
    assert_eq!(trace["direction"], "forward");
    for path in list(&trace, "/paths") {
        let steps = list(path, "/steps");
        for pair in steps.windows(2) {
            assert_eq!(pair[0]["to"]["id"], pair[1]["from"]["id"]);
        }
        assert_eq!(steps[0]["from"]["id"], trace["from"]["id"]);
        assert_eq!(steps[steps.len() - 1]["to"]["name"], to);
    }
    let back = ask("trace", &json!({"from": to, "to": from})).unwrap();
    assert_eq!(
        (back["direction"].as_str(), &back["paths"]),
        (Some("backward"), &trace["paths"])
    );
    let none = ask("trace", &json!({"from": from, "to": to, "max_depth": 1})).unwrap();
    assert_eq!(
        (none["direction"].as_str(), list(&none, "/paths").len()),
        (Some("none"), 0)
    );
    assert_eq!(
        code_of(ask(
            "trace",
            &json!({"from": from, "to": to, "kinds": ["HOPES"]})
        )),
        "query.invalid"
    );
}

#[test]
fn a_query_is_answered_by_flows_and_definitions() {
    let answer = ask(
        "query",
        &json!({"query": "which files does a glob pattern let through"}),
    )
    .unwrap();
    let flows = list(&answer, "/processes");
    assert!(!flows.is_empty());
    for flow in flows {
        let steps: Vec<u64> = list(flow, "/symbols")
            .iter()
            .map(|symbol| symbol["step"].as_u64().unwrap())
            .collect();
        assert!(steps.is_sorted() && !steps.is_empty(), "{steps:?}");
        assert!(flow["summary"].as_str().unwrap().contains('→'));
    }
    let definitions = names(&answer, "/definitions");
    assert!(
        definitions.contains(&"FileFilter".to_owned()),
        "{definitions:?}"
    );
    assert!(!answer.to_string().contains("cohesion"));
    assert_eq!(code_of(ask("query", &json!({"query": " "}))), "query.empty");
}

#[test]
fn a_type_and_its_constructor_stand_for_each_other_and_closures_are_passed_through() {
    let files = [
        (
            "router.py",
            "class Router:\n    def __init__(self):\n        self.routes = table()\n\n\ndef table():\n    return []\n",
        ),
        (
            "app.py",
            "from router import Router\n\n\ndef make():\n    def inner():\n        return Router()\n    return inner\n\n\ndef serve():\n    return make()\n",
        ),
        ("README.md", "# Router\n\nA router.\n"),
    ];
    let reader = crate::support::reader(FileSet::from_files(
        bytes_of(&files),
        &SourceConfig::default(),
    ));
    let impact = put(
        &reader,
        "impact",
        &json!({"symbol": "Router.__init__", "depth": 1}),
    )
    .unwrap();
    assert!(
        reached(&impact).contains(&"make.inner".to_owned()),
        "{:?}",
        reached(&impact)
    );
    let table = put(&reader, "impact", &json!({"symbol": "table", "depth": 3})).unwrap();
    assert!(
        reached(&table).contains(&"make.inner".to_owned()),
        "{:?}",
        reached(&table)
    );
    let trace = put(&reader, "trace", &json!({"from": "serve", "to": "table"})).unwrap();
    let steps = list(&trace, "/paths/0/steps").iter();
    let steps: Vec<&str> = steps
        .map(|step| step["to"]["qualified_name"].as_str().unwrap())
        .collect();
    assert_eq!(
        steps,
        ["make", "make.inner", "Router", "Router.__init__", "table"]
    );
    let context = put(&reader, "context", &json!({"symbol": "Router"})).unwrap();
    assert_eq!(
        context["status"], "found",
        "a heading of that name is no rival"
    );
}
