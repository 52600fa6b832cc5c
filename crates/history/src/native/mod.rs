//! The files of `.git` in a folder of the file system. Links are not followed, and nothing outside of the folder is read, except where git's own
//! files on both sides say that they belong together (worktrees, submodules), or where the user named the place.

mod open;
mod trust;

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{Error, ErrorKind, ObjectFiles};
use open::Root;
use trust::Trust;

/// Files that are kept open: packs and their indexes.
const MAX_OPEN: usize = 128;

/// A repository's files; see the module.
#[derive(Debug)]
pub struct Folder {
    /// Where `HEAD` is.
    head: Root,
    /// Where everything else is: another folder in worktrees.
    common: Root,
    /// Where `objects` is, without its name, if it was opened alone.
    is_objects: bool,
    objects: PathBuf,
    trust: Rc<Trust>,
    open: RefCell<FxHashMap<String, (Rc<File>, u64)>>,
}

impl Folder {
    /// Opens the repository of a folder: its `.git`, or the folder itself if it is a bare repository. `allowed` are other folders that may be
    /// read, for repositories whose files are elsewhere.
    ///
    /// # Errors
    ///
    /// `history.no-repository` if there is none, `history.outside` if its files are at a place that may not be read.
    pub fn open(root: &Path, allowed: &[PathBuf]) -> Result<Self, Error> {
        let trust = Trust::new(root, allowed).map_err(|error| no_repository(root, &error))?;
        let (head, common) = trust.repository()?;
        let open = |path: &Path| Root::open(path).map_err(|error| no_repository(path, &error));
        Ok(Self {
            head: open(&head)?,
            common: open(&common)?,
            is_objects: false,
            objects: common.join("objects"),
            trust: Rc::new(trust),
            open: RefCell::default(),
        })
    }

    /// The folder that a name is in, and its name there.
    fn place<'a>(&self, name: &'a str) -> Option<(&Root, &'a str)> {
        if self.is_objects {
            return Some((&self.common, name.strip_prefix("objects/")?));
        }
        match name {
            "HEAD" => Some((&self.head, name)),
            _ => Some((&self.common, name)),
        }
    }

    /// Opens a file, or takes it from those that are open; `None` if there is none.
    fn file(&self, name: &str) -> Result<Option<(Rc<File>, u64)>, Error> {
        if let Some(open) = self.open.borrow().get(name) {
            return Ok(Some(open.clone()));
        }
        let Some((root, below)) = self.place(name) else {
            return Ok(None);
        };
        let file = match root.file(below) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(None),
            Err(error) => return Err(unreadable(name, &error)),
        };
        let metadata = file.metadata().map_err(|error| unreadable(name, &error))?;
        if !metadata.is_file() {
            let error = io::Error::other("it is no regular file");
            return Err(unreadable(name, &error));
        }
        let open = (Rc::new(file), metadata.len());
        if name.starts_with("objects/pack/") && self.open.borrow().len() < MAX_OPEN {
            self.open.borrow_mut().insert(name.to_owned(), open.clone());
        }
        Ok(Some(open))
    }
}

impl ObjectFiles for Folder {
    fn n_bytes(&self, name: &str) -> Result<Option<u64>, Error> {
        Ok(self.file(name)?.map(|(_, n_bytes)| n_bytes))
    }

    fn read(&self, name: &str, start: u64, len: usize) -> Result<Vec<u8>, Error> {
        let Some((file, n_bytes)) = self.file(name)? else {
            return Err(unreadable(name, &io::Error::from(io::ErrorKind::NotFound)));
        };
        let left = usize::try_from(n_bytes.saturating_sub(start)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; len.min(left)];
        match open::read_at(&file, &mut bytes, start) {
            Ok(n) => bytes.truncate(n),
            Err(error) => return Err(unreadable(name, &error)),
        }
        Ok(bytes)
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, Error> {
        let Some((root, below)) = self.place(folder) else {
            return Ok(Vec::new());
        };
        root.list(below).map_err(|error| unreadable(folder, &error))
    }

    fn alternate(&self, path: &str) -> Result<Option<Box<dyn ObjectFiles>>, Error> {
        let Some(objects) = self.trust.alternate(&self.objects, path) else {
            return Ok(None);
        };
        let open = || Root::open(&objects).map_err(|error| unreadable(path, &error));
        Ok(Some(Box::new(Self {
            head: open()?,
            common: open()?,
            is_objects: true,
            objects,
            trust: Rc::clone(&self.trust),
            open: RefCell::default(),
        })))
    }
}

fn no_repository(path: &Path, error: &io::Error) -> Error {
    let message = format!("{} has no git repository: {error}", path.display());
    Error::new(ErrorKind::NoRepository, message)
}

fn unreadable(name: &str, error: &io::Error) -> Error {
    let message = format!("{name} of the git repository cannot be read: {error}");
    Error::new(ErrorKind::Unreadable, message)
}
