//! A worktree by its difference from the index of another folder: finds the difference without parsing anything, and makes the whole index of
//! both. The package keeps the difference in place of an index (decision 32).

use std::path::Path;
use std::sync::Arc;

use engine::{Engine, Indexer, OnProgress, RoundKind, Snapshot};
use source::{SkipReason, Skipped};

use crate::folder::walk;
use crate::indexing::{recipe, with_job};
use crate::intake::added;
use crate::listing::Listing;
use crate::reading::{Place, read_each};
use crate::walked::WalkedFolder;
use crate::workers::n_threads;
use crate::{Error, IndexOptions};

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
    if !indexer.is_made_by(&recipe(options)) {
        return Ok(None);
    }
    indexer.begin_walk();
    let mut list = Listing {
        indexer,
        walked: Vec::new(),
        places: Vec::new(),
    };
    walk(folder, &mut list)?;
    let Listing {
        mut indexer,
        walked,
        places,
    } = list;
    let files = differing(&mut indexer, places, n_threads(options.threads), max_bytes);
    Ok(files.and_then(|files| finished(indexer, files, walked)))
}

/// Reads files, and returns those that differ from the ones of the index; none where they have more than `max_bytes`.
fn differing(
    indexer: &mut Indexer,
    places: Vec<Place>,
    n_threads: usize,
    max_bytes: u64,
) -> Option<Vec<(String, Vec<u8>)>> {
    let mut n_bytes = 0;
    let mut files = Vec::new();
    let is_all = read_each(places, n_threads, |place, read| {
        if let (Some(admitted), Ok((bytes, _))) = (added(indexer, &place.path, read.as_ref()), read)
        {
            n_bytes += bytes.len() as u64;
            files.push((admitted.path, bytes));
        }
        n_bytes <= max_bytes
    });
    is_all.then_some(files)
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
