//! Builds the sections of a snapshot from files and facts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ::graph::both;
use ::graph::frozen::{ArchivedGraph, Graph};
use rkyv::api::high::HighSerializer;
use rkyv::rancor;
use rkyv::ser::allocator::ArenaHandle;
use rkyv::util::AlignedVec;
use search::{ChunkFlags, ChunkMeta, IndexBuilder, Names, NamesBuilder, classify};
use snapshot::{
    Archive, Chunks, Counts, FactStore, Facts, Files, Info, Packers, ScipStore, Section,
    SectionKind, TextStore, View, archived_in,
};
use source::FileId;
use syntax::facts::{Chunk, FileFacts, Modifiers, Symbol, SymbolKind};

use crate::change::graph::graph;
use crate::change::index::{Engine, Entry};
use crate::change::info::info;
use crate::change::unit::terms_of_file;
use crate::change::update::{Terms, terms_of};
use crate::merkle::with_folders;
use crate::{Error, ErrorKind, Snapshot};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Relative pointers within an archive have 32 bits and a sign.
const MAX_SECTION: usize = i32::MAX as usize;

pub(crate) type Entries = BTreeMap<String, Entry>;

/// Builds all sections, those that take longest to compress first.
pub(crate) fn build(
    engine: &Engine,
    terms: Terms,
    now_millis: f64,
    packers: &mut dyn Packers,
) -> Result<Snapshot, Error> {
    let texts = given_texts(engine, packers)?;
    let (graph, lexical) = graph_and_lexical(engine, terms, packers);
    assemble(engine, texts, graph, lexical?, now_millis, packers)
}

/// As [`build`], with a graph that was made before.
pub(crate) fn build_of(
    engine: &Engine,
    graph: Graph,
    now_millis: f64,
    packers: &mut dyn Packers,
) -> Result<Snapshot, Error> {
    let texts = given_texts(engine, packers)?;
    let lexical = lexical(engine, terms_of(engine))?;
    assemble(engine, texts, graph, lexical, now_millis, packers)
}

fn given_texts(
    engine: &Engine,
    packers: &mut dyn Packers,
) -> Result<Option<(SectionKind, Section)>, Error> {
    let texts = texts(engine, None)?;
    if let Some((_, Section::Texts(texts))) = &texts {
        texts.give(&mut |first, blocks| packers.texts(first, blocks));
    }
    Ok(texts)
}

fn assemble(
    engine: &Engine,
    texts: Option<(SectionKind, Section)>,
    graph: Graph,
    lexical: Section,
    now_millis: f64,
    packers: &mut dyn Packers,
) -> Result<Snapshot, Error> {
    let lexical = give(packers, SectionKind::Lexical, lexical);
    let archive = archive_of(&graph, SectionKind::Graph, graph.n_bytes())?;
    let frozen_graph = Section::Archive(Arc::clone(&archive));
    let frozen_graph = give(packers, SectionKind::Graph, frozen_graph);
    let offsets = graph.symbol_offsets.clone();
    let counts = Counts::of(&graph, n_chunks(&engine.files));
    // Its archive is enough from now on.
    drop(graph);
    let names = freeze(&names(&engine.files, &offsets), SectionKind::Names)?;
    let chunks = chunks(&engine.files, &offsets);
    let mut sections = info_and_vectors(engine, counts, now_millis)?;
    sections.push((
        SectionKind::Files,
        freeze(&files(&engine.files), SectionKind::Files)?,
    ));
    sections.push(give(packers, SectionKind::Names, names));
    sections.push(frozen_graph);
    sections.push(lexical);
    let chunks = freeze(&chunks, SectionKind::Chunks)?;
    sections.push(give(packers, SectionKind::Chunks, chunks));
    sections.extend(texts);
    let graph = archived_in::<Graph>(&archive);
    sections.extend(facts(engine, graph, None, packers)?);
    Ok(Snapshot::assemble(None, sections))
}

/// The graph, and the section of the lexical index. Neither needs the other.
fn graph_and_lexical(
    engine: &Engine,
    terms: Terms,
    packers: &mut dyn Packers,
) -> (Graph, Result<Section, Error>) {
    let each = &mut |n, work: &(dyn Fn(usize) + Sync)| packers.each(n, work);
    // Made once, whoever does it.
    let terms = Mutex::new(terms);
    both(each, &|| graph(engine), &|| {
        let mut terms = terms.lock().unwrap_or_else(PoisonError::into_inner);
        lexical(engine, std::mem::take(&mut *terms))
    })
}

/// Offers a finished section to the packers, which may compress it from now on.
pub(crate) fn give(
    packers: &mut dyn Packers,
    kind: SectionKind,
    held: Section,
) -> (SectionKind, Section) {
    if let Section::Archive(archive) = &held {
        packers.section(kind.name(), archive);
    }
    (kind, held)
}

pub(crate) fn scip(engine: &Engine) -> Result<Option<(SectionKind, Section)>, Error> {
    if engine.scip.is_empty() {
        return Ok(None);
    }
    let store = freeze(&ScipStore::pack(&engine.scip)?, SectionKind::Scip)?;
    Ok(Some((SectionKind::Scip, store)))
}

pub(crate) fn attach_vectors(
    engine: &Engine,
    snapshot: &Snapshot,
    now_millis: f64,
) -> Result<Snapshot, Error> {
    snapshot.read(|view| {
        if view.chunks().keys.to_native() != digest_of_keys(&engine.files) {
            let message = "the files have changed since this snapshot was built";
            return Err(
                Error::new(ErrorKind::VectorsMismatch, message).with_help("build the index again")
            );
        }
        let counts = rkyv::deserialize::<Counts, rancor::Error>(&view.info().counts);
        let counts = counts.map_err(|error| too_large(SectionKind::Info, &error))?;
        let sections = info_and_vectors(engine, counts, now_millis)?;
        Ok(Snapshot::assemble(Some(snapshot), sections))
    })
}

pub(crate) fn info_and_vectors(
    engine: &Engine,
    counts: Counts,
    now_millis: f64,
) -> Result<Vec<(SectionKind, Section)>, Error> {
    let keys = engine.files.values().flat_map(|entry| &entry.keys);
    let vectors = engine.vectors.freeze(&keys.copied().collect::<Vec<u64>>());
    let scales = vectors.iter().flat_map(|vectors| &vectors.scales);
    let n_vectors = scales.filter(|scale| **scale > 0.0).count() as u32;
    let info = Info {
        counts: Counts {
            n_vectors,
            ..counts
        },
        ..info(engine, vectors.is_some(), now_millis)
    };
    let mut sections = vec![(SectionKind::Info, freeze(&info, SectionKind::Info)?)];
    if let Some(vectors) = vectors {
        sections.push((
            SectionKind::Vectors,
            freeze(&vectors, SectionKind::Vectors)?,
        ));
    }
    Ok(sections)
}

pub(crate) fn freeze<T>(value: &T, kind: SectionKind) -> Result<Section, Error>
where
    T: for<'a> rkyv::Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, rancor::Error>>,
{
    freeze_sized(value, kind, 0)
}

/// As [`freeze`]; `n_bytes` is an estimate of the size, so that the buffer need not grow.
pub(crate) fn freeze_sized<T>(
    value: &T,
    kind: SectionKind,
    n_bytes: usize,
) -> Result<Section, Error>
where
    T: for<'a> rkyv::Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, rancor::Error>>,
{
    archive_of(value, kind, n_bytes).map(Section::Archive)
}

/// As [`freeze_sized`], for who reads the archive, too.
pub(crate) fn archive_of<T>(value: &T, kind: SectionKind, n_bytes: usize) -> Result<Archive, Error>
where
    T: for<'a> rkyv::Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, rancor::Error>>,
{
    let buffer = AlignedVec::with_capacity(n_bytes + n_bytes / 16);
    let bytes = rkyv::api::high::to_bytes_in::<_, rancor::Error>(value, buffer)
        .map_err(|error| too_large(kind, &error))?;
    check_size(bytes.len(), kind)?;
    Ok(Arc::new(bytes))
}

pub(crate) fn too_large(kind: SectionKind, error: &rancor::Error) -> Error {
    Error::new(
        ErrorKind::IndexTooLarge,
        format!("section {} cannot be written: {error}", kind.name()),
    )
}

pub(crate) fn check_size(n_bytes: usize, kind: SectionKind) -> Result<(), Error> {
    if n_bytes > MAX_SECTION {
        let message = format!(
            "section {} has {n_bytes} bytes, more than 2 GiB",
            kind.name()
        );
        return Err(Error::new(ErrorKind::IndexTooLarge, message)
            .with_help("index sections of the repository apart"));
    }
    Ok(())
}

pub(crate) fn files(entries: &Entries) -> Files {
    with_folders(Files {
        paths: entries.keys().map(String::as_str).collect(),
        languages: entries
            .values()
            .map(|entry| entry.unit.facts.language)
            .collect(),
        digests: entries.values().map(|entry| entry.digest).collect(),
        n_bytes: entries
            .values()
            .map(|entry| entry.text.len() as u32)
            .collect(),
        n_lines: entries
            .values()
            .map(|entry| entry.unit.facts.n_lines)
            .collect(),
        classes: entries.keys().map(|path| classify(path).bits()).collect(),
        ..Files::default()
    })
}

/// The section of texts, if they are kept. Blocks of files that are in `last`, at these numbers, are shared with it.
pub(crate) fn texts(
    engine: &Engine,
    last: Option<(View<'_>, &[Option<u32>])>,
) -> Result<Option<(SectionKind, Section)>, Error> {
    if !engine.config.keep_texts {
        return Ok(None);
    }
    let n_bytes = engine.files.values().map(|entry| entry.text.len()).sum();
    check_size(n_bytes, SectionKind::Texts)?;
    let files = engine.files.iter();
    let texts = files.map(|(path, entry)| (path.as_str(), &entry.text));
    let last = last.and_then(|(last, origins)| Some((last.texts()?.store(), origins)));
    let store = TextStore::new(texts, last);
    Ok(Some((SectionKind::Texts, Section::Texts(Arc::new(store)))))
}

/// The sections of facts and SCIP documents, if they are kept. Blocks are shared as in [`texts`].
pub(crate) fn facts(
    engine: &Engine,
    graph: &ArchivedGraph,
    last: Option<(View<'_>, &[Option<u32>])>,
    packers: &mut dyn Packers,
) -> Result<Vec<(SectionKind, Section)>, Error> {
    let mut sections = Vec::new();
    let files = engine.files.iter();
    if engine.config.keep_facts {
        let facts = files.map(|(path, entry)| Facts {
            path,
            text: &entry.text,
            facts: &entry.unit.facts,
        });
        let facts: Vec<_> = facts.collect();
        let known = match last {
            Some((last, origins)) => last.facts()?.zip(Some(origins)),
            None => None,
        };
        let last = known.as_ref().map(|(facts, origins)| (&**facts, *origins));
        let each = &mut |n, work: &(dyn Fn(usize) + Sync)| packers.each(n, work);
        let store = FactStore::new(&facts, graph, last, each);
        check_size(store.n_bytes(), SectionKind::Facts)?;
        sections.push((SectionKind::Facts, Section::Facts(Arc::new(store))));
        sections.extend(scip(engine)?);
    }
    Ok(sections)
}

/// Every definition by its name, except impl blocks, whose name is that of their type.
fn names(entries: &Entries, offsets: &[u32]) -> Names {
    let mut names = NamesBuilder::default();
    for (entry, first) in entries.values().zip(offsets) {
        add_names(&mut names, &entry.unit.facts, *first);
    }
    names.build()
}

/// The names of a file whose first symbol has this number.
pub(crate) fn add_names(names: &mut NamesBuilder, facts: &FileFacts, first: u32) {
    for (node, symbol) in (first..).zip(&facts.symbols) {
        if symbol.kind != SymbolKind::Impl {
            names.add(symbol.name.clone(), node);
        }
    }
}

/// The section of the lexical index. The terms are freed before it is written.
fn lexical(engine: &Engine, terms: Terms) -> Result<Section, Error> {
    let mut builder = IndexBuilder::new(engine.config.lexical.clone());
    for ((path, entry), terms) in engine.files.iter().zip(terms) {
        let file = builder.add_file(path);
        let terms = match entry.has_terms(&terms) {
            true => terms,
            false => terms_of_file(path, &entry.text, &entry.unit.facts),
        };
        builder.add_chunks(chunk_metas(file, &entry.unit.facts), terms);
    }
    let lexical = builder.build();
    freeze_sized(&lexical, SectionKind::Lexical, lexical.n_bytes())
}

/// Places, language and flags of the chunks of a file.
pub(crate) fn chunk_metas(file: FileId, facts: &FileFacts) -> impl Iterator<Item = ChunkMeta> + '_ {
    facts.chunks.iter().map(move |chunk| ChunkMeta {
        file,
        start: chunk.span.start,
        end: chunk.span.end,
        start_line: chunk.span.start_line,
        end_line: chunk.span.end_line,
        language: facts.language,
        flags: flags(facts, chunk),
    })
}

fn defined<'a>(facts: &'a FileFacts, chunk: &'a Chunk) -> impl Iterator<Item = &'a Symbol> {
    chunk
        .defines
        .iter()
        .filter_map(|symbol| facts.symbols.get(*symbol as usize))
}

fn flags(facts: &FileFacts, chunk: &Chunk) -> ChunkFlags {
    let mut flags = ChunkFlags::empty();
    let main = chunk
        .symbol
        .and_then(|symbol| facts.symbols.get(symbol as usize));
    flags.set(
        ChunkFlags::EXPORTED,
        defined(facts, chunk)
            .chain(main)
            .any(|symbol| symbol.is(Modifiers::EXPORTED)),
    );
    flags.set(
        ChunkFlags::TEST,
        defined(facts, chunk)
            .chain(main)
            .any(|symbol| symbol.is(Modifiers::TEST)),
    );
    flags.set(
        ChunkFlags::GLUE,
        chunk.defines.is_empty() && is_mostly_imports(facts, chunk),
    );
    flags
}

/// Whether more than half of the lines of a chunk belong to imports.
fn is_mostly_imports(facts: &FileFacts, chunk: &Chunk) -> bool {
    let mut next_line = chunk.span.start_line;
    let mut n_covered = 0;
    for import in facts
        .imports
        .iter()
        .filter(|import| chunk.span.contains(&import.span))
    {
        let end = import.span.end_line.saturating_add(1);
        n_covered += end.saturating_sub(next_line.max(import.span.start_line));
        next_line = next_line.max(end);
    }
    let n_lines = (chunk.span.end_line.saturating_sub(chunk.span.start_line)).saturating_add(1);
    n_covered > n_lines / 2
}

/// Digest of the keys of all embedding texts, in order.
pub(crate) fn digest_of_keys(entries: &Entries) -> u64 {
    let keys = entries.values().flat_map(|entry| &entry.keys);
    keys.fold(0, |digest, key| {
        xxh3_64_with_seed(&key.to_le_bytes(), digest)
    })
}

/// Number of chunks of all files.
fn n_chunks(entries: &Entries) -> usize {
    let chunks = entries.values().map(|entry| entry.unit.facts.chunks.len());
    chunks.sum()
}

/// `offsets` has the node of each file's first symbol.
pub(crate) fn chunks(entries: &Entries, offsets: &[u32]) -> Chunks {
    let mut chunks = Chunks {
        keys: digest_of_keys(entries),
        ..Chunks::default()
    };
    for (entry, first) in entries.values().zip(offsets) {
        let facts = &entry.unit.facts;
        for chunk in &facts.chunks {
            chunks
                .symbols
                .push(chunk.symbol.map_or(u32::MAX, |symbol| first + symbol));
            chunks
                .kinds
                .push(defined(facts, chunk).fold(0, |bits, symbol| bits | 1 << symbol.kind as u32));
        }
    }
    chunks
}
