//! Accuracy of the code graph: every call edge of a repository, in the form that a scorer compares with the truth of a
//! compiler-grade indexer.
//!
//! `graph --data DIR --out DIR [--repos a,b]`. DIR of `--data` holds one folder a repository; OUT/NAME.jsonl gets one
//! edge a line: caller and callee by file, name and 1-based line, kind, confidence, reason, and the line of the first use.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use ::graph::frozen::ArchivedGraph;
use ::graph::{EdgeKind, GraphBuilder, GraphView, NodeId, NodeKind};
use source::{FileId, FileSet, SourceConfig};
use syntax::facts::FileFacts;
use syntax::{Language, ParseConfig, Parsers};

use crate::flags::{Failure, Flags};
use crate::folder;

/// Runs the bench.
pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let (data, out) = (flags.path("data")?, flags.path("out")?);
    std::fs::create_dir_all(&out)?;
    println!("| repository | files | symbols | edges | calls | read ms | graph ms | share |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for name in repositories(&data, flags)? {
        let files = FileSet::from_files(folder::read(&data.join(&name))?, &SourceConfig::default());
        let started = Instant::now();
        let facts = parse(&files);
        let parsed = started.elapsed();
        let started = Instant::now();
        let frozen = build(&files, &facts);
        let built = started.elapsed();
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&frozen)?;
        let view = GraphView::new(rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(&bytes)?);
        let n_calls = write_edges(view, &out.join(format!("{name}.jsonl")))?;
        let share = built.as_secs_f64() / (parsed + built).as_secs_f64() * 100.0;
        println!(
            "| {name} | {} | {} | {} | {n_calls} | {} | {} | {share:.0} % |",
            view.n_files(),
            view.n_symbols(),
            view.n_edges(),
            parsed.as_millis(),
            built.as_millis(),
        );
    }
    Ok(())
}

fn repositories(data: &Path, flags: &Flags) -> Result<Vec<String>, Failure> {
    if let Some(list) = flags.get("repos") {
        return Ok(list.split(',').map(str::to_owned).collect());
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(data)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

pub(crate) fn parse(files: &FileSet) -> Vec<FileFacts> {
    let mut parsers = Parsers::new(ParseConfig::default());
    files
        .files
        .iter()
        .map(|file| parsers.read(Language::from_text(&file.path, &file.text), &file.text))
        .collect()
}

pub(crate) fn build(files: &FileSet, facts: &[FileFacts]) -> ::graph::frozen::Graph {
    let mut builder = GraphBuilder::new();
    let mut manifests = Vec::new();
    for (id, (file, facts)) in files.files.iter().zip(facts).enumerate() {
        builder.add_file(FileId(id as u32), &file.path, facts);
        if resolve::is_manifest(&file.path) {
            manifests.push(resolve::Manifest {
                path: &file.path,
                text: &file.text,
            });
        }
    }
    builder.build(|layout| resolve::resolve(layout, &manifests))
}

/// Writes calls and references between definitions; returns the number of calls.
fn write_edges(view: GraphView<'_>, path: &Path) -> Result<usize, Failure> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut n_calls = 0;
    for edge in view.edges() {
        let is_call = edge.kind == EdgeKind::Calls;
        let is_between_names = view.kind(edge.target) == NodeKind::Symbol;
        if !is_between_names || !(is_call || edge.kind == EdgeKind::References) {
            continue;
        }
        n_calls += usize::from(is_call);
        let (caller_file, caller_name, caller_line) = end(view, edge.source);
        let (callee_file, callee_name, callee_line) = end(view, edge.target);
        let line = serde_json::json!({
            "caller_file": caller_file, "caller_name": caller_name, "caller_line": caller_line,
            "callee_file": callee_file, "callee_name": callee_name, "callee_line": callee_line,
            "kind": edge.kind.name(), "confidence": f64::from(edge.confidence) / 100.0, "reason": edge.reason.name(),
            "line": edge.line + 1,
        });
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(n_calls)
}

fn end(view: GraphView<'_>, id: NodeId) -> (&str, &str, u32) {
    let node = view.node(id);
    let path = node.file.map_or("", |file| view.path(file));
    match node.kind {
        NodeKind::Symbol => (path, node.name, node.name_span.start_line + 1),
        _ => (path, "<file>", 1),
    }
}
