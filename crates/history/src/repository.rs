//! An opened repository.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::commit::{self, Commit, next_entry};
use crate::diff::EMPTY_TREE;
use crate::objects::{Kind, Object, Objects};
use crate::{Error, ErrorKind, Limits, Note, ObjectFiles, Oid, refs};

/// Tags that name tags.
const MAX_TAGS: usize = 8;

/// A repository whose objects are read on demand. Opening reads references and the headers of packs: some milliseconds.
pub struct Repository {
    objects: Objects,
    shallow: FxHashSet<Oid>,
    limits: Limits,
    notes: Vec<Note>,
}

impl Repository {
    /// Opens the repository with these files.
    ///
    /// # Errors
    ///
    /// `history.no-repository` if there is no `HEAD`; `history.object-format` and `history.ref-storage` for repositories with SHA-256 ids or
    /// reftables; `history.unreadable` if the host cannot read.
    pub fn open(files: Box<dyn ObjectFiles>, limits: Limits) -> Result<Self, Error> {
        refs::check_format(files.as_ref())?;
        refs::resolve(files.as_ref(), "HEAD")?;
        let shallow = refs::shallow(files.as_ref())?.into_iter().collect();
        let mut notes = Vec::new();
        let objects = Objects::open(files, limits, &mut notes)?;
        Ok(Self {
            objects,
            shallow,
            limits,
            notes,
        })
    }

    /// Returns the commit that is checked out.
    ///
    /// # Errors
    ///
    /// `history.no-commit` if there is none yet, `history.damaged` if `HEAD` names none.
    pub fn head(&mut self) -> Result<Oid, Error> {
        self.resolve("HEAD")
    }

    /// Returns the commit that a name means: `HEAD`, 40 digits, a branch, a tag or a whole reference.
    ///
    /// # Errors
    ///
    /// `history.no-commit` if nothing has this name, `history.damaged` if it names no commit.
    pub fn resolve(&mut self, name: &str) -> Result<Oid, Error> {
        let Some(mut oid) = refs::resolve(self.objects.files(), name)? else {
            let message = format!("{name} names no commit");
            return Err(Error::new(ErrorKind::NoCommit, message));
        };
        for _ in 0..MAX_TAGS {
            // Most names mean commits; that of a tag begins with its object.
            let Ok(tag) = self.objects.read(oid, Kind::Tag) else {
                break;
            };
            let hex = tag
                .bytes
                .strip_prefix(b"object ")
                .and_then(|rest| rest.get(..40));
            oid = Oid::from_hex(hex.unwrap_or_default())?;
        }
        self.commit(oid)?;
        Ok(oid)
    }

    /// The limits that it was opened with.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Why some objects may be missing.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether the parents of a commit were not fetched.
    pub(crate) fn is_shallow(&self, oid: Oid) -> bool {
        self.shallow.contains(&oid)
    }

    /// Whether the budget of work is used up.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.objects.is_exhausted()
    }

    /// Gives a new question the whole budget of work.
    pub(crate) fn renew(&mut self) {
        self.objects.renew();
    }

    /// Takes from the budget of work.
    pub(crate) fn charge(&mut self, n_bytes: usize) -> Result<(), Error> {
        self.objects.charge(n_bytes)
    }

    /// Reads an object of a kind.
    pub(crate) fn object(&mut self, oid: Oid, kind: Kind) -> Result<Rc<Object>, Error> {
        self.objects.read(oid, kind)
    }

    /// Reads a file's contents; `None` if they are missing, broken or too large.
    pub(crate) fn text(&mut self, oid: Oid) -> Result<Option<Rc<Object>>, Error> {
        match self.objects.read(oid, Kind::Blob) {
            Ok(object) => Ok(Some(object)),
            Err(error) if error.kind() == ErrorKind::Unreadable => Err(error),
            Err(error) if self.is_exhausted() => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Reads a commit; a shallow one has no parents.
    pub(crate) fn commit(&mut self, oid: Oid) -> Result<Commit, Error> {
        let object = self.objects.read(oid, Kind::Commit)?;
        let mut commit = commit::parse(&object.bytes)?;
        if self.is_shallow(oid) {
            commit.parents.clear();
        }
        Ok(commit)
    }

    /// Returns the file at a path of a tree; `None` if there is none.
    pub(crate) fn blob_at(&mut self, tree: Oid, path: &str) -> Result<Option<Oid>, Error> {
        let mut folder = tree;
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            if folder == EMPTY_TREE {
                return Ok(None);
            }
            let object = self.object(folder, Kind::Tree)?;
            let mut rest = &object.bytes[..];
            let found = loop {
                match next_entry(&mut rest)? {
                    Some(entry) if entry.name == part.as_bytes() => break entry,
                    Some(_) => {}
                    None => return Ok(None),
                }
            };
            if parts.peek().is_none() {
                return Ok(found.is_blob().then_some(found.oid));
            }
            if !found.is_tree() {
                return Ok(None);
            }
            folder = found.oid;
        }
        Ok(None)
    }
}
