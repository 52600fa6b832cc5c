//! A saved index: packed in a file, flat in memory.
//!
//! Opening compares the checksum of every section, unpacks those that questions need into the flat archives that queries read,
//! and compares their sizes with each other: once. After that every access is a pointer. Texts are unpacked in blocks when they
//! are asked for, facts when the index is about to change.

mod blocks;
mod columns;
mod container;
mod facts;
mod hide;
mod incoming;
mod pack;
mod partial;
mod texts;

use std::sync::{Arc, OnceLock};

use rkyv::api::high::HighValidator;
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Portable};

use crate::frozen::{ArchivedChunks, ArchivedFiles, ArchivedInfo, Chunks, Files, Info};
use crate::scip::{ScipDocuments, ScipStore};
use crate::{Error, ErrorKind};
use ::graph::frozen::{ArchivedGraph, Graph};
use columns::Fault;
pub use container::FORMAT_VERSION;
use container::Section;
pub(crate) use facts::{Beside, FactStore, Facts};
pub use hide::{Hidden, closed_originals, hide_paths, restore_paths};
pub use incoming::Incoming;
pub use partial::{N_START, Partial, Wanted};
use search::{ArchivedLexical, ArchivedNames, ArchivedVectors, Lexical, Names, Vectors};
use syntax::facts::FileFacts;
pub(crate) use texts::TextStore;

/// The sections this version knows. Others in a file are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Info,
    Files,
    Chunks,
    Graph,
    Names,
    Lexical,
    Vectors,
    Texts,
    Blocks,
    Facts,
    Scip,
}

/// In the order in which they are written: what every query needs first, what none needs last.
pub(crate) const PARTS: [Part; 11] = [
    Part::Info,
    Part::Files,
    Part::Chunks,
    Part::Graph,
    Part::Names,
    Part::Lexical,
    Part::Vectors,
    Part::Texts,
    Part::Blocks,
    Part::Facts,
    Part::Scip,
];

impl Part {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Files => "files",
            Self::Chunks => "chunks",
            Self::Graph => "graph",
            Self::Names => "names",
            Self::Lexical => "lexical",
            Self::Texts => "texts",
            Self::Blocks => "blocks",
            Self::Facts => "facts",
            Self::Vectors => "vectors",
            Self::Scip => "scip",
        }
    }

    /// Whether only changing the index needs it: it is checked then, not when the snapshot is opened.
    fn is_for_changes(self) -> bool {
        matches!(self, Self::Facts | Self::Scip)
    }

    /// Whether it is optional and one of these names is its own. Blocks go with the texts they are of.
    fn is_among(self, names: &[&str]) -> bool {
        let name = match self {
            Self::Blocks => Self::Texts.name(),
            part => part.name(),
        };
        self.is_optional() && names.contains(&name)
    }

    fn is_optional(self) -> bool {
        matches!(
            self,
            Self::Texts | Self::Blocks | Self::Facts | Self::Vectors | Self::Scip
        )
    }
}

/// A section in memory.
#[derive(Clone)]
pub(crate) enum Held {
    /// An archive that queries read.
    Archive(Arc<AlignedVec<16>>),
    /// Texts in blocks.
    Texts(Arc<TextStore>),
    /// Facts in blocks.
    Facts(Arc<FactStore>),
    /// As it lies in the file: unpacked when it is asked for.
    Packed(Arc<[u8]>),
}

/// A snapshot in memory, checked.
pub struct Snapshot {
    engine_version: String,
    /// For each of [`PARTS`].
    held: [Option<Held>; PARTS.len()],
    /// Checksums of what is held as it lies in the file.
    unread: Vec<Section>,
    /// Bytes of each section in the file that was opened; none of what was built.
    sizes: Vec<(String, usize)>,
    /// The file, once it has been asked for.
    file: OnceLock<AlignedVec<16>>,
}

impl Snapshot {
    /// Check and open a snapshot.
    ///
    /// # Errors
    ///
    /// `snapshot.foreign`, `.truncated`, `.version`, `.checksum` or `.damaged`, each with what to do.
    pub fn open(bytes: &[u8]) -> Result<Self, Error> {
        let sections = container::read(bytes)?;
        let mut snapshot = Self::empty(container::engine_version(bytes));
        for part in PARTS {
            let section = sections.iter().find(|section| section.name == part.name());
            if let Some(section) = section {
                let packed = bytes.get(section.range.clone()).unwrap_or_default();
                snapshot.take(part, section, packed)?;
            } else if !part.is_optional() || part == Part::Blocks && snapshot.texts().is_some() {
                return Err(damaged(part, "it is missing"));
            }
        }
        snapshot.sizes = sections
            .into_iter()
            .map(|section| (section.name, section.range.len()))
            .collect();
        snapshot.check_sizes()?;
        Ok(snapshot)
    }

    fn empty(engine_version: String) -> Self {
        Self {
            engine_version,
            held: PARTS.map(|_| None),
            unread: Vec::new(),
            sizes: Vec::new(),
            file: OnceLock::new(),
        }
    }

    /// Unpacks a section that has come. Files come before what is written against them, see [`PARTS`].
    fn take(&mut self, part: Part, section: &Section, packed: &[u8]) -> Result<(), Error> {
        let held = if part.is_for_changes() {
            self.unread.push(section.clone());
            Held::Packed(packed.into())
        } else {
            container::check(packed, section)?;
            if part == Part::Blocks {
                let texts = self.texts();
                let filled = texts.map_or(Ok(()), |texts| texts.fill(packed));
                return filled.map_err(|fault| damaged(part, fault));
            }
            self.unpack(part, packed)
                .map_err(|fault| damaged(part, fault))?
        };
        self.held[part as usize] = Some(held);
        Ok(())
    }

    fn unpack(&self, part: Part, packed: &[u8]) -> Result<Held, Fault> {
        let archive = match part {
            Part::Info => checked::<Info>(packed)?,
            Part::Files => checked::<Files>(packed)?,
            Part::Scip => checked::<ScipStore>(packed)?,
            Part::Chunks => archive(&pack::unpack_chunks(packed)?)?,
            Part::Graph => archive(&pack::unpack_graph(packed)?)?,
            Part::Names => archive(&pack::unpack_names(packed, self.graph())?)?,
            Part::Lexical => archive(&pack::unpack_lexical(packed, self.files())?)?,
            Part::Vectors => archive(&pack::unpack_vectors(packed)?)?,
            Part::Texts | Part::Blocks => {
                return Ok(Held::Texts(Arc::new(TextStore::read(packed)?)));
            }
            Part::Facts => return Ok(Held::Facts(Arc::new(FactStore::read(packed)?))),
        };
        Ok(Held::Archive(Arc::new(archive)))
    }

    /// The file. Packs it when it is asked for the first time: some 100 MB a second.
    #[must_use]
    pub fn to_bytes(&self) -> &[u8] {
        self.file.get_or_init(|| self.write(&[]))
    }

    /// The file without its optional sections of these names (`texts`, `facts`, `vectors`, `scip`).
    #[must_use]
    pub fn write(&self, without: &[&str]) -> AlignedVec<16> {
        let is_kept = |part: &Part| !part.is_among(without);
        let sections: Vec<(&str, Vec<u8>)> = PARTS
            .into_iter()
            .filter(is_kept)
            .filter_map(|part| Some((part.name(), self.pack(part)?)))
            .collect();
        let sections: Vec<(&str, &[u8])> = sections
            .iter()
            .map(|(name, bytes)| (*name, bytes.as_slice()))
            .collect();
        container::write(&sections)
    }

    fn pack(&self, part: Part) -> Option<Vec<u8>> {
        if part == Part::Blocks {
            return self.texts().map(|texts| texts.write().1);
        }
        match self.held[part as usize].as_ref()? {
            Held::Packed(packed) => return Some(packed.to_vec()),
            Held::Texts(texts) => return Some(texts.write().0),
            Held::Facts(facts) => return Some(facts.write()),
            Held::Archive(_) => {}
        }
        Some(match part {
            Part::Chunks => pack::pack_chunks(self.chunks()),
            Part::Graph => pack::pack_graph(self.graph()),
            Part::Names => pack::pack_names(self.names()),
            Part::Lexical => pack::pack_lexical(self.lexical()),
            Part::Vectors => pack::pack_vectors(self.vectors()?),
            _ => pack::pack_archive(self.archived(part)?),
        })
    }

    /// Version of the engine that wrote it.
    #[must_use]
    pub fn engine_version(&self) -> String {
        self.engine_version.clone()
    }

    /// Names and sizes in bytes of the sections, in the order of the file: in the file that was opened, else in memory.
    pub fn sections(&self) -> impl Iterator<Item = (&str, usize)> {
        let opened = self.sizes.iter().map(|(name, size)| (name.as_str(), *size));
        let built = PARTS.into_iter().filter(|_| self.sizes.is_empty());
        let built = built.filter(|part| self.held[*part as usize].is_some());
        opened.chain(built.map(|part| (part.name(), self.size_of(part))))
    }

    /// A snapshot of these parts; those of `base` that are not among them are taken over, without a copy.
    pub(crate) fn assemble(base: Option<&Self>, parts: Vec<(Part, Held)>) -> Self {
        let mut snapshot = Self::empty(env!("CARGO_PKG_VERSION").to_owned());
        if let Some(base) = base {
            snapshot.held.clone_from(&base.held);
            snapshot.unread.clone_from(&base.unread);
        }
        for (part, held) in parts {
            snapshot.held[part as usize] = Some(held);
        }
        snapshot
    }

    /// The same snapshot without its optional sections of these names (`texts`, `facts`, `vectors`, `scip`).
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        let mut shorter = Self::assemble(Some(self), Vec::new());
        for part in PARTS {
            if part.is_among(names) {
                shorter.held[part as usize] = None;
            }
        }
        shorter
    }

    /// Bytes that a section takes in memory; 0 if it is not there.
    pub(crate) fn size_of(&self, part: Part) -> usize {
        match &self.held[part as usize] {
            None => 0,
            Some(Held::Archive(bytes)) => bytes.len(),
            Some(Held::Packed(bytes)) => bytes.len(),
            Some(Held::Texts(texts)) => texts.n_bytes(),
            Some(Held::Facts(facts)) => facts.n_bytes(),
        }
    }

    fn archived(&self, part: Part) -> Option<&[u8]> {
        match self.held[part as usize].as_ref()? {
            Held::Archive(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// What is held as it lies in the file, its checksum compared.
    fn read_late(&self, part: Part) -> Result<Option<Held>, Error> {
        let Some(held) = &self.held[part as usize] else {
            return Ok(None);
        };
        let Held::Packed(packed) = held else {
            return Ok(Some(held.clone()));
        };
        if let Some(section) = self
            .unread
            .iter()
            .find(|section| section.name == part.name())
        {
            container::check(packed, section)?;
        }
        let held = self
            .unpack(part, packed)
            .map_err(|fault| damaged(part, fault))?;
        Ok(Some(held))
    }

    /// Sections that were each written by an engine, but not of one index.
    fn check_sizes(&self) -> Result<(), Error> {
        self.check_sizes_of(&[true; PARTS.len()])
    }

    /// As [`Snapshot::check_sizes`], as far as sections have come.
    fn check_sizes_of(&self, has: &[bool; PARTS.len()]) -> Result<(), Error> {
        let has = |part: Part| has[part as usize];
        let n_files = self.files().len();
        let n_chunks = self.chunks().keys.len();
        let same = |part: Part, beside: Part, found: usize, expected: usize| {
            if found == expected || !has(part) || !has(beside) {
                return Ok(());
            }
            Err(damaged(
                part,
                &format!("it has {found} entries, {expected} were expected"),
            ))
        };
        let (files, chunks) = (self.files(), self.chunks());
        for found in [
            files.n_bytes.len(),
            files.languages.len(),
            files.digests.len(),
            files.n_lines.len(),
        ] {
            same(Part::Files, Part::Files, found, n_files)?;
        }
        for found in [chunks.symbols.len(), chunks.kinds.len()] {
            same(Part::Chunks, Part::Chunks, found, n_chunks)?;
        }
        if has(Part::Graph) {
            let graph = self.graph();
            same(
                Part::Graph,
                Part::Files,
                graph.n_files.to_native() as usize,
                n_files,
            )?;
            let valid = graph.validate();
            valid.map_err(|fault| damaged(Part::Graph, fault))?;
        }
        if has(Part::Lexical) {
            let lexical = self.lexical();
            same(Part::Lexical, Part::Files, lexical.n_files(), n_files)?;
            same(Part::Lexical, Part::Chunks, lexical.n_chunks(), n_chunks)?;
            let valid = lexical.validate();
            valid.map_err(|error| damaged(Part::Lexical, &error.to_string()))?;
        }
        if has(Part::Names) {
            let valid = self.names().validate();
            valid.map_err(|error| damaged(Part::Names, &error.to_string()))?;
        }
        if let Some(texts) = self.texts() {
            same(Part::Texts, Part::Files, texts.len(), n_files)?;
        }
        if let Some(vectors) = self.vectors().filter(|_| has(Part::Lexical)) {
            same(Part::Vectors, Part::Chunks, vectors.n_chunks(), n_chunks)?;
            let valid = vectors.validate(self.lexical());
            valid.map_err(|error| damaged(Part::Vectors, &error.to_string()))?;
        }
        Ok(())
    }

    pub(crate) fn info(&self) -> &ArchivedInfo {
        self.access::<Info>(Part::Info)
    }

    pub(crate) fn files(&self) -> &ArchivedFiles {
        self.access::<Files>(Part::Files)
    }

    pub(crate) fn chunks(&self) -> &ArchivedChunks {
        self.access::<Chunks>(Part::Chunks)
    }

    pub(crate) fn graph(&self) -> &ArchivedGraph {
        self.access::<Graph>(Part::Graph)
    }

    pub(crate) fn names(&self) -> &ArchivedNames {
        self.access::<Names>(Part::Names)
    }

    pub(crate) fn lexical(&self) -> &ArchivedLexical {
        self.access::<Lexical>(Part::Lexical)
    }

    pub(crate) fn texts(&self) -> Option<&TextStore> {
        match self.held[Part::Texts as usize].as_ref()? {
            Held::Texts(texts) => Some(texts),
            _ => None,
        }
    }

    /// The facts, checked here rather than when the snapshot was opened.
    pub(crate) fn facts(&self) -> Result<Option<Arc<FactStore>>, Error> {
        let Some(Held::Facts(facts)) = self.read_late(Part::Facts)? else {
            return Ok(None);
        };
        if facts.len() != self.files().len() {
            return Err(damaged(
                Part::Facts,
                "it is not of as many files as the index",
            ));
        }
        Ok(Some(facts))
    }

    /// The facts of all files, in order; none where the snapshot was saved without facts or texts.
    pub(crate) fn all_facts(&self) -> Result<Option<Vec<FileFacts>>, Error> {
        let (Some(facts), Some(texts)) = (self.facts()?, self.texts()) else {
            return Ok(None);
        };
        let beside = self.beside(texts);
        facts
            .all(&beside)
            .map(Some)
            .map_err(|fault| damaged(Part::Facts, fault))
    }

    /// The facts of a file; none where the snapshot was saved without facts or texts.
    pub(crate) fn facts_of(&self, file: usize) -> Result<Option<FileFacts>, Error> {
        let (Some(facts), Some(texts)) = (self.facts()?, self.texts()) else {
            return Ok(None);
        };
        let found = facts.get(file, &self.beside(texts));
        found.map(Some).map_err(|fault| damaged(Part::Facts, fault))
    }

    fn beside<'a>(&'a self, texts: &'a TextStore) -> Beside<'a, impl Fn(usize) -> &'a str> {
        Beside {
            files: self.files(),
            graph: self.graph(),
            text: |file| texts.get(file).unwrap_or_default(),
        }
    }

    /// What was imported of compilers' indexes, checked here rather than when the snapshot was opened.
    pub(crate) fn scip(&self) -> Result<ScipDocuments, Error> {
        let Some(Held::Archive(store)) = self.read_late(Part::Scip)? else {
            return Ok(ScipDocuments::default());
        };
        let store = rkyv::access::<<ScipStore as Archive>::Archived, rancor::Failure>(&store);
        store.map_err(|_| damaged(Part::Scip, UNKNOWN))?.unpack()
    }

    pub(crate) fn vectors(&self) -> Option<&ArchivedVectors> {
        self.try_access::<Vectors>(Part::Vectors)
    }

    fn access<T: Archive>(&self, part: Part) -> &T::Archived
    where
        T::Archived: Portable,
    {
        match self.try_access::<T>(part) {
            Some(archived) => archived,
            None => unreachable!("`open` refuses a snapshot without {}", part.name()),
        }
    }

    #[expect(unsafe_code, reason = "checked once, instead of at every access")]
    fn try_access<T: Archive>(&self, part: Part) -> Option<&T::Archived>
    where
        T::Archived: Portable,
    {
        let bytes = self.archived(part)?;
        // SAFETY: these bytes, at this alignment, are a valid `T::Archived`: either `checked` has found so, or they were written by rkyv from
        // a `T` in this process, by `archive` or by who assembled the snapshot; both name the same type for each part as the accessors do.
        // Nothing changes the bytes afterwards.
        Some(unsafe { rkyv::access_unchecked::<T::Archived>(bytes) })
    }
}

const UNKNOWN: Fault = "its contents are not what this version writes";

/// The archive of a `T` that was packed as it is.
fn checked<T>(packed: &[u8]) -> Result<AlignedVec<16>, Fault>
where
    T: Archive,
    T::Archived: Portable + for<'a> CheckBytes<HighValidator<'a, rancor::Failure>>,
{
    let archive = pack::unpack_archive(packed)?;
    // Which byte is wrong helps nobody, and the words for it would be compiled in once for every type.
    rkyv::access::<T::Archived, rancor::Failure>(&archive).map_err(|_| UNKNOWN)?;
    Ok(archive)
}

/// The archive of a value that was put together from columns.
fn archive<T>(value: &T) -> Result<AlignedVec<16>, Fault>
where
    T: for<'a> rkyv::Serialize<
            rkyv::api::high::HighSerializer<
                AlignedVec<16>,
                rkyv::ser::allocator::ArenaHandle<'a>,
                rancor::Failure,
            >,
        >,
{
    rkyv::to_bytes::<rancor::Failure>(value).map_err(|_| "it is larger than an archive can be")
}

fn damaged(part: Part, what: &str) -> Error {
    let message = format!("the snapshot's section {} is damaged: {what}", part.name());
    Error::new(ErrorKind::SnapshotDamaged, message).with_help("index the sources anew")
}
