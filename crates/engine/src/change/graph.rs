//! Builds the graph. After an edit that changes no interface, only the files that were edited are resolved again.

use ::graph::frozen::{ArchivedGraph, Graph};
use ::graph::{Each, GraphBuilder, Layout, Resolution};
use resolve::{Manifest, is_manifest, resolve, resolve_again};
use snapshot::View;
use source::FileId;

use crate::change::index::Engine;
use crate::change::scip::exact_facts;

/// Builds the graph of all files.
pub(crate) fn graph(engine: &Engine) -> Graph {
    let Inputs {
        builder, manifests, ..
    } = Inputs::of(engine);
    builder.build(|layout| resolve(layout, &manifests))
}

/// Everything that a graph is built of.
pub(crate) struct Inputs<'e> {
    builder: GraphBuilder<'e>,
    manifests: Vec<Manifest<'e>>,
    /// The files of which there are a compiler's facts.
    exact: Vec<FileId>,
    /// The graph of the last snapshot, where no interface has changed since.
    last: Option<&'e ArchivedGraph>,
}

impl<'e> Inputs<'e> {
    pub fn of(engine: &'e Engine) -> Self {
        let mut builder = GraphBuilder::new();
        let mut manifests = Vec::new();
        for (file, (path, entry)) in engine.files.iter().enumerate() {
            builder.add_file(FileId(file as u32), path, &entry.unit.facts);
            if is_manifest(path) {
                let text = &entry.text;
                manifests.push(Manifest { path, text });
            }
        }
        let mut exact = Vec::new();
        if !engine.scip.is_empty() {
            let files = engine.files.iter();
            let files = files.map(|(path, entry)| (path.as_str(), entry.digest));
            let facts = exact_facts(files, &engine.scip);
            exact.extend(facts.uses.iter().map(|(file, _)| *file));
            builder.add_exact(facts);
        }
        Self {
            builder,
            manifests,
            exact,
            last: None,
        }
    }

    /// As [`Inputs::of`], for an update of the snapshot `last`.
    pub fn since(engine: &'e Engine, last: View<'e>) -> Self {
        let has_interfaces = has_same_files(engine, last) && has_same_interfaces(engine);
        Self {
            last: has_interfaces.then(|| last.graph()),
            ..Self::of(engine)
        }
    }

    /// Resolves the names in all files, of which those without an origin have changed since the last snapshot. If no interface
    /// has, its graph has the uses of the others.
    pub fn resolved(&self, layout: &Layout<'_>, origins: &[Option<u32>]) -> Resolution {
        let again = || {
            let last = Resolution::thawed(self.last?)?;
            resolve_again(layout, &self.manifests, last, &self.to_resolve(origins))
        };
        again().unwrap_or_else(|| resolve(layout, &self.manifests))
    }

    /// Numbers the nodes.
    pub fn layout(&self) -> Layout<'_> {
        self.builder.layout()
    }

    /// Freezes the graph of a resolution; `each` does its parts.
    pub fn freeze(&self, layout: &Layout<'_>, resolution: Resolution, each: Each<'_>) -> Graph {
        self.builder.freeze(layout, resolution, self.last, each)
    }

    /// The files that have changed, and those whose uses in the graph are a compiler's: these replaced the resolver's.
    fn to_resolve(&self, origins: &[Option<u32>]) -> Vec<FileId> {
        let changed = (0..).map(FileId).zip(origins);
        let changed = changed.filter(|(_, origin)| origin.is_none());
        let changed = changed.map(|(file, _)| file);
        let mut files: Vec<FileId> = changed.chain(self.exact.iter().copied()).collect();
        files.sort_unstable();
        files.dedup();
        files
    }
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
