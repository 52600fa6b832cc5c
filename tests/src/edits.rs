//! Renames and changes, on this project's own sources: what the edits say is done, indexed again, and compared.

use std::collections::BTreeMap;

use engine::{Engine, EngineConfig, Reader, Snapshot};
use serde_json::{Value, json};
use source::{FileSet, SourceConfig};

use crate::support::parsers;
use crate::tools::{OWN, ask, code_of, list, names, text_of};

fn indexed(files: &BTreeMap<String, String>) -> Reader {
    let files = files
        .iter()
        .map(|(path, text)| (path.clone(), text.clone().into_bytes()));
    let files = FileSet::from_files(files, &SourceConfig::default());
    let config = EngineConfig::default();
    let Ok((_, snapshot)) = Engine::index(config, files, &mut parsers(), None, &mut |_| true)
    else {
        panic!("own sources can be indexed");
    };
    Reader::new(std::sync::Arc::new(
        Snapshot::open(snapshot.to_bytes().unwrap()).expect("it opens"),
    ))
    .unwrap()
}

fn own_files() -> BTreeMap<String, String> {
    let files = OWN.files();
    files
        .map(|file| {
            (
                OWN.path(file).to_owned(),
                OWN.text(file).unwrap().to_owned(),
            )
        })
        .collect()
}

/// The texts after the edits that a rename applies. Own sources hold no characters beyond the first plane before an edit.
fn edited(files: &mut BTreeMap<String, String>, rename: &Value) {
    for file in list(rename, "/changes") {
        let text = files.get_mut(file["path"].as_str().unwrap()).unwrap();
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        for edit in list(file, "/edits")
            .iter()
            .rev()
            .filter(|edit| edit["applied"] == true)
        {
            let at = |end: &str| edit["range"][end]["character"].as_u64().unwrap() as usize;
            let line = &mut lines[edit["line"].as_u64().unwrap() as usize - 1];
            let units: Vec<u16> = line.encode_utf16().collect();
            let [before, old, after] = [
                &units[..at("start")],
                &units[at("start")..at("end")],
                &units[at("end")..],
            ]
            .map(|units| String::from_utf16(units).unwrap());
            assert_eq!(old, edit["old_text"].as_str().unwrap());
            *line = format!("{before}{}{after}", edit["new_text"].as_str().unwrap());
        }
        *text = lines.concat();
    }
}

/// Every edge by names, with one name read as another.
fn edges(reader: &Reader, old: &str, new: &str) -> Vec<String> {
    let named = |name: String| if name == old { new.to_owned() } else { name };
    let mut edges: Vec<String> = api::answer::edges(reader)
        .into_iter()
        .map(|edge| {
            let (caller, callee) = (named(edge.caller_name), named(edge.callee_name));
            format!(
                "{} {caller} {} {} {callee} {}",
                edge.caller_file, edge.kind, edge.callee_file, edge.reason
            )
        })
        .collect();
    edges.sort();
    edges
}

#[test]
fn a_renamed_repository_is_the_same_graph_by_another_name() {
    let mut files = own_files();
    for (symbol, old, new) in [
        (
            "crates/engine/src/filter.rs#FileFilter",
            "FileFilter",
            "PathFilter",
        ),
        ("Reader.select_exact", "select_exact", "select_precisely"),
        (
            "crates/engine/src/position.rs#utf16_len",
            "utf16_len",
            "n_code_units",
        ),
    ] {
        let rename = ask(
            "rename",
            &json!({"symbol": symbol, "new_name": new, "limit": 100_000, "max_bytes": 100_000_000}),
        )
        .unwrap();
        assert!(
            rename["n_graph_edits"].as_u64().unwrap() >= 4,
            "{symbol}: {}",
            rename["n_graph_edits"]
        );
        assert_eq!(list(&rename, "/conflicts").len(), 0);
        assert!(
            rename["diff"]
                .as_str()
                .unwrap()
                .contains(&format!("{old}\n"))
                || rename["diff"].as_str().unwrap().contains(new)
        );
        edited(&mut files, &rename);
    }
    let renamed = indexed(&files);
    let (before, after) = (
        edges(&OWN, "FileFilter", "PathFilter"),
        edges(&renamed, "", ""),
    );
    let before: Vec<String> = before
        .into_iter()
        .map(|edge| {
            edge.replace(" select_exact ", " select_precisely ")
                .replace(" utf16_len ", " n_code_units ")
        })
        .collect();
    let sorted = |mut edges: Vec<String>| {
        edges.sort();
        edges
    };
    let (before, after) = (sorted(before), sorted(after));
    let gone: Vec<&String> = before
        .iter()
        .filter(|edge| after.binary_search(edge).is_err())
        .collect();
    let come: Vec<&String> = after
        .iter()
        .filter(|edge| before.binary_search(edge).is_err())
        .collect();
    assert!(
        gone.is_empty() && come.is_empty(),
        "gone {gone:#?}\ncome {come:#?}"
    );
}

#[test]
fn text_that_looks_like_the_name_is_told_apart() {
    let request = |text_search: &str| json!({"symbol": "crates/engine/src/ask/select.rs#Selector", "new_name": "Chooser", "text_search": text_search, "max_bytes": 100_000_000});
    let review = ask("rename", &request("review")).unwrap();
    let edits: Vec<&Value> = list(&review, "/changes")
        .iter()
        .flat_map(|file| list(file, "/edits"))
        .collect();
    let of = |source: &str| edits.iter().filter(|edit| edit["source"] == source).count() as u64;
    assert_eq!(
        (of("graph"), of("text_search")),
        (
            review["n_graph_edits"].as_u64().unwrap(),
            review["n_text_edits"].as_u64().unwrap()
        )
    );
    assert!(
        edits
            .iter()
            .all(|edit| edit["applied"] == (edit["source"] == "graph"))
    );
    let off = ask("rename", &request("off")).unwrap();
    assert_eq!(
        (off["n_text_edits"].as_u64(), &off["diff"]),
        (Some(0), &review["diff"])
    );
    let apply = ask("rename", &request("apply")).unwrap();
    assert_eq!(apply["n_text_edits"], review["n_text_edits"]);
    for name in ["two words", "", "9lives", "Selector", "a-b"] {
        let refused = ask("rename", &json!({"symbol": "Selector", "new_name": name}));
        assert_eq!(code_of(refused), "query.invalid", "{name:?}");
    }
    let taken = ask(
        "rename",
        &json!({"symbol": "Reader.select_exact", "new_name": "select"}),
    )
    .unwrap();
    assert!(!list(&taken, "/conflicts").is_empty());
}

#[test]
fn a_diff_is_read_in_terms_of_the_graph_whichever_side_the_index_is_on() {
    let rename = ask(
        "rename",
        &json!({"symbol": "Reader.select_exact", "new_name": "select_precisely"}),
    )
    .unwrap();
    let diff = rename["diff"].as_str().unwrap();
    let changes = ask("detect_changes", &json!({"diff": diff})).unwrap();
    assert_eq!(changes["summary"]["n_files"], rename["n_files"]);
    let changed = names(&changes, "/changed_symbols");
    for symbol in ["Reader.select", "Reader.select_exact", "Reader.find"] {
        assert!(changed.iter().any(|name| name == symbol), "{changed:?}");
    }
    let declared = |changes: &Value| -> Vec<bool> {
        let all = list(changes, "/changed_symbols").iter();
        all.filter(|changed| changed["symbol"]["name"] == "select_exact")
            .map(|changed| changed["touches_declaration"].as_bool().unwrap())
            .collect()
    };
    assert_eq!(declared(&changes), [true]);
    assert!(
        changes["summary"]["n_processes"].as_u64().unwrap() > 0
            && changes["summary"]["n_dependants"].as_u64().unwrap() > 0
    );
    assert!(
        list(&changes, "/changed_files")
            .iter()
            .all(|file| file["index"] == "old")
    );

    // The same the other way round: the index is of after the change.
    let mut files = own_files();
    edited(&mut files, &rename);
    let before: Vec<Value> = files
        .iter()
        .map(|(path, text)| json!({"path": path, "text": text}))
        .collect();
    let after: Vec<Value> = own_files()
        .iter()
        .map(|(path, text)| json!({"path": path, "text": text}))
        .collect();
    let other = ask("detect_changes", &json!({"before": before, "after": after})).unwrap();
    assert!(
        list(&other, "/changed_files")
            .iter()
            .all(|file| file["index"] == "new"),
        "{}",
        other["changed_files"]
    );
    assert_eq!(names(&other, "/changed_symbols"), changed);

    let stale = diff.replace("select_exact", "select_inexact");
    let stale = ask("detect_changes", &json!({"diff": stale})).unwrap();
    assert!(
        list(&stale, "/changed_files")
            .iter()
            .all(|file| file["index"] == "stale")
    );
}

#[test]
fn texts_are_compared_with_the_index() {
    let path = "crates/engine/src/ask/outline.rs";
    let changed = |text: &str| {
        ask(
            "detect_changes",
            &json!({"after": [{"path": path, "text": text}]}),
        )
        .unwrap()
    };
    let kinds = |changes: &Value| -> Vec<String> {
        let all = list(changes, "/changed_symbols").iter();
        all.map(|changed| {
            format!(
                "{} {}",
                changed["change_type"].as_str().unwrap(),
                changed["symbol"]["qualified_name"].as_str().unwrap()
            )
        })
        .collect()
    };
    let text = text_of(path);
    assert_eq!(changed(text)["summary"]["n_files"], 0);
    let body = changed(&text.replacen("pub fn outline(", "/* here */ pub fn outline(", 1));
    assert_eq!(kinds(&body), ["modified Reader.outline"]);
    let gap = changed(&text.replacen(
        "    pub fn outline(",
        "    pub fn outline(\n        // a line more\n",
        1,
    ));
    assert_eq!(kinds(&gap), ["modified Reader.outline"]);
    let more = changed(&format!("{text}\nfn more() {{}}\n"));
    assert_eq!(
        (
            kinds(&more).len(),
            more["changed_files"][0]["n_added"].as_u64()
        ),
        (0, Some(2))
    );
    let gone = ask(
        "detect_changes",
        &json!({"after": [{"path": path, "text": null}]}),
    )
    .unwrap();
    assert_eq!(gone["changed_files"][0]["status"], "deleted");
    assert!(
        kinds(&gone).iter().all(|kind| kind.starts_with("deleted ")) && !kinds(&gone).is_empty(),
        "{:?}",
        kinds(&gone)
    );
    let new = ask(
        "detect_changes",
        &json!({"after": [{"path": "new.rs", "text": "fn new() {}"}]}),
    )
    .unwrap();
    assert_eq!(
        (
            new["changed_files"][0]["status"].as_str(),
            new["changed_files"][0]["index"].as_str()
        ),
        (Some("added"), Some("absent"))
    );
    for request in [
        json!({}),
        json!({"diff": "x", "after": [{"path": "a", "text": "b"}]}),
        json!({"diff": "no diff"}),
        json!({"diff": "", "depth": 11}),
    ] {
        assert_eq!(
            code_of(ask("detect_changes", &request)),
            "query.invalid",
            "{request}"
        );
    }
    assert_eq!(
        ask("detect_changes", &json!({"diff": ""})).unwrap()["risk"]["level"],
        "low"
    );
}
