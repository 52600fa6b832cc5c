//! The classes as JavaScript uses them, in a real browser. Grammars are loaded by JavaScript, so code is read as text here;
//! what grammars give is tested through the package.

use crate::{Admitted, CodeIndex, CodeIndexBuilder, ParseWorker, SourceOptions};
use api::{FileText, FindResponse, SearchResponse, Status};
use js_sys::{JSON, Reflect, Uint8Array};
use serde::de::DeserializeOwned;
use tsify::Tsify;
use wasm_bindgen::{JsValue, UnwrapThrowExt};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

const FILES: &[(&str, &str)] = &[
    (
        "README.md",
        "# Shop\n\nA small shop.\n\n## Checkout\n\nThe cart is priced, taxed and paid.\n",
    ),
    (
        "docs/tax.md",
        "# Tax\n\nValue added tax is added to the net price. 💶\n",
    ),
    ("config.toml", "[server]\nport = 8080\nname = \"shop\"\n"),
    (
        "deploy.lua",
        "-- uploads the shop to the server\nfunction deploy(host)\n  print(host)\nend\n",
    ),
];
const MODEL: &[u8] = include_bytes!("../../embed/model/code-embed-128.int8.onnx");
const TOKENIZER: &[u8] = include_bytes!("../../embed/model/tokenizer.json");

fn builder() -> CodeIndexBuilder {
    let options = SourceOptions::default().into_ts().unwrap_throw();
    CodeIndexBuilder::new("shop".into(), options).unwrap_throw()
}

fn add(builder: &mut CodeIndexBuilder, path: &str, bytes: &[u8]) -> Option<Admitted> {
    builder
        .add(path, bytes)
        .unwrap_throw()
        .map(|file| file.to_rust().unwrap_throw())
}

fn with_files(files: &[(&str, &str)]) -> CodeIndexBuilder {
    let (mut builder, mut parser) = (builder(), ParseWorker::new(None, None, None).unwrap_throw());
    for (path, text) in files {
        let file = add(&mut builder, path, text.as_bytes()).expect_throw("a file that is taken in");
        let unit = parser.read(&file.path, text.as_bytes()).unwrap_throw();
        builder.put(&file.path, &unit.to_vec()).unwrap_throw();
    }
    builder
}

/// The answer to a request that is written as JSON.
fn ask<T: DeserializeOwned>(index: &CodeIndex, tool: &str, request: &str) -> Result<T, JsValue> {
    let answer = index.ask(tool, JSON::parse(request).unwrap_throw())?;
    Ok(serde_wasm_bindgen::from_value(answer).unwrap_throw())
}

/// Answers a search, without the time that it took.
fn search(index: &CodeIndex, query: &str) -> SearchResponse {
    let request = format!(r#"{{"query": "{query}", "limit": 3, "explain": true}}"#);
    let found: SearchResponse = ask(index, "search", &request).unwrap_throw();
    SearchResponse {
        processing_time: None,
        ..found
    }
}

fn status(index: &CodeIndex) -> Status {
    ask(index, "status", "{}").unwrap_throw()
}

fn best(index: &CodeIndex, query: &str) -> String {
    search(index, query)
        .hits
        .first()
        .map_or_else(String::new, |hit| hit.path.clone())
}

/// The code of the error that a request is answered with.
fn refusal(index: &CodeIndex, tool: &str, request: &str) -> String {
    code_of(ask::<FindResponse>(index, tool, request))
}

fn code_of<T>(outcome: Result<T, JsValue>) -> String {
    let Err(error) = outcome else {
        return "none".into();
    };
    Reflect::get(&error, &"code".into())
        .unwrap_throw()
        .as_string()
        .unwrap_or_default()
}

#[wasm_bindgen_test]
fn files_become_an_index_that_answers() {
    let index = with_files(FILES)
        .build(1_700_000_000_000.0, None)
        .unwrap_throw();
    assert_eq!(best(&index, "value added tax"), "docs/tax.md");
    assert_eq!(best(&index, "upload to the server"), "deploy.lua");
    let status = status(&index);
    assert_eq!((status.name.as_str(), status.n_files), ("shop", 4));
    assert!((status.built_at - 1_700_000_000_000.0).abs() < 1.0);
    let file: FileText = ask(&index, "file_text", r#"{"path": "docs/tax.md"}"#).unwrap_throw();
    assert_eq!(file.text, FILES[1].1);
}

#[wasm_bindgen_test]
fn a_saved_index_answers_the_same() {
    let made = with_files(FILES).build(0.0, None).unwrap_throw();
    let opened = CodeIndex::open(&made.save().unwrap_throw()).unwrap_throw();
    assert_eq!(
        made.save().unwrap_throw().to_vec(),
        opened.save().unwrap_throw().to_vec()
    );
    for query in ["value added tax", "server port", "checkout"] {
        let [a, b] = [&made, &opened].map(|index| search(index, query));
        assert_eq!(a, b, "{query}");
    }
}

#[wasm_bindgen_test]
fn a_snapshot_made_natively_opens_here() {
    let native = include_bytes!("../../../tests/snapshots/v7/bookshop.bin");
    let index = CodeIndex::open(&Uint8Array::from(&native[..])).unwrap_throw();
    assert_eq!(index.save().unwrap_throw().to_vec(), native);
    let found: FindResponse = ask(&index, "find", r#"{"symbol": "apply_discount"}"#).unwrap_throw();
    assert_eq!(found.symbols[0].path, "shop/pricing.py");
    let path = best(&index, "apply discount");
    assert!(path.ends_with("pricing.py"), "{path}");
    assert!(!index.edges().unwrap_throw().is_empty());
}

#[wasm_bindgen_test]
fn building_twice_gives_the_same_bytes() {
    let mut backwards = FILES.to_vec();
    backwards.reverse();
    let [a, b] = [FILES, &backwards].map(|files| {
        with_files(files)
            .build(0.0, None)
            .unwrap_throw()
            .save()
            .unwrap_throw()
            .to_vec()
    });
    assert!(a == b, "the order in which files come must not matter");
}

#[wasm_bindgen_test]
fn vectors_are_attached_and_need_their_model() {
    use embed::{Embedder, StaticEmbedder};
    let mut builder = with_files(FILES);
    let index = builder.build(0.0, None).unwrap_throw();
    assert!(!index.wants_model("search"));
    let model =
        StaticEmbedder::from_onnx(MODEL, TOKENIZER).expect_throw("the model of the package");
    let pending = builder.pending_embeddings(100);
    assert_eq!(pending.n_batches(), 1);
    let (keys, texts) = (pending.keys(0), pending.texts(0));
    let ends = texts.ends().to_vec();
    assert_eq!([keys.len(), ends.len()], [builder.pending_count(); 2]);
    let bytes = String::from_utf8(texts.bytes().to_vec()).expect_throw("texts are UTF-8");
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let texts: Vec<&str> = starts
        .zip(&ends)
        .map(|(start, &end)| &bytes[start as usize..end as usize])
        .collect();
    let vectors = model.embed(&texts).expect_throw("vectors");
    builder
        .set_vectors(&keys, &vectors, model.dim(), model.name())
        .unwrap_throw();
    assert_eq!(builder.pending_count(), 0);
    let mut index = builder.attach_vectors(0.0).unwrap_throw();
    assert!(index.wants_model("search"));
    assert_eq!(
        code_of(index.set_model(&MODEL[..1_000], TOKENIZER)),
        "model.unusable"
    );
    index.set_model(MODEL, TOKENIZER).unwrap_throw();
    assert!(!index.wants_model("search"));
    assert_eq!(best(&index, "value added tax"), "docs/tax.md");
}

#[wasm_bindgen_test]
fn errors_are_objects_with_a_code() {
    let index = with_files(FILES).build(0.0, None).unwrap_throw();
    let saved = index.save().unwrap_throw();
    assert_eq!(
        code_of(CodeIndex::open(&saved.slice(0, 200))),
        "snapshot.truncated"
    );
    assert_eq!(
        code_of(CodeIndex::open(&Uint8Array::new_with_length(500))),
        "snapshot.foreign"
    );
    for (tool, request, code) in [
        ("file_text", r#"{"path": "nowhere"}"#, "file.not-found"),
        ("search", r#"{"query": "   "}"#, "query.empty"),
        ("regex", r#"{"pattern": "("}"#, "regex.syntax"),
        (
            "definition",
            r#"{"path": "nowhere", "line": 0, "character": 0}"#,
            "file.not-found",
        ),
        ("find", r#"{"symbol": 3}"#, "request.invalid"),
        ("find", "[]", "request.invalid"),
        ("find", "null", "request.invalid"),
        ("levitate", "{}", "request.tool"),
    ] {
        assert_eq!(refusal(&index, tool, request), code, "{tool} {request}");
    }
    assert_eq!(code_of(builder().put("a.ts", &[1, 2, 3])), "unit.damaged");
}

#[wasm_bindgen_test]
fn the_walk_is_told_what_to_leave_out() {
    let mut builder = builder();
    builder.add_ignore_file(".gitignore", "gen/\n*.log\n");
    assert!(!builder.enter_folder("gen"));
    assert!(!builder.enter_folder("node_modules"));
    assert!(builder.enter_folder("src"));
    assert!(!builder.wants_file("a.log", 1.0));
    assert!(!builder.wants_file("huge.bin", 1e9));
    assert!(builder.wants_file("a.ts", 100.0));
    assert!(add(&mut builder, "latin.txt", b"caf\xE9").is_none());
    assert!(add(&mut builder, "../evil.ts", b"x").is_none());
    let status = status(&builder.build(0.0, None).unwrap_throw());
    let skipped: Vec<(&str, &str)> = status
        .skipped
        .iter()
        .map(|s| (s.path.as_str(), s.code.as_str()))
        .collect();
    let expected = [
        ("../evil.ts", "unsafe-path"),
        ("a.log", "ignored"),
        ("gen/", "ignored"),
        ("huge.bin", "too-large"),
        ("latin.txt", "not-utf-8"),
        ("node_modules/", "default-exclude"),
    ];
    assert_eq!(skipped, expected);
}

#[wasm_bindgen_test]
fn code_without_its_grammar_is_searched_as_text() {
    let mut builder = builder();
    let mut parser = ParseWorker::new(None, None, None).unwrap_throw();
    let text = "/// Adds two amounts.\npub fn plus(a: i64, b: i64) -> i64 { a + b }\n";
    let file = add(&mut builder, "money.rs", text.as_bytes()).expect_throw("a file");
    assert_eq!(file.grammar.as_deref(), Some("rust"));
    builder
        .put(
            "money.rs",
            &parser
                .read("money.rs", text.as_bytes())
                .unwrap_throw()
                .to_vec(),
        )
        .unwrap_throw();
    let broken = add(&mut builder, "broken.rs", text.as_bytes()).expect_throw("a file");
    let unit = parser
        .read_after_crash(&broken.path, text.as_bytes(), "unreachable")
        .unwrap_throw();
    builder.put("broken.rs", &unit.to_vec()).unwrap_throw();
    let index = builder.build(0.0, None).unwrap_throw();
    let status = status(&index);
    let problems: Vec<(&str, &str)> = status
        .problems
        .iter()
        .map(|p| (p.path.as_str(), p.code.as_str()))
        .collect();
    assert_eq!(
        problems,
        [("broken.rs", "crash"), ("money.rs", "no-grammar")]
    );
    assert!(best(&index, "adds two amounts").ends_with(".rs"));
}
