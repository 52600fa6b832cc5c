//! Files that changed together before an issue's commit, as a host with a `.git` tells them to `locate`.

use std::path::Path;

use engine::{FileId, Partner, Reader};
use history::{Folder, History, Limits, Oid, Repository};

use crate::flags::Failure;

/// Partners of one file, and the least part of its commits that they share: those of the hosts (`pkg/src/node/co-change.ts`).
const MOST: usize = 10;
const MIN_CONFIDENCE: f64 = 0.2;

/// Reads the history up to a commit.
pub(crate) fn before(clone: &Path, commit: &str) -> Result<History, Failure> {
    let read = || {
        let files = Box::new(Folder::open(clone, &[])?);
        let mut repository = Repository::open(files, Limits::default())?;
        History::read_at(&mut repository, Oid::from_hex(commit.as_bytes())?)
    };
    read()
        .map_err(|error: history::Error| format!("{}: {}", clone.display(), error.message()).into())
}

/// The partners of a file that the index has.
pub(crate) fn together(history: &History, reader: &Reader, file: FileId) -> Vec<Partner> {
    let others = history.co_changed(reader.path(file), MOST).into_iter();
    others
        .filter(|other| other.confidence >= MIN_CONFIDENCE)
        .filter_map(|other| {
            Some(Partner {
                file: reader.file(&other.path).ok()?,
                confidence: other.confidence as f32,
                reverse: other.reverse as f32,
            })
        })
        .collect()
}
