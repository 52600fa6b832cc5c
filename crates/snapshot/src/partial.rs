//! A snapshot whose sections come when they are asked for: over HTTP, by ranges of its file.
//!
//! The start of the file holds the table of sections. A question names the sections it reads; those that have not come are fetched,
//! compared with their checksums and unpacked. Texts and postings come block by block: an answer that met a block that is not there is
//! thrown away, the block fetched, and the question put again. A section that has not come is empty, never wrong: the caller must
//! have [`Partial::missing`] answered first.

use std::ops::Range;
use std::sync::Arc;

use super::container;
use super::open::blank;
use super::store::Table;
use super::{SECTIONS, Section, SectionKind, Snapshot};
use crate::{Error, ErrorKind};

/// Bytes of the start of a file that are enough for [`Partial::new`].
pub const N_START: usize = container::HEAD;

/// The name of blocks of texts.
const BLOCK: &str = "block";
/// The name of blocks of postings.
const ROWS: &str = "rows";

/// A piece of a snapshot's file to fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// TableEntry, `block N` or `rows N`.
    pub name: String,
    /// Bytes of the file.
    pub range: Range<u64>,
}

/// See the module.
pub struct Partial {
    table: Table,
    snapshot: Arc<Snapshot>,
    has: [bool; SECTIONS.len()],
}

impl Partial {
    /// Reads the start of a file of `n_bytes`: [`N_START`] of them, or all.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::open`].
    pub fn new(start: &[u8], n_bytes: usize) -> Result<Self, Error> {
        let table = Table::read(start, n_bytes)?;
        let mut snapshot = Snapshot::listed(&table, n_bytes);
        for kind in SECTIONS {
            if !kind.is_optional() {
                snapshot.cache.set(kind, blank(kind)?);
            }
        }
        snapshot.met = Some(Arc::default());
        Ok(Self {
            table,
            snapshot: Arc::new(snapshot),
            has: [false; SECTIONS.len()],
        })
    }

    /// Of these sections those that have not come and are in the file, in the order in which they must be given to
    /// [`Partial::provide`].
    #[must_use]
    pub fn missing(&self, names: &[&str]) -> Vec<Wanted> {
        let is_wanted =
            |kind: &SectionKind| names.contains(&kind.name()) && !self.has[*kind as usize];
        SECTIONS
            .into_iter()
            .filter(is_wanted)
            .filter_map(|kind| {
                let range = self.table.entry(kind)?.range.clone();
                Some(Wanted {
                    name: kind.name().to_owned(),
                    range: range.start as u64..range.end as u64,
                })
            })
            .collect()
    }

    /// Names of the sections that questions have met since this was last asked, and of those that belong to them. Where one of
    /// them is [`Partial::missing`], the answer does not count.
    #[must_use]
    pub fn met(&self) -> Vec<&'static str> {
        let met = self.snapshot.met.as_ref().map_or(0, |met| met.take());
        let mut names = Vec::new();
        // A section comes after those that it belongs to.
        for kind in SECTIONS.into_iter().rev() {
            if met & 1 << kind as u16 != 0 || names.contains(&kind.name()) {
                names.push(kind.name());
                names.extend(kind.beside().iter().map(|beside| beside.name()));
            }
        }
        names
    }

    /// Whether a section has come, or is not in the file.
    #[must_use]
    pub fn has_come(&self, name: &str) -> bool {
        self.missing(&[name]).is_empty()
    }

    /// Blocks of texts and postings that answers have met without finding them, since this was last asked.
    #[must_use]
    pub fn missing_blocks(&self) -> Vec<Wanted> {
        let wanted = |name: &str, number: u32, kind: SectionKind, range: Option<Range<u64>>| {
            let (range, section) = (range?, self.table.entry(kind)?);
            let first = section.range.start as u64;
            let range = first + range.start..first + range.end;
            (range.end <= section.range.end as u64).then(|| Wanted {
                name: format!("{name} {number}"),
                range,
            })
        };
        let mut missing = Vec::new();
        if let Ok(Some(postings)) = self.snapshot.posting_store() {
            let numbers = postings.take_missing().into_iter();
            missing.extend(numbers.filter_map(|number| {
                wanted(ROWS, number, SectionKind::Rows, postings.range_of(number))
            }));
        }
        if let Ok(Some(texts)) = self.snapshot.text_store() {
            let numbers = texts.take_missing().into_iter();
            missing.extend(numbers.filter_map(|number| {
                wanted(BLOCK, number, SectionKind::Blocks, texts.range_of(number))
            }));
        }
        missing
    }

    /// Takes the bytes that were fetched under this name.
    ///
    /// # Errors
    ///
    /// `snapshot.checksum` if the bytes are not those that were written, `snapshot.damaged` if no engine writes them.
    pub fn provide(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        if let Some((kind, number)) = name.split_once(' ') {
            let number = number.parse().unwrap_or(u32::MAX);
            let (texts, postings) = (self.snapshot.text_store()?, self.snapshot.posting_store()?);
            let is_right = match kind {
                BLOCK => texts.is_some_and(|texts| texts.provide(number, bytes)),
                ROWS => postings.is_some_and(|postings| postings.provide(number, bytes)),
                _ => false,
            };
            return if is_right {
                Ok(())
            } else {
                Err(container::changed(name))
            };
        }
        let kind = SECTIONS.into_iter().find(|kind| kind.name() == name);
        let section = kind.and_then(|kind| Some((kind, self.table.entry(kind)?.clone())));
        let Some((kind, section)) = section else {
            let message = format!("the snapshot has no section {name}");
            return Err(Error::new(ErrorKind::Damaged, message));
        };
        let mut next = self.next();
        let has = &self.has;
        next.take(kind, &section, bytes, &|kind| has[kind as usize])?;
        self.has[kind as usize] = true;
        self.snapshot = Arc::new(next);
        Ok(())
    }

    /// Bytes in memory of the parts that have arrived.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        let has = SECTIONS.into_iter().filter(|kind| self.has[*kind as usize]);
        let sections = has.map(|kind| self.snapshot.size_in_memory(kind));
        sections.sum()
    }

    /// Frees all blocks of texts and postings, and the sections that are not among these: they are missing again.
    pub fn forget_but(&mut self, names: &[&str]) {
        let mut next = self.next();
        for kind in SECTIONS {
            let emptied = match self.snapshot.cache.get(kind) {
                Some(_) if !names.contains(&kind.name()) => blank(kind).ok(),
                Some(Section::Texts(texts)) => Some(Section::Texts(Arc::new(texts.emptied()))),
                Some(Section::Postings(postings)) => {
                    Some(Section::Postings(Arc::new(postings.emptied())))
                }
                _ => continue,
            };
            match emptied {
                Some(section) => next.cache.set(kind, section),
                None => next.hide(|hidden| hidden == kind),
            }
            self.has[kind as usize] &= names.contains(&kind.name());
        }
        self.snapshot = Arc::new(next);
    }

    /// The snapshot, to be changed.
    fn next(&self) -> Snapshot {
        let mut next = Snapshot::assemble(Some(&self.snapshot), Vec::new());
        next.engine_version
            .clone_from(&self.snapshot.engine_version);
        next.sizes.clone_from(&self.snapshot.sizes);
        next.met.clone_from(&self.snapshot.met);
        next
    }

    /// Returns the sections that have come so far; the others are empty.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot)
    }
}
