//! A saved index, opened without a copy.
//!
//! Opening compares the checksum of every section, lets `bytecheck` prove that each one is what it should be, and compares
//! their sizes with each other: once. After that every access is a pointer into the file's bytes. Only the facts, which
//! no question needs, are checked when the index is about to change.

mod container;
mod incoming;

use rkyv::api::high::HighValidator;
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Portable};

use crate::frozen::{ArchivedChunks, ArchivedFacts, ArchivedFiles, ArchivedInfo, ArchivedTexts};
use crate::frozen::{Chunks, Facts, Files, Info, Texts};
use crate::scip::{ScipDocuments, ScipStore};
use crate::{Error, ErrorKind};
pub use container::FORMAT_VERSION;
use container::Section;
use graph::frozen::{ArchivedGraph, Graph};
pub use incoming::Incoming;
use search::{ArchivedLexical, ArchivedNames, ArchivedVectors, Lexical, Names, Vectors};

/// The sections this version knows. Others in a file are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Info,
    Files,
    Chunks,
    Graph,
    Names,
    Lexical,
    Texts,
    Facts,
    Vectors,
    Scip,
}

/// In the order in which they are written: what every query needs first.
pub(crate) const PARTS: [Part; 10] = [
    Part::Info,
    Part::Files,
    Part::Chunks,
    Part::Graph,
    Part::Names,
    Part::Lexical,
    Part::Texts,
    Part::Facts,
    Part::Vectors,
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
            Self::Facts => "facts",
            Self::Vectors => "vectors",
            Self::Scip => "scip",
        }
    }

    /// Whether only changing the index needs it: it is checked then, not when the snapshot is opened.
    fn is_for_changes(self) -> bool {
        matches!(self, Self::Facts | Self::Scip)
    }

    fn is_optional(self) -> bool {
        matches!(self, Self::Texts | Self::Facts | Self::Vectors | Self::Scip)
    }
}

/// A snapshot in memory, checked.
pub struct Snapshot {
    bytes: AlignedVec<16>,
    sections: Vec<Section>,
    /// For each of [`PARTS`] its number in `sections`.
    parts: [Option<usize>; PARTS.len()],
}

impl Snapshot {
    /// Check and open a snapshot. Copies the bytes once if they are not aligned to 16.
    ///
    /// # Errors
    ///
    /// `snapshot.foreign`, `.truncated`, `.version`, `.checksum` or `.damaged`, each with what to do.
    pub fn open(bytes: &[u8]) -> Result<Self, Error> {
        let mut aligned = AlignedVec::with_capacity(bytes.len());
        aligned.extend_from_slice(bytes);
        Self::open_aligned(aligned)
    }

    /// As [`Snapshot::open`], without a copy.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::open`].
    pub fn open_aligned(bytes: AlignedVec<16>) -> Result<Self, Error> {
        let snapshot = Self::unchecked(bytes)?;
        for part in PARTS.into_iter().filter(|part| !part.is_for_changes()) {
            snapshot.check(part)?;
        }
        snapshot.check_sizes()?;
        Ok(snapshot)
    }

    /// Only header and table are read: for bytes that were checked or written right before.
    fn unchecked(bytes: AlignedVec<16>) -> Result<Self, Error> {
        let sections = container::read(&bytes)?;
        let parts = PARTS.map(|part| {
            sections
                .iter()
                .position(|section| section.name == part.name())
        });
        Ok(Self {
            bytes,
            sections,
            parts,
        })
    }

    /// The file.
    #[must_use]
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Version of the engine that wrote it.
    #[must_use]
    pub fn engine_version(&self) -> String {
        container::engine_version(&self.bytes)
    }

    /// Names and sizes in bytes of the sections, in the order of the file.
    pub fn sections(&self) -> impl Iterator<Item = (&str, usize)> {
        self.sections
            .iter()
            .map(|section| (section.name.as_str(), section.range.len()))
    }

    /// A snapshot of these parts; sections of `base` that are not among them are taken over.
    pub(crate) fn assemble(
        base: Option<&Self>,
        parts: Vec<(Part, AlignedVec<16>)>,
    ) -> Result<Self, Error> {
        let given = |part: Part| {
            parts
                .iter()
                .find(|(known, _)| *known == part)
                .map(|(_, bytes)| bytes.as_slice())
        };
        let sections: Vec<(&str, &[u8])> = PARTS
            .into_iter()
            .filter_map(|part| {
                let bytes = given(part).or_else(|| base.and_then(|base| base.section(part)))?;
                Some((part.name(), bytes))
            })
            .collect();
        Self::unchecked(container::write(&sections))
    }

    /// The same snapshot without its optional sections of these names (`texts`, `facts`, `vectors`).
    ///
    /// # Errors
    ///
    /// None that a checked snapshot can give.
    pub fn without(&self, names: &[&str]) -> Result<Self, Error> {
        let keep = |part: &Part| !(part.is_optional() && names.contains(&part.name()));
        let sections: Vec<(&str, &[u8])> = PARTS
            .into_iter()
            .filter(keep)
            .filter_map(|part| Some((part.name(), self.section(part)?)))
            .collect();
        Self::unchecked(container::write(&sections))
    }

    /// Bytes that a section takes; 0 if it is not there.
    pub(crate) fn size_of(&self, part: Part) -> usize {
        self.section(part).map_or(0, <[u8]>::len)
    }

    fn section(&self, part: Part) -> Option<&[u8]> {
        let section = self.sections.get(self.parts[part as usize]?)?;
        self.bytes.get(section.range.clone())
    }

    fn check(&self, part: Part) -> Result<(), Error> {
        let Some(bytes) = self.section(part) else {
            return if part.is_optional() {
                Ok(())
            } else {
                Err(damaged(part, "it is missing"))
            };
        };
        if let Some(section) = self.parts[part as usize].and_then(|idx| self.sections.get(idx)) {
            container::check(&self.bytes, section)?;
        }
        let checked = match part {
            Part::Info => check::<Info>(bytes),
            Part::Files => check::<Files>(bytes),
            Part::Chunks => check::<Chunks>(bytes),
            Part::Graph => check::<Graph>(bytes),
            Part::Names => check::<Names>(bytes),
            Part::Lexical => check::<Lexical>(bytes),
            Part::Texts => check::<Texts>(bytes),
            Part::Facts => check::<Facts>(bytes),
            Part::Vectors => check::<Vectors>(bytes),
            Part::Scip => check::<ScipStore>(bytes),
        };
        checked.map_err(|message| damaged(part, message))
    }

    /// Sections that were each written by an engine, but not of one index.
    fn check_sizes(&self) -> Result<(), Error> {
        let n_files = self.files().len();
        let n_chunks = self.chunks().keys.len();
        let same = |part: Part, found: usize, expected: usize| {
            if found == expected {
                return Ok(());
            }
            Err(damaged(
                part,
                &format!("it has {found} entries, {expected} were expected"),
            ))
        };
        same(Part::Files, self.files().n_bytes.len(), n_files)?;
        same(Part::Files, self.files().languages.len(), n_files)?;
        same(Part::Files, self.files().digests.len(), n_files)?;
        same(Part::Files, self.files().n_lines.len(), n_files)?;
        same(
            Part::Graph,
            self.graph().n_files.to_native() as usize,
            n_files,
        )?;
        same(Part::Lexical, self.lexical().n_files(), n_files)?;
        same(Part::Lexical, self.lexical().n_chunks(), n_chunks)?;
        same(Part::Chunks, self.chunks().symbols.len(), n_chunks)?;
        same(Part::Chunks, self.chunks().kinds.len(), n_chunks)?;
        self.graph()
            .validate()
            .map_err(|fault| damaged(Part::Graph, fault))?;
        self.lexical()
            .validate()
            .map_err(|error| damaged(Part::Lexical, &error.to_string()))?;
        self.names()
            .validate()
            .map_err(|error| damaged(Part::Names, &error.to_string()))?;
        if let Some(texts) = self.texts() {
            same(Part::Texts, texts.offsets.len().saturating_sub(1), n_files)?;
        }
        if let Some(vectors) = self.vectors() {
            same(Part::Vectors, vectors.n_chunks(), n_chunks)?;
            vectors
                .validate(self.lexical())
                .map_err(|error| damaged(Part::Vectors, &error.to_string()))?;
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

    pub(crate) fn texts(&self) -> Option<&ArchivedTexts> {
        self.try_access::<Texts>(Part::Texts)
    }

    /// The facts, checked here rather than when the snapshot was opened.
    pub(crate) fn facts(&self) -> Result<Option<&ArchivedFacts>, Error> {
        self.check(Part::Facts)?;
        let facts = self.try_access::<Facts>(Part::Facts);
        let n_units = facts.map_or(self.files().len(), |facts| {
            facts.offsets.len().saturating_sub(1)
        });
        if n_units != self.files().len() {
            return Err(damaged(
                Part::Facts,
                "it is not of as many files as the index",
            ));
        }
        Ok(facts)
    }

    /// What was imported of compilers' indexes, checked here rather than when the snapshot was opened.
    pub(crate) fn scip(&self) -> Result<ScipDocuments, Error> {
        self.check(Part::Scip)?;
        let store = self.try_access::<ScipStore>(Part::Scip);
        store.map_or_else(|| Ok(ScipDocuments::default()), |store| store.unpack())
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
            None => unreachable!("`check` refuses a snapshot without {}", part.name()),
        }
    }

    #[expect(unsafe_code, reason = "checked once, instead of at every access")]
    fn try_access<T: Archive>(&self, part: Part) -> Option<&T::Archived>
    where
        T::Archived: Portable,
    {
        let bytes = self.section(part)?;
        // SAFETY: these bytes, at this alignment, are a valid `T::Archived`: either `check` has found so, which names the same
        // type for each part as the accessors do and which `open_aligned` calls for every part but the facts, whose
        // accessor calls it itself; or they were written by rkyv from a `T`, or taken from a checked snapshot, right
        // before (`assemble`, `without`). Nothing changes the bytes afterwards.
        Some(unsafe { rkyv::access_unchecked::<T::Archived>(bytes) })
    }
}

/// Whether the bytes are a valid `T`.
fn check<T>(bytes: &[u8]) -> Result<(), &'static str>
where
    T: Archive,
    T::Archived: Portable + for<'a> CheckBytes<HighValidator<'a, rancor::Failure>>,
{
    // Which byte is wrong helps nobody, and the words for it would be compiled in once for every type.
    rkyv::access::<T::Archived, rancor::Failure>(bytes)
        .map(|_| ())
        .map_err(|_| "its contents are not what this version writes")
}

fn damaged(part: Part, what: &str) -> Error {
    let message = format!("the snapshot's section {} is damaged: {what}", part.name());
    Error::new(ErrorKind::SnapshotDamaged, message).with_help("index the sources anew")
}
