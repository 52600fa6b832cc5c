//! Whether an index was made here, as the npm package records it (`pkg/src/node/own-index.ts`). One that came with an archive or a clone
//! can say what it likes of the files beside it, so it is used only where somebody names it.
//!
//! The record in the user's folder says which file was written: its number, size and times, as no archive can set them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::place::INDEX_FOLDER;
use crate::user_folder::{name_for, read_private, user_folder, write_private};

const RECORDS: &str = "indexes";

/// Whether an index that was found, not named, may be used.
pub(crate) fn is_own_index(path: &Path) -> bool {
    let known = || {
        let place = Place::of(path)?;
        let folder = user_folder(place.root.as_deref())?;
        let known = read_private(&folder, &place.record_file())?;
        Some(known.starts_with(&place.record()?))
    };
    known().unwrap_or_default()
}

/// Notes that this index was made here, of the folder `root`. Returns whether there was a place to note it.
pub(crate) fn bind_index(path: &Path, root: &Path) -> bool {
    let bound = || {
        let place = Place::of(path)?;
        let folder = user_folder(place.root.as_deref())?;
        let mut record = place.record()?;
        if place.root.is_none() {
            record.push_str(&format!("{}\n", root.to_str()?));
        }
        write_private(&folder, &place.record_file(), &record).ok()
    };
    bound().is_some()
}

struct Place {
    /// The real path.
    file: PathBuf,
    /// The indexed folder, if the place of the index determines it.
    root: Option<PathBuf>,
}

impl Place {
    /// None where the folder `.portolan` is a link, which could lead to the index of another repository.
    fn of(path: &Path) -> Option<Self> {
        let folder = match path.parent()? {
            folder if folder.as_os_str().is_empty() => Path::new("."),
            folder => folder,
        };
        let is_in_folder = folder.file_name().is_some_and(|name| name == INDEX_FOLDER);
        if is_in_folder && !fs::symlink_metadata(folder).ok()?.is_dir() {
            return None;
        }
        let real = fs::canonicalize(folder).ok()?;
        let root = is_in_folder.then(|| real.parent().map(Path::to_owned));
        Some(Self {
            file: real.join(path.file_name()?),
            root: root.flatten(),
        })
    }

    fn record_file(&self) -> PathBuf {
        Path::new(RECORDS).join(name_for(&self.file.to_string_lossy()))
    }

    fn record(&self) -> Option<String> {
        let metadata = fs::symlink_metadata(&self.file).ok()?;
        let nanos =
            |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        metadata.is_file().then(|| {
            format!(
                "{} {} {} {}\n{}\n",
                metadata.ino(),
                metadata.size(),
                nanos(metadata.mtime(), metadata.mtime_nsec()),
                nanos(metadata.ctime(), metadata.ctime_nsec()),
                self.file.to_string_lossy()
            )
        })
    }
}
