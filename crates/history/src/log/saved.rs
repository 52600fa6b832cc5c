//! A log as bytes: magic, format version, checksum, archive.

use rkyv::rancor;
use rkyv::util::AlignedVec;
use xxhash_rust::xxh3::xxh3_64;

use super::{How, Log, Logged};
use crate::{Error, ErrorKind};

const MAGIC: [u8; 8] = *b"PORTHIST";
/// Raised with every change of [`Log`] or of the meaning of its numbers.
const VERSION: u32 = 1;
/// Magic, version, four bytes that are zero, checksum, eight bytes that are zero: an archive begins at a multiple of 16.
const HEADER: usize = 32;

impl Log {
    /// Returns the bytes of a log. The same log gives the same bytes.
    pub fn save(&self) -> Result<Vec<u8>, Error> {
        let archive = rkyv::to_bytes::<rancor::Failure>(self);
        let archive = archive
            .map_err(|_| Error::new(ErrorKind::TooLarge, "the history is larger than 2 GiB"))?;
        let mut bytes = Vec::with_capacity(HEADER + archive.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(xxh3_64(&archive).to_le_bytes());
        bytes.resize(HEADER, 0);
        bytes.extend_from_slice(&archive);
        Ok(bytes)
    }

    /// Reads a saved log. A right checksum proves no good intent, so every number is checked, too.
    pub fn open(bytes: &[u8]) -> Result<Self, Error> {
        let damaged = |why: &str| {
            let message = format!("the saved history is damaged: {why}");
            Error::new(ErrorKind::State, message)
        };
        let (Some(header), Some(body)) = (bytes.get(..HEADER), bytes.get(HEADER..)) else {
            return Err(damaged("it ends too early"));
        };
        if header[..8] != MAGIC {
            return Err(damaged("it is no history"));
        }
        if header[8..12] != VERSION.to_le_bytes() {
            let message = format!("the saved history has not format version {VERSION}");
            return Err(Error::new(ErrorKind::StateVersion, message));
        }
        if header[16..24] != xxh3_64(body).to_le_bytes() {
            return Err(damaged("its checksum differs"));
        }
        let mut archive = AlignedVec::<16>::with_capacity(body.len());
        archive.extend_from_slice(body);
        let log = rkyv::from_bytes::<Self, rancor::Failure>(&archive);
        let log = log.map_err(|_| damaged("its contents are not what this version writes"))?;
        match log.is_whole() {
            true => Ok(log),
            false => Err(damaged("its numbers do not fit each other")),
        }
    }

    /// Whether all numbers are within their columns, and all ends in order.
    fn is_whole(&self) -> bool {
        let (n_paths, n_authors) = (self.paths.len(), self.names.len());
        let is_path = |path: u32| (path as usize) < n_paths;
        let ends = |end: fn(&Logged) -> u32, len: usize| {
            let mut ends = self.commits.iter().map(end);
            ends.clone().is_sorted() && ends.next_back().unwrap_or(0) as usize == len
        };
        let strings = [&self.subjects, &self.names, &self.addresses, &self.paths];
        let is_increasing = |strings: &super::Strings| {
            let pairs = strings.iter().zip(strings.iter().skip(1));
            pairs.into_iter().all(|(a, b)| a < b)
        };
        strings.iter().all(|strings| strings.is_whole())
            && is_increasing(&self.paths)
            && self.files.is_sorted()
            && self.files.iter().all(|path| is_path(*path))
            && self.subjects.len() == self.commits.len()
            && self.addresses.len() == n_authors
            && ends(|commit| commit.parents_end, self.parents.len())
            && ends(|commit| commit.changes_end, self.changes.len())
            && ends(|commit| commit.renames_end, self.renames.len())
            && self
                .changes
                .iter()
                .all(|change| is_path(How::split(*change).0))
            && self
                .renames
                .iter()
                .all(|(old, new)| is_path(*old) && is_path(*new))
            && self
                .commits
                .iter()
                .all(|commit| (commit.author as usize) < n_authors)
    }
}
