//! Speed of the native build, step by step: reading, parsing, graph and lexical index, embedding, saving, opening, asking.
//!
//! `index --data DIR [--each] [--repeat N] [--no-vectors] [--out DIR]`. DIR is one repository, with `--each` a folder of them. Of
//! `N` runs the fastest of each step counts. Prints a table; `--out` adds `index.jsonl`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use embed::{Embedder, StaticEmbedder};
use engine::{Engine, EngineConfig, Reader, SearchQuery, Snapshot};
use serde::Serialize;
use source::{FileSet, IgnoreRules, SourceConfig};
use syntax::{ParseConfig, Parsers};

use crate::flags::{Failure, Flags};

/// Queries timed for each repository.
const N_QUERIES: usize = 400;

/// Measurements of a repository; times in milliseconds.
#[derive(Debug, Clone, Serialize)]
struct Figures {
    repository: String,
    files: usize,
    bytes: u64,
    symbols: usize,
    edges: usize,
    chunks: usize,
    snapshot_bytes: usize,
    reading: f64,
    parsing: f64,
    building: f64,
    embedding: f64,
    attaching: f64,
    opening: f64,
    reopening: f64,
    query_p50: f64,
    query_p99: f64,
    sections: Vec<(String, usize)>,
}

pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let data = flags.path("data")?;
    let repeat: usize = flags.number("repeat", 1)?;
    let repositories = if flags.has("each") {
        folders(&data)?
    } else {
        vec![data]
    };
    let embedder = if flags.has("no-vectors") {
        None
    } else {
        Some(embedder()?)
    };
    let mut lines = String::new();
    println!("{}", header());
    for path in repositories {
        let figures = measure(&path, embedder.as_ref(), repeat.max(1))?;
        println!("{}", row(&figures));
        writeln!(lines, "{}", serde_json::to_string(&figures)?)?;
    }
    if let Some(out) = flags.get("out") {
        std::fs::create_dir_all(out)?;
        std::fs::write(Path::new(out).join("index.jsonl"), lines)?;
    }
    Ok(())
}

fn folders(data: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(data)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    Ok(folders)
}

pub(crate) fn embedder() -> Result<StaticEmbedder, Failure> {
    let model = include_bytes!("../../embed/model/code-embed-128.int8.onnx");
    let tokenizer = include_bytes!("../../embed/model/tokenizer.json");
    Ok(StaticEmbedder::from_onnx(model, tokenizer)?)
}

fn measure(
    path: &Path,
    embedder: Option<&StaticEmbedder>,
    repeat: usize,
) -> Result<Figures, Failure> {
    let mut best = measure_once(path, embedder)?;
    for _ in 1..repeat {
        let next = measure_once(path, embedder)?;
        for (best, next) in [
            (&mut best.reading, next.reading),
            (&mut best.parsing, next.parsing),
            (&mut best.building, next.building),
            (&mut best.embedding, next.embedding),
            (&mut best.attaching, next.attaching),
            (&mut best.opening, next.opening),
            (&mut best.reopening, next.reopening),
            (&mut best.query_p50, next.query_p50),
            (&mut best.query_p99, next.query_p99),
        ] {
            *best = best.min(next);
        }
    }
    Ok(best)
}

fn measure_once(path: &Path, embedder: Option<&StaticEmbedder>) -> Result<Figures, Failure> {
    let (set, reading) = timed(|| walk(path));
    let set = set?;
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut engine = Engine::new(EngineConfig {
        name: name.clone(),
        ..EngineConfig::default()
    });
    let mut parsers = Parsers::new(ParseConfig::default());
    let ((), parsing) = timed(|| {
        for file in set.files {
            let unit = engine::read_file(&mut parsers, &file.path, &file.text);
            engine.put(&file.path, file.text, unit);
        }
    });
    let (snapshot, building) = timed(|| engine.build(0.0));
    let (embedded, embedding) =
        timed(|| embedder.map_or(Ok(()), |embedder| engine.embed(embedder, &mut |_| true)));
    embedded?;
    let (snapshot, attaching) = timed(|| engine.attach_vectors(&snapshot?, 0.0));
    let saved = snapshot?.to_bytes()?.to_vec();
    let (opened, opening) = timed(|| Snapshot::open(&saved));
    let reader = Reader::new(Arc::new(opened?))?;
    let (reopened, reopening) = timed(|| Engine::from_snapshot(reader.snapshot()));
    reopened?;
    let latencies = ask(&reader, embedder)?;
    let status = reader.status();
    Ok(Figures {
        repository: name,
        files: status.n_files,
        bytes: status.n_bytes,
        symbols: status.n_symbols,
        edges: status.n_edges,
        chunks: status.n_chunks,
        snapshot_bytes: saved.len(),
        reading,
        parsing,
        building,
        embedding,
        attaching,
        opening,
        reopening,
        query_p50: percentile(&latencies, 0.50),
        query_p99: percentile(&latencies, 0.99),
        sections: status.sections,
    })
}

/// The files of a folder, ignored folders never listed.
pub(crate) fn walk(root: &Path) -> Result<FileSet, Failure> {
    let config = SourceConfig::default();
    let mut rules = IgnoreRules::new(&config);
    let mut files = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<(String, bool)> = Vec::new();
        for entry in std::fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() || kind.is_file() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let path = if folder.is_empty() {
                    name
                } else {
                    format!("{folder}/{name}")
                };
                entries.push((path, kind.is_dir()));
            }
        }
        for (path, _) in entries
            .iter()
            .filter(|(path, _)| IgnoreRules::is_ignore_file(path))
        {
            rules.add_ignore_file(
                path,
                &String::from_utf8_lossy(&std::fs::read(root.join(path))?),
            );
        }
        for (path, is_dir) in entries {
            if rules.check(&path, is_dir).is_some() {
                continue;
            }
            if is_dir {
                folders.push(path);
            } else if source::check_size(std::fs::metadata(root.join(&path))?.len(), &config)
                .is_ok()
            {
                let bytes = std::fs::read(root.join(&path))?;
                files.push((path, bytes));
            }
        }
    }
    Ok(FileSet::from_files(files, &config))
}

/// Milliseconds of each query, the embedding of its text included; each asked once before to warm up.
fn ask(reader: &Reader, embedder: Option<&StaticEmbedder>) -> Result<Vec<f64>, Failure> {
    let mut latencies = Vec::new();
    for text in queries(reader) {
        ask_one(reader, embedder, &text)?;
        let (answered, millis) = timed(|| ask_one(reader, embedder, &text));
        answered?;
        latencies.push(millis);
    }
    latencies.sort_by(f64::total_cmp);
    Ok(latencies)
}

pub(crate) fn ask_one(
    reader: &Reader,
    embedder: Option<&StaticEmbedder>,
    text: &str,
) -> Result<usize, Failure> {
    let vector = embedder
        .map(|embedder| embedder.embed(&[text]))
        .transpose()?;
    let answer = reader.search(&SearchQuery {
        text,
        vector: vector.as_deref(),
        limit: 10,
        grouped: true,
        ..SearchQuery::default()
    })?;
    Ok(answer.hits.len())
}

/// Names and first lines of doc comments of the repository itself, evenly spread over it: what people ask.
fn queries(reader: &Reader) -> Vec<String> {
    let graph = reader.graph();
    let mut queries: Vec<String> = Vec::new();
    for id in reader.files().flat_map(|file| graph.symbols_of(file)) {
        let node = graph.node(id);
        queries.push(node.name.to_owned());
        queries.extend(
            node.doc
                .lines()
                .next()
                .filter(|line| line.len() > 10)
                .map(str::to_owned),
        );
    }
    queries.retain(|query| !query.trim().is_empty());
    let step = (queries.len() / N_QUERIES).max(1);
    queries.into_iter().step_by(step).collect()
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = run();
    (result, start.elapsed().as_secs_f64() * 1_000.0)
}

pub(crate) fn percentile(sorted: &[f64], share: f64) -> f64 {
    let idx = (sorted.len() as f64 * share) as usize;
    sorted
        .get(idx.min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}

fn header() -> String {
    "| repository | files | MB | symbols | edges | chunks | snapshot MB | read ms | parse ms | build ms | embed ms | attach ms | open ms | reopen ms | query p50 ms | p99 ms |\n\
     |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
        .to_owned()
}

fn row(f: &Figures) -> String {
    let megabytes = |bytes: f64| bytes / 1e6;
    format!(
        "| {} | {} | {:.2} | {} | {} | {} | {:.1} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.1} | {:.0} | {:.2} | {:.2} |",
        f.repository,
        f.files,
        megabytes(f.bytes as f64),
        f.symbols,
        f.edges,
        f.chunks,
        megabytes(f.snapshot_bytes as f64),
        f.reading,
        f.parsing,
        f.building,
        f.embedding,
        f.attaching,
        f.opening,
        f.reopening,
        f.query_p50,
        f.query_p99,
    )
}
