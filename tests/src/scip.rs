//! Effects of a compiler's index: definitions and uses become exact, contradicting guesses are removed, stale documents
//! are ignored.

use std::fmt::Write;
use std::sync::Arc;

use engine::scip::proto::{
    Document, Index, Metadata, Occurrence, Relationship, SymbolInformation, ToolInfo,
};
use engine::{EdgeKind, Engine, Reader, Snapshot};
use expect_test::expect;
use fixture::Fixture;
use prost::Message;

use crate::support::{files_of, index};

// `plug` is known to the compiler only: a plug-in that is registered by name. `run` is guessed to be Task.run.
const FILES: &str = "
//- /a.py
from b import Base, Task

class Mine(Base):
    def go(self, plug):
        plug.run()
        self.helper()
        unknown(plug)

    def helper(self):
        return 'ü🦀' + str(Task)
//- /b.py
class Base:
    def go(self, plug):
        pass

class Plug:
    def start(self):
        pass

class Task:
    def run(self):
        pass
";

fn engine() -> Engine {
    index(files_of(&Fixture::parse(FILES))).0
}

/// A name: the place of its nth mention in the text of its document, and its meaning.
type Said = (&'static str, usize, &'static str, bool);

fn document(path: &str, encoding: i32, said: &[Said], relations: &[(&str, &str)]) -> Document {
    let fixture = Fixture::parse(FILES);
    let text = fixture
        .files
        .iter()
        .find(|file| file.path == path)
        .map_or("", |file| file.text.as_str());
    let units = |line: &str| match encoding {
        1 => line.len(),
        3 => line.chars().count(),
        _ => line.encode_utf16().count(),
    } as i32;
    let occurrences = said.iter().map(|(name, nth, symbol, is_definition)| {
        let offset = text.match_indices(name).nth(*nth).map_or(0, |(at, _)| at);
        let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let line = text[..offset].matches('\n').count() as i32;
        let column = units(&text[start..offset]);
        Occurrence {
            range: vec![line, column, column + units(name)],
            symbol: (*symbol).to_owned(),
            symbol_roles: i32::from(*is_definition),
        }
    });
    let symbols = relations.iter().map(|(from, to)| SymbolInformation {
        symbol: (*from).to_owned(),
        relationships: vec![Relationship {
            symbol: (*to).to_owned(),
            is_implementation: true,
        }],
    });
    Document {
        relative_path: path.to_owned(),
        occurrences: occurrences.collect(),
        symbols: symbols.collect(),
        text: String::new(),
        position_encoding: encoding,
    }
}

fn scip(encoding: i32, prefix: &str) -> Vec<u8> {
    let a = [
        ("Base", 0, "s p b b/Base#", false),
        ("Task", 0, "s p b b/Task#", false),
        ("Mine", 0, "s p a a/Mine#", true),
        ("go", 0, "s p a a/Mine#go().", true),
        ("run", 0, "s p b b/Plug#start().", false),
        ("unknown", 0, "s p other other/unknown().", false),
        ("helper", 0, "s p a a/Mine#helper().", false),
        ("helper", 1, "s p a a/Mine#helper().", true),
        ("Task", 1, "s p b b/Task#", false),
    ];
    let b = [
        ("Base", 0, "s p b b/Base#", true),
        ("go", 0, "s p b b/Base#go().", true),
        ("Plug", 0, "s p b b/Plug#", true),
        ("start", 0, "s p b b/Plug#start().", true),
        ("Task", 0, "s p b b/Task#", true),
        ("run", 0, "s p b b/Task#run().", true),
    ];
    let relations = [
        ("s p a a/Mine#go().", "s p b b/Base#go()."),
        ("s p a a/Mine#", "s p b b/Base#"),
    ];
    let mut documents = vec![
        document("a.py", encoding, &a, &relations),
        document("b.py", encoding, &b, &[]),
    ];
    for document in &mut documents {
        document.relative_path = document.relative_path.trim_start_matches(prefix).to_owned();
    }
    Index {
        metadata: Some(Metadata {
            tool_info: Some(ToolInfo {
                name: "test".to_owned(),
                version: "1".to_owned(),
            }),
            project_root: String::new(),
        }),
        documents,
    }
    .encode_to_vec()
}

/// Calls, and whether each is exact.
fn shown(engine: &Engine) -> String {
    let snapshot = engine.build(0.0).expect("a snapshot");
    let reader = Reader::new(Arc::new(
        Snapshot::open(snapshot.to_bytes().unwrap()).expect("it opens"),
    ))
    .unwrap();
    let graph = reader.graph();
    let mut text = String::new();
    for edge in graph.edges() {
        if edge.kind == EdgeKind::Calls || edge.reason.name() == "compiler-index" {
            let (from, to) = (
                graph.qualified_name(edge.source),
                graph.qualified_name(edge.target),
            );
            let _ = writeln!(
                text,
                "{from} {} {to} {} {}",
                edge.kind, edge.confidence, edge.reason
            );
        }
    }
    for problem in reader.status().problems {
        let _ = writeln!(text, "{}: {}", problem.path, problem.code);
    }
    text
}

#[test]
fn what_the_compiler_says_stands_above_what_rules_find() {
    let mut engine = engine();
    expect![[r#"
        Mine.go CALLS Mine.helper 99 self-type
    "#]]
    .assert_eq(&shown(&engine));
    let mut texts = Vec::new();
    for encoding in [0, 1, 2, 3] {
        let report = engine.import_scip(&scip(encoding, "")).expect("it is SCIP");
        assert_eq!(
            (report.tool.as_str(), report.n_used, report.stale.len()),
            ("test 1", 2, 0)
        );
        assert_eq!((report.n_definitions, report.n_references), (9, 6));
        texts.push(shown(&engine));
    }
    assert!(
        texts.iter().all(|text| *text == texts[0]),
        "the same in every encoding"
    );
    expect![[r#"
        a.py REFERENCES Base 100 compiler-index
        a.py REFERENCES Task 100 compiler-index
        Mine EXTENDS Base 100 compiler-index
        Mine.go CALLS Mine.helper 100 compiler-index
        Mine.go CALLS Plug.start 100 compiler-index
        Mine.helper REFERENCES Task 100 compiler-index
        Base.go DISPATCH Mine.go 100 compiler-index
    "#]]
    .assert_eq(&texts[0]);
    engine.clear_scip();
    assert!(!shown(&engine).contains("compiler-index"));
}

#[test]
fn a_changed_file_loses_its_document_and_says_so() {
    let mut engine = engine();
    engine.import_scip(&scip(0, "")).expect("it is SCIP");
    let text = "class Base:\n    def go(self, plug):\n        pass\n\nclass Plug:\n    def start(self):\n        pass\n";
    let unit = engine::read_file(&mut crate::support::parsers(), "b.py", text);
    engine.put("b.py", text, unit);
    let after = shown(&engine);
    expect![[r#"
        Mine.go CALLS Mine.helper 100 compiler-index
        b.py: scip-stale
    "#]]
    .assert_eq(&after);
    // Imported documents and their state are kept.
    let saved = engine.build(0.0).expect("a snapshot");
    let opened = Snapshot::open(saved.to_bytes().unwrap()).expect("it opens");
    let reopened = Engine::from_snapshot(&opened).expect("it was saved with facts");
    assert_eq!(shown(&reopened), after);
    assert_eq!(
        reopened.build(0.0).expect("a snapshot").to_bytes().unwrap(),
        saved.to_bytes().unwrap()
    );
}

#[test]
fn an_update_with_documents_is_what_building_gives() {
    let mut engine = engine();
    engine.import_scip(&scip(0, "")).expect("it is SCIP");
    let saved = engine.build(0.0).expect("a snapshot");
    let saved = Snapshot::open(saved.to_bytes().unwrap()).expect("it opens");
    let mut reopened = Engine::reopen(Arc::new(saved)).expect("it was saved with facts");
    // The document of the first file stays, that of the second becomes stale.
    for (path, text) in [
        ("c.md", "# Notes\n\nPlain.\n"),
        ("b.py", "# A line more.\n"),
    ] {
        let before = Fixture::parse(FILES);
        let before = before.files.iter().find(|file| file.path == path);
        let text = before.map_or(text.to_owned(), |file| format!("{text}{}", file.text));
        let unit = engine::read_file(&mut crate::support::parsers(), path, &text);
        reopened.put(path, text.as_str(), unit);
        let updated = reopened.update(0.0).expect("a snapshot");
        let built = reopened.build(0.0).expect("a snapshot");
        assert!(
            updated.to_bytes().unwrap() == built.to_bytes().unwrap(),
            "{path}"
        );
    }
}

#[test]
fn a_document_of_another_text_is_ignored() {
    let mut engine = engine();
    let shifted = format!(
        "# a line more\nx = 1\n{}",
        Fixture::parse(FILES).files[0].text
    );
    let unit = engine::read_file(&mut crate::support::parsers(), "a.py", &shifted);
    engine.put("a.py", shifted.as_str(), unit);
    let report = engine.import_scip(&scip(0, "")).expect("it is SCIP");
    assert_eq!(report.stale, ["a.py"]);
    assert!(shown(&engine).contains("a.py: scip-stale"));
}

#[test]
fn paths_may_lie_deeper_in_the_index() {
    let fixture = Fixture::parse(FILES);
    let moved = fixture.files.iter().map(|file| {
        (
            format!("packages/x/{}", file.path),
            file.text.clone().into_bytes(),
        )
    });
    let files = source::FileSet::from_files(moved, &source::SourceConfig::default());
    let mut engine = index(files).0;
    assert_eq!(
        engine.import_scip(&scip(0, "")).expect("it is SCIP").n_used,
        2
    );
}

#[test]
fn what_is_no_index() {
    let mut engine = engine();
    for bytes in [&b""[..], b"\x1f\x8b\x08", b"<scip>", &[0xff; 40]] {
        let error = engine.import_scip(bytes).expect_err("it is no SCIP");
        assert_eq!(error.code(), "scip.damaged");
    }
    let report = engine.import_scip(
        &Index {
            metadata: None,
            documents: vec![Document {
                relative_path: "../elsewhere.py".to_owned(),
                ..Document::default()
            }],
        }
        .encode_to_vec(),
    );
    assert_eq!(report.expect("it is SCIP").unknown, ["../elsewhere.py"]);
}

proptest::proptest! {
    #[test]
    fn changed_bytes_are_read_or_refused(at in proptest::prelude::any::<proptest::sample::Index>(), byte in 0u8..=255) {
        static ENGINE: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| engine().build(0.0).expect("a snapshot").to_bytes().unwrap().to_vec());
        let snapshot = Snapshot::open(&ENGINE).expect("it opens");
        let mut engine = Engine::from_snapshot(&snapshot).expect("it reopens");
        let mut bytes = scip(0, "");
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if engine.import_scip(&bytes).is_ok() {
            let _ = shown(&engine);
        }
    }
}

/// Path, lines and symbol of results, with how they were found.
fn linked(engine: &Engine, tool: &str, request: &serde_json::Value) -> String {
    let snapshot = engine.build(0.0).expect("a snapshot");
    let reader = Reader::new(Arc::new(
        Snapshot::open(snapshot.to_bytes().unwrap()).expect("it opens"),
    ))
    .unwrap();
    let asked = api::answer::Asked {
        index: reader.index(),
        embed: &|_| Ok(None),
        clock: None,
    };
    let answer = api::answer::ask(asked, tool, &api::answer::Json(&request.to_string()));
    let answer: serde_json::Value = match answer {
        Ok(answer) => serde_json::from_str(&answer).expect("JSON"),
        Err(error) => return format!("{}: {}\n", error.code, error.message),
    };
    let one = |name: &str, result: &serde_json::Value| {
        let names = |list: &str| {
            let names = result[list].as_array().into_iter().flatten();
            names
                .filter_map(|symbol| symbol["name"].as_str())
                .collect::<Vec<_>>()
                .join(" ")
        };
        format!(
            "{name} {}:{}-{} {} by {} {}; callers: {}; callees: {}; {}\n",
            result["path"].as_str().unwrap_or_default(),
            result["start_line"],
            result["end_line"],
            result["symbol"]["qualified_name"],
            result["reason"].as_str().unwrap_or_default(),
            result["confidence"],
            names("callers"),
            names("callees"),
            result["snippet"],
        )
    };
    let mut text = String::new();
    for name in ["chunk", "definition"] {
        if answer[name].is_object() {
            text += &one(name, &answer[name]);
        }
    }
    for result in answer["results"].as_array().into_iter().flatten() {
        text += &one("result", result);
    }
    text
}

#[test]
fn connectors_work_with_and_without() {
    use serde_json::json;
    let mut engine = engine();
    let enrich = json!({"max_snippet": 40});
    let questions = [
        // `plug.run`: what it means, only the compiler knows.
        (
            "link_lsp_to_chunk",
            json!({"path": "a.py", "line": 5, "character": 13, "enrich": enrich}),
        ),
        (
            "link_lsp_to_chunk",
            json!({"path": "b.py", "line": 6, "enrich": {"snippet": false, "graph": false}}),
        ),
        ("link_lsp_to_chunk", json!({"path": "b.py", "line": 99})),
        (
            "find_chunks_for_symbol",
            json!({"symbol": "Mine.helper", "enrich": enrich}),
        ),
        (
            "get_callers_as_results",
            json!({"symbol": "Plug.start", "enrich": {"snippet": false}}),
        ),
        (
            "get_callees_as_results",
            json!({"symbol": "Mine.go", "enrich": {"snippet": false}}),
        ),
        (
            "get_callees_as_results",
            json!({"symbol": "Mine.go", "enrich": {"graph_depth": 9}}),
        ),
    ];
    let all = |engine: &Engine| -> String {
        questions
            .iter()
            .map(|(tool, request)| linked(engine, tool, request))
            .collect()
    };
    expect![[r#"
        chunk a.py:1-10 "Mine.go" by structure 1.0; callers: ; callees: helper; "    def go(self, plug):"
        definition a.py:1-10 "Mine.go" by structure 1.0; callers: ; callees: helper; "    def go(self, plug):"
        chunk b.py:1-11 "Plug.start" by structure 1.0; callers: ; callees: ; null
        definition b.py:1-11 "Plug.start" by structure 1.0; callers: ; callees: ; null
        position.outside: b.py ends at line 11, there is no line 99
        result a.py:1-10 "Mine.helper" by structure 1.0; callers: go; callees: ; "    def helper(self):\n        return 'ü🦀"
        result a.py:1-10 "Mine.helper" by self-type 0.99; callers: go; callees: ; null
        query.invalid: enrich.graph_depth can be 1 to 5
    "#]].assert_eq(&all(&engine));
    engine.import_scip(&scip(0, "")).expect("it is SCIP");
    expect![[r#"
        chunk a.py:1-10 "Mine.go" by structure 1.0; callers: ; callees: helper start; "    def go(self, plug):"
        definition b.py:1-11 "Plug.start" by compiler-index 1.0; callers: go; callees: ; "    def start(self):\n        pass\n"
        chunk b.py:1-11 "Plug.start" by structure 1.0; callers: ; callees: ; null
        definition b.py:1-11 "Plug.start" by structure 1.0; callers: ; callees: ; null
        position.outside: b.py ends at line 11, there is no line 99
        result a.py:1-10 "Mine.helper" by structure 1.0; callers: go; callees: ; "    def helper(self):\n        return 'ü🦀"
        result a.py:1-10 "Mine.go" by compiler-index 1.0; callers: ; callees: helper start; null
        result a.py:1-10 "Mine.helper" by compiler-index 1.0; callers: go; callees: ; null
        result b.py:1-11 "Plug.start" by compiler-index 1.0; callers: go; callees: ; null
        query.invalid: enrich.graph_depth can be 1 to 5
    "#]].assert_eq(&all(&engine));
}
