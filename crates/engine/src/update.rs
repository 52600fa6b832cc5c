//! The next snapshot out of the last one: what is written of unchanged files is copied, not worked out again.
//!
//! Text, postings, names and facts of a file depend on that file only, so their sections are merged from the last snapshot and the
//! files that changed. The graph is resolved anew, since a name in one file can mean a definition in any other; its rules
//! are fast enough for that, and an answer to a name may depend on the order of the questions. The result is what
//! [`crate::Engine::build`] gives, byte for byte.

use std::collections::BTreeSet;
use std::sync::Arc;

use graph::frozen::Graph;
use rkyv::rend::u32_le;
use rkyv::util::AlignedVec;
use search::{Lexical, Names, NamesBuilder, NextFile};
use source::FileId;

use crate::build::{self, add_names, check_size, freeze, freeze_sized};
use crate::frozen::{Facts, Texts};
use crate::index::Engine;
use crate::snapshot::Part;
use crate::unit::facts_to_bytes;
use crate::{Error, Snapshot};

/// Where more files than one in so many are new, building from scratch is as fast.
const SHARE_OF_CHANGES: usize = 3;

/// The snapshot built last, and what has happened to files since.
#[derive(Default)]
pub(crate) struct Last {
    pub snapshot: Option<Arc<Snapshot>>,
    /// Paths that were put, moved or removed since.
    pub changed: BTreeSet<String>,
}

/// The snapshot of what is in the engine.
pub(crate) fn update(engine: &Engine, now_millis: f64) -> Result<Snapshot, Error> {
    let n_changed = engine.last.changed.len();
    match &engine.last.snapshot {
        Some(last) if n_changed <= engine.files.len() / SHARE_OF_CHANGES => {
            let parts = parts(engine, last, now_millis)?;
            Snapshot::assemble(None, parts)
        }
        _ => build::build(engine, now_millis),
    }
}

fn parts(
    engine: &Engine,
    last: &Snapshot,
    now_millis: f64,
) -> Result<Vec<(Part, AlignedVec<16>)>, Error> {
    let origins = origins(engine, last);
    let graph = build::graph(engine);
    let chunks = build::chunks(&engine.files, &graph);
    let mut parts = build::info_and_vectors(engine, &chunks.keys, now_millis)?;
    parts.push((
        Part::Files,
        freeze(&build::files(&engine.files), Part::Files)?,
    ));
    let names = names(engine, last, &origins, &graph);
    parts.push((Part::Names, freeze(&names, Part::Names)?));
    parts.push((Part::Graph, freeze(&graph, Part::Graph)?));
    let lexical = lexical(engine, last, &origins)?;
    let n_bytes = last.size_of(Part::Lexical);
    parts.push((
        Part::Lexical,
        freeze_sized(&lexical, Part::Lexical, n_bytes)?,
    ));
    parts.push((Part::Chunks, freeze(&chunks, Part::Chunks)?));
    if engine.config.keep_texts {
        let texts = texts(engine, last, &origins)?;
        let n_bytes = texts.bytes.len() + 4 * texts.offsets.len();
        parts.push((Part::Texts, freeze_sized(&texts, Part::Texts, n_bytes)?));
    }
    if engine.config.keep_facts {
        let facts = facts(engine, last, &origins)?;
        let n_bytes = facts.bytes.len() + 4 * facts.offsets.len();
        parts.push((Part::Facts, freeze_sized(&facts, Part::Facts, n_bytes)?));
        parts.extend(build::scip(engine)?);
    }
    Ok(parts)
}

/// For each file of the engine its number in the last snapshot, where it has not changed since. Both are in path order.
fn origins(engine: &Engine, last: &Snapshot) -> Vec<Option<u32>> {
    let paths = &last.files().paths;
    let mut next = 0;
    let number = |path: &String| {
        while paths.get(next).is_some_and(|known| known < path.as_str()) {
            next += 1;
        }
        let is_known = paths.get(next) == Some(path);
        (is_known && !engine.last.changed.contains(path)).then_some(next as u32)
    };
    engine.files.keys().map(number).collect()
}

fn names(engine: &Engine, last: &Snapshot, origins: &[Option<u32>], graph: &Graph) -> Names {
    let offsets = &last.graph().symbol_offsets;
    let at = |idx: usize| offsets.get(idx).copied().map_or(0, u32_le::to_native);
    let first = at(0);
    // New number of each symbol of the last snapshot.
    let mut numbers =
        vec![None; at(offsets.len().saturating_sub(1)).saturating_sub(first) as usize];
    let mut added = NamesBuilder::default();
    for ((entry, origin), start) in engine
        .files
        .values()
        .zip(origins)
        .zip(&graph.symbol_offsets)
    {
        let Some(origin) = origin.map(|origin| origin as usize) else {
            add_names(&mut added, entry, *start);
            continue;
        };
        let places = at(origin).saturating_sub(first)..at(origin + 1).saturating_sub(first);
        let numbers = numbers.get_mut(places.start as usize..places.end as usize);
        for (node, number) in (*start..).zip(numbers.unwrap_or_default()) {
            *number = Some(node);
        }
    }
    let number = |node: u32| *numbers.get(node.checked_sub(first)? as usize)?;
    Names::updated(last.names(), number, added)
}

fn lexical(engine: &Engine, last: &Snapshot, origins: &[Option<u32>]) -> Result<Lexical, Error> {
    let read: Vec<_> = engine
        .files
        .iter()
        .zip(origins)
        .filter(|(_, origin)| origin.is_none())
        .map(|((path, entry), _)| entry.terms(path))
        .collect();
    let mut read = read.iter();
    let files = engine.files.iter().zip(origins);
    let files: Vec<NextFile<'_>> = files
        .map(|((path, entry), origin)| match origin {
            Some(origin) => NextFile::Kept(FileId(*origin)),
            None => {
                let terms = read.next().map_or(&[][..], |terms| terms.as_ref());
                let metas = build::chunk_metas(FileId(0), &entry.unit.facts);
                NextFile::Read {
                    path,
                    chunks: metas.zip(terms).collect(),
                }
            }
        })
        .collect();
    Lexical::updated(last.lexical(), &files, &engine.config.lexical)
        .map_err(|error| build::too_large(Part::Lexical, &error))
}

fn texts(engine: &Engine, last: &Snapshot, origins: &[Option<u32>]) -> Result<Texts, Error> {
    let n_bytes = engine.files.values().map(|entry| entry.text.len()).sum();
    check_size(n_bytes, Part::Texts)?;
    let mut texts = Texts {
        bytes: Vec::with_capacity(n_bytes),
        offsets: Vec::with_capacity(origins.len() + 1),
    };
    texts.offsets.push(0);
    let old = last.texts().filter(|_| !origins.is_empty());
    let start = |file: u32| {
        old.map_or(0, |old| {
            old.offsets
                .get(file as usize)
                .map_or(0, |at| at.to_native())
        })
    };
    // Neighbouring files are copied at once.
    let mut pending: Option<(u32, u32)> = None;
    let flush = |bytes: &mut Vec<u8>, pending: &mut Option<(u32, u32)>| {
        if let (Some((from, to)), Some(old)) = (pending.take(), old) {
            let range = start(from) as usize..start(to) as usize;
            bytes.extend_from_slice(old.bytes.get(range).unwrap_or_default());
        }
    };
    let mut end = 0;
    for (entry, origin) in engine.files.values().zip(origins) {
        match (origin.filter(|_| old.is_some()), &mut pending) {
            (Some(file), Some((_, to))) if *to == file => *to += 1,
            (Some(file), _) => {
                flush(&mut texts.bytes, &mut pending);
                pending = Some((file, file + 1));
            }
            (None, _) => {
                flush(&mut texts.bytes, &mut pending);
                texts.bytes.extend_from_slice(entry.text.as_bytes());
            }
        }
        end += entry.text.len();
        texts.offsets.push(end as u32);
    }
    flush(&mut texts.bytes, &mut pending);
    Ok(texts)
}

fn facts(engine: &Engine, last: &Snapshot, origins: &[Option<u32>]) -> Result<Facts, Error> {
    let old = last.facts()?;
    let mut facts = Facts {
        bytes: Vec::with_capacity(last.size_of(Part::Facts)),
        offsets: vec![0],
    };
    for (entry, origin) in engine.files.values().zip(origins) {
        let kept = origin.and_then(|file| old?.get(file as usize));
        match kept {
            Some(bytes) => facts.bytes.extend_from_slice(bytes),
            None => facts
                .bytes
                .extend_from_slice(&facts_to_bytes(&entry.unit.facts)),
        }
        check_size(facts.bytes.len(), Part::Facts)?;
        facts.offsets.push(facts.bytes.len() as u32);
    }
    Ok(facts)
}
