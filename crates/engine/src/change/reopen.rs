//! Restores the engine from a snapshot, so that an update reads only changed files.

use std::collections::BTreeMap;
use std::sync::Arc;

use search::ChunkId;
use snapshot::{Packers, Text, View};
use source::{FileId, SkipReason, Skipped};
use syntax::facts::FileFacts;

use crate::change::build::digest_of_keys;
use crate::change::index::{Engine, EngineConfig, Entry, Stamp};
use crate::change::unit::FileUnit;
use crate::change::vectors::VectorStore;
use crate::contextual::Contextual;
use crate::{Error, ErrorKind, Snapshot};

impl Engine {
    /// Restores the engine that built a snapshot, in its state at that time.
    ///
    /// # Errors
    ///
    /// `snapshot.without` for a snapshot saved without facts or texts; `unit.damaged` where its facts cannot be read;
    /// those of [`crate::Index::ask`].
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Self, Error> {
        snapshot.read(|view| reopen(view, &mut ()))
    }

    /// Restores of a snapshot what a comparison of its files with those of a folder needs: see [`crate::Indexer`]'s rounds. Reads
    /// the list of files only, so it costs little; there are no texts and no facts in it, so it cannot be built.
    ///
    /// # Errors
    ///
    /// Those of [`crate::Index::ask`].
    pub fn of_digests(snapshot: &Snapshot) -> Result<Self, Error> {
        snapshot.read(|view| Ok(reopen_digests(view)))
    }

    /// As [`Engine::from_snapshot`]; the first [`Engine::update`] copies from it.
    ///
    /// # Errors
    ///
    /// As [`Engine::from_snapshot`].
    pub fn reopen(snapshot: Arc<Snapshot>) -> Result<Self, Error> {
        Self::reopen_with(snapshot, &mut ())
    }

    /// As [`Engine::reopen`]; files are restored side by side where `packers` can.
    ///
    /// # Errors
    ///
    /// As [`Engine::from_snapshot`].
    pub fn reopen_with(snapshot: Arc<Snapshot>, packers: &mut dyn Packers) -> Result<Self, Error> {
        let mut engine = snapshot.read(|view| reopen(view, packers))?;
        engine.last.snapshot = Some(snapshot);
        Ok(engine)
    }

    /// Takes the vectors of a file's chunks from a snapshot of this version of the engine, in which it has the same text as file number
    /// `file`. None are taken from vectors of another model.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where they cannot be read.
    pub fn take_vectors(
        &mut self,
        path: &str,
        snapshot: &Snapshot,
        file: u32,
    ) -> Result<(), Error> {
        let Some(entry) = self.files.get(path) else {
            return Ok(());
        };
        let store = &mut self.vectors;
        snapshot.read(|view| {
            let info = view.info();
            let dim = info.dimensions.to_native() as usize;
            let is_same = info.embedder.as_str() == store.model && dim == store.dim;
            let chunks = view.lexical().chunks_of(FileId(file));
            let Some(vectors) = view.vectors().filter(|_| is_same) else {
                return Ok(());
            };
            for (key, chunk) in entry.keys.iter().zip(chunks) {
                if let Some((row, scale)) = vectors.row(ChunkId(chunk)) {
                    store.restore(*key, scale, row);
                }
            }
            Ok(())
        })
    }
}

fn reopen(view: View<'_>, packers: &mut dyn Packers) -> Result<Engine, Error> {
    load(view, packers);
    let each = &mut |n, work: &(dyn Fn(usize) + Sync)| packers.each(n, work);
    let entries = view.each_of_facts(each, &|idx, facts| entry(view, idx, facts))?;
    let Some(entries) = entries else {
        let message = "the snapshot was saved without the facts of its files, so it can be asked but not changed";
        return Err(
            Error::new(ErrorKind::SnapshotWithout, message).with_help("index the sources anew")
        );
    };
    let files: BTreeMap<String, Entry> = entries.into_iter().collect();
    let vectors = vectors(view, &files);
    Ok(Engine {
        config: config(view),
        files,
        skipped: skipped(view),
        vectors,
        scip: view.scip()?,
        last: crate::change::update::Last::default(),
    })
}

/// Reads the sections that an engine is restored from, side by side where `packers` can.
fn load(view: View<'_>, packers: &mut dyn Packers) {
    packers.each(3, &|section| match section {
        0 => drop(view.graph()),
        1 => drop(view.lexical()),
        _ => drop((view.texts().map(|texts| texts.len()), view.vectors())),
    });
}

/// Restores a file with its path.
fn entry(view: View<'_>, idx: usize, mut facts: FileFacts) -> (String, Entry) {
    facts.put_locals_last();
    let path = view.files().paths.get(idx).unwrap_or_default();
    let text = view.texts().and_then(|texts| texts.get(idx));
    let text = Text::from(text.unwrap_or_default());
    // Terms are computed when they are needed: an update needs those of changed files only.
    let unit = FileUnit {
        facts: Arc::new(facts),
        terms: search::FileTerms::default(),
    };
    let entry = Entry {
        keys: Contextual::new(path, &text, &unit.facts).keys(),
        digest: view.files().digests.get(idx).copied().unwrap_or_default(),
        stamp: stamp(view, idx),
        text,
        unit,
    };
    (path.to_owned(), entry)
}

/// Restores of each file its path, digest, language and stamp: enough to tell which files of a folder differ from those of
/// the snapshot. No text and no facts are read, so nothing can be built from it.
fn reopen_digests(view: View<'_>) -> Engine {
    let known = view.files();
    let entries = (0..known.len()).map(|idx| {
        let path = known.paths.get(idx).unwrap_or_default();
        let facts = FileFacts {
            language: known.language(idx),
            ..FileFacts::default()
        };
        let entry = Entry {
            text: Text::from(""),
            digest: known.digests.get(idx).copied().unwrap_or_default(),
            unit: FileUnit {
                facts: Arc::new(facts),
                terms: search::FileTerms::default(),
            },
            keys: Vec::new(),
            stamp: stamp(view, idx),
        };
        (path.to_owned(), entry)
    });
    let mut engine = Engine::new(config(view));
    engine.files = entries.collect();
    engine.skipped = skipped(view);
    engine
}

fn config(view: View<'_>) -> EngineConfig {
    let info = view.info();
    EngineConfig {
        name: info.name.as_str().to_owned(),
        recipe: info.recipe.as_str().to_owned(),
        languages: view.user_languages(),
        ..EngineConfig::default()
    }
}

fn stamp(view: View<'_>, idx: usize) -> Option<Stamp> {
    let stamp = view.info().stamps.get(idx)?;
    Some(Stamp {
        n_bytes: stamp.0.to_native(),
        modified: stamp.1.to_native(),
    })
    .filter(|stamp| *stamp != Stamp::default())
}

fn skipped(view: View<'_>) -> BTreeMap<String, Skipped> {
    let entries = view.info().skipped.iter();
    entries
        .map(|entry| {
            let (path, code, message) = (
                entry.path.as_str(),
                entry.code.as_str(),
                entry.message.as_str(),
            );
            let reason = SkipReason::Noted {
                code: code.to_owned(),
                message: message.to_owned(),
            };
            (
                path.to_owned(),
                Skipped {
                    path: path.to_owned(),
                    reason,
                },
            )
        })
        .collect()
}

/// Vectors by the keys of their texts, which are computed from texts and facts; none where another version made other
/// embedding texts.
fn vectors(view: View<'_>, files: &BTreeMap<String, Entry>) -> VectorStore {
    let info = view.info();
    let mut store = VectorStore::new(info.embedder.as_str(), info.dimensions.to_native() as usize);
    let is_known = view.chunks().keys.to_native() == digest_of_keys(files);
    if let Some(vectors) = view.vectors().filter(|_| is_known) {
        for (idx, key) in (0..).zip(files.values().flat_map(|entry| &entry.keys)) {
            if let Some((row, scale)) = vectors.row(ChunkId(idx)) {
                store.restore(*key, scale, row);
            }
        }
    }
    store
}
