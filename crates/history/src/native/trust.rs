//! Which folders belong to a repository and may be read.
//!
//! A `.git` that is a file names another folder, as worktrees and submodules do. A downloaded folder could name any repository of its user, so
//! that folder has to name this one in turn: git writes both sides.

use std::fs::{File, canonicalize};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::{Error, ErrorKind};

/// Bytes of a file that names a folder, and of `config`.
const MAX_NAME: u64 = 8 << 10;
const MAX_CONFIG: u64 = 1 << 20;

/// The folder that was given, and others that may be read, as real paths.
#[derive(Debug)]
pub(super) struct Trust {
    root: PathBuf,
    allowed: Vec<PathBuf>,
}

impl Trust {
    /// Takes the folder that the user gave, and those that the user named besides.
    pub fn new(root: &Path, allowed: &[PathBuf]) -> io::Result<Self> {
        let real = allowed.iter().filter_map(|path| canonicalize(path).ok());
        Ok(Self {
            root: canonicalize(root)?,
            allowed: real.collect(),
        })
    }

    /// Returns the folder with `HEAD` and the one with everything else.
    pub fn repository(&self) -> Result<(PathBuf, PathBuf), Error> {
        let git = self.root.join(".git");
        let named = match git.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => git,
            Ok(metadata) if metadata.is_file() => self.named(&git)?,
            Ok(_) => return Err(self.outside(&git)),
            Err(_) if self.root.join("objects").is_dir() => self.root.clone(),
            Err(_) => {
                let message = format!("{} has no .git", self.root.display());
                return Err(Error::new(ErrorKind::NoRepository, message));
            }
        };
        let common = match text(&named.join("commondir"), MAX_NAME) {
            Some(path) => real(&named, &path).ok_or_else(|| self.outside(Path::new(&path)))?,
            None => return Ok((named.clone(), named)),
        };
        let is_worktree = named.parent() == Some(&common.join("worktrees"));
        match is_worktree || self.may_read(&common) {
            true => Ok((named, common)),
            false => Err(self.outside(&common)),
        }
    }

    /// Returns the folder of objects that a repository borrows from, if it may be read.
    pub fn alternate(&self, objects: &Path, path: &str) -> Option<PathBuf> {
        real(objects, path).filter(|path| self.may_read(path))
    }

    /// Returns the folder that a file `.git` names.
    fn named(&self, git: &Path) -> Result<PathBuf, Error> {
        let contents = text(git, MAX_NAME).unwrap_or_default();
        let path = contents.strip_prefix("gitdir:").map(str::trim);
        let Some(path) = path else {
            let message = format!("{} names no folder", git.display());
            return Err(Error::damaged(message));
        };
        let outside = || self.outside(Path::new(path));
        let named = real(&self.root, path).ok_or_else(outside)?;
        let is_ours =
            self.may_read(&named) || self.is_worktree(&named) || self.is_submodule(&named);
        is_ours.then_some(named).ok_or_else(outside)
    }

    /// Whether a folder says that its worktree is this one.
    fn is_worktree(&self, named: &Path) -> bool {
        let back = text(&named.join("gitdir"), MAX_NAME).and_then(|path| real(named, &path));
        back == Some(self.root.join(".git"))
    }

    /// Whether a folder's settings say that its files are checked out here.
    fn is_submodule(&self, named: &Path) -> bool {
        let config = text(&named.join("config"), MAX_CONFIG).unwrap_or_default();
        let mut in_core = false;
        for line in config.lines().map(str::trim) {
            if line.starts_with('[') {
                in_core = line.to_ascii_lowercase().starts_with("[core]");
            }
            if let Some((key, value)) = line.split_once('=')
                && in_core
                && key.trim().eq_ignore_ascii_case("worktree")
            {
                return real(named, value.trim()).as_ref() == Some(&self.root);
            }
        }
        false
    }

    fn may_read(&self, path: &Path) -> bool {
        let mut folders = self.allowed.iter().chain([&self.root]);
        folders.any(|folder| path.starts_with(folder))
    }

    fn outside(&self, path: &Path) -> Error {
        let message = format!(
            "the repository of {} is at {}, which may not be read",
            self.root.display(),
            path.display()
        );
        Error::new(ErrorKind::Outside, message)
    }
}

/// The real path of a name that is relative to a folder.
fn real(folder: &Path, path: &str) -> Option<PathBuf> {
    canonicalize(folder.join(path.trim())).ok()
}

/// Contents of a small regular file, without the line's end.
fn text(path: &Path, most: u64) -> Option<String> {
    if !path.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    let file = File::open(path).ok()?;
    file.take(most).read_to_string(&mut text).ok()?;
    Some(text.trim_end_matches(['\n', '\r']).to_owned())
}
