//! Commits with their files.

use super::History;
use crate::Oid;

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitInfo {
    /// Its name.
    pub id: Oid,
    /// First line of its message, at most 200 bytes.
    pub subject: String,
    /// Name and address of its author.
    pub author: (String, String),
    /// When it was written, seconds since 1970.
    pub authored: i64,
    /// When it came into this history, seconds since 1970.
    pub committed: i64,
    /// Number of files that it changed; 0 for merges, and where that is not known.
    pub n_files: usize,
}

impl History {
    /// Returns commits, newest first.
    pub fn commits(&self) -> impl Iterator<Item = CommitInfo> {
        (0..self.log.commits.len()).map(|nth| self.commit_info(nth))
    }

    /// Returns the files that the nth commit changed, counted from the newest, under the names that they have now. Files that are gone have
    /// their last name.
    pub fn files_of(&self, commit: usize) -> impl Iterator<Item = &str> {
        let files = self.columns.files_of(commit).iter();
        files.map(|file| self.log.paths.get(*file as usize))
    }

    pub(super) fn commit_info(&self, nth: usize) -> CommitInfo {
        let commit = self.log.commits.get(nth).copied().unwrap_or_default();
        let author = commit.author as usize;
        let (name, address) = (self.log.names.get(author), self.log.addresses.get(author));
        CommitInfo {
            id: Oid(commit.id),
            subject: self.log.subjects.get(nth).to_owned(),
            author: (name.to_owned(), address.to_owned()),
            authored: commit.authored,
            committed: commit.committed,
            n_files: self.columns.files_of(nth).len(),
        }
    }
}
