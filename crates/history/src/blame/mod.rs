//! Who wrote each line of a file, and when: `git blame` in steps.
//!
//! Lines belong to the newest commit until its parents are found to have them, too: a difference of the two versions moves unchanged lines to
//! the parent, and the rest stays. A file that a parent lacks under its path is looked for among those that were renamed.

mod origin;
mod pass;
mod queue;

use rustc_hash::FxHashMap;

use crate::commit::Commit;
use crate::{Error, ErrorKind, Oid, Repository};
use origin::Origin;
use pass::Piece;
use queue::Queue;

/// Commits that are kept for their turn; others are read again.
const KEPT: usize = 10_000;

/// Bounds on one blame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlameLimits {
    /// Maximum number of commits that are read (default 100,000). Older lines get the last commit, with
    /// [`BlamedCommit::is_boundary`].
    pub commits: usize,
    /// Maximum length of the file in bytes (default 4 MiB).
    pub bytes: usize,
}

impl Default for BlameLimits {
    fn default() -> Self {
        Self {
            commits: 100_000,
            bytes: 4 << 20,
        }
    }
}

/// Whether a blame has to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Some lines may be older.
    More,
    /// All lines have their commits.
    Done,
}

/// A commit that lines come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlamedCommit {
    /// Its name.
    pub id: Oid,
    /// First line of its message.
    pub subject: String,
    /// Name and address of its author.
    pub author: (String, String),
    /// When it was written, seconds since 1970.
    pub authored: i64,
    /// The path that the file had.
    pub path: String,
    /// The lines may be older: the parents are not there, or a limit was reached.
    pub is_boundary: bool,
}

/// The commit of each line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlameLines {
    /// Commits that lines come from, newest first; one occurs twice if its lines come from two paths.
    pub commits: Vec<BlamedCommit>,
    /// For each line the place of its commit in `commits`, and its 0-based line there.
    pub lines: Vec<(u32, u32)>,
}

/// A blame that is under way.
#[derive(Debug)]
pub struct Blame {
    queue: Queue,
    /// Commits that were read and wait for their turn.
    read: FxHashMap<Oid, Commit>,
    commits_left: usize,
    found: Vec<(BlamedCommit, Vec<Piece>)>,
    n_lines: usize,
}

impl Blame {
    /// Begins with a file of a commit. Reads that file.
    ///
    /// # Errors
    ///
    /// `history.no-file` if the commit has no such file, `history.too-large` if it is longer than the limit, and those of reading objects.
    pub fn begin(
        repository: &mut Repository,
        path: &str,
        at: Oid,
        limits: BlameLimits,
    ) -> Result<Self, Error> {
        repository.renew();
        let commit = repository.commit(at)?;
        let Some(blob) = repository.blob_at(commit.tree, path)? else {
            let message = format!("the commit {at} has no file {path}");
            return Err(Error::new(ErrorKind::NoFile, message));
        };
        let text = origin::text(repository, blob)?;
        if text.bytes.len() > limits.bytes {
            let message = format!("{path} has {} bytes", text.bytes.len());
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        let n_lines = imara_diff::sources::byte_lines(&text.bytes).count();
        let mut queue = Queue::default();
        let origin = Origin {
            commit: at,
            path: path.to_owned(),
            blob,
        };
        let all = Piece {
            line: 0,
            original: 0,
            len: n_lines as u32,
        };
        if n_lines > 0 {
            queue.add(commit.committed, origin, vec![all]);
        }
        Ok(Self {
            queue,
            read: FxHashMap::from_iter([(at, commit)]),
            commits_left: limits.commits,
            found: Vec::new(),
            n_lines,
        })
    }

    /// Looks at up to `n_commits` commits, newest first: some hundred take a few milliseconds.
    ///
    /// # Errors
    ///
    /// `history.unreadable` if the host cannot read. Missing and broken objects end the search for the lines concerned.
    pub fn step(
        &mut self,
        repository: &mut Repository,
        n_commits: usize,
    ) -> Result<Progress, Error> {
        for _ in 0..n_commits {
            if self.commits_left == 0 {
                return Ok(Progress::Done);
            }
            let Some((origin, pieces)) = self.queue.pop() else {
                return Ok(Progress::Done);
            };
            self.commits_left -= 1;
            self.look(repository, origin, pieces)?;
        }
        match self.queue.is_empty() || self.commits_left == 0 {
            true => Ok(Progress::Done),
            false => Ok(Progress::More),
        }
    }

    /// Returns the commit of each line. Lines that may be older have the oldest commit that was seen to have them.
    ///
    /// # Errors
    ///
    /// As [`Blame::step`].
    pub fn finish(mut self, repository: &mut Repository) -> Result<BlameLines, Error> {
        while let Some((origin, pieces)) = self.queue.pop() {
            let commit = self.commit(repository, origin.commit)?;
            self.keep(origin, &commit, pieces, true);
        }
        let mut lines = vec![(0, 0); self.n_lines];
        self.found.sort_by(|(a, _), (b, _)| {
            let order = b.authored.cmp(&a.authored).then(a.id.cmp(&b.id));
            order.then_with(|| a.path.cmp(&b.path))
        });
        for (nth, (_, pieces)) in self.found.iter().enumerate() {
            for piece in pieces {
                for offset in 0..piece.len {
                    if let Some(line) = lines.get_mut((piece.line + offset) as usize) {
                        *line = (nth as u32, piece.original + offset);
                    }
                }
            }
        }
        let commits = self.found.into_iter().map(|(commit, _)| commit);
        Ok(BlameLines {
            commits: commits.collect(),
            lines,
        })
    }

    /// Moves lines of a commit to those of its parents that have them.
    fn look(
        &mut self,
        repository: &mut Repository,
        origin: Origin,
        pieces: Vec<Piece>,
    ) -> Result<(), Error> {
        let commit = self.commit(repository, origin.commit)?;
        let mut is_boundary = commit.parents.is_empty() && repository.is_shallow(origin.commit);
        let mut parents = Vec::new();
        for &parent in &commit.parents {
            match self.commit(repository, parent) {
                Ok(read) => {
                    parents.push((parent, read.clone()));
                    if self.read.len() < KEPT {
                        self.read.insert(parent, read);
                    }
                }
                Err(error) => is_boundary |= passed_over(&error)?,
            }
        }
        let origins = match origin::in_parents(repository, &origin, &commit, &parents) {
            Ok(origins) => origins,
            Err(error) => {
                is_boundary |= passed_over(&error)?;
                Vec::new()
            }
        };
        let mut pieces = pieces;
        for (time, parent) in origins {
            if pieces.is_empty() {
                break;
            }
            if parent.blob == origin.blob {
                self.queue.add(time, parent, std::mem::take(&mut pieces));
                break;
            }
            match origin::unchanged(repository, parent.blob, origin.blob) {
                Ok(spans) => {
                    let (moved, rest) = pass::split(&pieces, &spans);
                    if !moved.is_empty() {
                        self.queue.add(time, parent, moved);
                    }
                    pieces = rest;
                }
                Err(error) => is_boundary |= passed_over(&error)?,
            }
        }
        if !pieces.is_empty() {
            self.keep(origin, &commit, pieces, is_boundary);
        }
        Ok(())
    }

    fn commit(&mut self, repository: &mut Repository, oid: Oid) -> Result<Commit, Error> {
        match self.read.remove(&oid) {
            Some(commit) => Ok(commit),
            None => repository.commit(oid),
        }
    }

    fn keep(&mut self, origin: Origin, commit: &Commit, pieces: Vec<Piece>, is_boundary: bool) {
        let blamed = BlamedCommit {
            id: origin.commit,
            subject: commit.subject.clone(),
            author: commit.author.clone(),
            authored: commit.authored,
            path: origin.path,
            is_boundary,
        };
        self.found.push((blamed, pieces));
    }
}

/// Whether the search continues without an object; not if the host cannot read.
fn passed_over(error: &Error) -> Result<bool, Error> {
    match error.kind() {
        ErrorKind::Unreadable => Err(error.clone()),
        _ => Ok(true),
    }
}
