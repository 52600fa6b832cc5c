//! The container of a snapshot: named sections with checksums, whatever is in them.
//!
//! ```text
//! 0   magic "PORTOLAN"             24  engine version, 16 bytes of text padded with zeros
//! 8   format version   u32         40  length of the file          u64
//! 12  n_sections       u32         48  XXH3 of header and table    u64, itself read as zero
//! 16  reserved, zero   8 bytes     56  reserved, zero              8 bytes
//! 64  section table: name [u8; 16], offset u64, length u64, XXH3 of the section u64
//! …   sections, each from a multiple of 16 bytes on
//! ```
//!
//! All numbers are little-endian. [`read`] checks header and table, [`check`] a section; each fault is named.

use std::ops::Range;

use rkyv::util::AlignedVec;
use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, ErrorKind};

/// Version of the format that this engine writes and reads. A change to any archived type raises it.
pub const FORMAT_VERSION: u32 = 7;

/// More sections than any version has; a larger number is damage.
const MAX_SECTIONS: usize = 256;
const MAGIC: &[u8; 8] = b"PORTOLAN";
const HEADER: usize = 64;
const ENTRY: usize = 40;
const ALIGN: usize = 16;
const CHECKSUM: Range<usize> = 48..56;

/// A section and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableEntry {
    pub name: String,
    pub range: Range<usize>,
    checksum: u64,
}

/// A section's row of the table.
pub(crate) struct Described {
    pub name: &'static str,
    pub offset: u64,
    pub n_bytes: u64,
    pub checksum: u64,
}

/// Bytes before the first of `n_sections` sections.
pub(crate) fn n_head(n_sections: usize) -> u64 {
    align(HEADER + ENTRY * n_sections) as u64
}

/// Where a section may begin, from here on.
pub(crate) fn align_up(offset: u64) -> u64 {
    offset.next_multiple_of(ALIGN as u64)
}

/// Header and table of a file of `n_bytes`, up to the first section.
pub(crate) fn head(sections: &[Described], n_bytes: u64) -> Vec<u8> {
    let entries = sections.iter();
    let entries = entries.map(|section| {
        let numbers = [section.offset, section.n_bytes, section.checksum];
        (section.name, numbers)
    });
    head_of(entries, n_bytes)
}

fn head_of<'a>(
    sections: impl ExactSizeIterator<Item = (&'a str, [u64; 3])>,
    n_bytes: u64,
) -> Vec<u8> {
    let n_head = n_head(sections.len()) as usize;
    let mut head = Vec::with_capacity(n_head);
    head.extend_from_slice(MAGIC);
    head.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    head.extend_from_slice(&(sections.len() as u32).to_le_bytes());
    head.extend_from_slice(&[0; 8]);
    head.extend_from_slice(&padded(env!("CARGO_PKG_VERSION")));
    head.extend_from_slice(&n_bytes.to_le_bytes());
    head.extend_from_slice(&[0; 16]);
    for (name, numbers) in sections {
        head.extend_from_slice(&padded(name));
        for number in numbers {
            head.extend_from_slice(&number.to_le_bytes());
        }
    }
    let checksum = xxh3_64(&head);
    head[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    head.resize(n_head, 0);
    head
}

/// The file that holds these sections in this order.
pub(crate) fn write(sections: &[(&str, &[u8])]) -> AlignedVec<ALIGN> {
    let mut offset = n_head(sections.len()) as usize;
    let mut table = Vec::with_capacity(sections.len());
    for (name, bytes) in sections {
        let numbers = [offset as u64, bytes.len() as u64, xxh3_64(bytes)];
        table.push((*name, numbers));
        offset = align(offset + bytes.len());
    }
    let mut file = AlignedVec::with_capacity(offset);
    file.extend_from_slice(&head_of(table.into_iter(), offset as u64));
    for (_, bytes) in sections {
        file.resize(align(file.len()), 0);
        file.extend_from_slice(bytes);
    }
    file.resize(offset, 0);
    file
}

/// The sections of a file. Their checksums are still to be compared, see [`check`].
pub(crate) fn read(file: &[u8]) -> Result<Vec<TableEntry>, Error> {
    read_start(file, file.len())
}

/// Returns name and place of every section of a file, for tools that look into it.
///
/// # Errors
///
/// Faults of header and table, as [`Snapshot::open`](crate::Snapshot::open).
pub fn table(file: &[u8]) -> Result<Vec<(String, Range<usize>)>, Error> {
    let entries = read(file)?.into_iter();
    Ok(entries.map(|entry| (entry.name, entry.range)).collect())
}

/// The sections of a file of `n_bytes` that begins with `start`: [`HEAD`] bytes of it, or all.
pub(crate) fn read_start(start: &[u8], n_bytes: usize) -> Result<Vec<TableEntry>, Error> {
    let head = read_head(start)?;
    let length = u64_at(head, 40);
    if length > n_bytes as u64 {
        return Err(truncated(length, n_bytes));
    }
    let entries = head[HEADER..].chunks_exact(ENTRY);
    entries.map(|entry| section(entry, n_bytes)).collect()
}

/// Header and table of a file of which at least these have arrived.
fn read_head(file: &[u8]) -> Result<&[u8], Error> {
    let n_magic = file.len().min(MAGIC.len());
    if file.starts_with(b"PTLNROOT") {
        let message = "this is the root of an index in shards, not a snapshot";
        return Err(Error::new(ErrorKind::Foreign, message)
            .with_help("open it by the path of its file: its shards are beside it"));
    }
    if file.is_empty() || file[..n_magic] != MAGIC[..n_magic] {
        return Err(
            Error::new(ErrorKind::Foreign, "this is no Portolan snapshot")
                .with_help("choose a file that Portolan saved, or index the sources"),
        );
    }
    let Some(header) = file.get(..HEADER) else {
        return Err(truncated(HEADER as u64, file.len()));
    };
    let version = u32_at(header, 8);
    if version != FORMAT_VERSION {
        return Err(other_version(version, &text_at(header, 24)));
    }
    let n_sections = u32_at(header, 12) as usize;
    if n_sections > MAX_SECTIONS {
        return Err(changed("header"));
    }
    let end_of_table = HEADER + ENTRY * n_sections;
    let Some(head) = file.get(..end_of_table) else {
        return Err(truncated(end_of_table as u64, file.len()));
    };
    if seal_of(head) != u64_at(head, CHECKSUM.start) {
        return Err(changed("header"));
    }
    Ok(head)
}

/// The checksum of header and table.
fn seal_of(head: &[u8]) -> u64 {
    let mut unsealed = head.to_vec();
    unsealed[CHECKSUM].fill(0);
    xxh3_64(&unsealed)
}

/// The largest size of header and table, in bytes.
pub(crate) const HEAD: usize = HEADER + ENTRY * MAX_SECTIONS;

/// A file without some of its sections.
pub(crate) struct Shortened {
    /// Its header and table.
    pub head: Vec<u8>,
    /// Its length.
    pub n_bytes: usize,
    /// Ranges of the whole file, each with its place in the shorter one, in the order of the whole file.
    pub kept: Vec<(Range<usize>, usize)>,
}

/// Leaves the sections of these names out of a file of `n_bytes` that begins with `start`. Sections keep their checksums; only their
/// places are written anew.
///
/// # Errors
///
/// As [`read`], without the checks that need the whole file.
pub(crate) fn shorten(start: &[u8], n_bytes: usize, without: &[&str]) -> Result<Shortened, Error> {
    let head = read_head(start)?;
    let length = u64_at(head, 40);
    if length > n_bytes as u64 {
        return Err(truncated(length, n_bytes));
    }
    let mut kept = Vec::new();
    let mut table = Vec::new();
    let mut end_of_last = 0;
    for entry in head[HEADER..].chunks_exact(ENTRY) {
        let TableEntry { name, range, .. } = section(entry, n_bytes)?;
        // Sections over each other would make a small file large.
        if range.start < end_of_last {
            return Err(changed(&name));
        }
        end_of_last = range.end;
        if !without.contains(&name.as_str()) {
            kept.push(range);
            table.push(entry.to_vec());
        }
    }
    let mut offset = align(HEADER + ENTRY * kept.len());
    let mut shorter = head[..HEADER].to_vec();
    shorter[12..16].copy_from_slice(&(kept.len() as u32).to_le_bytes());
    let mut places = Vec::with_capacity(kept.len());
    for (entry, range) in table.iter_mut().zip(kept) {
        entry[16..24].copy_from_slice(&(offset as u64).to_le_bytes());
        shorter.extend_from_slice(entry);
        let n_section = range.len();
        places.push((range, offset));
        offset = align(offset.saturating_add(n_section));
    }
    shorter[40..48].copy_from_slice(&(offset as u64).to_le_bytes());
    let seal = seal_of(&shorter);
    shorter[CHECKSUM].copy_from_slice(&seal.to_le_bytes());
    Ok(Shortened {
        head: shorter,
        n_bytes: offset,
        kept: places,
    })
}

/// Version of the engine that wrote the file.
pub(crate) fn engine_version(file: &[u8]) -> String {
    file.get(..HEADER)
        .map_or_else(String::new, |header| text_at(header, 24))
}

fn section(entry: &[u8], n_bytes: usize) -> Result<TableEntry, Error> {
    let name = text_at(entry, 0);
    let start = usize::try_from(u64_at(entry, 16)).unwrap_or(usize::MAX);
    let length = usize::try_from(u64_at(entry, 24)).unwrap_or(usize::MAX);
    let range = start..start.saturating_add(length);
    if range.end > n_bytes || !start.is_multiple_of(ALIGN) {
        return Err(changed(&name));
    }
    Ok(TableEntry {
        name,
        range,
        checksum: u64_at(entry, 32),
    })
}

/// Whether the bytes of a section are those that were written. Cost: one pass over them at memory speed.
pub(crate) fn check(bytes: &[u8], section: &TableEntry) -> Result<(), Error> {
    if xxh3_64(bytes) == section.checksum {
        Ok(())
    } else {
        Err(changed(&section.name))
    }
}

pub(crate) fn truncated(expected: u64, n_bytes: usize) -> Error {
    let message = format!("the snapshot ends after {n_bytes} of {expected} bytes");
    Error::new(ErrorKind::Truncated, message).with_help("copy or save it again")
}

pub(crate) fn changed(section: &str) -> Error {
    let message = format!("the snapshot was changed after it was written (checksum of {section})");
    Error::new(ErrorKind::Checksum, message).with_help("copy it again, or index the sources anew")
}

fn other_version(version: u32, engine: &str) -> Error {
    let message = format!(
        "the snapshot has format version {version} (written by Portolan {engine}); this is Portolan {} and reads version {FORMAT_VERSION}",
        env!("CARGO_PKG_VERSION"),
    );
    let help = if version > FORMAT_VERSION {
        "update Portolan"
    } else {
        "index the sources anew"
    };
    Error::new(ErrorKind::Version, message).with_help(help)
}

fn align(offset: usize) -> usize {
    offset.next_multiple_of(ALIGN)
}

fn padded(text: &str) -> [u8; 16] {
    let mut bytes = [0; 16];
    let n_bytes = text.len().min(bytes.len());
    bytes[..n_bytes].copy_from_slice(&text.as_bytes()[..n_bytes]);
    bytes
}

/// 16 bytes of padded text; characters other than ASCII are shown as `?`, since messages contain it.
fn text_at(bytes: &[u8], at: usize) -> String {
    let text = bytes
        .get(at..at + 16)
        .unwrap_or_default()
        .iter()
        .take_while(|byte| **byte != 0);
    text.map(|byte| {
        if byte.is_ascii_graphic() {
            char::from(*byte)
        } else {
            '?'
        }
    })
    .collect()
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk())
        .map_or(0, |four| u32::from_le_bytes(*four))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk())
        .map_or(0, |eight| u64::from_le_bytes(*eight))
}

#[cfg(test)]
mod tests;
