//! Builds the graph. After an edit that changes no interface, only the files that were edited are resolved again.

use ::graph::frozen::Graph;
use ::graph::{GraphBuilder, Layout, Resolution};
use resolve::{Manifest, is_manifest, resolve, resolve_again};
use snapshot::View;
use source::FileId;

use crate::change::index::Engine;
use crate::change::scip::exact_facts;

/// Builds the graph of all files.
pub(crate) fn graph(engine: &Engine) -> Graph {
    build(engine, |layout, manifests, _| resolve(layout, manifests))
}

/// Builds the graph of files of which those without an origin have changed since the snapshot `last`, whose graph has the uses
/// of the others.
pub(crate) fn updated(engine: &Engine, last: View<'_>, origins: &[Option<u32>]) -> Graph {
    let has_interfaces = has_same_files(engine, last) && has_same_interfaces(engine);
    build(engine, |layout, manifests, exact| {
        let again = || {
            let last = Resolution::thawed(last.graph()).filter(|_| has_interfaces)?;
            resolve_again(layout, manifests, last, &to_resolve(origins, exact))
        };
        again().unwrap_or_else(|| resolve(layout, manifests))
    })
}

/// The files that have changed, and those whose uses in the graph are a compiler's: these replaced the resolver's.
fn to_resolve(origins: &[Option<u32>], exact: &[FileId]) -> Vec<FileId> {
    let changed = (0..).map(FileId).zip(origins);
    let changed = changed.filter(|(_, origin)| origin.is_none());
    let mut files: Vec<FileId> = changed.map(|(file, _)| file).chain(exact.iter().copied()).collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// Whether the same paths have files, so that the numbers of files are the same.
fn has_same_files(engine: &Engine, last: View<'_>) -> bool {
    let paths = &last.files().paths;
    let mut files = engine.files.keys().enumerate();
    paths.len() == engine.files.len() && files.all(|(at, path)| paths.get(at) == Some(path))
}

/// Whether nothing that names in other files depend on has changed since the last snapshot.
fn has_same_interfaces(engine: &Engine) -> bool {
    let is_same = |(path, before): (&String, &Option<u64>)| {
        let entry = engine.files.get(path);
        let now = entry.map(|entry| entry.unit.facts.interface());
        !is_manifest(path) && now.is_some() && now == *before
    };
    !engine.last.is_scip_changed && engine.last.changed.iter().all(is_same)
}

/// Builds the graph with a resolution that `resolve` makes, given also the files of which there are a compiler's facts.
fn build(
    engine: &Engine,
    resolve: impl FnOnce(&Layout<'_>, &[Manifest<'_>], &[FileId]) -> Resolution,
) -> Graph {
    let mut builder = GraphBuilder::new();
    let mut manifests = Vec::new();
    let mut exact_files = Vec::new();
    for (file, (path, entry)) in engine.files.iter().enumerate() {
        builder.add_file(FileId(file as u32), path, &entry.unit.facts);
        if is_manifest(path) {
            let text = &entry.text;
            manifests.push(Manifest { path, text });
        }
    }
    if !engine.scip.is_empty() {
        let files = engine.files.iter();
        let files = files.map(|(path, entry)| (path.as_str(), entry.digest));
        let exact = exact_facts(files, &engine.scip);
        exact_files.extend(exact.uses.iter().map(|(file, _)| *file));
        builder.add_exact(exact);
    }
    builder.build(|layout| resolve(layout, &manifests, &exact_files))
}
