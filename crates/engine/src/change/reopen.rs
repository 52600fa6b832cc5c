//! From a snapshot back to the engine that built it, so that an update reads only what changed.

use std::collections::BTreeMap;

use search::ChunkId;
use source::{SkipReason, Skipped};

use crate::change::build::digest_of_keys;
use crate::change::contextual::Contextual;
use crate::change::index::{Engine, EngineConfig, Entry, Stamp};
use crate::change::unit::FileUnit;
use crate::change::vectors::VectorStore;
use crate::{Error, ErrorKind, Snapshot};

pub(crate) fn reopen(snapshot: &Snapshot) -> Result<Engine, Error> {
    let (Some(texts), Some(facts)) = (snapshot.texts(), snapshot.all_facts()?) else {
        let message = "the snapshot was saved without the facts of its files, so it can be asked but not changed";
        return Err(
            Error::new(ErrorKind::SnapshotWithout, message).with_help("index the sources anew")
        );
    };
    let paths = &snapshot.files().paths;
    let mut files = BTreeMap::new();
    for (idx, facts) in facts.into_iter().enumerate() {
        let path = paths.get(idx).unwrap_or_default();
        let text = texts.get(idx).unwrap_or_default().to_owned();
        // Terms are counted when they are wanted: an update wants those of changed files only.
        let unit = FileUnit {
            facts,
            terms: search::FileTerms::default(),
        };
        let keys = Contextual::new(path, &text, &unit.facts).keys();
        let digest = snapshot
            .files()
            .digests
            .get(idx)
            .copied()
            .unwrap_or_default();
        files.insert(
            path.to_owned(),
            Entry {
                text,
                digest,
                unit,
                keys,
                stamp: stamp(snapshot, idx),
            },
        );
    }
    let vectors = vectors(snapshot, &files);
    let info = snapshot.info();
    let config = EngineConfig {
        name: info.name.as_str().to_owned(),
        recipe: info.recipe.as_str().to_owned(),
        languages: crate::ask::reader::user_languages(snapshot),
        ..EngineConfig::default()
    };
    Ok(Engine {
        config,
        files,
        skipped: skipped(snapshot),
        vectors,
        scip: snapshot.scip()?,
        last: crate::change::update::Last::default(),
    })
}

fn stamp(snapshot: &Snapshot, idx: usize) -> Option<Stamp> {
    let stamp = snapshot.info().stamps.get(idx)?;
    Some(Stamp {
        n_bytes: stamp.0.to_native(),
        modified: stamp.1.to_native(),
    })
    .filter(|stamp| *stamp != Stamp::default())
}

fn skipped(snapshot: &Snapshot) -> BTreeMap<String, Skipped> {
    let entries = snapshot.info().skipped.iter();
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

/// Vectors by the keys of their texts, which follow from texts and facts; none where another version put other texts together.
fn vectors(snapshot: &Snapshot, files: &BTreeMap<String, Entry>) -> VectorStore {
    let info = snapshot.info();
    let mut store = VectorStore::new(info.embedder.as_str(), info.dimensions.to_native() as usize);
    let is_known = snapshot.chunks().keys.to_native() == digest_of_keys(files);
    if let Some(vectors) = snapshot.vectors().filter(|_| is_known) {
        for (idx, key) in (0..).zip(files.values().flat_map(|entry| &entry.keys)) {
            if let Some((row, scale)) = vectors.row(ChunkId(idx)) {
                store.restore(*key, scale, row);
            }
        }
    }
    store
}
