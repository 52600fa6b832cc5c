//! Reads a folder of the file system. Ignore files are obeyed, links are not followed, and everything left out has its reason.

use std::fs::{DirEntry, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use source::{FileSet, IgnoreRules, Intake, MAX_IGNORE_BYTES, SkipReason, SourceConfig};

use crate::Error;

/// Who takes the files of a folder in.
pub(crate) trait Visitor {
    /// A folder, with its entries by name.
    fn folder(&mut self, prefix: &str, place: &Path, entries: &[DirEntry]) {
        let _ = (prefix, place, entries);
    }
    /// The rules of an ignore file, before anything else of its folder.
    fn ignore_file(&mut self, path: &str, bytes: &[u8]);
    /// Whether this folder is entered.
    fn enters(&mut self, path: &str) -> bool;
    /// A regular file.
    fn file(&mut self, path: String, place: &Path, metadata: &Metadata) -> Result<(), Error>;
    /// Something that is not read.
    fn skip(&mut self, path: String, reason: SkipReason);
}

/// Reads the text files below `root`. Ignore files are obeyed, links are not followed, and everything left out has its reason in
/// [`FileSet::skipped`].
///
/// # Errors
///
/// `input.unreadable` if `root` itself cannot be listed. A folder or file below it that cannot be read is skipped with its reason.
pub fn read_folder(root: &Path, config: &SourceConfig) -> Result<FileSet, Error> {
    let mut intake = Intake::new(config);
    walk(root, &mut intake)?;
    Ok(intake.finish())
}

/// Shows everything below `root` to a visitor, folder by folder, each in the order of its names.
pub(crate) fn walk(root: &Path, visitor: &mut impl Visitor) -> Result<(), Error> {
    let mut pending = vec![(root.to_owned(), String::new())];
    while let Some((folder, prefix)) = pending.pop() {
        let entries = match list(&folder) {
            Ok(entries) => entries,
            Err(source) if prefix.is_empty() => {
                let path = root.to_owned();
                return Err(Error::Unreadable { path, source });
            }
            Err(reason) => {
                visitor.skip(prefix, unreadable(&reason));
                continue;
            }
        };
        visitor.folder(&prefix, &folder, &entries);
        // Rules first: they may exclude what is listed before them.
        for (path, entry) in named(&entries, &prefix) {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if !is_file || !IgnoreRules::is_ignore_file(&path) {
                continue;
            }
            match read_ignore_file(&entry.path()) {
                Ok(bytes) => visitor.ignore_file(&path, &bytes),
                Err(reason) => visitor.skip(path, unreadable(&reason)),
            }
        }
        for (path, entry) in named(&entries, &prefix) {
            pending.extend(visit(visitor, path, entry)?);
        }
    }
    Ok(())
}

/// Returns the entries of a folder, by name.
fn list(folder: &Path) -> io::Result<Vec<DirEntry>> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}

fn named<'a>(
    entries: &'a [DirEntry],
    prefix: &'a str,
) -> impl Iterator<Item = (String, &'a DirEntry)> {
    entries.iter().map(move |entry| {
        let name = entry.file_name();
        (format!("{prefix}{}", name.to_string_lossy()), entry)
    })
}

/// Shows an entry; returns a folder that is to be listed, with the prefix of its paths.
fn visit(
    visitor: &mut impl Visitor,
    path: String,
    entry: &DirEntry,
) -> Result<Option<(PathBuf, String)>, Error> {
    // Neither of these follows a link.
    match entry.file_type() {
        Ok(kind) if kind.is_dir() => {
            let below = (entry.path(), format!("{path}/"));
            return Ok(visitor.enters(&path).then_some(below));
        }
        Ok(kind) if !kind.is_file() => visitor.skip(path, SkipReason::Link),
        Ok(_) => match entry.metadata() {
            Ok(metadata) => visitor.file(path, &entry.path(), &metadata)?,
            Err(reason) => visitor.skip(path, unreadable(&reason)),
        },
        Err(reason) => visitor.skip(path, unreadable(&reason)),
    }
    Ok(None)
}

/// Reads a file. One that has become a link, a pipe or a device since it was listed is an error, at once.
pub(crate) fn read_regular(place: &Path) -> io::Result<Vec<u8>> {
    let mut file = open_regular(place)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads an ignore file, which has no more bytes than any list of patterns: it is read before limits of files are asked.
fn read_ignore_file(place: &Path) -> io::Result<Vec<u8>> {
    let n_bytes = place.symlink_metadata()?.len();
    if n_bytes > MAX_IGNORE_BYTES {
        let message = format!("it has {n_bytes} bytes, more than an ignore file may have");
        return Err(io::Error::other(message));
    }
    read_regular(place)
}

#[cfg(unix)]
fn open_regular(place: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    // A pipe that nobody writes to would keep `open` waiting.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    OpenOptions::new()
        .read(true)
        .custom_flags(flags.cast_signed())
        .open(place)
}

#[cfg(not(unix))]
fn open_regular(place: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(place)
}

pub(crate) fn unreadable(reason: &io::Error) -> SkipReason {
    SkipReason::Unreadable {
        message: reason.to_string(),
    }
}

impl Visitor for Intake<'_> {
    fn ignore_file(&mut self, path: &str, bytes: &[u8]) {
        self.add_ignore_file(path, bytes);
    }

    fn enters(&mut self, path: &str) -> bool {
        Intake::enters(self, path)
    }

    fn file(&mut self, path: String, place: &Path, metadata: &Metadata) -> Result<(), Error> {
        if self.wants(&path, metadata.len()) {
            match read_regular(place) {
                Ok(bytes) => self.add(&path, &bytes),
                Err(reason) => Intake::skip(self, path, unreadable(&reason)),
            }
        }
        Ok(())
    }

    fn skip(&mut self, path: String, reason: SkipReason) {
        Intake::skip(self, path, reason);
    }
}
