//! For the tests of the Worker: indexes this project's own sources natively, writes the snapshot, and answers natively what
//! the Worker will be asked, so that both can be compared.
//!
//! `cargo run -p portolan-edge --example answers -- OUT [DIR]`; with DIR its sources are indexed instead, for measuring.

extern crate portolan_edge as edge;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use edge::{Index, parse, read_model};
use embed::StaticEmbedder;
use engine::{Engine, EngineConfig, Incoming};
use shards::ShardsBuilder;
use source::{FileSet, SourceConfig};
use syntax::{ParseConfig, Parsers};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// One request per line: path and query, without the host.
const TARGETS: &str = include_str!("../../../tests/worker/targets.txt");
/// A request for each tool.
const TOOLS: &str = include_str!("../../../tests/tools.json");

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::args().nth(1).ok_or("usage: answers OUT")?);
    // Names of shards are made of their content: those of earlier sources would stay.
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out)?;
    let model_dir = Path::new(ROOT).join("crates/embed/model");
    let onnx = fs::read(model_dir.join("code-embed-128.int8.onnx"))?;
    let tokenizer = fs::read(model_dir.join("tokenizer.json"))?;
    let model = Rc::new(read_model(&onnx, &tokenizer).map_err(|error| error.message)?);

    let dir = std::env::args()
        .nth(2)
        .map_or_else(|| Path::new(ROOT).join("crates"), PathBuf::from);
    let mut files = Vec::new();
    collect(&dir, "crates", &mut files)?;
    for (name, n_shards) in [("sharded", 5), ("many", 32)] {
        write_shards(&out, name, n_shards, &files, model.as_ref())?;
    }
    fs::write(out.join("small.portolan"), small(&files)?)?;
    let files = FileSet::from_files(files, &SourceConfig::default());
    let config = EngineConfig {
        name: "own".to_owned(),
        ..EngineConfig::default()
    };
    let mut parsers = Parsers::new(ParseConfig::default());
    let (_, snapshot) = Engine::index(
        config,
        files,
        &mut parsers,
        Some(model.as_ref()),
        &mut |_| true,
    )?;
    fs::write(out.join("own.portolan"), snapshot.to_bytes()?)?;
    fs::write(
        out.join("words.portolan"),
        snapshot.without(&["vectors", "facts"]).to_bytes()?,
    )?;

    let mut index = open(snapshot.to_bytes()?)?;
    let name = index.embedder().ok_or("the snapshot has no vectors")?;
    fs::write(out.join("model.txt"), name)?;
    index.set_model(model).map_err(|error| error.message)?;
    let words = open(snapshot.without(&["vectors", "facts"]).to_bytes()?)?;
    let mut answers = String::new();
    let tools: serde_json::Map<String, serde_json::Value> = serde_json::from_str(TOOLS)?;
    let tools = tools
        .iter()
        .map(|(tool, request)| format!("POST /v1/{tool} {request}"));
    let targets = TARGETS.lines().filter(|line| !line.starts_with('#'));
    for line in targets.map(str::to_owned).chain(tools) {
        let (method, target, body) = taken_apart(&line);
        let call = parse(method, target, body, "own").map_err(|error| error.message)?;
        let index = if call.repository.as_deref() == Some("words") {
            &words
        } else {
            &index
        };
        let reply = index.answer(&call.question);
        // As text, so that the order of its fields is kept.
        let answer = String::from_utf8(reply.body)?;
        let line = serde_json::json!({
            "method": method, "target": target, "body": body, "status": reply.status, "answer": answer
        });
        answers.push_str(&line.to_string());
        answers.push('\n');
    }
    fs::write(out.join("answers.jsonl"), answers)?;
    Ok(())
}

/// A snapshot of a few files, of which tests put many into a bucket.
fn small(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>, Box<dyn Error>> {
    let own = files
        .iter()
        .filter(|(path, _)| path.starts_with("crates/seal/src"));
    let own = FileSet::from_files(own.cloned(), &SourceConfig::default());
    let mut parsers = Parsers::new(ParseConfig::default());
    let config = EngineConfig {
        name: "small".to_owned(),
        ..EngineConfig::default()
    };
    let (_, snapshot) = Engine::index(config, own, &mut parsers, None, &mut |_| true)?;
    Ok(snapshot.to_bytes()?.to_vec())
}

/// Writes the same index in shards, to which files are dealt in turn: the worst division there is.
fn write_shards(
    out: &Path,
    name: &str,
    n_shards: u16,
    files: &[(String, Vec<u8>)],
    model: &StaticEmbedder,
) -> Result<(), Box<dyn Error>> {
    let config = || EngineConfig {
        name: "own".to_owned(),
        ..EngineConfig::default()
    };
    let mut engines = Vec::new();
    for shard in 0..usize::from(n_shards) {
        let own = files.iter().skip(shard).step_by(usize::from(n_shards));
        let own = FileSet::from_files(own.cloned(), &SourceConfig::default());
        let mut parsers = Parsers::new(ParseConfig::default());
        let index = Engine::index(config(), own, &mut parsers, Some(model), &mut |_| true);
        engines.push(index?.0);
    }
    let mut first = ShardsBuilder::new(config());
    for (shard, engine) in (0..).zip(&engines) {
        first.add(shard, engine)?;
    }
    let mut second = first.resolve();
    for (shard, engine) in (0..).zip(&engines) {
        let snapshot = second.build(shard, engine, 0.0, &mut ())?;
        let bytes = snapshot.to_bytes()?;
        second.saved(shard, *blake3::hash(bytes).as_bytes());
        let name = format!(
            "{name}-{}.portolan",
            blake3::hash(bytes).to_hex().split_at(32).0
        );
        fs::write(out.join(name), bytes)?;
    }
    let root = second.finish(0.0)?.to_bytes()?;
    fs::write(out.join(format!("{name}.portolan")), root)?;
    Ok(())
}

/// `/target`, or `POST /target {request}`.
fn taken_apart(line: &str) -> (&str, &str, &str) {
    match line.strip_prefix("POST ").map(|rest| rest.split_once(' ')) {
        Some(Some((target, body))) => ("POST", target, body),
        _ => ("GET", line, ""),
    }
}

fn open(snapshot: &[u8]) -> Result<Index, Box<dyn Error>> {
    let mut incoming = Incoming::new(snapshot.len());
    incoming.push(snapshot);
    Ok(Index::open(incoming).map_err(|error| error.message)?)
}

/// Every file below `dir` that is source or text.
fn collect(dir: &Path, prefix: &str, files: &mut Vec<(String, Vec<u8>)>) -> std::io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let path = format!("{prefix}/{}", entry.file_name().to_string_lossy());
        let is_wanted = [".rs", ".scm", ".mjs", ".toml", ".md", ".py", ".ts", ".go"]
            .iter()
            .any(|ending| path.ends_with(ending));
        if entry.file_type()?.is_dir() && !path.ends_with("/worker/wasm") {
            collect(&entry.path(), &path, files)?;
        } else if is_wanted {
            files.push((path, fs::read(entry.path())?));
        }
    }
    Ok(())
}
