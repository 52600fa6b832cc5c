//! Builds the graph. After an edit that changes no interface, only the files that were edited are resolved again.

use ::graph::frozen::Graph;
use ::graph::{GraphBuilder, Layout, Resolution};
use resolve::{Manifest, Resolved, is_manifest, resolve, resolve_to_keep};
use snapshot::View;
use source::FileId;

use crate::change::index::Engine;
use crate::change::scip::exact_facts;

/// The last resolution, for the next one.
pub(crate) struct Kept {
    resolved: Resolved,
    /// The interface of each file ([`syntax::facts::FileFacts::interface`]).
    interfaces: Vec<u64>,
}

/// Builds the graph of all files.
pub(crate) fn graph(engine: &Engine) -> Graph {
    build(engine, resolve)
}

/// Builds the graph of files of which those without an origin have changed since the snapshot `last`.
pub(crate) fn updated(
    engine: &Engine,
    last: View<'_>,
    origins: &[Option<u32>],
    kept: Option<Kept>,
) -> (Graph, Option<Kept>) {
    let changed: Vec<usize> = (0..origins.len())
        .filter(|at| origins[*at].is_none())
        .collect();
    let kept = kept.filter(|_| has_same_files(engine, last));
    let kept = kept.and_then(|kept| with_same_interfaces(engine, kept, &changed));
    let mut next = None;
    let graph = build(engine, |layout, manifests| {
        let files: Vec<_> = changed
            .iter()
            .map(|at| ::graph::FileId(*at as u32))
            .collect();
        let again = kept.and_then(|kept| {
            let (resolution, resolved) = kept.resolved.again(layout, manifests, &files)?;
            Some((resolution, Some(resolved), Some(kept.interfaces)))
        });
        let (resolution, resolved, interfaces) = again.unwrap_or_else(|| {
            let (resolution, resolved) = resolve_to_keep(layout, manifests);
            (resolution, resolved, None)
        });
        next = resolved.map(|resolved| Kept {
            resolved,
            interfaces: interfaces.unwrap_or_else(|| interfaces_of(engine)),
        });
        resolution
    });
    (graph, next)
}

fn interfaces_of(engine: &Engine) -> Vec<u64> {
    let entries = engine.files.values();
    entries.map(|entry| entry.unit.facts.interface()).collect()
}

/// Whether the same paths have files, so that the numbers of files are the same.
fn has_same_files(engine: &Engine, last: View<'_>) -> bool {
    let paths = &last.files().paths;
    let mut files = engine.files.keys().enumerate();
    paths.len() == engine.files.len() && files.all(|(at, path)| paths.get(at) == Some(path))
}

/// Returns `kept` unless the interface of a changed file differs, or a manifest has changed.
fn with_same_interfaces(engine: &Engine, kept: Kept, changed: &[usize]) -> Option<Kept> {
    let mut files = engine.files.iter().enumerate();
    let mut next = 0;
    for at in changed {
        let (_, (path, entry)) = files.nth(at - next)?;
        next = at + 1;
        let interface = kept.interfaces.get(*at)?;
        if is_manifest(path) || entry.unit.facts.interface() != *interface {
            return None;
        }
    }
    Some(kept)
}

fn build(
    engine: &Engine,
    resolve: impl FnOnce(&Layout<'_>, &[Manifest<'_>]) -> Resolution,
) -> Graph {
    let mut builder = GraphBuilder::new();
    let mut manifests = Vec::new();
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
        builder.add_exact(exact_facts(files, &engine.scip));
    }
    builder.build(|layout| resolve(layout, &manifests))
}
