//! Prints the flows and the communities of a folder, as `portolan processes` and `portolan communities` name and order
//! them.
//!
//! `cargo run -p portolan-graph --example flows -- FOLDER [--panel] [--steps]`. `--steps` prints every step of a flow and the
//! most central members of a community with their files; `--panel` only the ten of each that are judged in
//! `tests/relevance/flows.tsv`: the first five, and five evenly spaced among the others.

#![expect(clippy::print_stdout, reason = "an example that prints")]

extern crate portolan_graph as graph;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use graph::frozen::ArchivedGraph;
use graph::{Community, EntryKind, GraphBuilder, GraphView, NodeId, Process};
use source::{FileId, FileSet, SourceConfig};
use syntax::facts::FileFacts;
use syntax::{Language, ParseConfig, Parsers};

const N_CENTRAL: usize = 12;
/// Items of the panel: the first, and those spaced among the others.
const N_FIRST: usize = 5;
const N_SPACED: usize = 5;

/// Paths and bytes.
type Files = Vec<(String, Vec<u8>)>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("a folder is missing")?;
    let has = |flag: &str| arguments.iter().any(|word| word == flag);
    let (with_steps, panel) = (has("--steps"), has("--panel"));
    let files = FileSet::from_files(read(Path::new(folder))?, &SourceConfig::default());
    let mut parsers = Parsers::new(ParseConfig::default());
    let facts: Vec<FileFacts> = files
        .files
        .iter()
        .map(|file| parsers.read(Language::from_text(&file.path, &file.text), &file.text))
        .collect();
    let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&build(&files, &facts))?;
    let view = GraphView::new(rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(&bytes)?);
    let is_product = |process: &Process<'_>| process.entry_kind != EntryKind::Test;
    let flows: Vec<Process<'_>> = view.processes().filter(is_product).collect();
    println!("{} flows", flows.len());
    for (rank, process) in shown(&flows, panel) {
        let (entry, kind, n) = (process.entry_kind, process.kind, process.n_steps);
        println!("{rank} {}  [{entry}, {kind}, {n} steps]", process.label);
        if with_steps {
            for step in view.steps_of(process.id) {
                println!("    {}", place(view, step.node));
            }
        }
    }
    let communities: Vec<Community<'_>> = view.communities().collect();
    println!("\n{} communities", communities.len());
    for (rank, community) in shown(&communities, panel) {
        println!(
            "{rank} {}  [{} members]",
            community.label, community.n_members
        );
        if with_steps {
            for member in central(view, community.id) {
                println!("    {}", place(view, member));
            }
        }
    }
    Ok(())
}

/// Items with their ranks, from 1: all of them, or those of the panel.
fn shown<T>(items: &[T], panel: bool) -> impl Iterator<Item = (usize, &T)> {
    let rest = items.len().saturating_sub(N_FIRST);
    let spaced: Vec<usize> = (0..N_SPACED)
        .map(|n| N_FIRST + 1 + n * rest / N_SPACED)
        .collect();
    let ranked = (1..).zip(items);
    ranked.filter(move |(rank, _)| !panel || *rank <= N_FIRST || spaced.contains(rank))
}

fn central(view: GraphView<'_>, community: NodeId) -> Vec<NodeId> {
    let mut members: Vec<NodeId> = view.members_of(community).collect();
    let rank = |id: &NodeId| view.centrality(*id);
    members.sort_by(|a, b| rank(b).total_cmp(&rank(a)).then(a.cmp(b)));
    members.truncate(N_CENTRAL);
    members
}

fn place(view: GraphView<'_>, id: NodeId) -> String {
    let node = view.node(id);
    let path = node.file.map_or("", |file| view.path(file));
    let line = node.name_span.start_line + 1;
    format!("{} {path}:{line}", view.qualified_name(id))
}

fn build(files: &FileSet, facts: &[FileFacts]) -> graph::frozen::Graph {
    let mut builder = GraphBuilder::new();
    let mut manifests = Vec::new();
    for (id, (file, facts)) in (0..).zip(files.files.iter().zip(facts)) {
        builder.add_file(FileId(id), &file.path, facts);
        if resolve::is_manifest(&file.path) {
            manifests.push(resolve::Manifest {
                path: &file.path,
                text: &file.text,
            });
        }
    }
    builder.build(|layout| resolve::resolve(layout, &manifests))
}

/// Path from `root` and bytes of every file below it, links not followed, git's own left out.
fn read(root: &Path) -> Result<Files, Box<dyn Error>> {
    let mut pending: Vec<PathBuf> = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() && entry.file_name() != ".git" {
                pending.push(entry.path());
            } else if kind.is_file() {
                let path = entry
                    .path()
                    .strip_prefix(root)?
                    .to_string_lossy()
                    .replace('\\', "/");
                files.push((path, fs::read(entry.path())?));
            }
        }
    }
    Ok(files)
}
