//! A walk that tells which files are to be read, without reading them.

use std::fs::{DirEntry, Metadata};
use std::path::Path;

use engine::Indexer;
use source::SkipReason;

use crate::Error;
use crate::folder::Visitor;
use crate::intake::add_ignore_file;
use crate::reading::Place;
use crate::walked::{WalkedFolder, changed_at};

/// Lists the files that are to be read.
pub(crate) struct Listing {
    pub indexer: Indexer,
    pub walked: Vec<WalkedFolder>,
    pub places: Vec<Place>,
}

impl Visitor for Listing {
    fn folder(&mut self, prefix: &str, place: &Path, entries: &[DirEntry]) {
        self.walked.push(WalkedFolder::new(prefix, place, entries));
    }

    fn ignore_file(&mut self, path: &str, bytes: &[u8]) {
        add_ignore_file(&mut self.indexer, path, bytes);
    }

    fn enters(&mut self, path: &str) -> bool {
        self.indexer.enter_folder(path)
    }

    fn file(&mut self, path: String, place: &Path, metadata: &Metadata) -> Result<(), Error> {
        let (n_bytes, changed_at) = (metadata.len(), changed_at(metadata));
        let is_wanted = self.indexer.wants_file(&path, n_bytes);
        if let Some(folder) = self.walked.last_mut() {
            folder.file(&path, n_bytes, changed_at, is_wanted);
        }
        if is_wanted {
            self.places.push(Place {
                path,
                place: place.to_owned(),
                n_bytes,
                changed_at,
            });
        }
        Ok(())
    }

    fn skip(&mut self, path: String, reason: SkipReason) {
        self.indexer.skip(path, reason);
    }
}
