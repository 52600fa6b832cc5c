//! Updates an index in rounds: a round is a walk over all files or a list of changes. Files that it finds unchanged are
//! kept.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use source::{IgnoreRules, Skipped};

use crate::change::indexer::Indexer;
use crate::merkle::renamed;
use crate::{Differences, Engine, Stamp};

/// The files that a round covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundKind {
    /// A walk over all files: a file that it did not find is gone.
    Walk,
    /// A list of changes: a file that is not in it is unchanged.
    Changes,
}

/// The findings of a round so far.
#[derive(Debug, Default)]
pub(crate) struct IndexingRound {
    /// Whether there is an index to compare with.
    is_open: bool,
    /// Files that were found, and whether they stay in the index, unchanged or to be read.
    met: FxHashMap<String, bool>,
    n_unchanged: usize,
    modified: Vec<String>,
    /// Files that are to be read, with the digests of their texts.
    added: BTreeMap<String, [u8; 32]>,
    deleted: BTreeMap<String, [u8; 32]>,
    stamps: BTreeMap<String, Stamp>,
}

impl IndexingRound {
    /// Notes that a file was found. Returns whether it is the first time.
    pub fn meet(&mut self, path: &str) -> bool {
        let n_before = self.met.len();
        self.met.entry(path.to_owned()).or_insert(false);
        self.met.len() > n_before
    }

    fn keep(&mut self, path: &str) {
        self.met.insert(path.to_owned(), true);
    }

    /// Whether the file is the same as in the index; otherwise it will be read.
    pub fn is_unchanged(&mut self, engine: &Engine, path: &str, text: &str) -> bool {
        if !self.is_open {
            return false;
        }
        self.keep(path);
        let digest = source::digest(text.as_bytes());
        match engine.digest_of(path) {
            Some(known) if known == digest => {
                self.n_unchanged += 1;
                return true;
            }
            Some(_) => self.modified.push(path.to_owned()),
            None => {
                self.added.insert(path.to_owned(), digest);
            }
        }
        false
    }

    /// Notes that the file does not stay.
    pub fn leave_out(&mut self, path: &str) {
        self.met.insert(path.to_owned(), false);
        self.added.remove(path);
        self.modified.retain(|known| known != path);
    }

    fn delete(&mut self, engine: &Engine, path: &str) {
        if let Some(digest) = engine.digest_of(path) {
            self.deleted.insert(path.to_owned(), digest);
        }
    }

    /// Deletes files of the engine that the round found gone.
    fn delete_missing(&mut self, engine: &Engine, kind: RoundKind) {
        let is_gone = |path: &str| match self.met.get(path) {
            Some(stays) => !stays,
            None => kind == RoundKind::Walk,
        };
        let gone: Vec<&str> = engine.paths().filter(|path| is_gone(path)).collect();
        for path in gone {
            self.delete(engine, path);
        }
        let met = &self.met;
        self.deleted.retain(|path, _| met.get(path) != Some(&true));
    }
}

impl Indexer {
    /// Begins a walk over all files: rules of ignore files and notes of skipped files are forgotten.
    pub fn begin_walk(&mut self) {
        self.rules = IgnoreRules::new(&self.config);
        self.engine.clear_skipped();
        self.begin_changes();
    }

    /// Begins a list of changes: files that are not in it stay as they are.
    pub fn begin_changes(&mut self) {
        self.round = IndexingRound {
            is_open: true,
            ..IndexingRound::default()
        };
        self.texts.clear();
        self.duplicates.clear();
    }

    /// Whether a file need not be read, because its stamp on disk is the same as when it was read last.
    pub fn is_stamped(&mut self, path: &str, stamp: Stamp) -> bool {
        if self.engine.stamp_of(path) != Some(stamp) || self.round.met.contains_key(path) {
            return false;
        }
        self.round.keep(path);
        self.round.n_unchanged += 1;
        true
    }

    /// Whether a file need not be added, because its bytes have the digest of the text that the index has of it. A file with a byte order
    /// mark must be added: its text has other bytes.
    pub fn is_same(&mut self, path: &str, digest: [u8; 32]) -> bool {
        if self.engine.digest_of(path) != Some(digest) || self.round.met.contains_key(path) {
            return false;
        }
        self.round.keep(path);
        self.round.n_unchanged += 1;
        true
    }

    /// Stores the stamp of a file that was added.
    pub fn stamp(&mut self, path: &str, stamp: Stamp) {
        let stamps = match self.round.is_open {
            true => &mut self.round.stamps,
            false => &mut self.stamps,
        };
        stamps.insert(path.to_owned(), stamp);
    }

    /// Whether a changed file belongs in the index, by its size in bytes and the rules of the last walk; if not, it is
    /// removed.
    pub fn wants_changed(&mut self, path: &str, size: u64) -> bool {
        let too_large = source::check_size(size, &self.config).err();
        let skipped = self.rules.skipped(path).or_else(|| {
            Some(Skipped {
                path: path.to_owned(),
                reason: too_large?,
            })
        });
        let wanted = skipped.is_none();
        if let Some(skipped) = skipped {
            self.round.meet(path);
            self.engine.skip(skipped);
        }
        wanted
    }

    /// Removes a file, or all files of a folder, that is gone.
    pub fn remove_file(&mut self, path: &str) {
        let folder = format!("{path}/");
        let is_gone = |known: &&str| *known == path || known.starts_with(&folder);
        for path in self.engine.paths().filter(is_gone) {
            self.round.delete(&self.engine, path);
        }
    }

    /// Ends a round: removes files that are gone and moves those that were renamed. Files that were added or modified
    /// must be parsed, except those that were renamed.
    pub fn end_round(&mut self, kind: RoundKind) -> Differences {
        let mut round = std::mem::take(&mut self.round);
        round.delete_missing(&self.engine, kind);
        let n_unchanged = match kind {
            RoundKind::Walk => round.n_unchanged,
            RoundKind::Changes => {
                self.engine.n_files() - round.deleted.len() - round.modified.len()
            }
        };
        let mut moved = Vec::new();
        for (from, to) in renamed(&round.deleted, &round.added) {
            if self.engine.rename(&from, &to) {
                self.texts.remove(&to);
                round.deleted.remove(&from);
                round.added.remove(&to);
                moved.push((from, to));
            }
        }
        for path in round.deleted.keys() {
            // The note why it was left out is kept.
            let skipped = self.engine.skipped(path);
            self.engine.remove(path);
            if let Some(skipped) = skipped {
                self.engine.skip(skipped);
            }
        }
        for (path, stamp) in round.stamps {
            self.engine.set_stamp(&path, stamp);
            self.stamps.insert(path, stamp);
        }
        Differences {
            added: round.added.into_keys().collect(),
            modified: round.modified,
            deleted: round.deleted.into_keys().collect(),
            renamed: moved,
            n_unchanged,
            n_folders_skipped: 0,
        }
    }
}
