//! A snapshot: sections in memory, or in a file that is read as questions ask for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use super::cache::{Loaded, SectionCache};
use super::fault::FaultSlot;
use super::kind::{SECTIONS, SectionKind};
use super::store::{InMemory, Masked, SectionStore};
use super::view::View;
use super::write::Written;
use crate::{Error, Section};

/// A snapshot: in memory, or a file that is read as questions ask for its sections. [`Snapshot::read`] is the way to its contents.
pub struct Snapshot {
    pub(crate) engine_version: String,
    /// Sections as they were written.
    pub(crate) store: Arc<dyn SectionStore>,
    /// Sections that have been read.
    pub(crate) cache: SectionCache,
    /// Bytes of each section in the file that was opened; none of a snapshot that was built.
    pub(crate) sizes: Vec<(String, usize)>,
    pub(crate) written: Written,
    /// The file of a snapshot that has much in common with this one.
    pub(crate) like: Option<Arc<dyn SectionStore>>,
    /// Sections that questions have met, where they come one by one.
    pub(crate) met: Option<Arc<Met>>,
}

/// A set of sections that questions have met, as bits.
#[derive(Default)]
pub(crate) struct Met(AtomicU16);

impl Met {
    pub(crate) fn note(&self, kind: SectionKind) {
        let bit = 1 << kind as u16;
        // Questions meet the same sections over and over.
        if self.0.load(Ordering::Relaxed) & bit == 0 {
            self.0.fetch_or(bit, Ordering::Relaxed);
        }
    }

    pub(crate) fn take(&self) -> u16 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

impl Snapshot {
    pub(crate) fn empty(engine_version: String) -> Self {
        Self {
            engine_version,
            store: Arc::new(InMemory),
            cache: SectionCache::new(),
            sizes: Vec::new(),
            written: Written::default(),
            met: None,
            like: None,
        }
    }

    /// Puts a question to the contents. A section that cannot be read is empty for the question, and its fault is the answer.
    ///
    /// # Errors
    ///
    /// `snapshot.checksum`, `.damaged`, `.truncated` or `.unreadable` where the question met what cannot be read; else those of the
    /// question.
    pub fn read<T, E: From<Error>>(
        &self,
        question: impl FnOnce(View<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let faults = FaultSlot::default();
        let answer = question(self.view(&faults));
        faults.finish(answer)
    }

    /// As [`Snapshot::read`], for who keeps the slot for faults as long as a question lasts and asks it in the end.
    #[must_use]
    pub fn view<'s>(&'s self, faults: &'s FaultSlot) -> View<'s> {
        View::new(self, faults)
    }

    /// Whether it has a section, read or not, or come or not.
    #[must_use]
    pub fn has(&self, kind: SectionKind) -> bool {
        let is_listed = |(name, _): &(String, usize)| name == kind.name();
        self.is_there(kind) || self.sizes.iter().any(is_listed)
    }

    /// Whether a section is in memory or in the store.
    pub(crate) fn is_there(&self, kind: SectionKind) -> bool {
        self.cache.get(kind).is_some() || self.store.has(kind)
    }

    /// Returns the flat archive of a section, read now if it has not been; none where there is no such section, or it is no archive.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where it cannot be read.
    pub fn archive(&self, kind: SectionKind) -> Result<Option<&[u8]>, Error> {
        Ok(match self.try_load(kind)? {
            Some(Section::Archive(bytes)) => Some(bytes),
            _ => None,
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
        let built = SECTIONS.into_iter().filter(|_| self.sizes.is_empty());
        let built = built.filter(|kind| self.is_there(*kind));
        opened.chain(built.map(|kind| (kind.name(), self.size_of(kind))))
    }

    /// Makes a snapshot of these sections; those of `base` that are not among them are taken over, without a copy.
    #[must_use]
    pub fn assemble(base: Option<&Self>, sections: Vec<(SectionKind, Section)>) -> Self {
        let mut snapshot = Self::empty(env!("CARGO_PKG_VERSION").to_owned());
        let is_new = |kind: SectionKind| sections.iter().any(|(new, _)| *new == kind);
        // Postings belong to one lexical index.
        let is_replaced = |kind: SectionKind| {
            let is_of_lexical = matches!(kind, SectionKind::Postings | SectionKind::Rows);
            is_new(kind) || is_of_lexical && is_new(SectionKind::Lexical)
        };
        if let Some(base) = base {
            snapshot.cache = base.cache.clone();
            snapshot.store = Arc::clone(&base.store);
            snapshot.like.clone_from(&base.like);
            snapshot.hide(is_replaced);
        }
        for (kind, section) in sections {
            snapshot.cache.set(kind, section);
        }
        snapshot
    }

    /// Copies what it has in common with the file of another snapshot from there when it is packed. The bytes are the same.
    #[must_use]
    pub fn like(mut self, other: &Self) -> Self {
        self.like = Some(Arc::clone(&other.store));
        self
    }

    /// Makes the same snapshot without its optional sections of these names (`texts`, `facts`, `vectors`, `scip`).
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        let mut shorter = Self::assemble(Some(self), Vec::new());
        shorter.hide(|kind| kind.is_among(names));
        shorter
    }

    /// Takes sections out of cache and store.
    pub(crate) fn hide(&mut self, is_hidden: impl Fn(SectionKind) -> bool) {
        self.store = Masked::over(&self.store, &is_hidden);
        for kind in SECTIONS.into_iter().filter(|kind| is_hidden(*kind)) {
            self.cache.remove(kind);
        }
    }

    /// Bytes that a section takes in memory; 0 if it is not there.
    #[must_use]
    pub fn size_of(&self, kind: SectionKind) -> usize {
        match self.cache.get(kind) {
            None => 0,
            Some(Section::Archive(bytes)) => bytes.len(),
            Some(Section::Postings(postings)) => postings.n_bytes(),
            Some(Section::Texts(texts)) => texts.n_bytes(),
            Some(Section::Facts(facts)) => facts.n_bytes(),
        }
    }

    /// As [`Snapshot::size_of`], but of sections in blocks only the blocks that have arrived.
    pub(crate) fn size_in_memory(&self, kind: SectionKind) -> usize {
        match self.cache.get(kind) {
            Some(Section::Postings(postings)) => postings.n_held(),
            Some(Section::Texts(texts)) => texts.n_held(),
            _ => self.size_of(kind),
        }
    }

    /// A section in memory, read now if it has not been.
    pub(crate) fn load(&self, kind: SectionKind) -> &Loaded {
        self.cache
            .get_or_load(kind, || match self.read_section(kind) {
                Ok(section) => Loaded {
                    section,
                    fault: None,
                },
                Err(fault) => Loaded {
                    section: super::open::blank(kind).ok(),
                    fault: Some(fault),
                },
            })
    }

    /// As [`Snapshot::load`], where the fault can be returned at once.
    pub(crate) fn try_load(&self, kind: SectionKind) -> Result<Option<&Section>, Error> {
        let loaded = self.load(kind);
        match &loaded.fault {
            Some(fault) => Err(fault.clone()),
            None => Ok(loaded.section.as_ref()),
        }
    }
}
