//! How a folder looked when it was walked, from which it is known later, without reading a file, whether anything changed since.

use std::fs::{self, DirEntry, Metadata};
use std::path::Path;
#[cfg(not(unix))]
use std::time::SystemTime;

use source::{IgnoreRules, file_name};

/// A larger file that was not taken in may have been too large: its size matters.
const MAYBE_TOO_LARGE: u64 = 64 * 1024;

/// A folder that was entered.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkedFolder {
    /// Its path below the root; empty for the root.
    pub path: String,
    /// When an entry of it came or went last, in milliseconds since 1970; none where the system does not say.
    pub modified: Option<f64>,
    /// Its entries by name.
    pub entries: Vec<WalkedEntry>,
    /// The files whose contents or size matter.
    pub files: Vec<WalkedFile>,
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkedEntry {
    /// Its name.
    pub name: String,
    /// Its kind: a link or a device is neither of the others.
    pub kind: EntryKind,
}

/// The kind of an entry of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// Anything else.
    Other,
}

/// A file of a folder.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkedFile {
    /// Its name.
    pub name: String,
    /// Its size.
    pub n_bytes: u64,
    /// Time of its last change, in milliseconds since 1970.
    pub changed: f64,
}

impl WalkedFolder {
    pub(crate) fn new(prefix: &str, place: &Path, entries: &[DirEntry]) -> Self {
        let modified = fs::metadata(place)
            .ok()
            .and_then(|metadata| modified_at(&metadata));
        let entry = |entry: &DirEntry| WalkedEntry {
            name: entry.file_name().to_string_lossy().into_owned(),
            kind: match entry.file_type() {
                Ok(kind) if kind.is_dir() => EntryKind::Folder,
                Ok(kind) if kind.is_file() => EntryKind::File,
                _ => EntryKind::Other,
            },
        };
        Self {
            path: prefix.trim_end_matches('/').to_owned(),
            modified,
            entries: entries.iter().map(entry).collect(),
            files: Vec::new(),
        }
    }

    pub(crate) fn file(&mut self, path: &str, n_bytes: u64, changed: f64, is_wanted: bool) {
        if is_wanted || n_bytes > MAYBE_TOO_LARGE || IgnoreRules::is_ignore_file(path) {
            self.files.push(WalkedFile {
                name: file_name(path).to_owned(),
                n_bytes,
                changed,
            });
        }
    }
}

#[cfg(unix)]
fn modified_at(metadata: &Metadata) -> Option<f64> {
    use std::os::unix::fs::MetadataExt;
    Some(metadata.mtime() as f64 * 1000.0 + metadata.mtime_nsec() as f64 / 1_000_000.0)
}

#[cfg(not(unix))]
fn modified_at(metadata: &Metadata) -> Option<f64> {
    let since = metadata
        .modified()
        .ok()?
        .duration_since(SystemTime::UNIX_EPOCH);
    since.ok().map(|since| since.as_secs_f64() * 1000.0)
}

/// Returns the time of a file's last change, in milliseconds since 1970. An archive can set the time of writing, the time of the last change
/// is the system's.
#[cfg(unix)]
pub(crate) fn changed_at(metadata: &Metadata) -> f64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime() as f64 * 1000.0 + metadata.ctime_nsec() as f64 / 1_000_000.0
}

#[cfg(not(unix))]
pub(crate) fn changed_at(metadata: &Metadata) -> f64 {
    let modified = metadata.modified().ok();
    let since = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    since.map_or(0.0, |since| since.as_secs_f64() * 1000.0)
}
