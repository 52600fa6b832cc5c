//! Files of an engine as bytes, from the first pass to the second: texts and what was read from them, so that nothing is
//! parsed twice.
//!
//! A record has the lengths of path, text and unit, size and time of the file, and one Zstandard frame of the three.

use engine::{Engine, Error, ErrorKind, FileUnit, Stamp};

/// Bytes of a record before its frame.
const HEAD: usize = 4 * 4 + 4 + 8;
/// Effort of packing: what is read again soon is packed for speed.
const LEVEL: i32 = 1;
/// Maximum number of bytes of a path, a text or a unit.
const MAX_BYTES: usize = 1 << 30;

/// Gives the record of each file of an engine, in path order. Vectors are left out.
///
/// # Errors
///
/// Those of `give`, which ends it.
pub fn spill<E>(engine: &Engine, give: &mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
    let mut raw = Vec::new();
    let mut record = Vec::new();
    for (path, text, unit) in engine.files() {
        let unit = unit.to_bytes();
        raw.clear();
        raw.extend_from_slice(path.as_bytes());
        raw.extend_from_slice(text.as_bytes());
        raw.extend_from_slice(&unit);
        let stamp = engine.stamp_of(path);
        let Stamp { n_bytes, modified } = stamp.unwrap_or(NO_STAMP);
        let mut frame = Vec::with_capacity(zstd_safe::compress_bound(raw.len()));
        if let Err(code) = zstd_safe::compress(&mut frame, &raw, LEVEL) {
            unreachable!(
                "a frame has room for what it is made of: {}",
                zstd_safe::get_error_name(code)
            );
        }
        record.clear();
        for length in [path.len(), text.len(), unit.len(), frame.len()] {
            record.extend_from_slice(&(length as u32).to_le_bytes());
        }
        record.extend_from_slice(&n_bytes.to_le_bytes());
        record.extend_from_slice(&modified.to_le_bytes());
        record.extend_from_slice(&frame);
        give(&record)?;
    }
    Ok(())
}

/// No host said when the file was changed.
const NO_STAMP: Stamp = Stamp {
    n_bytes: 0,
    modified: -1.0,
};

/// Puts the files of records into an engine.
///
/// # Errors
///
/// `unit.damaged` for bytes that [`spill`] of this version did not give.
pub fn restore(engine: &mut Engine, mut records: &[u8]) -> Result<(), Error> {
    while !records.is_empty() {
        let (record, rest) = Record::read(records).ok_or_else(damaged)?;
        record.put(engine)?;
        records = rest;
    }
    Ok(())
}

struct Record<'r> {
    lengths: [usize; 3],
    stamp: Stamp,
    frame: &'r [u8],
}

impl<'r> Record<'r> {
    fn read(bytes: &'r [u8]) -> Option<(Self, &'r [u8])> {
        let (head, rest) = bytes.split_at_checked(HEAD)?;
        let number = |at: usize| Some(u32::from_le_bytes(*head.get(at..)?.first_chunk()?) as usize);
        let (frame, rest) = rest.split_at_checked(number(12)?)?;
        let record = Self {
            lengths: [number(0)?, number(4)?, number(8)?],
            stamp: Stamp {
                n_bytes: number(16)? as u32,
                modified: f64::from_le_bytes(*head.get(20..)?.first_chunk()?),
            },
            frame,
        };
        let is_small = record.lengths.iter().all(|length| *length <= MAX_BYTES);
        is_small.then_some((record, rest))
    }

    fn put(&self, engine: &mut Engine) -> Result<(), Error> {
        let [path, text, unit] = self.lengths;
        let mut raw = Vec::with_capacity(path + text + unit);
        match zstd_safe::decompress(&mut raw, self.frame) {
            Ok(length) if length == path + text + unit => {}
            _ => return Err(damaged()),
        }
        let unit = FileUnit::from_bytes(&raw[path + text..])?;
        let words = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| damaged());
        let (path, text) = (words(&raw[..path])?, words(&raw[path..path + text])?);
        engine.put(&path, text, unit);
        if self.stamp != NO_STAMP {
            engine.set_stamp(&path, self.stamp);
        }
        Ok(())
    }
}

fn damaged() -> Error {
    let message = "what was kept of the files of a shard cannot be read";
    Error::new(ErrorKind::UnitDamaged, message).with_help("index the sources anew")
}
