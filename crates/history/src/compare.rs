//! Two commits side by side: the files that differ, their contents, and the commit where two branches parted.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::diff::{self, Difference};
use crate::{Error, ErrorKind, Oid, Repository};

/// Commits that a search for a common one looks at, for each commit that a history may have.
const COMMITS: usize = 2;
/// The sides that have a commit behind them.
const FIRST: u8 = 1;
const SECOND: u8 = 2;

impl Repository {
    /// Returns the first parent of a commit; `None` for one without parents that are there.
    ///
    /// # Errors
    ///
    /// Those of reading a commit.
    pub fn parent(&mut self, commit: Oid) -> Result<Option<Oid>, Error> {
        Ok(self.commit(commit)?.parents.first().copied())
    }

    /// Returns the files that differ between two commits, by path, at most `most` of them; without an old one all files are new. Moved files are listed at both paths; files whose
    /// mode alone differs have the same object on both sides.
    ///
    /// # Errors
    ///
    /// Those of reading commits and folders.
    pub fn compare(
        &mut self,
        old: Option<Oid>,
        new: Oid,
        most: usize,
    ) -> Result<Difference, Error> {
        self.renew();
        let old = old.map(|oid| self.commit(oid)).transpose()?;
        let new = self.commit(new)?.tree;
        diff::trees(self, old.map(|commit| commit.tree), Some(new), most)
    }

    /// Returns the object of a file of a commit; `None` if the commit has no file at this path.
    ///
    /// # Errors
    ///
    /// Those of reading commits and folders.
    pub fn file_at(&mut self, commit: Oid, path: &str) -> Result<Option<Oid>, Error> {
        self.renew();
        let tree = self.commit(commit)?.tree;
        self.blob_at(tree, path)
    }

    /// Returns the bytes of a file; `None` if they are not in the repository or longer than `Limits::object_bytes`.
    ///
    /// # Errors
    ///
    /// `history.unreadable` if the host cannot read, `history.too-large` if the budget of work is used up.
    pub fn contents(&mut self, file: Oid) -> Result<Option<Vec<u8>>, Error> {
        let object = self.text(file)?;
        Ok(object.map(|object| object.bytes.to_vec()))
    }

    /// Returns the newest commit that two commits have behind them: where their branches parted. `None` if there is none, or if it is further
    /// away than limits allow. Where clocks went wrong it may be one of several common commits.
    ///
    /// # Errors
    ///
    /// Those of reading the two commits, and `history.unreadable`. Missing commits end the search on their side.
    pub fn common(&mut self, first: Oid, second: Oid) -> Result<Option<Oid>, Error> {
        self.renew();
        let mut sides: FxHashMap<Oid, u8> = FxHashMap::default();
        let mut waiting = BinaryHeap::new();
        for (oid, side) in [(first, FIRST), (second, SECOND)] {
            *sides.entry(oid).or_default() |= side;
            waiting.push((self.commit(oid)?.committed, oid));
        }
        for _ in 0..self.limits().commits.saturating_mul(COMMITS) {
            let Some((_, oid)) = waiting.pop() else {
                break;
            };
            let side = sides.get(&oid).copied().unwrap_or_default();
            if side == FIRST | SECOND {
                return Ok(Some(oid));
            }
            let Some(commit) = self.known(oid)? else {
                continue;
            };
            for parent in commit.parents {
                let known = sides.entry(parent).or_default();
                if *known | side == *known {
                    continue;
                }
                *known |= side;
                if let Some(commit) = self.known(parent)? {
                    waiting.push((commit.committed, parent));
                }
            }
        }
        Ok(None)
    }

    /// A commit, if the repository has it.
    fn known(&mut self, oid: Oid) -> Result<Option<crate::commit::Commit>, Error> {
        match self.commit(oid) {
            Ok(commit) => Ok(Some(commit)),
            Err(error) if error.kind() == ErrorKind::Unreadable || self.is_exhausted() => {
                Err(error)
            }
            Err(_) => Ok(None),
        }
    }
}
