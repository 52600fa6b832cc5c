//! Archives: zip, tar, tar.gz (also .tgz and .crate), told apart by their first bytes.
//!
//! Unpacking is bounded three ways, so no bomb gets far: an entry is read up to the file limit, the sum of what is
//! unpacked is limited, and nested archives are ordinary (binary) files.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::path::{clean_path, single_top_folder};
use crate::rules::IgnoreRules;
use crate::set::Intake;
use crate::{FileSet, SkipReason, SourceConfig, admit};

/// Why nothing could be read from an archive.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArchiveError {
    /// The bytes are no archive known here.
    #[error("not a zip, tar or tar.gz archive")]
    Unknown,
    /// It begins like an archive but cannot be read.
    #[error("the archive is damaged: {message}")]
    Damaged {
        /// What the reader said.
        message: String,
    },
}

impl ArchiveError {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "archive.unknown",
            Self::Damaged { .. } => "archive.damaged",
        }
    }

    fn damaged(error: impl ToString) -> Self {
        Self::Damaged {
            message: error.to_string(),
        }
    }
}

impl FileSet {
    /// Admit the files of an archive. Ignore files in it are obeyed; if one folder holds everything, its name is left out of
    /// the paths.
    ///
    /// # Errors
    ///
    /// Bytes that are no archive, or a damaged one of which nothing can be read. A single entry that cannot be read is
    /// skipped with its reason and spoils nothing else.
    pub fn from_archive(bytes: &[u8], config: &SourceConfig) -> Result<Self, ArchiveError> {
        match bytes {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => from_zip(bytes, config),
            [0x1F, 0x8B, ..] => from_tar(MultiGzDecoder::new(bytes), config),
            _ if bytes.get(257..262) == Some(b"ustar") => from_tar(bytes, config),
            _ => Err(ArchiveError::Unknown),
        }
    }
}

fn from_zip(bytes: &[u8], config: &SourceConfig) -> Result<FileSet, ArchiveError> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(ArchiveError::damaged)?;
    let mut intake = Intake::new(config);
    let mut budget = config.max_archive_bytes;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let Ok(entry) = archive.by_index_raw(index) else {
            continue;
        };
        let path = entry.name().map_or_else(
            |_| String::from_utf8_lossy(entry.name_raw()).into_owned(),
            Cow::into_owned,
        );
        let (is_dir, is_link) = (entry.is_dir(), entry.is_symlink());
        drop(entry);
        match intake.clean(path) {
            Some(path) if is_link => intake.skip(path, SkipReason::Link),
            Some(path) if !is_dir => entries.push((index, path)),
            _ => {}
        }
    }
    strip_top_folder(&mut entries);
    for (index, path) in entries
        .iter()
        .filter(|(_, path)| IgnoreRules::is_ignore_file(path))
    {
        if let Ok(bytes) = zip_entry(&mut archive, *index, config, &mut budget) {
            intake
                .rules
                .add_ignore_file(path, &String::from_utf8_lossy(&bytes));
        }
    }
    for (index, path) in entries {
        if intake.wants(&path) {
            let admitted = zip_entry(&mut archive, index, config, &mut budget)
                .and_then(|bytes| admit(&path, &bytes, config).map(Cow::into_owned));
            intake.take(path, admitted);
        }
    }
    Ok(intake.finish())
}

fn zip_entry(
    archive: &mut zip::ZipArchive<Cursor<&[u8]>>,
    index: usize,
    config: &SourceConfig,
    budget: &mut u64,
) -> Result<Vec<u8>, SkipReason> {
    let entry = archive.by_index(index).map_err(unreadable)?;
    let size = entry.size();
    read_entry(entry, size, config, budget)
}

/// Read one entry, never more than its limit and what is left of the archive's.
fn read_entry(
    reader: impl Read,
    size: u64,
    config: &SourceConfig,
    budget: &mut u64,
) -> Result<Vec<u8>, SkipReason> {
    crate::admit::check_size(size, config)?;
    let limit = u64::from(config.max_file_bytes).min(*budget);
    let mut bytes = Vec::new();
    // One byte more than allowed tells an entry that lies about its size.
    reader
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    *budget = budget.saturating_sub(bytes.len() as u64);
    crate::admit::check_size(bytes.len() as u64, config)?;
    if bytes.len() as u64 > limit {
        return Err(SkipReason::ArchiveLimit {
            limit: config.max_archive_bytes,
        });
    }
    if (bytes.len() as u64) < size {
        return Err(unreadable("the archive ends within it"));
    }
    Ok(bytes)
}

fn from_tar(reader: impl Read, config: &SourceConfig) -> Result<FileSet, ArchiveError> {
    let mut intake = Intake::new(config);
    let mut texts = Vec::new();
    // A tar is read as a stream, skipped entries included, so the stream as a whole is bounded.
    let mut limited = Limited {
        reader,
        left: config.max_archive_bytes,
        exceeded: false,
    };
    let end = read_tar(&mut limited, config, &mut intake, &mut texts);
    if limited.exceeded {
        intake.skip(
            "(rest of the archive)".into(),
            SkipReason::ArchiveLimit {
                limit: config.max_archive_bytes,
            },
        );
    } else if let Err(message) = end {
        if texts.is_empty() {
            return Err(ArchiveError::Damaged { message });
        }
        intake.skip(
            "(rest of the archive)".into(),
            SkipReason::Unreadable { message },
        );
    }
    strip_top_folder(&mut texts);
    for (text, path) in texts
        .iter()
        .filter(|(_, path)| IgnoreRules::is_ignore_file(path))
    {
        if let Ok(text) = text {
            intake.rules.add_ignore_file(path, text);
        }
    }
    for (text, path) in texts {
        if intake.wants(&path) {
            intake.take(path, text);
        }
    }
    Ok(intake.finish())
}

type Admitted = (Result<String, SkipReason>, String);

fn read_tar(
    reader: impl Read,
    config: &SourceConfig,
    intake: &mut Intake<'_>,
    texts: &mut Vec<Admitted>,
) -> Result<(), String> {
    let mut archive = tar::Archive::new(reader);
    let mut budget = config.max_archive_bytes;
    for entry in archive.entries().map_err(|error| error.to_string())? {
        let entry = entry.map_err(|error| error.to_string())?;
        let kind = entry.header().entry_type();
        if !(kind.is_file() || kind.is_symlink() || kind.is_hard_link()) {
            continue;
        }
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let Some(path) = intake.clean(path) else {
            continue;
        };
        let admitted = if kind.is_file() {
            let size = entry.size();
            read_entry(entry, size, config, &mut budget)
                .and_then(|bytes| admit(&path, &bytes, config).map(Cow::into_owned))
        } else {
            Err(SkipReason::Link)
        };
        texts.push((admitted, path));
    }
    Ok(())
}

/// Leave out the one folder that holds everything.
fn strip_top_folder<T>(entries: &mut [(T, String)]) {
    let paths = entries
        .iter()
        .map(|(_, path)| path.as_str())
        .filter(|path| !path.starts_with("__MACOSX/"));
    let Some(top) = single_top_folder(paths).map(|top| format!("{top}/")) else {
        return;
    };
    for (_, path) in entries {
        if let Some(below) = path
            .strip_prefix(&top)
            .and_then(|below| clean_path(below).ok())
        {
            *path = below;
        }
    }
}

fn unreadable(error: impl ToString) -> SkipReason {
    SkipReason::Unreadable {
        message: error.to_string(),
    }
}

/// A reader that fails, and remembers it, after a number of bytes.
struct Limited<R> {
    reader: R,
    left: u64,
    exceeded: bool,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            self.exceeded = true;
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
