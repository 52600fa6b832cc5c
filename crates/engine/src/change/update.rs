//! Builds the next snapshot from the last one: data of unchanged files is copied.
//!
//! Text, postings, names and facts of a file depend on that file only, so their sections are merged from the last
//! snapshot and the files that changed. The graph is resolved again, since a name in one file can mean a definition in
//! any other; where no interface has changed, only that of the edited files (`graph.rs`). The result is the same as that
//! of [`crate::Engine::build`], byte for byte.

use std::collections::BTreeMap;
use std::sync::Arc;

use ::graph::both;
use ::graph::frozen::Graph;
use rkyv::rend::u32_le;
use search::{FileTerms, Lexical, Names, NamesBuilder, NextFile};
use snapshot::{Counts, Packers, Section, SectionKind, Text, View, archived_in};
use source::FileId;

use crate::change::build::{self, add_names, archive_of, freeze, freeze_sized, give};
use crate::change::graph::Inputs;
use crate::change::index::Engine;
use crate::{Error, Snapshot};

/// Where more than one file in `SHARE_OF_CHANGES` is new, building from scratch is as fast.
const SHARE_OF_CHANGES: usize = 3;

/// The snapshot built last, and the paths that changed since.
#[derive(Default)]
pub(crate) struct Last {
    pub snapshot: Option<Arc<Snapshot>>,
    /// Paths of files that were put, moved or removed since, with the interface that each has in it
    /// ([`syntax::facts::FileFacts::interface`]); none of a file that it does not have.
    pub changed: BTreeMap<String, Option<u64>>,
    /// Whether documents of SCIP indexes came or went since.
    pub is_scip_changed: bool,
}

/// Builds the snapshot of the engine's contents, from the last one if that is faster. Takes the terms of files, and lets their texts
/// share their bytes with the snapshot.
pub(crate) fn update(
    engine: &mut Engine,
    now_millis: f64,
    packers: &mut dyn Packers,
) -> Result<Snapshot, Error> {
    let n_changed = engine.last.changed.len();
    if let Some(same) = same_files(engine, now_millis) {
        return Ok(same);
    }
    if let Some(last) = &engine.last.snapshot {
        packers.like(last);
    }
    match &engine.last.snapshot {
        Some(last) if n_changed <= engine.files.len() / SHARE_OF_CHANGES => last.read(|last| {
            let sections = sections(engine, last, now_millis, packers)?;
            Ok(Snapshot::assemble(None, sections).like(last.snapshot()))
        }),
        _ => {
            engine.join_texts();
            let terms = take_terms(engine);
            build::build(engine, terms, now_millis, packers)
        }
    }
}

/// The terms of all files in order, none where they were not kept. They are freed as they are laid out.
pub(crate) type Terms = Vec<FileTerms>;

/// The terms of the files of an engine, which keeps its own.
pub(crate) fn terms_of(engine: &Engine) -> Terms {
    let entries = engine.files.values();
    entries.map(|entry| entry.unit.terms.clone()).collect()
}

/// Takes the terms of all files: they are laid out once, and computed from the texts where they are needed again.
fn take_terms(engine: &mut Engine) -> Terms {
    let entries = engine.files.values_mut();
    let taken = entries.map(|entry| std::mem::take(&mut entry.unit.terms));
    taken.collect()
}

impl Engine {
    /// Lets the texts of all files share their bytes with the snapshot that will be built of them. Building does it too; called
    /// before, whoever takes a text meanwhile, such as for its vectors, keeps no second copy of it.
    pub fn join_texts(&mut self) {
        if self.config.keep_texts {
            let files = self.files.iter_mut();
            let texts = files.map(|(path, entry)| (path.as_str(), &mut entry.text));
            Text::join(texts.collect());
        }
    }
}

/// The last snapshot with another name, other notes and other stamps, where no file has changed: nothing else depends on these.
fn same_files(engine: &Engine, now_millis: f64) -> Option<Snapshot> {
    let last = engine.last.snapshot.as_ref()?;
    let is_same = engine.last.changed.is_empty() && !engine.last.is_scip_changed;
    // Another embedding text, or vectors that came or went, make another index.
    let keeps_vectors = last.has(SectionKind::Vectors) != engine.vectors.is_empty();
    if !is_same || !keeps_vectors {
        return None;
    }
    build::attach_vectors(engine, last, now_millis).ok()
}

/// Builds all sections from the last snapshot, those that take longest to compress first.
fn sections(
    engine: &Engine,
    last: View<'_>,
    now_millis: f64,
    packers: &mut dyn Packers,
) -> Result<Vec<(SectionKind, Section)>, Error> {
    let origins = origins(engine, last);
    let inputs = Inputs::since(engine, last);
    let layout = inputs.layout();
    let each = &mut |n, work: &(dyn Fn(usize) + Sync)| packers.each(n, work);
    let (lexical, resolution) = both(each, &|| lexical(engine, last, &origins), &|| {
        inputs.resolved(&layout, &origins)
    });
    let lexical = give(packers, SectionKind::Lexical, lexical?);
    let each = &mut |n, work: &(dyn Fn(usize) + Sync)| packers.each(n, work);
    let graph = inputs.freeze(&layout, resolution, each);
    let archive = archive_of(&graph, SectionKind::Graph, graph.n_bytes())?;
    let frozen_graph = Section::Archive(Arc::clone(&archive));
    let frozen_graph = give(packers, SectionKind::Graph, frozen_graph);
    let names = names(engine, last, &origins, &graph);
    let names = freeze(&names, SectionKind::Names)?;
    let names = give(packers, SectionKind::Names, names);
    let chunks = build::chunks(&engine.files, &graph.symbol_offsets);
    let counts = Counts::of(&graph, chunks.kinds.len());
    let mut sections = build::info_and_vectors(engine, counts, now_millis)?;
    let files = build::files(&engine.files);
    sections.push((SectionKind::Files, freeze(&files, SectionKind::Files)?));
    sections.extend([names, frozen_graph, lexical]);
    let chunks = freeze(&chunks, SectionKind::Chunks)?;
    sections.push(give(packers, SectionKind::Chunks, chunks));
    sections.extend(build::texts(engine, Some((last, &origins)))?);
    sections.extend(build::facts(
        engine,
        archived_in::<Graph>(&archive),
        Some((last, &origins)),
        packers,
    )?);
    Ok(sections)
}

/// For each file of the engine its number in the last snapshot; none where it has changed since. Both are in path
/// order.
fn origins(engine: &Engine, last: View<'_>) -> Vec<Option<u32>> {
    let paths = &last.files().paths;
    let mut next = 0;
    let number = |path: &String| {
        while paths.get(next).is_some_and(|known| known < path.as_str()) {
            next += 1;
        }
        let is_known = paths.get(next) == Some(path);
        (is_known && !engine.last.changed.contains_key(path)).then_some(next as u32)
    };
    engine.files.keys().map(number).collect()
}

fn names(engine: &Engine, last: View<'_>, origins: &[Option<u32>], graph: &Graph) -> Names {
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
            add_names(&mut added, &entry.unit.facts, *start);
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

fn lexical(engine: &Engine, last: View<'_>, origins: &[Option<u32>]) -> Result<Section, Error> {
    let read: Vec<_> = engine
        .files
        .iter()
        .zip(origins)
        .filter(|(_, origin)| origin.is_none())
        .map(|((path, entry), _)| entry.terms(path))
        .collect();
    let (mut read, none) = (read.iter(), FileTerms::default());
    let files = engine.files.iter().zip(origins);
    let files: Vec<NextFile<'_>> = files
        .map(|((path, entry), origin)| match origin {
            Some(origin) => NextFile::Kept(FileId(*origin)),
            None => NextFile::Read {
                path,
                chunks: build::chunk_metas(FileId(0), &entry.unit.facts).collect(),
                terms: read.next().map_or(&none, |terms| terms.as_ref()),
            },
        })
        .collect();
    let whole = last.whole_lexical()?;
    let n_bytes = whole.len();
    let last = archived_in::<Lexical>(&whole);
    let next = Lexical::updated(last, &files, &engine.config.lexical);
    let next = next.map_err(|error| build::too_large(SectionKind::Lexical, &error))?;
    freeze_sized(&next, SectionKind::Lexical, n_bytes)
}

#[cfg(all(test, feature = "ingest"))]
mod tests {
    use super::*;
    use crate::{EngineConfig, Indexer, RoundKind};
    use proptest::prelude::*;
    use syntax::{ParseConfig, Parsers};

    /// Makes a document. Documents need no grammar, and their headings are definitions, so the number of definitions
    /// differs between texts.
    fn text(seed: usize) -> String {
        let section = |n: usize| {
            format!(
                "# SectionKind {} of {seed}\n\nWords about {} and carts.\n\n",
                n * 7 % 5,
                seed * n
            )
        };
        (0..seed % 4).map(section).collect()
    }

    fn put(engine: &mut Engine, parsers: &mut Parsers, path: &str, text: &str) {
        let unit = crate::read_file(parsers, path, text);
        engine.put(path, text, unit);
    }

    fn three_files() -> Engine {
        let mut parsers = Parsers::new(ParseConfig::default());
        let mut engine = Engine::new(EngineConfig::default());
        for (path, seed) in [("a.md", 1), ("b.md", 2), ("c.md", 3)] {
            put(&mut engine, &mut parsers, path, &text(seed));
        }
        engine
    }

    #[test]
    fn digests_alone_tell_which_files_differ() {
        let snapshot = three_files().update(0.0).unwrap();
        let engine = Engine::of_digests(&snapshot).unwrap();
        let mut indexer = Indexer::new(engine, source::SourceConfig::default(), Vec::new());
        indexer.begin_walk();
        for (path, seed) in [("a.md", 1), ("b.md", 7), ("d.md", 3), ("e.md", 9)] {
            let is_new = indexer.add(path, text(seed).as_bytes()).is_some();
            assert_eq!(is_new, path != "a.md", "{path}");
        }
        let found = indexer.end_round(RoundKind::Walk);
        assert_eq!(found.modified, ["b.md"]);
        assert_eq!(found.added, ["e.md"]);
        assert_eq!(found.renamed, [("c.md".to_owned(), "d.md".to_owned())]);
        assert!(found.deleted.is_empty());
        assert_eq!(found.n_unchanged, 1);
    }

    #[test]
    fn where_no_file_changed_notes_and_name_are_new_and_the_rest_is_copied() {
        let mut engine = three_files();
        let last = engine.update(0.0).unwrap();
        engine.set_name("another".to_owned());
        engine.skip(source::Skipped {
            path: "d.bin".to_owned(),
            reason: source::SkipReason::Link,
        });
        assert!(same_files(&engine, 0.0).is_some());
        let updated = engine.update(0.0).unwrap();
        let built = engine.build(0.0).unwrap();
        assert!(updated.to_bytes().unwrap() == built.to_bytes().unwrap());
        assert!(updated.to_bytes().unwrap() != last.to_bytes().unwrap());
        let mut parsers = Parsers::new(ParseConfig::default());
        put(&mut engine, &mut parsers, "a.md", &text(5));
        assert!(same_files(&engine, 0.0).is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

        #[test]
        fn an_update_gives_what_building_gives(
            first in prop::collection::btree_map("[a-c]{1,2}(/[a-c]{1,2})?\\.md", 0usize..40, 4..24),
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, 0u8..5), 1..12),
        ) {
            let mut parsers = Parsers::new(ParseConfig::default());
            let mut engine = Engine::new(EngineConfig::default());
            for (path, seed) in &first {
                put(&mut engine, &mut parsers, path, &text(*seed));
            }
            engine.update(0.0).unwrap();
            for (at, seed, kind) in edits {
                let paths: Vec<String> = engine.paths().map(str::to_owned).collect();
                let path = at.get(&paths).clone();
                match kind {
                    0 if paths.len() > 1 => prop_assert!(engine.remove(&path)),
                    1 => put(&mut engine, &mut parsers, &format!("{seed}/{path}"), &text(seed)),
                    2 => {
                        let moved = engine.rename(&path, &format!("moved/{seed}/{path}"));
                        prop_assert!(moved || paths.len() > 1);
                    }
                    _ => put(&mut engine, &mut parsers, &path, &text(seed)),
                }
                let updated = engine.update(0.0).unwrap();
                prop_assert!(updated.to_bytes().unwrap() == engine.build(0.0).unwrap().to_bytes().unwrap());
            }
            let bytes = engine.build(0.0).unwrap().to_bytes().unwrap().to_vec();
            let mut reopened = Engine::reopen(Arc::new(Snapshot::open(&bytes).unwrap())).unwrap();
            prop_assert!(reopened.update(0.0).unwrap().to_bytes().unwrap() == &bytes[..]);
        }
    }
}
