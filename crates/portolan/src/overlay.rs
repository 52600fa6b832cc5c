//! A worktree by its difference from the index of another folder: finds the difference without parsing anything, and makes the whole index of
//! both. The package keeps the difference in place of an index (decision 32).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;

use engine::{Engine, Indexer, OnProgress, RoundKind, Snapshot};
use source::{SkipReason, Skipped};

use crate::folder::{read_regular, unreadable, walk};
use crate::indexing::with_job;
use crate::listing::Listing;
use crate::walked::WalkedFolder;
use crate::{Error, IndexOptions};

/// Files that are read ahead of the comparison.
const MAX_AHEAD: usize = 64;

/// The difference of a folder from an index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Difference {
    /// Files that are new or have another text, with their bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// Paths that are gone.
    pub deleted: Vec<String>,
    /// All files that were left out, and why.
    pub skipped: Vec<Skipped>,
    /// Number of files that are as in the index.
    pub n_unchanged: usize,
    /// The folders that were entered.
    pub walked: Vec<WalkedFolder>,
}

/// Finds how `folder` differs from the index in [`IndexOptions::previous`], which is of another folder: every file is read and its digest compared.
/// Of the index only the list of files is read, and nothing is parsed.
///
/// Returns none where the index was made by another version, where the files that differ have more than `max_bytes`, or where there are more
/// files than [`source::SourceConfig::max_files`]: then not all can be told by a difference.
///
/// # Errors
///
/// `input.unreadable` if the folder cannot be listed; `snapshot.…` where the index cannot be read.
pub fn difference(
    folder: &Path,
    options: &IndexOptions,
    max_bytes: u64,
) -> Result<Option<Difference>, Error> {
    let Some(base) = &options.previous else {
        return Ok(None);
    };
    let engine = Engine::of_digests(base)?;
    let mut indexer = Indexer::new(engine, options.source.clone(), options.languages.clone());
    if !indexer.is_made_by("") {
        return Ok(None);
    }
    indexer.begin_walk();
    let (wanted, places) = mpsc::channel::<(String, PathBuf)>();
    let (give, read) = mpsc::sync_channel(MAX_AHEAD);
    let mut list = Listing {
        indexer,
        walked: Vec::new(),
        wanted: move |path, place: &Path, _| {
            // Its thread takes all there are: it ends after this one.
            let _ = wanted.send((path, place.to_owned()));
        },
    };
    // One thread reads, this one walks and then compares.
    thread::scope(|scope| {
        scope.spawn(move || {
            for (path, place) in places {
                let bytes = read_regular(&place);
                if give.send((path, bytes)).is_err() {
                    return;
                }
            }
        });
        walk(folder, &mut list)?;
        let Listing {
            mut indexer,
            walked,
            wanted,
        } = list;
        drop(wanted);
        let files = added(&mut indexer, read, max_bytes);
        Ok(files.and_then(|files| finished(indexer, files, walked)))
    })
}

/// Adds the files that were read; returns those that differ, or none where they have more than `max_bytes`.
fn added(
    indexer: &mut Indexer,
    read: mpsc::Receiver<(String, io::Result<Vec<u8>>)>,
    max_bytes: u64,
) -> Option<Vec<(String, Vec<u8>)>> {
    let mut room = max_bytes;
    let mut files = Vec::new();
    for (path, bytes) in read {
        match bytes {
            Ok(bytes) => {
                if let Some(admitted) = indexer.add(&path, &bytes) {
                    room = room.checked_sub(bytes.len() as u64)?;
                    files.push((admitted.path, bytes));
                }
            }
            Err(reason) => indexer.skip(path, unreadable(&reason)),
        }
    }
    Some(files)
}

fn finished(
    mut indexer: Indexer,
    files: Vec<(String, Vec<u8>)>,
    walked: Vec<WalkedFolder>,
) -> Option<Difference> {
    let changes = indexer.end_round(RoundKind::Walk);
    let skipped: Vec<Skipped> = indexer.engine().all_skipped().cloned().collect();
    let is_limited = |note: &Skipped| matches!(note.reason, SkipReason::FileLimit { .. });
    if skipped.iter().any(is_limited) {
        return None;
    }
    let moved = changes.renamed.into_iter().map(|(from, _)| from);
    Some(Difference {
        files,
        deleted: changes.deleted.into_iter().chain(moved).collect(),
        skipped,
        n_unchanged: changes.n_unchanged,
        walked,
    })
}

/// Makes the index that [`crate::index_folder`] would make of the folder that `difference` was found for; [`IndexOptions::previous`] is the index it was
/// found from. `progress` hears of every step and stops the work by returning `false`.
///
/// # Errors
///
/// `previous.unusable` where there is no earlier index, or it was made by another version; those of [`crate::index_folder`].
pub fn replay(
    difference: Difference,
    options: &IndexOptions,
    progress: OnProgress<'_>,
) -> Result<Arc<Snapshot>, Error> {
    with_job(options, "", progress, |job| {
        if !job.is_update {
            return Err(Error::Previous);
        }
        let indexer = &mut job.indexer;
        indexer.begin_walk();
        for Skipped { path, reason } in difference.skipped {
            indexer.leave_out(&path, reason);
        }
        for path in &difference.deleted {
            indexer.remove_file(path);
        }
        let files = difference.files.iter();
        let added = files.filter_map(|(path, bytes)| indexer.add(path, bytes));
        let admitted: Vec<String> = added.map(|admitted| admitted.path).collect();
        let changes = indexer.end_round(RoundKind::Changes);
        job.parse_changed(admitted, &changes)?;
        job.finish(options)
    })
}
