//! Writing: the file of a snapshot, from sections that were built, packed elsewhere, or opened.

use std::sync::{Mutex, OnceLock, PoisonError};

use graph::frozen::Graph;
use rkyv::Archive;
use rkyv::util::AlignedVec;
use search::{Lexical, Names, Vectors};

use super::archive::{archived_in, pack_archive};
use super::frames::KnownFrames;
use super::frozen::Chunks;
use super::kind::{SECTIONS, SectionKind};
use super::postings::{self, PostingStore};
use super::{container, damaged, pack};
use crate::{Error, Section, Snapshot, TextStore};

/// The results of writing so far.
pub(crate) struct Written {
    /// The file, once it has been asked for.
    file: OnceLock<AlignedVec<16>>,
    /// Sections that others have packed.
    pub ahead: [OnceLock<Vec<u8>>; SECTIONS.len()],
    /// Postings, packed for the first of their two sections.
    postings: Mutex<Option<(Vec<u8>, Vec<u8>)>>,
}

impl Default for Written {
    fn default() -> Self {
        Self {
            file: OnceLock::new(),
            ahead: SECTIONS.map(|_| OnceLock::new()),
            postings: Mutex::default(),
        }
    }
}

impl Snapshot {
    /// Returns the file. Packs it when it is asked for the first time: some 100 MB a second.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where a section of the file that was opened cannot be read.
    pub fn to_bytes(&self) -> Result<&[u8], Error> {
        if let Some(file) = self.written.file.get() {
            return Ok(file);
        }
        let file = self.write(&[])?;
        Ok(self.written.file.get_or_init(|| file))
    }

    /// Returns the file without its optional sections of these names (`texts`, `facts`, `vectors`, `scip`).
    ///
    /// # Errors
    ///
    /// As [`Snapshot::to_bytes`].
    pub fn write(&self, without: &[&str]) -> Result<AlignedVec<16>, Error> {
        let mut sections: Vec<(&str, Vec<u8>)> = Vec::new();
        for kind in SECTIONS {
            if !kind.is_among(without) {
                sections.extend(self.pack(kind)?.map(|packed| (kind.name(), packed)));
            }
        }
        let sections: Vec<(&str, &[u8])> = sections
            .iter()
            .map(|(name, bytes)| (*name, bytes.as_slice()))
            .collect();
        Ok(container::write(&sections))
    }

    /// A section as it is in the file; none where there is no such section.
    pub(crate) fn pack(&self, kind: SectionKind) -> Result<Option<Vec<u8>>, Error> {
        if let Some(packed) = self.store.packed(kind)? {
            return Ok(Some(packed.into_owned()));
        }
        if let Some(packed) = self.written.ahead[kind as usize].get() {
            return Ok(Some(packed.clone()));
        }
        match kind {
            SectionKind::Blocks => {
                let texts = self.text_store()?;
                return Ok(texts.map(|texts| texts.packed_blocks().collect::<Vec<_>>().concat()));
            }
            SectionKind::Postings => return self.pack_postings().map(|(first, _)| Some(first)),
            SectionKind::Rows => return self.pack_postings().map(|(_, second)| Some(second)),
            _ => {}
        }
        let packed = match self.try_load(kind)? {
            None | Some(Section::Postings(_)) => return Ok(None),
            Some(Section::Texts(texts)) => texts.directory(),
            Some(Section::Facts(facts)) => facts.write(),
            Some(Section::Archive(archive)) => pack_archived(kind, archive, &self.known(kind)),
        };
        Ok(Some(packed))
    }

    /// The frames of a section of the file that this one is like. Only of large sections: others are packed before frames are
    /// compared.
    fn known(&self, kind: SectionKind) -> KnownFrames {
        let mut known = KnownFrames::default();
        let is_large = matches!(
            kind,
            SectionKind::Graph | SectionKind::Lexical | SectionKind::Rows
        );
        let like = self.like.as_ref().filter(|_| is_large);
        if let Some(before) = like.and_then(|like| like.packed(kind).ok()?) {
            known.add(&before);
        }
        known
    }

    pub(crate) fn text_store(&self) -> Result<Option<&TextStore>, Error> {
        Ok(match self.try_load(SectionKind::Texts)? {
            Some(Section::Texts(texts)) => Some(texts),
            _ => None,
        })
    }

    pub(crate) fn posting_store(&self) -> Result<Option<&PostingStore>, Error> {
        Ok(match self.try_load(SectionKind::Postings)? {
            Some(Section::Postings(store)) => Some(store),
            _ => None,
        })
    }

    /// Postings as two sections. The second of the two is kept until it is asked for.
    fn pack_postings(&self) -> Result<(Vec<u8>, Vec<u8>), Error> {
        let kept = &self.written.postings;
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sections) = kept.take() {
            return Ok(sections);
        }
        let sections = match self.posting_store()? {
            None => {
                let lexical = self.try_archive::<Lexical>(SectionKind::Lexical)?;
                postings::write(lexical, &self.known(SectionKind::Rows))
            }
            Some(store) => store.sections()?,
        };
        *kept = Some(sections.clone());
        Ok(sections)
    }

    /// The archive of a section that another one is written against.
    pub(crate) fn try_archive<T: Archive>(&self, kind: SectionKind) -> Result<&T::Archived, Error>
    where
        T::Archived: rkyv::Portable,
    {
        match self.try_load(kind)? {
            Some(Section::Archive(bytes)) => Ok(archived_in::<T>(bytes)),
            _ => Err(damaged(kind, "it is missing")),
        }
    }
}

fn pack_archived(kind: SectionKind, archive: &AlignedVec<16>, known: &KnownFrames) -> Vec<u8> {
    match kind {
        SectionKind::Chunks => pack::pack_chunks(archived_in::<Chunks>(archive)),
        SectionKind::Graph => pack::pack_graph(archived_in::<Graph>(archive), known),
        SectionKind::Names => pack::pack_names(archived_in::<Names>(archive)),
        SectionKind::Lexical => pack::pack_lexical(archived_in::<Lexical>(archive), known),
        SectionKind::Vectors => pack::pack_vectors(archived_in::<Vectors>(archive)),
        _ => pack_archive(archive),
    }
}
