//! Answers from a log.

mod changes;
mod columns;
mod file;
mod people;
mod similar;
mod together;

use crate::log::{Cut, Log};
use crate::{Error, Note, Oid, Repository, walk};
use columns::Columns;

pub use changes::CommitInfo;
pub use file::{Churn, FileHistory};
pub use people::AuthorShare;
pub use similar::Similar;
pub use together::{CoChange, CoChangeEdge};

/// The history of a repository: which commits changed which files. Names of people and subjects of commits are in it, so share it only on
/// purpose ([`History::without_people`]).
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    log: Log,
    columns: Columns,
}

impl History {
    /// Reads the newest commits (`Limits::commits`) with their files. Takes about 50 µs for each commit natively.
    ///
    /// # Errors
    ///
    /// `history.no-commit` before the first commit, `history.unreadable` if the host cannot read. Missing, broken or too large objects shorten
    /// the history and are listed by [`History::notes`].
    pub fn read(repository: &mut Repository) -> Result<Self, Error> {
        let head = repository.head()?;
        Self::read_at(repository, head)
    }

    /// Reads the history of a commit instead of the one that is checked out.
    ///
    /// # Errors
    ///
    /// As [`History::read`].
    pub fn read_at(repository: &mut Repository, head: Oid) -> Result<Self, Error> {
        Ok(Self::of(walk::read(repository, head, None)?))
    }

    /// Returns the history of the commit that is checked out now; commits that this one has are not read again. The result is the same as
    /// that of [`History::read`], unless a limit on work or memory is reached.
    ///
    /// # Errors
    ///
    /// As [`History::read`].
    pub fn updated(&self, repository: &mut Repository) -> Result<Self, Error> {
        let head = repository.head()?;
        Ok(Self::of(walk::read(repository, head, Some(&self.log))?))
    }

    /// Returns the history as bytes. The same history gives the same bytes.
    ///
    /// # Errors
    ///
    /// `history.too-large` above 2 GiB.
    pub fn save(&self) -> Result<Vec<u8>, Error> {
        self.log.save()
    }

    /// Opens a saved history.
    ///
    /// # Errors
    ///
    /// `history.state-version` for another format version, `history.state` if it is damaged.
    pub fn open(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::of(Log::open(bytes)?))
    }

    /// Returns the history with numbers for authors and without subjects, for sharing.
    #[must_use]
    pub fn without_people(&self) -> Self {
        let mut log = self.log.clone();
        log.remove_people();
        Self::of(log)
    }

    fn of(log: Log) -> Self {
        let columns = Columns::of(&log);
        Self { log, columns }
    }

    /// Returns the newest commit.
    #[must_use]
    pub fn head(&self) -> Option<Oid> {
        self.log.commits.first().map(|commit| Oid(commit.id))
    }

    /// Number of commits.
    #[must_use]
    pub fn n_commits(&self) -> usize {
        self.log.commits.len()
    }

    /// Number of files in the newest commit.
    #[must_use]
    pub fn n_files(&self) -> usize {
        self.log.files.len()
    }

    /// Time of the newest commit, seconds since 1970.
    #[must_use]
    pub fn newest(&self) -> i64 {
        self.log
            .commits
            .first()
            .map_or(0, |commit| commit.committed)
    }

    /// Says why the history is shorter or knows less than it could.
    #[must_use]
    pub fn notes(&self) -> Vec<Note> {
        let notes = [
            (Cut::OLDER, Note::OlderCommits),
            (Cut::PARENTS, Note::MissingParents),
            (Cut::TREES, Note::MissingTrees),
            (Cut::CHANGES, Note::Limit("changes")),
            (Cut::WORK, Note::Limit("work")),
            (Cut::FILES, Note::Limit("files")),
            (Cut::PATHS, Note::Limit("paths")),
            (Cut::FRONTIER, Note::Limit("branches")),
        ];
        let given = notes
            .into_iter()
            .filter(|(cut, _)| self.log.cuts & cut.0 != 0);
        given.map(|(_, note)| note).collect()
    }

    /// Number of a file of the newest commit.
    fn file_number(&self, path: &str) -> Option<u32> {
        let number = self.log.paths.find(path)? as u32;
        self.columns.is_file(number).then_some(number)
    }
}
