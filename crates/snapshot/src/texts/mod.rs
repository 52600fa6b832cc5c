//! The texts of all files, in blocks that are unpacked when one of their files is asked for, and packed when a snapshot is saved.

mod text;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use crate::Error;
use crate::blocks::{BlockFile, Directory, cut};
use crate::budget::check_texts;
use crate::bytes::Source;
use crate::columns::{Fault, pack, unpack};
use crate::fault::FaultSlot;
use crate::{SectionKind, damaged};
pub use text::Text;
use text::block_of;

/// Compression level of texts; docs/decisions/0005-snapshot.md has the reasons.
const LEVEL: i32 = 6;

/// Bytes of blocks that a worker gets to pack at a time.
const GIVEN: usize = 1 << 20;

/// Packs a block as it is in the file.
pub(super) fn pack_block(raw: &[u8]) -> Vec<u8> {
    pack(raw, LEVEL)
}

/// The bytes of texts side by side, shared with the texts.
pub type TextBlock = Arc<[u8]>;

/// Texts side by side.
#[derive(Default)]
struct Block {
    raw: OnceLock<TextBlock>,
    packed: OnceLock<Box<[u8]>>,
    /// XXH3 of the packed bytes that are to come.
    awaited: Option<u64>,
    /// How many they are.
    n_packed: u32,
    /// Bytes of its texts, where a directory says so.
    n_bytes: Option<u32>,
    /// The file in which it is read when it is asked for, and which of its blocks it is.
    file: OnceLock<(Arc<BlockFile>, usize)>,
}

impl Block {
    fn unpack(&self, packed: &[u8]) -> Result<Vec<u8>, Fault> {
        if let Some(n_bytes) = self.n_bytes {
            check_texts(packed, n_bytes as usize)?;
        }
        unpack(packed)
    }

    /// The texts, unpacked now if they have not been; none where they have not come.
    fn raw(&self) -> Result<Option<&[u8]>, Fault> {
        if let Some(raw) = self.raw.get() {
            return Ok(Some(raw));
        }
        let Some(packed) = self.packed.get() else {
            return Ok(None);
        };
        let unpacked = self.unpack(packed)?;
        Ok(Some(self.raw.get_or_init(|| unpacked.into())))
    }

    /// Its bytes in the file that it comes from; none where it comes from no file, or that has changed.
    fn in_file(&self) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let (Some((file, number)), Some(checksum)) = (self.file.get(), self.awaited) else {
            return Ok(None);
        };
        file.read(*number, checksum, SectionKind::Blocks).map(Some)
    }

    /// Its bytes as they are written: those it has been read from, else packed now.
    fn packed(&self) -> Cow<'_, [u8]> {
        if let Some(packed) = self.packed.get() {
            return Cow::Borrowed(packed);
        }
        if let Ok(Some(packed)) = self.in_file() {
            return packed;
        }
        let raw = || {
            self.raw
                .get()
                .map(|raw| pack_block(raw))
                .unwrap_or_default()
        };
        Cow::Borrowed(self.packed.get_or_init(|| raw().into_boxed_slice()))
    }
}

/// The place of a text.
#[derive(Debug, Clone, Copy)]
struct Place {
    block: u32,
    start: u32,
    end: u32,
}

/// The texts of a snapshot, in the order of its files.
#[derive(Default)]
pub struct TextStore {
    places: Vec<Place>,
    blocks: Vec<Arc<Block>>,
    /// Blocks that were asked for and have not come, where texts are fetched one by one.
    missing: Mutex<BTreeSet<u32>>,
}

impl TextStore {
    /// The texts of files in order. Blocks whose files are all found in `last`, at these numbers, are shared with it.
    pub fn new<'a>(
        files: impl Iterator<Item = (&'a str, &'a Text)> + Clone,
        last: Option<(&Self, &[Option<u32>])>,
    ) -> Self {
        let mut store = Self::default();
        let sizes = files.clone().map(|(path, text)| (path, text.len()));
        let mut files = files;
        for range in cut(sizes) {
            let texts: Vec<&Text> = files
                .by_ref()
                .take(range.len())
                .map(|(_, text)| text)
                .collect();
            let number = store.blocks.len() as u32;
            let mut start = 0;
            for text in &texts {
                let end = start + text.len() as u32;
                store.places.push(Place {
                    block: number,
                    start,
                    end,
                });
                start = end;
            }
            let shared = last.and_then(|(last, origins)| last.shared(origins.get(range)?));
            store.blocks.push(shared.unwrap_or_else(|| {
                Arc::new(Block {
                    raw: OnceLock::from(TextBlock::from(block_of(texts.iter().copied()))),
                    ..Block::default()
                })
            }));
        }
        store
    }

    /// The block of exactly these files.
    fn shared(&self, origins: &[Option<u32>]) -> Option<Arc<Block>> {
        let first = (*origins.first()?)? as usize;
        let block = self.places.get(first)?.block;
        let is_next = |(idx, origin): (usize, &Option<u32>)| {
            *origin == Some((first + idx) as u32)
                && self
                    .places
                    .get(first + idx)
                    .is_some_and(|place| place.block == block)
        };
        let is_start = self.places[first].start == 0
            && first
                .checked_sub(1)
                .is_none_or(|before| self.places[before].block != block);
        let next = self.places.get(first + origins.len());
        let is_whole = is_start && next.is_none_or(|place| place.block != block);
        (is_whole && origins.iter().enumerate().all(is_next))
            .then(|| self.blocks.get(block as usize).cloned())?
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The bytes of a text. The first of a block unpacks the block.
    pub fn bytes_of(&self, idx: usize, faults: &FaultSlot) -> Option<&[u8]> {
        let place = self.places.get(idx)?;
        let block = self.blocks.get(place.block as usize)?;
        match Self::read_block(block) {
            Ok(Some(raw)) => raw.get(place.start as usize..place.end as usize),
            Ok(None) => {
                let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
                missing.insert(place.block);
                None
            }
            Err(fault) => {
                faults.put(&fault);
                None
            }
        }
    }

    /// A block, from memory or out of the file; none where it has not come.
    fn read_block(block: &Block) -> Result<Option<&[u8]>, Error> {
        let fault = |fault| damaged(SectionKind::Blocks, fault);
        if let Some(raw) = block.raw().map_err(fault)? {
            return Ok(Some(raw));
        }
        let Some(packed) = block.in_file()? else {
            return Ok(None);
        };
        let raw = block.unpack(&packed).map_err(fault)?;
        Ok(Some(block.raw.get_or_init(|| raw.into())))
    }

    /// Reads blocks from this range of a file when they are asked for.
    pub fn read_from(
        &mut self,
        source: Arc<dyn Source>,
        blocks: Range<usize>,
    ) -> Result<(), Fault> {
        let lengths = self.blocks.iter().map(|block| block.n_packed);
        let file = Arc::new(BlockFile::new(source, blocks, lengths)?);
        for (number, block) in self.blocks.iter().enumerate() {
            let _ = block.file.set((Arc::clone(&file), number));
        }
        Ok(())
    }

    /// Bytes of all texts.
    pub fn n_bytes(&self) -> usize {
        self.places
            .iter()
            .map(|place| (place.end - place.start) as usize)
            .sum()
    }

    /// Bytes of the blocks in memory, and of the directory of all.
    pub fn n_held(&self) -> usize {
        let held = self.blocks.iter().map(|block| {
            let raw = block.raw.get().map_or(0, |raw| raw.len());
            let packed = block.packed.get().map_or(0, |packed| packed.len());
            raw + packed + size_of::<Block>()
        });
        held.sum::<usize>() + self.places.len() * size_of::<Place>()
    }

    /// The same texts, none of whose blocks has come. Only where they are fetched.
    pub fn emptied(&self) -> Self {
        let empty = |block: &Arc<Block>| {
            Arc::new(Block {
                awaited: block.awaited,
                n_packed: block.n_packed,
                n_bytes: block.n_bytes,
                ..Block::default()
            })
        };
        Self {
            places: self.places.clone(),
            blocks: self.blocks.iter().map(empty).collect(),
            ..Self::default()
        }
    }

    /// Calls `give` with the number of the first and the bytes of blocks that are not packed yet, some at a time.
    pub fn give(&self, give: &mut dyn FnMut(usize, &[TextBlock])) {
        let mut first = 0;
        while first < self.blocks.len() {
            let rest = self.blocks.iter().skip(first);
            let unpacked =
                rest.take_while(|block| block.packed.get().is_none() && block.file.get().is_none());
            let raw = unpacked.map_while(|block| block.raw.get());
            let given = raw.scan(0, |n_before, raw| {
                let is_room = *n_before < GIVEN;
                *n_before += raw.len();
                is_room.then(|| Arc::clone(raw))
            });
            let given: Vec<TextBlock> = given.collect();
            if !given.is_empty() {
                give(first, &given);
            }
            first += given.len().max(1);
        }
    }

    /// Takes a block that was packed elsewhere.
    pub fn set_packed(&self, number: usize, packed: Vec<u8>) {
        if let Some(block) = self.blocks.get(number) {
            let _ = block.packed.set(packed.into_boxed_slice());
        }
    }

    /// The directory, as a section of a file. Packs the blocks that are not packed yet.
    pub fn directory(&self) -> Vec<u8> {
        let mut directory = Directory {
            sizes: self
                .places
                .iter()
                .map(|place| place.end - place.start)
                .collect(),
            ..Directory::default()
        };
        let mut places = self.places.iter().peekable();
        for (number, block) in (0..).zip(&self.blocks) {
            let mut n_files = 0;
            while places.next_if(|place| place.block == number).is_some() {
                n_files += 1;
            }
            directory.push(n_files, &block.packed());
        }
        directory.write()
    }

    /// The blocks, which are side by side in a section of a file. Packs those that are not packed yet.
    pub fn packed_blocks(&self) -> impl Iterator<Item = Cow<'_, [u8]>> {
        self.blocks.iter().map(|block| block.packed())
    }

    /// The texts of a directory. Their blocks are still to come: all at once, by [`TextStore::fill`], or one by one.
    pub fn read(directory: &[u8]) -> Result<Self, Fault> {
        Self::awaiting(&Directory::read(directory)?)
    }

    /// All blocks.
    pub fn fill(&self, blocks: &[u8]) -> Result<(), Fault> {
        let mut rest = blocks;
        for block in &self.blocks {
            let (packed, after) = rest
                .split_at_checked(block.n_packed as usize)
                .ok_or("its blocks are not as long as it says")?;
            rest = after;
            let _ = block.packed.set(packed.into());
        }
        if rest.is_empty() {
            Ok(())
        } else {
            Err("its blocks are not as long as it says")
        }
    }

    /// Returns the place of a block, counted from the first.
    pub fn range_of(&self, number: u32) -> Option<Range<u64>> {
        let before = self.blocks.get(..number as usize)?;
        let start = before.iter().map(|block| u64::from(block.n_packed)).sum();
        let length = self.blocks.get(number as usize)?.n_packed;
        Some(start..start + u64::from(length))
    }

    fn awaiting(directory: &Directory) -> Result<Self, Fault> {
        let mut store = Self::default();
        let mut sizes = directory.sizes.iter();
        for (number, n_files) in (0..).zip(&directory.n_files) {
            let mut start = 0_u32;
            for size in sizes.by_ref().take(*n_files as usize) {
                let end = start.checked_add(*size).ok_or("a text is too long")?;
                store.places.push(Place {
                    block: number,
                    start,
                    end,
                });
                start = end;
            }
        }
        let mut sizes = vec![0; directory.n_files.len()];
        for place in &store.places {
            sizes[place.block as usize] = place.end;
        }
        let block = |((checksum, length), size): ((&u64, &u32), u32)| {
            Arc::new(Block {
                awaited: Some(*checksum),
                n_packed: *length,
                n_bytes: Some(size),
                ..Block::default()
            })
        };
        let blocks = directory
            .checksums
            .iter()
            .zip(&directory.lengths)
            .zip(sizes);
        store.blocks = blocks.map(block).collect();
        Ok(store)
    }

    /// A block that was missing. Whether it is the one that was awaited.
    pub fn provide(&self, number: u32, packed: &[u8]) -> bool {
        let Some(block) = self.blocks.get(number as usize) else {
            return false;
        };
        if block.awaited != Some(xxh3_64(packed)) {
            return false;
        }
        let _ = block.packed.set(packed.into());
        self.missing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&number);
        true
    }

    /// Requested blocks that have not arrived; each is returned once.
    pub fn take_missing(&self) -> Vec<u32> {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *missing).into_iter().collect()
    }
}

#[cfg(test)]
mod tests;
