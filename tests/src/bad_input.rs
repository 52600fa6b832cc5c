//! Faults in the world: each gives a message that a person understands, and loses nothing else.

use std::io::Write;

use api::answer;
use engine::{Engine, EngineConfig, Reader, Snapshot};
use source::{FileSet, SourceConfig};

use crate::support::{bytes_of, index, parsers, reader};

/// A good file beside the bad one: it must be there in the end.
const GOOD: (&str, &str) = ("good.py", "def good():\n    return 1\n");

/// Indexes `bad` beside [`GOOD`]; returns the problems of it, as `code: message`.
fn check(path: &str, bytes: Vec<u8>) -> (Reader, String) {
    let mut files = bytes_of(&[GOOD]);
    files.push((path.to_owned(), bytes));
    let reader = reader(FileSet::from_files(files, &SourceConfig::default()));
    let found = reader
        .find(
            "good",
            &engine::FindConfig {
                kind: None,
                fuzzy: false,
                limit: 1,
            },
        )
        .expect("an answer");
    assert_eq!(found.total, 1, "the good file is indexed beside {path}");
    let status = answer::status(&reader);
    let skipped = status
        .skipped
        .iter()
        .map(|skipped| format!("{}: {}", skipped.code, skipped.message));
    let problems = status
        .problems
        .iter()
        .map(|problem| format!("{}: {}", problem.code, problem.message));
    let said = skipped.chain(problems).collect::<Vec<_>>().join("\n");
    (reader, said)
}

#[test]
fn a_file_that_is_not_utf_8() {
    let (_, said) = check("latin.py", b"# caf\xE9\n".to_vec());
    assert_eq!(
        said,
        "not-utf-8: not UTF-8 (byte 5 cannot be decoded); convert it to index it"
    );
}

#[test]
fn a_file_of_100_megabytes() {
    let (_, said) = check("huge.sql", vec![b'\n'; 100_000_000]);
    assert_eq!(
        said,
        "too-large: 100000000 bytes, more than the limit of 2097152"
    );
}

#[test]
fn a_line_of_10_megabytes() {
    let files = vec![
        ("long.js".to_owned(), vec![b'x'; 10_000_000]),
        (GOOD.0.to_owned(), GOOD.1.into()),
    ];
    let config = SourceConfig {
        max_file_bytes: 20_000_000,
        ..SourceConfig::default()
    };
    let set = FileSet::from_files(files, &config);
    assert_eq!(set.files.len(), 1);
    assert_eq!(set.skipped[0].reason.code(), "long-line");
    assert_eq!(
        set.skipped[0].reason.to_string(),
        "line 1 has 10000000 bytes, more than the limit of 100000: minified or data"
    );
}

#[test]
fn nested_a_hundred_thousand_deep() {
    for (path, open, close) in [
        ("deep.js", "[", "]"),
        ("deep.py", "(", ")"),
        ("deep.rs", "{", "}"),
        ("deep.json", "[", "]"),
        ("deep.c", "{", "}"),
    ] {
        // Line breaks now and then, or it would be a long line.
        let nested = |piece: &str| format!("{}\n", piece.repeat(1_000)).repeat(100);
        let text = format!("{}{}", nested(open), nested(close));
        let (reader, _) = check(path, text.into_bytes());
        assert_eq!(reader.n_files(), 2, "{path}");
    }
}

#[test]
fn an_identifier_of_a_megabyte() {
    let text = format!("{}\n", "a".repeat(90_000)).repeat(12);
    let (reader, _) = check("names.js", text.into_bytes());
    assert_eq!(reader.n_files(), 2);
}

#[test]
fn a_broken_file_is_indexed_as_far_as_it_goes() {
    let (reader, said) = check(
        "broken.ts",
        b"export function kept() {}\nclass { { {{ ((\n".to_vec(),
    );
    assert_eq!(reader.n_files(), 2);
    assert!(said.starts_with("syntax: "), "{said}");
    let found = reader
        .find(
            "kept",
            &engine::FindConfig {
                kind: None,
                fuzzy: false,
                limit: 1,
            },
        )
        .expect("an answer");
    assert_eq!(found.total, 1);
}

#[test]
fn an_empty_repository() {
    let reader = reader(FileSet::default());
    let status = answer::status(&reader);
    assert_eq!(
        (status.n_files, status.n_chunks, status.n_symbols),
        (0, 0, 0)
    );
    let request: api::SearchRequest =
        serde_json::from_str(r#"{"query": "anything"}"#).expect("a request");
    assert_eq!(
        answer::search(&reader, &request, None)
            .expect("an answer")
            .hits,
        []
    );
    assert!(answer::edges(&reader).is_empty() && answer::files(&reader).files.is_empty());
}

#[test]
fn empty_and_blank_files() {
    let files = bytes_of(&[
        ("a.py", ""),
        ("b.rs", "\n\n\n"),
        ("c.md", "   "),
        ("d", "\r\n"),
        GOOD,
    ]);
    let reader = reader(FileSet::from_files(files, &SourceConfig::default()));
    assert_eq!(reader.n_files(), 5);
}

#[test]
fn two_files_with_one_path() {
    let (_, said) = check("./good.py", b"def other(): pass\n".to_vec());
    assert_eq!(
        said,
        "duplicate-path: another file with this path came first"
    );
}

#[test]
fn an_archive_that_leads_out_and_explodes() {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let huge = vec![b'\n'; 50_000_000];
    for (path, bytes) in [
        ("../../evil.py", &b"x = 1\n"[..]),
        ("bomb.txt", &huge),
        (GOOD.0, GOOD.1.as_bytes()),
    ] {
        writer.start_file(path, options).expect("an entry");
        writer.write_all(bytes).expect("its bytes");
    }
    let archive = writer.finish().expect("an archive").into_inner();
    assert!(archive.len() < 100_000, "a bomb is small");
    let set = FileSet::from_archive(&archive, &SourceConfig::default()).expect("an archive");
    let reader = reader(set);
    let status = answer::status(&reader);
    let skipped: Vec<_> = status
        .skipped
        .iter()
        .map(|s| (s.path.as_str(), s.code.as_str()))
        .collect();
    assert_eq!(
        skipped,
        [("../../evil.py", "unsafe-path"), ("bomb.txt", "too-large")]
    );
    assert_eq!(status.n_files, 1);
}

#[test]
fn facts_that_no_worker_sent() {
    for bytes in [&b""[..], b"short", &[0xFF; 200]] {
        let error = engine::FileUnit::from_bytes(bytes).expect_err("not facts");
        assert_eq!(error.code(), "unit.damaged");
    }
}

#[test]
fn vectors_that_do_not_fit() {
    let (mut engine, _) = index(FileSet::from_files(
        bytes_of(&[GOOD]),
        &SourceConfig::default(),
    ));
    let code = |result: Result<(), engine::Error>| result.expect_err("no vectors").code();
    assert_eq!(
        code(engine.set_vectors(&[1, 2], &[0.0; 3], 2, "m")),
        "vectors.mismatch"
    );
    assert_eq!(
        code(engine.set_vectors(&[1], &[f32::NAN], 1, "m")),
        "vectors.mismatch"
    );
    assert_eq!(
        code(engine.set_vectors(&[], &[], 0, "m")),
        "vectors.mismatch"
    );
}

#[test]
fn indexing_can_be_cancelled() {
    let files = FileSet::from_files(
        bytes_of(&[GOOD, ("b.py", "x = 1\n")]),
        &SourceConfig::default(),
    );
    let mut asked = 0;
    let mut stop_after_one = |_: engine::Progress<'_>| {
        asked += 1;
        asked < 2
    };
    let result = Engine::index(
        EngineConfig::default(),
        files,
        &mut parsers(),
        None,
        &mut stop_after_one,
    );
    assert_eq!(result.err().expect("cancelled").code(), "cancelled");
}

#[test]
fn a_snapshot_without_texts_says_so_only_where_it_matters() {
    let (_, snapshot) = index(FileSet::from_files(
        bytes_of(&[GOOD]),
        &SourceConfig::default(),
    ));
    let lean = snapshot.without(&["texts", "facts"]);
    assert!(lean.to_bytes().unwrap().len() < snapshot.to_bytes().unwrap().len());
    let lean = Snapshot::open(lean.to_bytes().unwrap()).expect("it opens");
    assert_eq!(
        Engine::from_snapshot(&lean).err().expect("no facts").code(),
        "snapshot.without"
    );
    let reader = Reader::new(std::sync::Arc::new(lean)).unwrap();
    let request: api::SearchRequest =
        serde_json::from_str(r#"{"query": "good"}"#).expect("a request");
    let hits = answer::search(&reader, &request, None)
        .expect("an answer")
        .hits;
    assert_eq!(
        (hits[0].path.as_str(), hits[0].snippet.text.as_str()),
        ("good.py", "")
    );
    assert_eq!(
        answer::file_text(&reader, "good.py")
            .expect_err("no texts")
            .code,
        "snapshot.without"
    );
}
