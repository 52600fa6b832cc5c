//! Where the packed bytes of sections are, for a snapshot that reads them when a question asks for one.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::bytes::Source;
use super::container::{self, TableEntry};
use super::damaged;
use super::kind::{SECTIONS, SectionKind};
use crate::Error;

/// Packed sections, wherever they are.
pub(crate) trait SectionStore: Send + Sync {
    /// Whether there is such a section.
    fn has(&self, kind: SectionKind) -> bool;

    /// Returns a section as it was written, compared with its checksum; none where there is no such section.
    fn packed(&self, kind: SectionKind) -> Result<Option<Cow<'_, [u8]>>, Error>;

    /// Returns the file in which blocks are read one by one, and where they are in it; none where blocks do not come from a file.
    fn blocks(&self, kind: SectionKind) -> Option<(Arc<dyn Source>, Range<usize>)>;
}

/// The table of contents of a snapshot's file.
#[derive(Clone)]
pub(crate) struct Table {
    /// Version of the engine that wrote the file.
    pub engine_version: String,
    /// Names and sizes of all sections in the order of the file, with those that this version does not know.
    pub sizes: Vec<(String, usize)>,
    /// The known sections.
    entries: [Option<TableEntry>; SECTIONS.len()],
}

impl Table {
    /// Reads the table of a file of `n_bytes` that begins with `start`.
    pub fn read(start: &[u8], n_bytes: usize) -> Result<Self, Error> {
        let listed = container::read_start(start, n_bytes)?;
        let mut entries = SECTIONS.map(|_| None);
        for kind in SECTIONS {
            let entry = listed.iter().find(|entry| entry.name == kind.name());
            let has_texts = entries[SectionKind::Texts as usize].is_some();
            if entry.is_none() && kind.is_wanted(has_texts) {
                return Err(damaged(kind, "it is missing"));
            }
            entries[kind as usize] = entry.cloned();
        }
        let sizes = listed.into_iter();
        Ok(Self {
            engine_version: container::engine_version(start),
            sizes: sizes.map(|entry| (entry.name, entry.range.len())).collect(),
            entries,
        })
    }

    /// Returns where a section is.
    pub fn entry(&self, kind: SectionKind) -> Option<&TableEntry> {
        self.entries[kind as usize].as_ref()
    }
}

/// No packed sections: a snapshot that was built is in memory.
pub(crate) struct InMemory;

impl SectionStore for InMemory {
    fn has(&self, _: SectionKind) -> bool {
        false
    }

    fn packed(&self, _: SectionKind) -> Result<Option<Cow<'_, [u8]>>, Error> {
        Ok(None)
    }

    fn blocks(&self, _: SectionKind) -> Option<(Arc<dyn Source>, Range<usize>)> {
        None
    }
}

/// A file that is read by ranges: whole in memory, or at a host.
pub(crate) struct InFile {
    pub source: Arc<dyn Source>,
    pub table: Table,
}

impl SectionStore for InFile {
    fn has(&self, kind: SectionKind) -> bool {
        self.table.entry(kind).is_some()
    }

    fn packed(&self, kind: SectionKind) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let Some(entry) = self.table.entry(kind) else {
            return Ok(None);
        };
        let packed = self.source.read(entry.range.clone())?;
        container::check(&packed, entry)?;
        Ok(Some(packed))
    }

    fn blocks(&self, kind: SectionKind) -> Option<(Arc<dyn Source>, Range<usize>)> {
        let range = self.table.entry(kind).map(|entry| entry.range.clone());
        Some((Arc::clone(&self.source), range.unwrap_or_default()))
    }
}

/// Another store with one section beside it that is kept packed, since only changes read it.
pub(crate) struct Kept {
    pub base: Arc<dyn SectionStore>,
    pub kind: SectionKind,
    pub entry: TableEntry,
    pub packed: Box<[u8]>,
}

impl SectionStore for Kept {
    fn has(&self, kind: SectionKind) -> bool {
        kind == self.kind || self.base.has(kind)
    }

    fn packed(&self, kind: SectionKind) -> Result<Option<Cow<'_, [u8]>>, Error> {
        if kind != self.kind {
            return self.base.packed(kind);
        }
        container::check(&self.packed, &self.entry)?;
        Ok(Some(Cow::Borrowed(&self.packed)))
    }

    fn blocks(&self, kind: SectionKind) -> Option<(Arc<dyn Source>, Range<usize>)> {
        self.base.blocks(kind)
    }
}

/// Another store without some of its sections: those that were replaced, or left out.
pub(crate) struct Masked {
    base: Arc<dyn SectionStore>,
    hidden: [bool; SECTIONS.len()],
}

impl Masked {
    /// Hides sections of a store; the store itself where it has none of them.
    pub fn over(
        base: &Arc<dyn SectionStore>,
        is_hidden: impl Fn(SectionKind) -> bool,
    ) -> Arc<dyn SectionStore> {
        let hidden = SECTIONS.map(is_hidden);
        let has_any = SECTIONS
            .into_iter()
            .any(|kind| hidden[kind as usize] && base.has(kind));
        let base = Arc::clone(base);
        if has_any {
            Arc::new(Self { base, hidden })
        } else {
            base
        }
    }
}

impl SectionStore for Masked {
    fn has(&self, kind: SectionKind) -> bool {
        !self.hidden[kind as usize] && self.base.has(kind)
    }

    fn packed(&self, kind: SectionKind) -> Result<Option<Cow<'_, [u8]>>, Error> {
        match self.hidden[kind as usize] {
            true => Ok(None),
            false => self.base.packed(kind),
        }
    }

    fn blocks(&self, kind: SectionKind) -> Option<(Arc<dyn Source>, Range<usize>)> {
        self.base.blocks(kind)
    }
}
