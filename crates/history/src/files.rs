//! The files of `.git` as the host has them.

use std::collections::BTreeMap;

use crate::{Error, ErrorKind};

/// Reads files below `.git`. Names are relative, with `/`: `HEAD`, `objects/pack/pack-….idx`. Only names that are made from object ids,
/// names of packs and checked references are asked for, so `..`, absolute paths and backslashes never occur.
///
/// Calls are synchronous, since a walk makes thousands of small decisions on the bytes that it reads. A file system has such calls; a page reads with
/// `FileReaderSync` in a worker, from files that it has listed before.
pub trait ObjectFiles {
    /// Returns the length of a file in bytes, or `None` if there is none. Links are not followed.
    ///
    /// # Errors
    ///
    /// `history.unreadable` if the host cannot say.
    fn n_bytes(&self, name: &str) -> Result<Option<u64>, Error>;

    /// Reads `len` bytes from `start` on, fewer only at the end of the file.
    ///
    /// # Errors
    ///
    /// `history.unreadable` if the file cannot be read.
    fn read(&self, name: &str, start: u64, len: usize) -> Result<Vec<u8>, Error>;

    /// Returns the names of the files in a folder in any order; none if there is no such folder.
    ///
    /// # Errors
    ///
    /// `history.unreadable` if the folder cannot be listed.
    fn list(&self, folder: &str) -> Result<Vec<String>, Error>;

    /// Opens the folder of objects that `objects/info/alternates` names, as one whose `objects` it is; `None` if it may not be read.
    ///
    /// # Errors
    ///
    /// `history.unreadable` if it cannot be opened.
    fn alternate(&self, path: &str) -> Result<Option<Box<dyn ObjectFiles>>, Error> {
        let _ = path;
        Ok(None)
    }
}

/// Reads a whole small file.
///
/// # Errors
///
/// `history.too-large` above `most` bytes.
pub(crate) fn read_small(
    files: &dyn ObjectFiles,
    name: &str,
    most: u64,
) -> Result<Option<Vec<u8>>, Error> {
    match files.n_bytes(name)? {
        None => Ok(None),
        Some(n) if n > most => {
            let message = format!("{name} has {n} bytes, more than {most}");
            Err(Error::new(ErrorKind::TooLarge, message))
        }
        Some(n) => Ok(Some(files.read(name, 0, n as usize)?)),
    }
}

/// Files in memory, for tests and for hosts that have all bytes.
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles {
    /// Contents by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl ObjectFiles for MemoryFiles {
    fn n_bytes(&self, name: &str) -> Result<Option<u64>, Error> {
        Ok(self.files.get(name).map(|bytes| bytes.len() as u64))
    }

    fn read(&self, name: &str, start: u64, len: usize) -> Result<Vec<u8>, Error> {
        let Some(bytes) = self.files.get(name) else {
            return Err(Error::new(
                ErrorKind::Unreadable,
                format!("there is no {name}"),
            ));
        };
        let start = usize::try_from(start)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        let end = start.saturating_add(len).min(bytes.len());
        Ok(bytes[start..end].to_vec())
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, Error> {
        let prefix = format!("{folder}/");
        let below = self
            .files
            .keys()
            .filter_map(|name| name.strip_prefix(&prefix));
        Ok(below
            .filter(|name| !name.contains('/'))
            .map(str::to_owned)
            .collect())
    }
}
