//! Every stage of an index by itself, natively and in one thread: time, throughput, and what the process held while it ran.
//!
//! `stages --data DIR` or `stages --fixture FILE,…` (texts under `//- /path` lines). Prints a line of JSON for each stage. Each is a
//! function of its own that nothing is inlined into, so that a profiler that counts instructions can be asked for it by name.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use embed::StaticEmbedder;
use engine::{Engine, EngineConfig, FileUnit, Reader, Snapshot};
use graph::GraphBuilder;
use resolve::{Manifest, is_manifest, resolve};
use search::{ChunkFlags, ChunkMeta, IndexBuilder, LexicalConfig};
use serde::Serialize;
use source::{FileId, FileSet, SourceConfig, SourceFile};
use syntax::facts::FileFacts;
use syntax::{ParseConfig, Parsers};

use crate::flags::{Failure, Flags};
use crate::index::{ask_one, embedder, percentile, walk};

/// Measurements of a stage.
#[derive(Debug, Serialize)]
struct Stage {
    stage: &'static str,
    seconds: f64,
    /// Bytes of sources a second, in millions.
    megabytes_a_second: f64,
    /// Resident memory at most while it ran, and when it was done, in bytes; Linux only.
    peak: u64,
    after: u64,
}

/// Texts and what was read of them, by path.
type Units = BTreeMap<String, (String, FileUnit)>;

pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let mut stages = Stages::default();
    let files = match flags.get("fixture") {
        Some(fixtures) => fixture(fixtures)?,
        None => {
            let data = flags.path("data")?;
            stages.time("read", || stage_read(&data))?
        }
    };
    stages.n_bytes = files.iter().map(|file| file.text.len()).sum();
    let model = embedder()?;
    let mut parsers = Parsers::new(ParseConfig::default());
    for file in &files {
        // Grammars' queries are compiled once a process, whatever there is to read.
        let _ = parsers.compile(parsers.language_of(&file.path, &file.text));
    }
    stages.time("parse", || stage_parse(&mut parsers, &files));
    let facts = stages.time("parse, facts, chunks", || stage_facts(&mut parsers, &files));
    let units = stages.time("terms", || stage_terms(files, facts));
    stages.time("postings", || stage_postings(&units));
    stages.time("graph", || stage_graph(&units));
    let mut engine = stages.time("digests", || stage_put(units));
    let built = stages.time("build, all of it", || stage_build(&engine))?;
    stages.time("embed", || stage_embed(&mut engine, &model))?;
    let whole = engine.attach_vectors(&built, 0.0)?;
    drop(built);
    let saved = stages.time("save", || stage_save(&whole));
    drop((whole, engine));
    let reader = stages.time("open", || stage_open(&saved))?;
    let queries = queries(&reader);
    stages.time("first query", || {
        stage_query(&reader, &model, queries.get(..1))
    })?;
    let times = stages.time("queries", || stage_query(&reader, &model, Some(&queries)))?;
    stages.print()?;
    let (p50, p95) = (percentile(&times, 0.5), percentile(&times, 0.95));
    let n_files = reader.status().n_files;
    println!(
        "{}",
        serde_json::json!({ "n_files": n_files, "n_bytes": stages.n_bytes, "saved_bytes": saved.len(), "query_p50_ms": p50, "query_p95_ms": p95 })
    );
    Ok(())
}

#[inline(never)]
fn stage_read(data: &Path) -> Result<Vec<SourceFile>, Failure> {
    Ok(walk(data)?.files)
}

#[inline(never)]
fn stage_parse(parsers: &mut Parsers, files: &[SourceFile]) {
    for file in files {
        let language = parsers.language_of(&file.path, &file.text);
        std::hint::black_box(parsers.only_parse(language, &file.text));
    }
}

#[inline(never)]
fn stage_facts(parsers: &mut Parsers, files: &[SourceFile]) -> Vec<FileFacts> {
    let read = |file: &SourceFile| {
        let language = parsers.language_of(&file.path, &file.text);
        parsers.read(language, &file.text)
    };
    files.iter().map(read).collect()
}

#[inline(never)]
fn stage_terms(files: Vec<SourceFile>, facts: Vec<FileFacts>) -> Units {
    let pairs = files.into_iter().zip(facts);
    let units = pairs.map(|(SourceFile { path, text }, facts)| {
        let unit = FileUnit::new(&path, &text, facts);
        (path, (text, unit))
    });
    units.collect()
}

#[inline(never)]
fn stage_postings(units: &Units) {
    let mut builder = IndexBuilder::new(LexicalConfig::default());
    for (path, (_, unit)) in units {
        let file = builder.add_file(path);
        let metas = unit.facts.chunks.iter().map(|chunk| ChunkMeta {
            file,
            start: chunk.span.start,
            end: chunk.span.end,
            start_line: chunk.span.start_line,
            end_line: chunk.span.end_line,
            language: unit.facts.language,
            flags: ChunkFlags::empty(),
        });
        builder.add_chunks(metas, unit.terms.clone());
    }
    std::hint::black_box(builder.build());
}

#[inline(never)]
fn stage_graph(units: &Units) {
    let mut builder = GraphBuilder::new();
    let mut manifests = Vec::new();
    for (file, (path, (text, unit))) in units.iter().enumerate() {
        builder.add_file(FileId(file as u32), path, &unit.facts);
        if is_manifest(path) {
            manifests.push(Manifest { path, text });
        }
    }
    std::hint::black_box(builder.build(|layout| resolve(layout, &manifests)));
}

#[inline(never)]
fn stage_put(units: Units) -> Engine {
    let mut engine = Engine::new(EngineConfig::default());
    for (path, (text, unit)) in units {
        engine.put(&path, text, unit);
    }
    engine
}

#[inline(never)]
fn stage_build(engine: &Engine) -> Result<Snapshot, engine::Error> {
    engine.build(0.0)
}

#[inline(never)]
fn stage_embed(engine: &mut Engine, model: &StaticEmbedder) -> Result<(), engine::Error> {
    engine.embed(model, &mut |_| true)
}

#[inline(never)]
fn stage_save(snapshot: &Snapshot) -> Vec<u8> {
    let saved = snapshot.to_bytes();
    saved.map(<[u8]>::to_vec).unwrap_or_default()
}

#[inline(never)]
fn stage_open(saved: &[u8]) -> Result<Reader, engine::Error> {
    Reader::new(Arc::new(Snapshot::open(saved)?))
}

/// Milliseconds of each query, in order of size.
#[inline(never)]
fn stage_query(
    reader: &Reader,
    model: &StaticEmbedder,
    queries: Option<&[String]>,
) -> Result<Vec<f64>, Failure> {
    let mut times = Vec::new();
    for query in queries.unwrap_or_default() {
        let start = Instant::now();
        ask_one(reader, Some(model), query)?;
        times.push(start.elapsed().as_secs_f64() * 1_000.0);
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

/// Words of the repository's own names, spread over it: a hundred.
fn queries(reader: &Reader) -> Vec<String> {
    let graph = reader.graph();
    let symbols: Vec<_> = reader
        .files()
        .flat_map(|file| graph.symbols_of(file))
        .collect();
    let step = (symbols.len() / 100).max(1);
    let names = symbols.into_iter().step_by(step).take(100);
    names.map(|id| graph.node(id).name.to_owned()).collect()
}

/// The files of fixtures, as tests write them.
fn fixture(paths: &str) -> Result<Vec<SourceFile>, Failure> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for path in paths.split(',') {
        for line in std::fs::read_to_string(path)?.lines() {
            if let Some(name) = line.strip_prefix("//- /") {
                files.push((name.to_owned(), Vec::new()));
            } else if let Some((_, text)) = files.last_mut() {
                text.extend_from_slice(line.as_bytes());
                text.push(b'\n');
            }
        }
    }
    Ok(FileSet::from_files(files, &SourceConfig::default()).files)
}

/// Measurements so far.
#[derive(Default)]
struct Stages {
    n_bytes: usize,
    done: Vec<Stage>,
}

impl Stages {
    fn time<T>(&mut self, stage: &'static str, run: impl FnOnce() -> T) -> T {
        forget_peak();
        let start = Instant::now();
        let result = run();
        let seconds = start.elapsed().as_secs_f64();
        self.done.push(Stage {
            stage,
            seconds,
            megabytes_a_second: 0.0,
            peak: memory("VmHWM:"),
            after: memory("VmRSS:"),
        });
        result
    }

    fn print(&mut self) -> Result<(), Failure> {
        for stage in &mut self.done {
            stage.megabytes_a_second = self.n_bytes as f64 / 1e6 / stage.seconds;
            println!("{}", serde_json::to_string(&stage)?);
        }
        Ok(())
    }
}

/// Lets the kernel count the highest memory anew.
fn forget_peak() {
    // Where it cannot be asked for, the peak is that of all stages so far.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

pub(crate) fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
