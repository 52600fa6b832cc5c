//! A walk that tells which files are to be read, without reading them.

use std::fs::{DirEntry, Metadata};
use std::path::Path;

use engine::Indexer;
use source::SkipReason;

use crate::Error;
use crate::folder::Visitor;
use crate::intake::add_ignore_file;
use crate::walked::{WalkedFolder, changed_at};

/// Gives each file that is to be read to `wanted`: its path, its place and its size in bytes.
pub(crate) struct Listing<F> {
    pub indexer: Indexer,
    pub walked: Vec<WalkedFolder>,
    pub wanted: F,
}

impl<F: FnMut(String, &Path, u64)> Visitor for Listing<F> {
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
        let n_bytes = metadata.len();
        let is_wanted = self.indexer.wants_file(&path, n_bytes);
        if let Some(folder) = self.walked.last_mut() {
            folder.file(&path, n_bytes, changed_at(metadata), is_wanted);
        }
        if is_wanted {
            (self.wanted)(path, place, n_bytes);
        }
        Ok(())
    }

    fn skip(&mut self, path: String, reason: SkipReason) {
        self.indexer.skip(path, reason);
    }
}
