//! The git history of a folder. Git is not run, and nothing is written.

use std::path::{Path, PathBuf};

use history::{Blame, BlameLimits, BlameLines, Folder, History, Limits, Progress, Repository};

use crate::Error;

/// Commits that a blame looks at before it asks whether to go on.
const STEP: usize = 500;

/// How a history is read.
#[derive(Debug, Clone, Default)]
pub struct HistoryOptions {
    /// How much is read and kept (default: 20,000 commits).
    pub limits: Limits,
    /// Folders besides the repository's own that may be read, where it borrows objects from them or keeps its `.git` in them.
    pub allowed: Vec<PathBuf>,
}

/// Reads the history of the commit that is checked out in a folder; with an earlier history of the folder only the commits since. 20,000
/// commits take one to two seconds, an update some hundredths.
///
/// # Errors
///
/// `history.no-repository` if the folder has no `.git`, `history.no-commit` before the first commit, `history.outside` if its files are
/// elsewhere; the others of [`History::read`].
pub fn read_history(
    root: impl AsRef<Path>,
    earlier: Option<&History>,
    options: &HistoryOptions,
) -> Result<History, Error> {
    let mut repository = open(root.as_ref(), options)?;
    let history = match earlier {
        Some(earlier) => earlier.updated(&mut repository),
        None => History::read(&mut repository),
    };
    Ok(history?)
}

/// Returns the commit of each line of a file, as of a commit: `HEAD`, 40 digits, a branch or a tag. `goes_on` is asked from time to time; if it
/// returns false, unsettled lines get the last commit that was read.
///
/// # Errors
///
/// `history.no-file` if the commit has no such file; those of [`read_history`].
pub fn blame(
    root: impl AsRef<Path>,
    path: &str,
    at: &str,
    options: &HistoryOptions,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<BlameLines, Error> {
    let mut repository = open(root.as_ref(), options)?;
    let commit = repository.resolve(at)?;
    let mut blame = Blame::begin(&mut repository, path, commit, BlameLimits::default())?;
    while blame.step(&mut repository, STEP)? == Progress::More && goes_on() {}
    Ok(blame.finish(&mut repository)?)
}

fn open(root: &Path, options: &HistoryOptions) -> Result<Repository, Error> {
    let folder = Folder::open(root, &options.allowed)?;
    Ok(Repository::open(Box::new(folder), options.limits)?)
}
