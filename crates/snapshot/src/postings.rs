//! Postings in blocks of some thousands, packed apart: a question unpacks those of its words.
//!
//! Terms are in the order of their hashes, so the terms of a block have nothing in common, and nothing is lost by cutting between
//! them. A block is the gaps of its rows, then the column of their counts.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rkyv::rend::{u16_le, u32_le};
use search::{ArchivedLexical, Row};
use xxhash_rust::xxh3::xxh3_64;

use super::blocks::BlockFile;
use super::budget::check_postings;
use super::bytes::Source;
use super::columns::{Fault, Reader, Writer, unpack};
use super::fault::FaultSlot;
use super::frames::KnownFrames;
use super::pack::{read_row, write_row};
use super::{SectionKind, damaged};
use crate::Error;

/// A block ends with the term that brings it to this many postings: some 10 KB packed.
const MIN_POSTINGS: usize = 8_192;

/// The place of each block, and its terms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Directory {
    n_terms: Vec<u32>,
    lengths: Vec<u32>,
    checksums: Vec<u64>,
}

/// The postings of an index, as two sections of its file: directory and blocks.
pub(super) fn write(lexical: &ArchivedLexical, known: &KnownFrames) -> (Vec<u8>, Vec<u8>) {
    let mut directory = Directory::default();
    let mut blocks = Vec::new();
    let starts = &lexical.posting_starts;
    let mut first = 0;
    while let Some(range) = next_block(starts, first) {
        let (from, to) = (at(starts, range.start), at(starts, range.end));
        let mut gaps = Writer::default();
        for term in range.clone() {
            let row = at(starts, term)..at(starts, term + 1);
            write_row(
                lexical.posting_chunks.get(row).unwrap_or_default(),
                &mut gaps,
            );
        }
        let mut writer = Writer::default();
        writer.bytes(&gaps.into_bytes());
        writer.archived_short(lexical.posting_counts.get(from..to).unwrap_or_default());
        let packed = writer.pack_with(known);
        directory.n_terms.push(range.len() as u32);
        directory.lengths.push(packed.len() as u32);
        directory.checksums.push(xxh3_64(&packed));
        blocks.extend_from_slice(&packed);
        first = range.end;
    }
    (directory.write(), blocks)
}

/// The terms of the block that begins with this one.
fn next_block(starts: &[u32_le], first: usize) -> Option<Range<usize>> {
    let n_terms = starts.len().saturating_sub(1);
    let enough = at(starts, first) + MIN_POSTINGS;
    let end = starts.partition_point(|start| (start.to_native() as usize) < enough);
    (first < n_terms).then(|| first..end.clamp(first + 1, n_terms))
}

fn at(starts: &[u32_le], idx: usize) -> usize {
    starts
        .get(idx)
        .map_or(0, |start| start.to_native() as usize)
}

impl Directory {
    fn write(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.numbers(self.n_terms.iter().copied());
        writer.numbers(self.lengths.iter().copied());
        writer.column(&self.checksums);
        writer.pack()
    }

    fn read(packed: &[u8]) -> Result<Self, Fault> {
        let bytes = unpack(packed)?;
        let mut reader = Reader::new(&bytes);
        let directory = Self {
            n_terms: reader.numbers()?,
            lengths: reader.numbers()?,
            checksums: reader.longs()?,
        };
        reader.end()?;
        let n_blocks = directory.n_terms.len();
        if [directory.lengths.len(), directory.checksums.len()] != [n_blocks; 2] {
            return Err("its directory does not fit together");
        }
        Ok(directory)
    }
}

/// Rows of a block.
#[derive(Default)]
struct Rows {
    chunks: Vec<u32_le>,
    counts: Vec<u16_le>,
}

#[derive(Default)]
struct Block {
    /// XXH3 of its bytes.
    checksum: u64,
    /// How many they are.
    n_packed: u32,
    rows: OnceLock<Rows>,
    /// Its bytes, where they were fetched and nobody has read them yet.
    fetched: Mutex<Option<Box<[u8]>>>,
}

impl Block {
    fn fetched(&self) -> MutexGuard<'_, Option<Box<[u8]>>> {
        self.fetched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The postings of a snapshot that was opened.
#[derive(Default)]
pub struct PostingStore {
    /// First term of each block, and one past the last.
    firsts: Vec<u32>,
    blocks: Vec<Block>,
    /// Blocks that were asked for and have not come, where they are fetched one by one.
    missing: Mutex<BTreeSet<u32>>,
    file: Option<BlockFile>,
}

impl PostingStore {
    /// The postings of a directory. Their blocks come from [`PostingStore::read_from`], or are fetched.
    pub fn read(directory: &[u8]) -> Result<Self, Fault> {
        let directory = Directory::read(directory)?;
        let mut store = Self {
            firsts: vec![0],
            ..Self::default()
        };
        let mut end = 0_u32;
        for n_terms in &directory.n_terms {
            end = end.checked_add(*n_terms).ok_or("it has too many terms")?;
            store.firsts.push(end);
        }
        let places = directory.checksums.iter().zip(&directory.lengths);
        store.blocks = places
            .map(|(checksum, n_packed)| Block {
                checksum: *checksum,
                n_packed: *n_packed,
                ..Block::default()
            })
            .collect();
        Ok(store)
    }

    /// Reads blocks from this range of a file when they are asked for.
    pub fn read_from(&mut self, source: Arc<dyn Source>, range: Range<usize>) -> Result<(), Fault> {
        let lengths = self.blocks.iter().map(|block| block.n_packed);
        self.file = Some(BlockFile::new(source, range, lengths)?);
        Ok(())
    }

    /// Number of terms.
    pub fn n_terms(&self) -> usize {
        self.firsts.last().map_or(0, |end| *end as usize)
    }

    /// Bytes of all blocks in the file.
    pub fn n_bytes(&self) -> usize {
        self.blocks
            .iter()
            .map(|block| block.n_packed as usize)
            .sum()
    }

    /// Bytes of the blocks in memory, and of the directory of all.
    pub fn n_held(&self) -> usize {
        let rows = |rows: &Rows| {
            rows.chunks.len() * size_of::<u32>() + rows.counts.len() * size_of::<u16>()
        };
        let held = self.blocks.iter().map(|block| {
            let fetched = block.fetched().as_ref().map_or(0, |bytes| bytes.len());
            block.rows.get().map_or(0, rows) + fetched + size_of::<Block>()
        });
        held.sum()
    }

    /// The same postings, none of whose blocks has come. Only where they are fetched.
    pub fn emptied(&self) -> Self {
        let empty = |block: &Block| Block {
            checksum: block.checksum,
            n_packed: block.n_packed,
            ..Block::default()
        };
        Self {
            firsts: self.firsts.clone(),
            blocks: self.blocks.iter().map(empty).collect(),
            ..Self::default()
        }
    }

    /// Returns all postings in one: chunks, then counts.
    pub fn all(&self, lexical: &ArchivedLexical) -> Result<(Vec<u32>, Vec<u16>), Error> {
        let mut all = (Vec::new(), Vec::new());
        for number in 0..self.blocks.len() {
            let Some(rows) = self.rows(lexical, number)? else {
                continue;
            };
            all.0.extend(rows.chunks.iter().map(|id| id.to_native()));
            all.1.extend(rows.counts.iter().map(|n| n.to_native()));
        }
        Ok(all)
    }

    /// Reads every block.
    pub fn check(&self, lexical: &ArchivedLexical) -> Result<(), Error> {
        (0..self.blocks.len()).try_for_each(|number| self.rows(lexical, number).map(drop))
    }

    /// The rows of a block; none where it has not come.
    fn rows(&self, lexical: &ArchivedLexical, number: usize) -> Result<Option<&Rows>, Error> {
        let Some(block) = self.blocks.get(number) else {
            return Ok(None);
        };
        if let Some(rows) = block.rows.get() {
            return Ok(Some(rows));
        }
        let terms = match self.firsts.get(number..=number + 1) {
            Some([first, end]) => *first as usize..*end as usize,
            _ => return Ok(None),
        };
        let mut fetched = block.fetched();
        let rows = match (&*fetched, &self.file) {
            (Some(packed), _) => unpack_block(packed, lexical, terms),
            (None, Some(file)) => {
                let packed = file.read(number, block.checksum, SectionKind::Rows)?;
                unpack_block(&packed, lexical, terms)
            }
            // Another question may have read it while this one waited for the lock.
            (None, None) if block.rows.get().is_some() => return Ok(block.rows.get()),
            (None, None) => {
                let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
                missing.insert(number as u32);
                return Ok(None);
            }
        };
        let rows = rows.map_err(|fault| damaged(SectionKind::Rows, fault))?;
        let rows = block.rows.get_or_init(|| rows);
        *fetched = None;
        Ok(Some(rows))
    }

    /// Returns the place of a block, counted from the first.
    pub fn range_of(&self, number: u32) -> Option<Range<u64>> {
        let before = self.blocks.get(..number as usize)?;
        let start = before.iter().map(|block| u64::from(block.n_packed)).sum();
        let length = self.blocks.get(number as usize)?.n_packed;
        Some(start..start + u64::from(length))
    }

    /// A block that was missing. Whether it is the one that was awaited.
    pub fn provide(&self, number: u32, packed: &[u8]) -> bool {
        let Some(block) = self.blocks.get(number as usize) else {
            return false;
        };
        let is_awaited = block.checksum == xxh3_64(packed);
        if is_awaited {
            *block.fetched() = block.rows.get().is_none().then(|| packed.into());
        }
        is_awaited
    }

    /// Requested blocks that have not arrived; each is returned once.
    pub fn take_missing(&self) -> Vec<u32> {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *missing).into_iter().collect()
    }

    /// Directory and blocks, as sections of a file.
    pub fn sections(&self) -> Result<(Vec<u8>, Vec<u8>), Error> {
        let mut directory = Directory::default();
        let mut blocks = Vec::with_capacity(self.n_bytes());
        let file = self.file.as_ref();
        let file = file.ok_or_else(|| damaged(SectionKind::Rows, "it has not come"))?;
        for (number, block) in self.blocks.iter().enumerate() {
            blocks.extend_from_slice(&file.read(number, block.checksum, SectionKind::Rows)?);
            directory.lengths.push(block.n_packed);
            directory.checksums.push(block.checksum);
        }
        let ends = self.firsts.windows(2);
        directory.n_terms = ends.map(|pair| pair[1] - pair[0]).collect();
        Ok((directory.write(), blocks))
    }

    /// Chunks and counts of term number `idx`; none where they cannot be had.
    pub fn row(
        &self,
        lexical: &ArchivedLexical,
        idx: usize,
        faults: &FaultSlot,
    ) -> Option<Row<'_>> {
        let number = self
            .firsts
            .partition_point(|first| *first as usize <= idx)
            .checked_sub(1)?;
        let first = *self.firsts.get(number)? as usize;
        let starts = &lexical.posting_starts;
        let origin = at(starts, first);
        let row = at(starts, idx).checked_sub(origin)?..at(starts, idx + 1).checked_sub(origin)?;
        let rows = match self.rows(lexical, number) {
            Ok(rows) => rows?,
            Err(fault) => {
                faults.put(&fault);
                return None;
            }
        };
        Some((rows.chunks.get(row.clone())?, rows.counts.get(row)?))
    }
}

fn unpack_block(
    packed: &[u8],
    lexical: &ArchivedLexical,
    terms: Range<usize>,
) -> Result<Rows, Fault> {
    let starts = &lexical.posting_starts;
    let n_postings = at(starts, terms.end).saturating_sub(at(starts, terms.start));
    check_postings(packed, n_postings)?;
    let bytes = unpack(packed)?;
    let mut reader = Reader::new(&bytes);
    let gaps = reader.bytes()?;
    let counts: Vec<u16_le> = reader.shorts()?.into_iter().map(u16_le::from).collect();
    reader.end()?;
    if counts.len() != n_postings {
        return Err("a block does not hold what its terms have");
    }
    let mut chunks = Vec::with_capacity(n_postings);
    let mut gaps = gaps.iter();
    for term in terms {
        let n_values = at(starts, term + 1).saturating_sub(at(starts, term));
        read_row(n_values as u32, &mut gaps, &mut chunks)?;
    }
    let n_chunks = lexical.n_chunks();
    if !gaps.as_slice().is_empty() {
        return Err("a block does not hold what its terms have");
    }
    if chunks.iter().any(|id| id.to_native() as usize >= n_chunks) {
        return Err("a posting is of a chunk that is not there");
    }
    Ok(Rows { chunks, counts })
}
