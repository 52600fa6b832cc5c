//! Reads a folder of the file system as a set of text files.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use source::{FileSet, IgnoreRules, Intake, SkipReason, SourceConfig};

use crate::Error;

/// Reads the text files below `root`. Ignore files are obeyed, links are not followed, and everything left out has its reason in
/// [`FileSet::skipped`].
///
/// # Errors
///
/// `input.unreadable` if `root` itself cannot be listed. A folder or file below it that cannot be read is skipped with its reason.
pub fn read_folder(root: &Path, config: &SourceConfig) -> Result<FileSet, Error> {
    let mut intake = Intake::new(config);
    let mut pending = vec![(root.to_owned(), String::new())];
    while let Some((folder, prefix)) = pending.pop() {
        let entries = match list(&folder) {
            Ok(entries) => entries,
            Err(source) if prefix.is_empty() => {
                let path = root.to_owned();
                return Err(Error::Unreadable { path, source });
            }
            Err(reason) => {
                intake.skip(prefix, unreadable(&reason));
                continue;
            }
        };
        // Rules first: they may exclude what is listed before them.
        for (path, entry) in named(&entries, &prefix) {
            if IgnoreRules::is_ignore_file(&path)
                && let Ok(bytes) = std::fs::read(entry.path())
            {
                intake.add_ignore_file(&path, &bytes);
            }
        }
        for (path, entry) in named(&entries, &prefix) {
            if let Some(below) = visit(&mut intake, path, entry) {
                pending.push(below);
            }
        }
    }
    Ok(intake.finish())
}

/// Returns the entries of a folder, by name.
fn list(folder: &Path) -> std::io::Result<Vec<DirEntry>> {
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

/// Adds a file; returns a folder that is to be listed, with the prefix of its paths.
fn visit(intake: &mut Intake<'_>, path: String, entry: &DirEntry) -> Option<(PathBuf, String)> {
    // Not that of a link's target: a link is neither.
    let metadata = match entry.metadata() {
        Ok(metadata) => metadata,
        Err(reason) => {
            intake.skip(path, unreadable(&reason));
            return None;
        }
    };
    if metadata.is_dir() {
        return intake
            .enters(&path)
            .then(|| (entry.path(), format!("{path}/")));
    }
    if !metadata.is_file() {
        intake.skip(path, SkipReason::Link);
    } else if intake.wants(&path, metadata.len()) {
        match std::fs::read(entry.path()) {
            Ok(bytes) => intake.add(&path, &bytes),
            Err(reason) => intake.skip(path, unreadable(&reason)),
        }
    }
    None
}

fn unreadable(reason: &std::io::Error) -> SkipReason {
    SkipReason::Unreadable {
        message: reason.to_string(),
    }
}
