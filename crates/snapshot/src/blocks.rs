//! Files side by side in blocks that are packed apart, so that one file can be had without the others.
//!
//! A block is cut where it is long enough and the path of its last file says so: a file that grows or goes moves no cut but its
//! own, and blocks of files that have not changed are shared with the snapshot before.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::Source;
use super::columns::{Fault, Reader, Writer, unpack};
use super::{SectionKind, container};
use crate::Error;

/// A block may end from this many bytes of source on: small ones pack worse, large ones take longer for one file.
const MIN_BLOCK: usize = 64 << 10;
/// A block ends at the latest when it has this many.
const MAX_BLOCK: usize = 192 << 10;
/// One path in this many ends a block.
const CUTS: u64 = 4;

/// The files of each block, given paths and sizes in order.
pub(super) fn cut<'a>(files: impl Iterator<Item = (&'a str, usize)>) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let (mut first, mut n_files, mut n_bytes) = (0, 0, 0);
    for (path, size) in files {
        n_files += 1;
        n_bytes += size;
        let is_cut = n_bytes >= MIN_BLOCK && xxh3_64(path.as_bytes()).is_multiple_of(CUTS);
        if is_cut || n_bytes >= MAX_BLOCK {
            blocks.push(first..n_files);
            (first, n_bytes) = (n_files, 0);
        }
    }
    if first < n_files {
        blocks.push(first..n_files);
    }
    blocks
}

/// The place and the files of each block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Directory {
    /// Files of each block.
    pub n_files: Vec<u32>,
    /// Bytes of each block.
    pub lengths: Vec<u32>,
    /// XXH3 of each block.
    pub checksums: Vec<u64>,
    /// A number for each file.
    pub sizes: Vec<u32>,
}

impl Directory {
    /// Adds a block.
    pub fn push(&mut self, n_files: usize, packed: &[u8]) {
        self.n_files.push(n_files as u32);
        self.lengths.push(packed.len() as u32);
        self.checksums.push(xxh3_64(packed));
    }

    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.numbers(self.n_files.iter().copied());
        writer.numbers(self.lengths.iter().copied());
        writer.column(&self.checksums);
        writer.numbers(self.sizes.iter().copied());
        writer.pack()
    }

    /// The reverse of [`Directory::write`].
    pub fn read(packed: &[u8]) -> Result<Self, Fault> {
        let bytes = unpack(packed)?;
        let mut reader = Reader::new(&bytes);
        let directory = Self {
            n_files: reader.numbers()?,
            lengths: reader.numbers()?,
            checksums: reader.longs()?,
            sizes: reader.numbers()?,
        };
        reader.end()?;
        let n_blocks = directory.n_files.len();
        let n_files: u64 = directory.n_files.iter().map(|n| u64::from(*n)).sum();
        if [directory.lengths.len(), directory.checksums.len()] != [n_blocks; 2]
            || n_files != directory.sizes.len() as u64
        {
            return Err("its directory does not fit together");
        }
        Ok(directory)
    }

    /// Returns the place of each block, counted from the first.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut start = 0_usize;
        self.lengths.iter().map(move |length| {
            let range = start..start.saturating_add(*length as usize);
            start = range.end;
            range
        })
    }
}

/// The section of a file with all blocks, side by side.
pub(super) struct BlockFile {
    source: Arc<dyn Source>,
    /// First byte of each block in the file, and one past the last.
    starts: Vec<usize>,
}

impl BlockFile {
    /// Blocks of these lengths, which must fill the range.
    pub fn new(
        source: Arc<dyn Source>,
        range: Range<usize>,
        lengths: impl Iterator<Item = u32>,
    ) -> Result<Self, Fault> {
        let mut starts = vec![range.start];
        let mut end = range.start;
        for length in lengths {
            end = end.saturating_add(length as usize);
            starts.push(end);
        }
        if end != range.end {
            return Err("its blocks are not as long as it says");
        }
        Ok(Self { source, starts })
    }

    /// A block, as it was written.
    pub fn read(
        &self,
        number: usize,
        checksum: u64,
        kind: SectionKind,
    ) -> Result<Cow<'_, [u8]>, Error> {
        let range = match self.starts.get(number..=number + 1) {
            Some([start, end]) => *start..*end,
            _ => 0..0,
        };
        let packed = self.source.read(range)?;
        if xxh3_64(&packed) == checksum {
            Ok(packed)
        } else {
            Err(container::changed(&format!(
                "block {number} of {}",
                kind.name()
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_moves_no_cut_behind_the_next() {
        let paths: Vec<String> = (0..400).map(|n| format!("src/{n}.rs")).collect();
        let sizes = |changed: usize| {
            let paths = paths.iter().enumerate();
            paths.map(move |(n, path)| (path.as_str(), if n == changed { 9_000 } else { 6_000 }))
        };
        let before = cut(sizes(usize::MAX));
        let after = cut(sizes(100));
        assert!(before.len() > 10, "{before:?}");
        let kept = before.iter().filter(|block| after.contains(block)).count();
        assert!(kept + 3 >= before.len(), "{before:?} {after:?}");
    }

    #[test]
    fn directories_come_back() {
        let mut directory = Directory {
            sizes: vec![3, 0, 7],
            ..Directory::default()
        };
        directory.push(2, b"abc");
        directory.push(1, b"longer");
        let packed = directory.write();
        let read = Directory::read(&packed).unwrap();
        assert_eq!(read, directory);
        assert_eq!(read.ranges().collect::<Vec<_>>(), [0..3, 3..9]);
        for cut in 0..packed.len() {
            assert!(Directory::read(&packed[..cut]).is_err());
        }
    }
}
