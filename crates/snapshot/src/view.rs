//! The contents of a snapshot as one question reads them.

use std::ops::Range;
use std::sync::Arc;

use graph::frozen::{ArchivedGraph, Graph};
use graph::{Each, collect, in_turn};
use rkyv::rancor;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Portable};
use search::{
    ArchivedLexical, ArchivedNames, ArchivedVectors, Lexical, LexicalView, Names, PostingRows, Row,
    Vectors,
};
use syntax::facts::FileFacts;
use syntax::{UserLanguage, UserLanguages};

use super::archive::{UNKNOWN, archive, archived_in};
use super::columns::Fault;
use super::damaged;
use super::facts::{Beside, FactStore};
use super::fault::FaultSlot;
use super::frozen::{
    ArchivedChunks, ArchivedFiles, ArchivedInfo, ArchivedLanguageEntry, Chunks, Files, Info,
};
use super::kind::{SECTIONS, SectionKind};
use super::postings::PostingStore;
use super::scip::{ScipDocuments, ScipStore};
use super::texts::TextStore;
use crate::{Error, Section, Snapshot};

/// Reads sections for one question; what cannot be read is empty, and its fault goes to the question's slot.
#[derive(Clone, Copy)]
pub struct View<'s> {
    snapshot: &'s Snapshot,
    faults: &'s FaultSlot,
}

/// The texts of a snapshot, for one question.
#[derive(Clone, Copy)]
pub struct Texts<'s> {
    store: &'s TextStore,
    faults: &'s FaultSlot,
}

impl<'s> View<'s> {
    pub(crate) fn new(snapshot: &'s Snapshot, faults: &'s FaultSlot) -> Self {
        Self { snapshot, faults }
    }

    /// Returns the snapshot that is read.
    #[must_use]
    pub fn snapshot(&self) -> &'s Snapshot {
        self.snapshot
    }

    fn section(&self, kind: SectionKind) -> Option<&'s Section> {
        if let Some(met) = &self.snapshot.met {
            met.note(kind);
        }
        let loaded = self.snapshot.load(kind);
        if let Some(fault) = &loaded.fault {
            self.faults.put(fault);
        }
        loaded.section.as_ref()
    }

    fn archive<T: Archive>(&self, kind: SectionKind) -> Option<&'s T::Archived>
    where
        T::Archived: Portable,
    {
        match self.section(kind)? {
            Section::Archive(bytes) => Some(archived_in::<T>(bytes)),
            _ => None,
        }
    }

    fn needed<T: Archive>(&self, kind: SectionKind) -> &'s T::Archived
    where
        T::Archived: Portable,
    {
        match self.archive::<T>(kind) {
            Some(archived) => archived,
            None => unreachable!("`open` refuses a snapshot without {}", kind.name()),
        }
    }

    /// Returns what the index is.
    #[must_use]
    pub fn info(&self) -> &'s ArchivedInfo {
        self.needed::<Info>(SectionKind::Info)
    }

    /// Returns the user's languages that it names.
    #[must_use]
    pub fn user_languages(&self) -> UserLanguages {
        let language = |entry: &ArchivedLanguageEntry| UserLanguage {
            name: entry.name.as_str().to_owned(),
            extensions: entry
                .extensions
                .iter()
                .map(|extension| extension.as_str().to_owned())
                .collect(),
        };
        self.info().languages.iter().map(language).collect()
    }

    /// Returns the columns of files.
    #[must_use]
    pub fn files(&self) -> &'s ArchivedFiles {
        self.needed::<Files>(SectionKind::Files)
    }

    /// Returns the columns of chunks.
    #[must_use]
    pub fn chunks(&self) -> &'s ArchivedChunks {
        self.needed::<Chunks>(SectionKind::Chunks)
    }

    /// Returns the code graph.
    #[must_use]
    pub fn graph(&self) -> &'s ArchivedGraph {
        self.needed::<Graph>(SectionKind::Graph)
    }

    /// Returns the index of names.
    #[must_use]
    pub fn names(&self) -> &'s ArchivedNames {
        self.needed::<Names>(SectionKind::Names)
    }

    /// Returns the lexical index; of a snapshot that was opened without its postings, see [`View::words`].
    #[must_use]
    pub fn lexical(&self) -> &'s ArchivedLexical {
        self.needed::<Lexical>(SectionKind::Lexical)
    }

    /// Returns the lexical index with its postings, wherever they are.
    #[must_use]
    pub fn words(&self) -> LexicalView<'_> {
        LexicalView {
            rows: self.postings().map(|_| self as &dyn PostingRows),
            ..LexicalView::from(self.lexical())
        }
    }

    /// Returns the vectors of chunks; none where the snapshot has none.
    #[must_use]
    pub fn vectors(&self) -> Option<&'s ArchivedVectors> {
        self.archive::<Vectors>(SectionKind::Vectors)
    }

    /// Returns the texts of files; none where the snapshot was saved without them.
    #[must_use]
    pub fn texts(&self) -> Option<Texts<'s>> {
        match self.section(SectionKind::Texts)? {
            Section::Texts(store) => Some(Texts {
                store,
                faults: self.faults,
            }),
            _ => None,
        }
    }

    fn postings(&self) -> Option<&'s PostingStore> {
        match self.section(SectionKind::Postings)? {
            Section::Postings(store) => Some(store),
            _ => None,
        }
    }

    /// Returns the lexical index with all its postings, for who changes it.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where it cannot be read.
    pub fn whole_lexical(&self) -> Result<Arc<AlignedVec<16>>, Error> {
        let Some(Section::Archive(columns)) = self.snapshot.try_load(SectionKind::Lexical)? else {
            return Err(damaged(SectionKind::Lexical, "it is missing"));
        };
        let Some(store) = self.postings() else {
            return Ok(Arc::clone(columns));
        };
        let lexical = rkyv::deserialize::<Lexical, rancor::Failure>(self.lexical());
        let mut lexical = lexical.map_err(|_| damaged(SectionKind::Lexical, UNKNOWN))?;
        (lexical.posting_chunks, lexical.posting_counts) = store.all(self.lexical())?;
        let whole = archive(&lexical).map_err(|fault| damaged(SectionKind::Lexical, fault))?;
        Ok(Arc::new(whole))
    }

    /// Returns the facts, checked here rather than when the snapshot was opened; none where it was saved without them.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where they cannot be read.
    pub fn facts(&self) -> Result<Option<Arc<FactStore>>, Error> {
        match self.snapshot.try_load(SectionKind::Facts)? {
            Some(Section::Facts(facts)) => Ok(Some(Arc::clone(facts))),
            _ => Ok(None),
        }
    }

    /// Returns the facts of all files, in order; none where the snapshot was saved without facts or texts.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where they cannot be read.
    pub fn all_facts(&self) -> Result<Option<Vec<FileFacts>>, Error> {
        self.each_of_facts(&mut in_turn, &|_, facts| facts)
    }

    /// Returns what `make` makes of the number and the facts of each file, in order; none where the snapshot was saved without
    /// facts or texts. Blocks of files are read side by side where `each` can.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where they cannot be read.
    pub fn each_of_facts<T: Send + Sync>(
        &self,
        each: Each<'_>,
        make: &(dyn Fn(usize, FileFacts) -> T + Sync),
    ) -> Result<Option<Vec<T>>, Error> {
        let (Some(facts), Some(texts)) = (self.facts()?, self.texts()) else {
            return Ok(None);
        };
        let beside = self.beside(texts);
        let blocks: Vec<Range<usize>> = facts.blocks().collect();
        let made = collect(each, blocks.len(), &|block| {
            let files = blocks.get(block).cloned().unwrap_or_default();
            let facts = facts.of_block(block, files.clone(), &beside)?;
            Ok(files
                .zip(facts)
                .map(|(file, facts)| make(file, facts))
                .collect())
        });
        let made: Result<Vec<Vec<T>>, Fault> = made.into_iter().collect();
        let made = made.map_err(|fault| damaged(SectionKind::Facts, fault))?;
        Ok(Some(made.into_iter().flatten().collect()))
    }

    /// Returns the facts of the files of a block ([`FactStore::block_of`]), each with the number of the file; none where there is no
    /// such block, or the snapshot was saved without facts or texts.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where they cannot be read.
    pub fn facts_of_block(&self, block: usize) -> Result<Option<Vec<(usize, FileFacts)>>, Error> {
        let (Some(facts), Some(texts)) = (self.facts()?, self.texts()) else {
            return Ok(None);
        };
        let Some(files) = facts.blocks().nth(block) else {
            return Ok(None);
        };
        let found = facts.of_block(block, files.clone(), &self.beside(texts));
        let found = found.map_err(|fault| damaged(SectionKind::Facts, fault))?;
        Ok(Some(files.zip(found).collect()))
    }

    /// Returns the facts of a file; none where the snapshot was saved without facts or texts.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where they cannot be read.
    pub fn facts_of(&self, file: usize) -> Result<Option<FileFacts>, Error> {
        let (Some(facts), Some(texts)) = (self.facts()?, self.texts()) else {
            return Ok(None);
        };
        let found = facts.get(file, &self.beside(texts));
        found
            .map(Some)
            .map_err(|fault| damaged(SectionKind::Facts, fault))
    }

    fn beside(&self, texts: Texts<'s>) -> Beside<'s, impl Fn(usize) -> &'s str> {
        Beside {
            files: self.files(),
            graph: self.graph(),
            lexical: self.lexical(),
            chunks: self.chunks(),
            text: move |file| texts.get(file).unwrap_or_default(),
        }
    }

    /// Returns the imported documents of compilers' indexes, checked here rather than when the snapshot was opened.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where they cannot be read.
    pub fn scip(&self) -> Result<ScipDocuments, Error> {
        let Some(Section::Archive(store)) = self.snapshot.try_load(SectionKind::Scip)? else {
            return Ok(ScipDocuments::default());
        };
        let store = rkyv::access::<<ScipStore as Archive>::Archived, rancor::Failure>(store);
        let store = store.map_err(|_| damaged(SectionKind::Scip, UNKNOWN))?;
        store.unpack()
    }

    /// Reads every section and block that questions read. Costs nothing where all is in memory.
    pub fn read_all(&self) {
        for kind in SECTIONS {
            let is_in_blocks = matches!(kind, SectionKind::Blocks | SectionKind::Rows);
            if !kind.is_for_changes() && !is_in_blocks {
                self.section(kind);
            }
        }
        if let Some(texts) = self.texts() {
            for file in 0..texts.len() {
                let _ = texts.bytes_of(file);
            }
        }
        if let Some(Err(fault)) = self.postings().map(|store| store.check(self.lexical())) {
            self.faults.put(&fault);
        }
    }
}

impl PostingRows for View<'_> {
    fn row(&self, lexical: &ArchivedLexical, idx: usize) -> Option<Row<'_>> {
        self.postings()?.row(lexical, idx, self.faults)
    }
}

impl<'s> Texts<'s> {
    /// Number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text of a file, if it is one. Linear in its length; the first of a block unpacks the block.
    #[must_use]
    pub fn get(&self, file: usize) -> Option<&'s str> {
        std::str::from_utf8(self.bytes_of(file)?).ok()
    }

    /// Returns the text of a file without looking whether it is one.
    #[must_use]
    pub fn bytes_of(&self, file: usize) -> Option<&'s [u8]> {
        self.store.bytes_of(file, self.faults)
    }

    /// Returns the blocks, to be shared with the next snapshot.
    #[must_use]
    pub fn store(&self) -> &'s TextStore {
        self.store
    }
}
