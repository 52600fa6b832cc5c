//! Objects by name: loose ones, those of packs, and those of folders that the repository borrows from.

mod blocks;
mod cache;
mod delta;
mod index;
mod inflate;
mod loose;
mod pack;
mod stores;

use std::rc::Rc;

use self::blocks::Blocks;
use self::cache::Cache;
use self::inflate::Inflater;
use self::pack::{Form, Pack};
use crate::{Error, ErrorKind, Limits, Note, ObjectFiles, Oid};

/// Longest chain of deltas: git writes at most 4,095.
const MAX_CHAIN: usize = 4_096;
/// Larger objects are not kept as bases of others.
const KEPT: usize = 4 << 20;

/// Kinds of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

/// An object without its header.
#[derive(Debug)]
pub(crate) struct Object {
    pub kind: Kind,
    pub bytes: Vec<u8>,
}

impl AsRef<[u8]> for Object {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads objects, and keeps blocks of files and bases of deltas within the limits.
pub(crate) struct Objects {
    stores: Vec<Box<dyn ObjectFiles>>,
    packs: Vec<Pack>,
    /// The pack in which an object was found last is asked first.
    recent: usize,
    blocks: Blocks,
    kept: Cache<(usize, u64), Object>,
    inflater: Inflater,
    limits: Limits,
    /// Bytes that may still be decompressed or put together.
    work_left: u64,
}

impl Objects {
    /// Opens all packs of a repository and of those that it borrows from.
    pub fn open(
        files: Box<dyn ObjectFiles>,
        limits: Limits,
        notes: &mut Vec<Note>,
    ) -> Result<Self, Error> {
        let stores = stores::with_alternates(files, notes)?;
        let mut blocks = Blocks::new(limits.cache_bytes / 2);
        let packs = stores::packs(&stores, &mut blocks, notes)?;
        Ok(Self {
            stores,
            packs,
            recent: 0,
            blocks,
            kept: Cache::new(limits.cache_bytes),
            inflater: Inflater::new(),
            limits,
            work_left: limits.work_bytes,
        })
    }

    /// The files of the repository itself.
    pub fn files(&self) -> &dyn ObjectFiles {
        self.stores[0].as_ref()
    }

    /// Reads an object of a kind.
    ///
    /// # Errors
    ///
    /// `history.object-missing` if it is not there, `history.damaged` if it is no such object, `history.too-large` beyond the limits,
    /// `history.unreadable` if the host cannot read.
    pub fn read(&mut self, oid: Oid, kind: Kind) -> Result<Rc<Object>, Error> {
        let object = match self.locate(oid)? {
            Some((pack, offset)) => self.packed(pack, offset)?,
            None => self.loose(oid)?,
        };
        match object.kind == kind {
            true => Ok(object),
            false => Err(Error::damaged(format!("{oid} is no {kind:?}"))),
        }
    }

    /// Takes from the budget of work.
    pub fn charge(&mut self, n_bytes: usize) -> Result<(), Error> {
        let left = self.work_left.checked_sub(n_bytes as u64);
        self.work_left = left.unwrap_or(0);
        if left.is_some() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::TooLarge,
            "reading objects takes more work than allowed",
        ))
    }

    /// Gives a new question the whole budget of work.
    pub fn renew(&mut self) {
        self.work_left = self.limits.work_bytes;
    }

    /// Whether the budget of work is used up.
    pub fn is_exhausted(&self) -> bool {
        self.work_left == 0
    }

    fn locate(&mut self, oid: Oid) -> Result<Option<(usize, u64)>, Error> {
        let n = self.packs.len();
        for step in 0..n {
            let nth = (self.recent + step) % n;
            let pack = &self.packs[nth];
            let host = self.stores[pack.store].as_ref();
            if let Some(offset) = pack.index.find(&mut self.blocks, host, oid)? {
                self.recent = nth;
                return Ok(Some((nth, offset)));
            }
        }
        Ok(None)
    }

    fn loose(&mut self, oid: Oid) -> Result<Rc<Object>, Error> {
        for nth in 0..self.stores.len() {
            let host = self.stores[nth].as_ref();
            if let Some(object) = loose::read(host, &mut self.inflater, oid, &self.limits)? {
                self.charge(object.bytes.len())?;
                return Ok(Rc::new(object));
            }
        }
        let message = format!("the repository has no object {oid}");
        Err(Error::new(ErrorKind::Missing, message))
    }

    /// Reads the object at an offset of a pack. Deltas are followed down to an object that is whole or kept, then applied on the way back;
    /// only one of them is in memory at a time.
    fn packed(&mut self, nth: usize, offset: u64) -> Result<Rc<Object>, Error> {
        let (mut pack, mut at) = (nth, offset);
        let mut deltas = Vec::new();
        let mut object = loop {
            if let Some(object) = self.kept.get((pack, at)) {
                break object;
            }
            let host = self.stores[self.packs[pack].store].as_ref();
            let entry =
                self.packs[pack].entry(&mut self.blocks, host, at, self.limits.object_bytes)?;
            let (next_pack, next_at) = match entry.form {
                Form::Whole(kind) => {
                    let bytes = self.inflated(pack, entry)?;
                    let object = Rc::new(Object { kind, bytes });
                    self.keep((pack, at), &object);
                    break object;
                }
                Form::Delta(base) => (pack, base),
                Form::DeltaOf(base) => match self.locate(base)? {
                    Some(place) => place,
                    // A base outside of packs only occurs in packs that are being sent.
                    None => {
                        deltas.push((pack, at, entry));
                        break self.loose(base)?;
                    }
                },
            };
            deltas.push((pack, at, entry));
            if deltas.len() > MAX_CHAIN {
                return Err(Error::damaged("a chain of deltas is too long"));
            }
            (pack, at) = (next_pack, next_at);
        };
        while let Some((pack, at, entry)) = deltas.pop() {
            let delta = self.inflated(pack, entry)?;
            let (_, n_result) = delta::lengths(&delta)?;
            if n_result > self.limits.object_bytes as u64 {
                let message = format!("an object has {n_result} bytes");
                return Err(Error::new(ErrorKind::TooLarge, message));
            }
            self.charge(n_result as usize)?;
            let bytes = delta::apply(&object.bytes, &delta, self.limits.object_bytes)?;
            let kind = object.kind;
            object = Rc::new(Object { kind, bytes });
            self.keep((pack, at), &object);
        }
        Ok(object)
    }

    fn keep(&mut self, place: (usize, u64), object: &Rc<Object>) {
        if object.bytes.len() <= KEPT {
            self.kept.insert(place, Rc::clone(object));
        }
    }

    /// Decompresses an entry.
    fn inflated(&mut self, pack: usize, entry: pack::Entry) -> Result<Vec<u8>, Error> {
        self.charge(entry.n_bytes)?;
        let pack = &self.packs[pack];
        let host = self.stores[pack.store].as_ref();
        let blocks = &mut self.blocks;
        let mut out = vec![0; entry.n_bytes];
        let mut at = entry.data;
        let n = self.inflater.fill(&mut out, || {
            let rest = blocks.rest(host, &pack.file, at)?;
            at += rest.as_ref().len() as u64;
            Ok(rest)
        })?;
        match n == out.len() {
            true => Ok(out),
            false => Err(Error::damaged("an object is shorter than its entry says")),
        }
    }
}
