//! Archives: zip, tar, tar.gz (also .tgz and .crate), recognised by their first bytes.
//!
//! Unpacking is bounded against archive bombs: an entry is read up to the file limit, its name up to [`MAX_NAME`], the
//! total unpacked size and the number of entries are limited, and nested archives are ordinary (binary) files. A tar is
//! read twice, first for names and ignore files, then for the accepted files: nothing else is kept in memory.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{Cursor, Read};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::intake::Intake;
use crate::path::{clean_path, single_top_folder};
use crate::rules::IgnoreRules;
use crate::tar_entries::{End, Kind, walk_tar};
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
        /// The reader's message.
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

    /// Advice for people.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Unknown => {
                "give a zip, tar or tar.gz file; unpack any other archive and give its folder"
            }
            Self::Damaged { .. } => {
                "the file may be cut off: download or pack it again, or unpack it and give the folder"
            }
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
        let config = &SourceConfig {
            max_archive_bytes: config.unpacked(bytes.len()),
            ..config.clone()
        };
        match bytes {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => from_zip(bytes, config),
            [0x1F, 0x8B, ..] => from_tar(|| MultiGzDecoder::new(bytes), config),
            _ if bytes.get(257..262) == Some(b"ustar") => from_tar(|| bytes, config),
            _ => Err(ArchiveError::Unknown),
        }
    }
}

fn from_zip(bytes: &[u8], config: &SourceConfig) -> Result<FileSet, ArchiveError> {
    // The crate's own messages ("Could not find EOCD") are of no use to users, and all of them are about this table.
    let damaged =
        |_| ArchiveError::damaged("the list of its files, at its end, is missing or broken");
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    let mut intake = Intake::new(config);
    let mut budget = config.max_archive_bytes;
    let mut entries = Vec::new();
    if archive.len() > config.max_entries() {
        intake.skip(REST.into(), archive_limit(config));
    }
    for index in 0..archive.len().min(config.max_entries()) {
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
            intake.add_ignore_file(path, &bytes);
        }
    }
    for (index, path) in entries {
        if intake.wants_path(&path) {
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
    // One byte more than allowed reveals an entry with a wrong size.
    reader
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    *budget = budget.saturating_sub(bytes.len() as u64);
    crate::admit::check_size(bytes.len() as u64, config)?;
    if bytes.len() as u64 > limit {
        return Err(archive_limit(config));
    }
    if (bytes.len() as u64) < size {
        return Err(unreadable("the archive ends within it"));
    }
    Ok(bytes)
}

/// The entry in the list of skipped files that covers everything after a limit or a fault.
const REST: &str = "(rest of the archive)";

fn archive_limit(config: &SourceConfig) -> SkipReason {
    SkipReason::ArchiveLimit {
        limit: config.max_archive_bytes,
    }
}

fn from_tar<R: Read>(open: impl Fn() -> R, config: &SourceConfig) -> Result<FileSet, ArchiveError> {
    let mut intake = Intake::new(config);
    // Index of the entry and path; the place is that of the entry among those that were named.
    let mut entries: Vec<(usize, String)> = Vec::new();
    let mut ignore_files: Vec<(usize, Vec<u8>)> = Vec::new();
    // Each is no larger than a file; the walk itself bounds their sum.
    let mut unbounded = u64::MAX;
    let end = walk_tar(open(), config, &mut |index, kind, path, _, entry| {
        let Some(path) = intake.clean(path) else {
            return;
        };
        if kind != Kind::File {
            intake.skip(path, SkipReason::Link);
            return;
        }
        if IgnoreRules::is_ignore_file(&path)
            && let Ok(bytes) = read_entry(entry, 0, config, &mut unbounded)
        {
            ignore_files.push((index, bytes));
        }
        entries.push((index, path));
    });
    if let Err(End::Damaged(message)) = &end
        && entries.is_empty()
    {
        let message = message.clone();
        return Err(ArchiveError::Damaged { message });
    }
    strip_top_folder(&mut entries);
    let paths: HashMap<usize, String> = entries.into_iter().collect();
    for (index, text) in ignore_files {
        if let Some(path) = paths.get(&index) {
            intake.add_ignore_file(path, &text);
        }
    }
    take_tar(open(), paths, config, &mut intake);
    match end {
        Ok(()) => {}
        Err(End::Limit) => intake.skip(REST.into(), archive_limit(config)),
        Err(End::Damaged(message)) => intake.skip(REST.into(), SkipReason::Unreadable { message }),
    }
    Ok(intake.finish())
}

/// The second pass: the texts of admitted entries.
fn take_tar(
    reader: impl Read,
    mut paths: HashMap<usize, String>,
    config: &SourceConfig,
    intake: &mut Intake<'_>,
) {
    let mut budget = config.max_archive_bytes;
    // The first pass reported an early end already.
    let _ = walk_tar(reader, config, &mut |index, kind, _, size, entry| {
        let path = paths.remove(&index).filter(|_| kind == Kind::File);
        let Some(path) = path.filter(|path| intake.wants_path(path)) else {
            return;
        };
        let admitted = read_entry(entry, size, config, &mut budget)
            .and_then(|bytes| admit(&path, &bytes, config).map(Cow::into_owned));
        intake.take(path, admitted);
    });
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
