//! Opens files: some checks run at once, others when a question needs a section, which is decompressed then.
//!
//! [`Snapshot::open`] reads everything at once and refuses damage. [`Snapshot::open_lazily`] reads the table; a section is read,
//! compared with its checksum, unpacked and compared with others when a question asks for it first. Where that fails, the question
//! fails: [`Snapshot::read`].

use std::borrow::Cow;
use std::sync::Arc;

use rkyv::util::AlignedVec;

use super::archive::{archive, archive_in, checked};
use super::budget::MemoryBudget;
use super::bytes::Source;
use super::columns::Fault;
use super::container::{self, TableEntry};
use super::frozen::{Chunks, Files, Info};
use super::kind::{SECTIONS, SectionKind};
use super::postings::PostingStore;
use super::scip::ScipStore;
use super::store::{InFile, Kept, Table};
use super::{FactStore, TextStore, damaged, pack};
use crate::{Error, Section, Snapshot};
use ::graph::frozen::Graph;
use search::{Lexical, Names};

/// Which sections can be compared with each other: all, but where they come one by one.
pub(super) type Has<'a> = &'a dyn Fn(SectionKind) -> bool;

impl Snapshot {
    /// Checks and opens a snapshot, all of it but what only changes read.
    ///
    /// # Errors
    ///
    /// `snapshot.foreign`, `.truncated`, `.version`, `.checksum` or `.damaged`, each with what to do.
    pub fn open(bytes: &[u8]) -> Result<Self, Error> {
        let table = Table::read(bytes, bytes.len())?;
        let mut snapshot = Self::listed(&table, bytes.len());
        for kind in SECTIONS {
            let Some(entry) = table.entry(kind) else {
                continue;
            };
            let packed = bytes.get(entry.range.clone()).unwrap_or_default();
            snapshot.take(kind, entry, packed, &|_| true)?;
        }
        Ok(snapshot)
    }

    /// Reads the table of a file. Other damage turns up when a question reads it: see [`Snapshot::read`].
    ///
    /// # Errors
    ///
    /// Faults of header and table, as [`Snapshot::open`]; those of the source.
    pub fn open_lazily(source: impl Source + 'static) -> Result<Self, Error> {
        let n_bytes = source.n_bytes();
        let table = {
            let start = source.read(0..container::HEAD.min(n_bytes))?;
            Table::read(&start, n_bytes)?
        };
        let mut snapshot = Self::listed(&table, n_bytes);
        let source = Arc::new(source);
        snapshot.store = Arc::new(InFile { source, table });
        Ok(snapshot)
    }

    /// A snapshot with this table, none of whose sections has come.
    pub(super) fn listed(table: &Table, n_bytes: usize) -> Self {
        let mut snapshot = Self::empty(table.engine_version.clone());
        snapshot.cache.budget.limit(MemoryBudget::usual(n_bytes));
        snapshot.sizes.clone_from(&table.sizes);
        snapshot
    }

    /// Bounds the bytes that its sections take together once they are unpacked, instead of what is usual for a file of its
    /// size. One that takes more is `snapshot.damaged` when it is read.
    pub fn limit_memory(&self, n_bytes: usize) {
        self.cache.budget.limit(n_bytes);
    }

    /// Reads a section from the store.
    pub(super) fn read_section(&self, kind: SectionKind) -> Result<Option<Section>, Error> {
        if !self.store.has(kind) {
            return Ok(None);
        }
        // A fault of a section that this one is written against is reported as that one's.
        for beside in kind.beside() {
            self.try_load(*beside)?;
        }
        let Some(packed) = self.store.packed(kind)? else {
            return Ok(None);
        };
        let mut section = self.unpack(kind, packed, &|_| true)?;
        if let Some(blocks) = kind.blocks()
            && let Some((source, range)) = self.store.blocks(blocks)
        {
            attach(&mut section, &source, range)?;
        }
        Ok(Some(section))
    }

    /// Takes a section that has arrived. Files come before the sections that refer to them, see [`SECTIONS`].
    pub(super) fn take(
        &mut self,
        kind: SectionKind,
        entry: &TableEntry,
        packed: &[u8],
        has: Has<'_>,
    ) -> Result<(), Error> {
        if kind.is_for_changes() {
            self.store = Arc::new(Kept {
                base: Arc::clone(&self.store),
                kind,
                entry: entry.clone(),
                packed: packed.into(),
            });
            self.cache.remove(kind);
            return Ok(());
        }
        container::check(packed, entry)?;
        match kind {
            SectionKind::Blocks => {
                let texts = self.text_store()?;
                let filled = texts.map_or(Ok(()), |texts| texts.fill(packed));
                filled.map_err(|fault| damaged(kind, fault))
            }
            SectionKind::Rows => self.take_rows(packed),
            _ => {
                let section = self.unpack(kind, packed.into(), has)?;
                self.cache.set(kind, section);
                Ok(())
            }
        }
    }

    /// Takes the blocks of postings, which are all unpacked once: a snapshot that was opened has nothing in it that cannot be read.
    fn take_rows(&mut self, packed: &[u8]) -> Result<(), Error> {
        let mut rows = AlignedVec::with_capacity(packed.len());
        rows.extend_from_slice(packed);
        let Some(mut section) = self.cache.remove(SectionKind::Postings) else {
            return Ok(());
        };
        let rows: Arc<dyn Source> = Arc::new(rows);
        attach(&mut section, &rows, 0..packed.len())?;
        if let Section::Postings(store) = &section {
            store.check(self.try_archive::<Lexical>(SectionKind::Lexical)?)?;
        }
        self.cache.set(SectionKind::Postings, section);
        Ok(())
    }

    /// Unpacks a section and compares it with those that it belongs to.
    fn unpack(
        &self,
        kind: SectionKind,
        packed: Cow<'_, [u8]>,
        has: Has<'_>,
    ) -> Result<Section, Error> {
        let budget = &self.cache.budget;
        let fits = budget.section(kind, &packed);
        fits.map_err(|fault| damaged(kind, fault))?;
        let section = self.unpacked(kind, packed)?;
        let (blocks, fits) = match &section {
            Section::Texts(texts) => (SectionKind::Blocks, budget.texts(texts.n_bytes())),
            Section::Postings(_) => {
                let lexical = self.try_archive::<Lexical>(SectionKind::Lexical)?;
                let n_postings = lexical.posting_starts.last();
                let n_postings = n_postings.map_or(0, |n| n.to_native() as usize);
                (SectionKind::Rows, budget.postings(n_postings))
            }
            _ => (kind, Ok(())),
        };
        fits.map_err(|fault| damaged(blocks, fault))?;
        self.check(kind, &section, has)?;
        Ok(section)
    }

    fn unpacked(&self, kind: SectionKind, packed: Cow<'_, [u8]>) -> Result<Section, Error> {
        let archive = match kind {
            SectionKind::Names => {
                let graph = self.try_archive::<Graph>(SectionKind::Graph)?;
                let names = unpack(packed).and_then(|bytes| {
                    archive_in(room_for(&bytes), &pack::unpack_names(&bytes, graph)?)
                });
                names.map(Section::of)
            }
            SectionKind::Lexical => {
                let files = self.try_archive::<Files>(SectionKind::Files)?;
                let lexical = unpack(packed).and_then(|bytes| {
                    let lexical = pack::unpack_lexical(bytes, files)?;
                    archive_in(lexical.n_bytes(), &lexical)
                });
                lexical.map(Section::of)
            }
            _ => unpacked_alone(kind, packed),
        };
        archive.map_err(|fault| damaged(kind, fault))
    }
}

/// Unpacks a section that is written against no other.
fn unpacked_alone(kind: SectionKind, packed: Cow<'_, [u8]>) -> Result<Section, Fault> {
    let archive = match kind {
        SectionKind::Info => checked::<Info>(&packed)?,
        SectionKind::Files => checked::<Files>(&packed)?,
        SectionKind::Scip => checked::<ScipStore>(&packed)?,
        SectionKind::Chunks => {
            let bytes = unpack(packed)?;
            archive_in(room_for(&bytes), &pack::unpack_chunks(&bytes)?)?
        }
        SectionKind::Graph => {
            let graph = pack::unpack_graph(unpack(packed)?)?;
            archive_in(graph.n_bytes(), &graph)?
        }
        SectionKind::Vectors => pack::unpack_vectors(unpack(packed)?)?,
        SectionKind::Postings => {
            return Ok(Section::Postings(Arc::new(PostingStore::read(&packed)?)));
        }
        SectionKind::Texts => return Ok(Section::Texts(Arc::new(TextStore::read(&packed)?))),
        SectionKind::Facts => return Ok(Section::Facts(Arc::new(FactStore::read(&packed)?))),
        SectionKind::Names | SectionKind::Lexical | SectionKind::Rows | SectionKind::Blocks => {
            return Err("it is not read alone");
        }
    };
    Ok(Section::of(archive))
}

/// Tells a section that comes in blocks where its blocks are.
fn attach(
    section: &mut Section,
    source: &Arc<dyn Source>,
    range: std::ops::Range<usize>,
) -> Result<(), Error> {
    let source = Arc::clone(source);
    let in_use = Err("it is in use");
    let (blocks, attached) = match section {
        Section::Texts(texts) => {
            let texts = Arc::get_mut(texts);
            let attached = texts.map_or(in_use, |texts| texts.read_from(source, range));
            (SectionKind::Blocks, attached)
        }
        Section::Postings(postings) => {
            let postings = Arc::get_mut(postings);
            let attached = postings.map_or(in_use, |postings| postings.read_from(source, range));
            (SectionKind::Rows, attached)
        }
        _ => return Ok(()),
    };
    attached.map_err(|fault| damaged(blocks, fault))
}

/// Decompresses a section, then frees the input so that its memory can be reused.
fn unpack(packed: Cow<'_, [u8]>) -> Result<Vec<u8>, Fault> {
    super::columns::unpack(&packed)
}

/// Returns the number of bytes to reserve for the archive of a section: somewhat more than twice the size of its columns. A
/// smaller buffer would grow while it is filled, and growing copies it several times.
fn room_for(bytes: &[u8]) -> usize {
    bytes.len().saturating_mul(9) / 4
}

/// Makes the empty section that is there for one that has not come, or cannot be read.
pub(super) fn blank(kind: SectionKind) -> Result<Section, Error> {
    let bytes = match kind {
        SectionKind::Postings | SectionKind::Rows => {
            return Ok(Section::Postings(Arc::default()));
        }
        SectionKind::Info => archive(&Info::default()),
        SectionKind::Files => archive(&Files::default()),
        SectionKind::Chunks => archive(&Chunks::default()),
        SectionKind::Graph => archive(&Graph::default()),
        SectionKind::Names => archive(&Names::default()),
        SectionKind::Lexical => archive(&Lexical::default()),
        _ => Err("it can be left out"),
    };
    let bytes = bytes.map_err(|fault| damaged(kind, fault))?;
    Ok(Section::of(bytes))
}
