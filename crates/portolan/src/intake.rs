//! Takes the files of a folder into an index while it is walked.

use std::fs::{DirEntry, Metadata};
use std::io;
use std::path::Path;
use std::time::Duration;

use engine::{Admitted, Indexer, Stamp};
use source::SkipReason;

use crate::Error;
use crate::folder::{Visitor, read_regular, unreadable};
use crate::indexing::IndexingJob;
use crate::reading::{Digested, Place};
use crate::walked::{WalkedFolder, changed_at};

/// A file that was written so lately may be written again within the same tick of the disk's clock.
const TOO_FRESH: Duration = Duration::from_secs(2);

/// Takes the files of a walk into an index.
pub(crate) struct FolderIntake<'j, 'a, 'w, 'p> {
    job: &'j mut IndexingJob<'a, 'w, 'p>,
    /// Files of an update that are to be compared with those of the index.
    pub places: Vec<Place>,
    /// The folders that were entered.
    pub walked: Vec<WalkedFolder>,
}

impl<'j, 'a, 'w, 'p> FolderIntake<'j, 'a, 'w, 'p> {
    /// Nothing has been taken yet.
    pub fn of(job: &'j mut IndexingJob<'a, 'w, 'p>) -> Self {
        Self {
            job,
            places: Vec::new(),
            walked: Vec::new(),
        }
    }
}

impl Visitor for FolderIntake<'_, '_, '_, '_> {
    fn folder(&mut self, prefix: &str, place: &Path, entries: &[DirEntry]) {
        self.walked.push(WalkedFolder::new(prefix, place, entries));
    }

    fn ignore_file(&mut self, path: &str, bytes: &[u8]) {
        add_ignore_file(&mut self.job.indexer, path, bytes);
    }

    fn enters(&mut self, path: &str) -> bool {
        self.job.indexer.enter_folder(path)
    }

    fn file(&mut self, path: String, place: &Path, metadata: &Metadata) -> Result<(), Error> {
        let job = &mut *self.job;
        let changed_at = changed_at(metadata);
        let is_wanted = job.indexer.wants_file(&path, metadata.len());
        if let Some(folder) = self.walked.last_mut() {
            folder.file(&path, metadata.len(), changed_at, is_wanted);
        }
        if !is_wanted {
            return Ok(());
        }
        let stamp = stamp_of(metadata.len(), changed_at);
        if job.is_update && job.trusts_stamps && job.indexer.is_stamped(&path, stamp) {
            return Ok(());
        }
        if job.is_update {
            self.places.push(Place {
                path,
                place: place.to_owned(),
                n_bytes: metadata.len(),
                changed_at,
            });
            return Ok(());
        }
        let admitted = match read_regular(place) {
            Ok(bytes) => job.indexer.add(&path, &bytes),
            Err(reason) => {
                job.indexer.skip(path.clone(), unreadable(&reason));
                None
            }
        };
        job.stamp(&path, metadata.len(), changed_at);
        match admitted {
            Some(Admitted { path, .. }) => job.parse(path),
            None => Ok(()),
        }
    }

    fn skip(&mut self, path: String, reason: SkipReason) {
        self.job.indexer.skip(path, reason);
    }
}

impl IndexingJob<'_, '_, '_> {
    /// Compares a file that was read with the one that the index has. Returns its path where it is to be parsed.
    pub fn compare(&mut self, place: Place, read: io::Result<Digested>) -> Option<String> {
        let Place {
            path,
            n_bytes,
            changed_at,
            ..
        } = place;
        let admitted = added(&mut self.indexer, &path, read.as_ref());
        self.stamp(&path, n_bytes, changed_at);
        Some(admitted?.path)
    }

    /// Stores the stamp of a file, unless it may be written again within the same stamp.
    fn stamp(&mut self, path: &str, n_bytes: u64, changed_at: f64) {
        if self.started - changed_at > TOO_FRESH.as_millis() as f64 {
            self.indexer.stamp(path, stamp_of(n_bytes, changed_at));
        }
    }
}

/// Adds a file that was read, unless it is the one that the index has.
pub(crate) fn added(
    indexer: &mut Indexer,
    path: &str,
    read: Result<&Digested, &io::Error>,
) -> Option<Admitted> {
    match read {
        Ok((_, digest)) if indexer.is_same(path, *digest) => None,
        Ok((bytes, _)) => indexer.add(path, bytes),
        Err(reason) => {
            indexer.skip(path.to_owned(), unreadable(reason));
            None
        }
    }
}

fn stamp_of(n_bytes: u64, modified: f64) -> Stamp {
    Stamp {
        n_bytes: u32::try_from(n_bytes).unwrap_or(u32::MAX),
        modified,
    }
}

/// Adds the rules of an ignore file, whatever its encoding.
pub(crate) fn add_ignore_file(indexer: &mut Indexer, path: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    indexer.add_ignore_file(path, text);
}
