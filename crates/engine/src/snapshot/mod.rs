//! A saved index: packed in a file, flat in memory.
//!
//! What is opened is compared with its checksum, unpacked into the flat archives that queries read, and compared with what it
//! belongs to: all of it at once, or section by section when a question asks for one (see [`open`]). After that every access is
//! a pointer. Texts and postings are unpacked in blocks when they are asked for, facts when the index is about to change.

mod ahead;
mod archive;
mod blocks;
mod check;
mod columns;
mod container;
mod facts;
mod hide;
mod incoming;
mod open;
mod pack;
mod part;
mod partial;
mod pieces;
mod planes;
mod postings;
mod room;
mod slot;
mod source;
mod texts;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rkyv::rancor;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Portable};

use crate::change::scip::{ScipDocuments, ScipStore};
use crate::frozen::{ArchivedChunks, ArchivedFiles, ArchivedInfo, Chunks, Files, Info};
use crate::{Error, ErrorKind};
use ::graph::frozen::{ArchivedGraph, Graph};
pub use ahead::{Packers, pack_section, pack_texts};
pub(crate) use archive::archived_in;
use archive::{UNKNOWN, archive};
pub use container::FORMAT_VERSION;
pub(crate) use facts::{Beside, FactStore, Facts};
pub use hide::{Hidden, closed_originals, hide_paths, restore_paths};
pub use incoming::Incoming;
pub(crate) use part::{PARTS, Part};
pub use partial::{N_START, Partial, Wanted};
pub use pieces::Give;
use postings::PostingStore;
use room::Room;
use search::{
    ArchivedLexical, ArchivedNames, ArchivedVectors, Lexical, LexicalView, Names, PostingRows,
    Vectors,
};
use slot::Slot;
use source::Met;
pub use source::{Source, unreadable};
use syntax::facts::FileFacts;
pub(crate) use texts::TextStore;

/// A section in memory.
#[derive(Clone)]
pub(crate) enum Held {
    /// An archive that queries read.
    Archive(Arc<AlignedVec<16>>),
    /// Postings in blocks.
    Postings(Arc<PostingStore>),
    /// Texts in blocks.
    Texts(Arc<TextStore>),
    /// Facts in blocks.
    Facts(Arc<FactStore>),
}

/// A snapshot: in memory, or a file that is read as questions ask for its sections.
pub struct Snapshot {
    engine_version: String,
    /// For each of [`PARTS`].
    slots: [Slot; PARTS.len()],
    /// The file that is read.
    source: Option<Arc<dyn Source>>,
    /// Bytes of each section in the file that was opened; none of what was built.
    sizes: Vec<(String, usize)>,
    /// The file, once it has been asked for.
    file: OnceLock<AlignedVec<16>>,
    /// Sections that others have packed.
    ahead: [OnceLock<Vec<u8>>; PARTS.len()],
    met: Arc<Met>,
    room: Arc<Room>,
    /// Postings, packed for the first of their two sections.
    postings: Mutex<Option<(Vec<u8>, Vec<u8>)>>,
}

impl Snapshot {
    fn empty(engine_version: String) -> Self {
        Self {
            engine_version,
            slots: PARTS.map(|_| Slot::default()),
            source: None,
            sizes: Vec::new(),
            file: OnceLock::new(),
            ahead: PARTS.map(|_| OnceLock::new()),
            met: Arc::default(),
            room: Arc::default(),
            postings: Mutex::default(),
        }
    }

    /// Whether it has a section, read or not, or come or not.
    pub(crate) fn has(&self, part: Part) -> bool {
        let is_listed = |(name, _): &(String, usize)| name == part.name();
        self.slots[part as usize].is_there() || self.sizes.iter().any(is_listed)
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
        if let Some(section) = &self.slots[part as usize].section {
            let packed = self.packed(part, section);
            let packed = packed.map_err(|fault| self.met.meet(&fault));
            return Some(packed.unwrap_or_default().into_owned());
        }
        if let Some(packed) = self.ahead[part as usize].get() {
            return Some(packed.clone());
        }
        match part {
            Part::Blocks => {
                let texts = self.texts()?;
                return Some(texts.packed_blocks().collect::<Vec<_>>().concat());
            }
            Part::Postings => return Some(self.pack_postings().0),
            Part::Rows => return Some(self.pack_postings().1),
            _ => {}
        }
        match self.held(part)? {
            Held::Postings(_) => {}
            Held::Texts(texts) => return Some(texts.directory()),
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

    /// Postings as two sections. What one of them is packed for is kept for the other.
    fn pack_postings(&self) -> (Vec<u8>, Vec<u8>) {
        let mut kept = self.postings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sections) = kept.take() {
            return sections;
        }
        let sections = match self.posting_store() {
            None => postings::write(self.lexical()),
            Some(store) => {
                let sections = store.sections();
                sections
                    .map_err(|fault| self.met.meet(&fault))
                    .unwrap_or_default()
            }
        };
        *kept = Some(sections.clone());
        sections
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
        let built = built.filter(|part| self.slots[*part as usize].is_there());
        opened.chain(built.map(|part| (part.name(), self.size_of(part))))
    }

    /// A snapshot of these parts; those of `base` that are not among them are taken over, without a copy.
    pub(crate) fn assemble(base: Option<&Self>, parts: Vec<(Part, Held)>) -> Self {
        let mut snapshot = Self::empty(env!("CARGO_PKG_VERSION").to_owned());
        if let Some(base) = base {
            snapshot.slots.clone_from(&base.slots);
            snapshot.source.clone_from(&base.source);
            snapshot.met = Arc::clone(&base.met);
            snapshot.room = Arc::clone(&base.room);
        }
        for (part, held) in parts {
            if part == Part::Lexical {
                // Those of the base belong to another.
                snapshot.slots[Part::Postings as usize] = Slot::default();
                snapshot.slots[Part::Rows as usize] = Slot::default();
            }
            snapshot.slots[part as usize] = Slot::holding(held);
        }
        snapshot
    }

    /// The same snapshot without its optional sections of these names (`texts`, `facts`, `vectors`, `scip`).
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        let mut shorter = Self::assemble(Some(self), Vec::new());
        for part in PARTS {
            if part.is_among(names) {
                shorter.slots[part as usize] = Slot::default();
            }
        }
        shorter
    }

    /// Bytes that a section takes in memory; 0 if it is not there.
    pub(crate) fn size_of(&self, part: Part) -> usize {
        match self.slots[part as usize].loaded() {
            None => 0,
            Some(Held::Archive(bytes)) => bytes.len(),
            Some(Held::Postings(postings)) => postings.n_bytes(),
            Some(Held::Texts(texts)) => texts.n_bytes(),
            Some(Held::Facts(facts)) => facts.n_bytes(),
        }
    }

    /// As [`Snapshot::size_of`], but of what comes in blocks only those that have come.
    fn size_of_held(&self, part: Part) -> usize {
        match self.slots[part as usize].loaded() {
            Some(Held::Postings(postings)) => postings.n_held(),
            Some(Held::Texts(texts)) => texts.n_held(),
            _ => self.size_of(part),
        }
    }

    fn archived(&self, part: Part) -> Option<&AlignedVec<16>> {
        match self.held(part)? {
            Held::Archive(bytes) => Some(bytes),
            _ => None,
        }
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

    /// The lexical index; of a snapshot that was opened without postings, see [`Snapshot::words`].
    pub(crate) fn lexical(&self) -> &ArchivedLexical {
        self.access::<Lexical>(Part::Lexical)
    }

    /// The lexical index with its postings, wherever they are.
    pub(crate) fn words(&self) -> LexicalView<'_> {
        LexicalView {
            columns: self.lexical(),
            rows: self.posting_store().map(|store| store as &dyn PostingRows),
        }
    }

    /// The lexical index with all its postings, for who changes it.
    pub(crate) fn whole_lexical(&self) -> Result<Arc<AlignedVec<16>>, Error> {
        let Some(Held::Archive(columns)) = self.try_held(Part::Lexical)? else {
            return Err(damaged(Part::Lexical, "it is missing"));
        };
        let Some(store) = self.posting_store() else {
            return Ok(Arc::clone(columns));
        };
        let lexical = rkyv::deserialize::<Lexical, rancor::Failure>(self.lexical());
        let mut lexical = lexical.map_err(|_| damaged(Part::Lexical, UNKNOWN))?;
        (lexical.posting_chunks, lexical.posting_counts) = store.all(self.lexical());
        if let Some(fault) = self.take_fault() {
            return Err(fault);
        }
        let whole = archive(&lexical).map_err(|fault| damaged(Part::Lexical, fault))?;
        Ok(Arc::new(whole))
    }

    /// Postings, where they are not among the columns of the lexical index.
    fn posting_store(&self) -> Option<&PostingStore> {
        match self.held(Part::Postings)? {
            Held::Postings(store) => Some(store),
            _ => None,
        }
    }

    pub(crate) fn texts(&self) -> Option<&TextStore> {
        match self.held(Part::Texts)? {
            Held::Texts(texts) => Some(texts),
            _ => None,
        }
    }

    /// The facts, checked here rather than when the snapshot was opened.
    pub(crate) fn facts(&self) -> Result<Option<Arc<FactStore>>, Error> {
        match self.try_held(Part::Facts)? {
            Some(Held::Facts(facts)) => Ok(Some(Arc::clone(facts))),
            _ => Ok(None),
        }
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
            lexical: self.lexical(),
            chunks: self.chunks(),
            text: |file| texts.get(file).unwrap_or_default(),
        }
    }

    /// What was imported of compilers' indexes, checked here rather than when the snapshot was opened.
    pub(crate) fn scip(&self) -> Result<ScipDocuments, Error> {
        let Some(Held::Archive(store)) = self.try_held(Part::Scip)? else {
            return Ok(ScipDocuments::default());
        };
        let store = rkyv::access::<<ScipStore as Archive>::Archived, rancor::Failure>(store);
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

    fn try_access<T: Archive>(&self, part: Part) -> Option<&T::Archived>
    where
        T::Archived: Portable,
    {
        Some(archived_in::<T>(self.archived(part)?))
    }
}

fn damaged(part: Part, what: &str) -> Error {
    let message = format!("the snapshot's section {} is damaged: {what}", part.name());
    Error::new(ErrorKind::SnapshotDamaged, message).with_help("index the sources anew")
}
