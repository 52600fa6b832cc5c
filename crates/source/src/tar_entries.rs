//! The entries of a tar, one after another, in bounded memory: names are read here, since the reader of the `tar` crate
//! takes a name of any length.

use std::cell::Cell;
use std::io::Read;

use tar::{Archive, EntryType, PaxExtensions};

use crate::SourceConfig;

/// Bytes of a name, and of the records that hold one. Longer ones are no paths of any system.
const MAX_NAME: u64 = 64 * 1024;
/// Maximum number of bytes shown of a longer name.
const SHOWN: usize = 100;

/// Entries that can become files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A file.
    File,
    /// A link of either kind.
    Link,
}

/// Why a walk ended before the archive did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// It has more entries or bytes than it may.
    Limit,
    /// It cannot be read on.
    Damaged(String),
}

/// Is given the number of an entry, its kind, its path, its size as the archive says, and its contents.
pub(crate) type Visit<'v> = &'v mut dyn FnMut(usize, Kind, String, u64, &mut dyn Read);

/// Calls `visit` for files and links, in order. Entries with a name
/// that is too long are passed to it with the start of that name: no clean path, since it ends with a zero.
pub(crate) fn walk_tar<R: Read>(
    reader: R,
    config: &SourceConfig,
    visit: Visit<'_>,
) -> Result<(), End> {
    let exceeded = Cell::new(false);
    let end = |error: &std::io::Error| match exceeded.get() {
        true => End::Limit,
        false => End::Damaged(error.to_string()),
    };
    let limited = Limited {
        reader,
        left: config.max_archive_bytes,
        exceeded: &exceeded,
    };
    let mut archive = Archive::new(limited);
    let entries = archive.entries().map_err(|error| end(&error))?;
    let mut long_name: Option<Vec<u8>> = None;
    for (index, entry) in entries.raw(true).enumerate() {
        if index == config.max_entries() {
            return Err(End::Limit);
        }
        let mut entry = entry.map_err(|error| end(&error))?;
        let kind = entry.header().entry_type();
        let size = entry.size();
        match kind {
            EntryType::GNULongName => {
                let name = read_name(&mut entry).map_err(|error| end(&error))?;
                long_name = Some(name.map_or_else(
                    |start| start,
                    |mut name| {
                        name.pop_if(|last| *last == 0);
                        name
                    },
                ));
                continue;
            }
            EntryType::XHeader => {
                let records = read_name(&mut entry).map_err(|error| end(&error))?;
                let name = records.map_or_else(Some, |records| name_in(&records));
                long_name = name.or(long_name);
                continue;
            }
            EntryType::GNULongLink | EntryType::XGlobalHeader => continue,
            _ => {}
        }
        let name = long_name.take();
        let kind = if kind.is_file() {
            Kind::File
        } else if kind.is_symlink() || kind.is_hard_link() {
            Kind::Link
        } else {
            continue;
        };
        let name = name.unwrap_or_else(|| entry.path_bytes().into_owned());
        let path = String::from_utf8_lossy(&name).into_owned();
        visit(index, kind, path, size, &mut entry);
    }
    Ok(())
}

/// Reads a name; of one that is too long its start.
fn read_name(entry: &mut impl Read) -> std::io::Result<Result<Vec<u8>, Vec<u8>>> {
    let mut bytes = Vec::new();
    entry.take(MAX_NAME + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= MAX_NAME {
        return Ok(Ok(bytes));
    }
    bytes.truncate(SHOWN);
    bytes.push(0);
    Ok(Err(bytes))
}

/// The path in the records of a pax header.
fn name_in(records: &[u8]) -> Option<Vec<u8>> {
    PaxExtensions::new(records)
        .filter_map(Result::ok)
        .find(|record| record.key_bytes() == b"path")
        .map(|record| record.value_bytes().to_vec())
}

/// A reader that fails, and says so in `exceeded`, after a number of bytes.
pub(crate) struct Limited<'x, R> {
    reader: R,
    left: u64,
    exceeded: &'x Cell<bool>,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            self.exceeded.set(true);
            return Err(std::io::Error::other(
                "the archive unpacks to more than is allowed",
            ));
        }
        let want = buffer
            .len()
            .min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let n_read = self.reader.read(&mut buffer[..want])?;
        self.left -= n_read as u64;
        Ok(n_read)
    }
}
