//! Search quality as tables in git: the place of the right file for each case of `tests/relevance/truth`, and how the planner reads
//! each query of `tests/relevance/intents.txt`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use embed::{Embedder, StaticEmbedder};
use engine::{Engine, EngineConfig, Reader, SearchQuery};
use fixture::Fixture;

use crate::support::{files_of, parsers};

/// Places looked at.
const LIMIT: usize = 20;
/// Every case is answered among this many first hits, with the model.
const WORST: usize = 10;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("relevance")
}

fn read(name: &str) -> String {
    let path = folder().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Holds a table against the one in git, or writes it.
fn hold(name: &str, table: &str) {
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(folder().join(name), table).unwrap();
        return;
    }
    let known = read(name);
    let changed: Vec<String> = known
        .lines()
        .zip(table.lines())
        .filter(|(old, new)| old != new)
        .map(|(old, new)| format!("- {old}\n+ {new}"))
        .collect();
    assert!(
        known == table,
        "tests/relevance/{name} is not what it was; UPDATE_SNAPSHOTS=1 writes it anew\n{}",
        changed.join("\n")
    );
}

/// Expectation, query, wanted path.
fn cases() -> Vec<(String, String, String)> {
    let folders = fs::read_dir(folder().join("truth")).unwrap();
    let mut names: Vec<String> = folders
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let mut cases = Vec::new();
    for name in names {
        let text = read(&format!("truth/{name}/cases.tsv"));
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (query, path) = line.split_once('\t').expect("query, tab, path");
            cases.push((name.clone(), query.to_owned(), path.to_owned()));
        }
    }
    cases
}

struct Index {
    reader: Reader,
    model: StaticEmbedder,
}

impl Index {
    fn new() -> Self {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/embed/model");
        let bytes = |name: &str| fs::read(model.join(name)).unwrap();
        let tokenizer = bytes("tokenizer.json");
        let onnx = fs::read_dir(&model)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "onnx")
            })
            .expect("a model");
        let model = StaticEmbedder::from_onnx(&fs::read(onnx).unwrap(), &tokenizer).unwrap();
        let files = files_of(&Fixture::parse(&read("corpus.txt")));
        let config = EngineConfig {
            name: "kiosk".to_owned(),
            ..EngineConfig::default()
        };
        let indexed = Engine::index(config, files, &mut parsers(), Some(&model), &mut |_| true);
        let (_, snapshot) = indexed.expect("an index");
        Self {
            reader: Reader::new(Arc::new(snapshot)).unwrap(),
            model,
        }
    }

    /// The place of a file in the answers, from 1.
    fn place(&self, text: &str, wanted: &str, with_model: bool) -> Option<usize> {
        let vector = self.model.embed(&[text]).unwrap();
        let query = SearchQuery {
            text,
            vector: with_model.then_some(&vector[..]),
            limit: LIMIT,
            grouped: true,
            ..SearchQuery::default()
        };
        let answer = self.reader.search(&query).unwrap();
        let path = |hit: &engine::Hit| self.reader.path(hit.chunk.file);
        let place = answer.hits.iter().position(|hit| path(hit) == wanted)?;
        Some(place + 1)
    }
}

#[test]
fn ranks_are_as_they_were() {
    let index = Index::new();
    let shown = |place: Option<usize>| place.map_or("-".to_owned(), |place| place.to_string());
    let mut table = String::from("expectation,query,wanted,words,model\n");
    let mut reciprocal: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut late = Vec::new();
    for (expectation, query, wanted) in cases() {
        assert!(
            index.reader.file(&wanted).is_ok(),
            "{wanted} is not in the corpus"
        );
        let places = [false, true].map(|model| index.place(&query, &wanted, model));
        let [words, model] = places.map(shown);
        let _ = writeln!(table, "{expectation},{query},{wanted},{words},{model}");
        if places[1].is_none_or(|place| place > WORST) {
            late.push(query);
        }
        let score = places[1].map_or(0.0, |place| 1.0 / place as f64);
        reciprocal.entry(expectation).or_default().push(score);
    }
    for (expectation, scores) in &reciprocal {
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        let _ = writeln!(table, "{expectation},mean reciprocal rank,,,{mean:.3}");
    }
    hold("ranks.csv", &table);
    assert!(late.is_empty(), "answered late: {late:?}");
}

#[test]
fn queries_are_read_as_they_were() {
    let mut table = String::from("query,kind,intent,names,terms\n");
    for query in read("intents.txt").lines() {
        let plan = search::plan(query);
        let terms: Vec<&str> = plan.terms.iter().map(|term| term.text.as_str()).collect();
        let _ = writeln!(
            table,
            "{query},{:?},{},{},{}",
            plan.kind,
            plan.intent.name(),
            plan.identifiers.join(" "),
            terms.join(" ")
        );
    }
    hold("intents.csv", &table);
}

#[test]
fn a_context_keeps_to_its_tokens_and_follows_calls() {
    let index = Index::new();
    let assemble = |max_tokens, related_percent| {
        let request = api::AssembleRequest {
            query: "charge_with_retry".to_owned(),
            max_tokens: Some(max_tokens),
            related_percent: Some(related_percent),
            ..api::AssembleRequest::default()
        };
        api::answer::assemble(&index.reader, &request, None).unwrap()
    };
    for max_tokens in [0, 60, 200, 400, 2_000] {
        for related_percent in [0, 25, 100] {
            let found = assemble(max_tokens, related_percent);
            assert!(found.n_tokens <= max_tokens, "{}", found.text);
            assert_eq!(found.text.is_empty(), found.pieces.is_empty());
        }
    }
    let found = assemble(2_000, 25);
    assert!(
        found
            .text
            .starts_with("<code_context>\n<code path=\"server/src/payment.rs\"")
    );
    assert!(found.text.ends_with("</code>\n</code_context>\n"));
    let leant_on = |path: &str| found.pieces.iter().any(|piece| piece.path == path);
    assert!(leant_on("server/src/retry.rs"), "{}", found.text);
    assert!(
        assemble(2_000, 0)
            .pieces
            .iter()
            .all(|piece| piece.used_by.is_none())
    );
}
