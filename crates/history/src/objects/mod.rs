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
/// Work for looking into the index of a pack, for a block that the host reads, and for a name that a folder is asked for: as many bytes as
/// are decompressed in that time. Names that are nowhere would cost nothing else.
const LOOK: usize = 256;
const BLOCK_READ: usize = 4_096;
const FILE_LOOK: usize = 2_048;

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
        charge(&mut self.work_left, n_bytes)
    }

    /// Takes what the host has read meanwhile from the budget of work.
    fn charge_reads(&mut self) -> Result<(), Error> {
        let n_read = self.blocks.take_n_read();
        self.charge(n_read * BLOCK_READ)
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
            self.charge(LOOK)?;
            let nth = (self.recent + step) % n;
            let pack = &self.packs[nth];
            let host = self.stores[pack.store].as_ref();
            let found = pack.index.find(&mut self.blocks, host, oid)?;
            self.charge_reads()?;
            if let Some(offset) = found {
                self.recent = nth;
                return Ok(Some((nth, offset)));
            }
        }
        Ok(None)
    }

    fn loose(&mut self, oid: Oid) -> Result<Rc<Object>, Error> {
        for nth in 0..self.stores.len() {
            self.charge(FILE_LOOK)?;
            let Self {
                stores,
                inflater,
                limits,
                work_left,
                ..
            } = self;
            let host = stores[nth].as_ref();
            let mut charge = |n_bytes| charge(work_left, n_bytes);
            if let Some(object) = loose::read(host, inflater, oid, limits, &mut charge)? {
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
            self.charge(LOOK)?;
            self.charge_reads()?;
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
        self.charge_reads()?;
        match n == out.len() {
            true => Ok(out),
            false => Err(Error::damaged("an object is shorter than its entry says")),
        }
    }
}

/// Takes from a budget of work. An empty one stays empty.
fn charge(work_left: &mut u64, n_bytes: usize) -> Result<(), Error> {
    let left = work_left.checked_sub(n_bytes as u64);
    *work_left = left.unwrap_or(0);
    if left.is_some() {
        return Ok(());
    }
    let message = "reading objects takes more work than allowed";
    Err(Error::new(ErrorKind::TooLarge, message))
}
