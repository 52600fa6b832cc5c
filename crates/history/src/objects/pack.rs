//! Entries of packs: objects, and deltas that make one out of another.

use super::Kind;
use super::blocks::{BlockFile, Blocks};
use super::index::PackIndex;
use super::inflate::plausible;
use crate::{Error, ErrorKind, ObjectFiles, Oid};

/// A pack with its index.
pub(crate) struct Pack {
    pub index: PackIndex,
    pub file: BlockFile,
    /// Which store it is of: the repository's own, or one that it borrows from.
    pub store: usize,
}

/// The start of an entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub form: Form,
    /// Bytes after decompression.
    pub n_bytes: usize,
    /// Where its zlib stream begins.
    pub data: u64,
}

/// The forms of an entry's object: whole, or a delta of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The object itself.
    Whole(Kind),
    /// A delta of the entry at this offset, which is smaller.
    Delta(u64),
    /// A delta of this object.
    DeltaOf(Oid),
}

/// Longest start of an entry: ten bytes of length and ten of an offset, or the name of the base.
const MAX_START: usize = 10 + 20;

impl Pack {
    /// Reads the start of the entry at an offset. A length above `most` is refused before anything is allocated.
    pub fn entry(
        &self,
        blocks: &mut Blocks,
        host: &dyn ObjectFiles,
        offset: u64,
        most: usize,
    ) -> Result<Entry, Error> {
        let left = self.file.n_bytes.saturating_sub(offset);
        let mut buffer = [0; MAX_START];
        let n_start = MAX_START.min(usize::try_from(left).unwrap_or(MAX_START));
        blocks.fill(host, &self.file, offset, &mut buffer[..n_start])?;
        let start = parse(&buffer[..n_start], offset);
        let (form, n_bytes, n_start) = start
            .ok_or_else(|| Error::damaged(format!("{} has a broken entry", self.file.name)))?;
        if n_bytes > most as u64 {
            let message = format!("an object has {n_bytes} bytes, more than {most}");
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        if !plausible(n_bytes, left) {
            let message = format!("{} ends within an entry", self.file.name);
            return Err(Error::damaged(message));
        }
        Ok(Entry {
            form,
            n_bytes: n_bytes as usize,
            data: offset + n_start as u64,
        })
    }
}

/// Reads form, length and number of bytes of an entry's start.
fn parse(bytes: &[u8], offset: u64) -> Option<(Form, u64, usize)> {
    let mut at = 0;
    let mut next = || {
        let byte = bytes.get(at).copied();
        at += 1;
        byte
    };
    let first = next()?;
    let mut n_bytes = u64::from(first & 0x0f);
    let (mut more, mut shift) = (first & 0x80 != 0, 4);
    while more {
        let byte = next()?;
        if shift > 53 {
            return None;
        }
        n_bytes |= u64::from(byte & 0x7f) << shift;
        (more, shift) = (byte & 0x80 != 0, shift + 7);
    }
    let form = match first >> 4 & 7 {
        1 => Form::Whole(Kind::Commit),
        2 => Form::Whole(Kind::Tree),
        3 => Form::Whole(Kind::Blob),
        4 => Form::Whole(Kind::Tag),
        6 => {
            let mut byte = next()?;
            let mut back = u64::from(byte & 0x7f);
            while byte & 0x80 != 0 {
                byte = next()?;
                back = back.checked_add(1)?.checked_mul(128)? | u64::from(byte & 0x7f);
            }
            // An entry refers to an earlier one, never to itself.
            let base = offset.checked_sub(back).filter(|_| back > 0)?;
            Form::Delta(base)
        }
        7 => {
            let base = Oid::from_bytes(bytes.get(at..)?)?;
            at += Oid::LEN;
            Form::DeltaOf(base)
        }
        _ => return None,
    };
    Some((form, n_bytes, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_of_entries() {
        type Start = (Form, u64, usize);
        let cases: [(&[u8], Option<Start>); 8] = [
            (&[0x15], Some((Form::Whole(Kind::Commit), 5, 1))),
            (&[0xa5, 0x02], Some((Form::Whole(Kind::Tree), 37, 2))),
            (&[0x61, 0x10], Some((Form::Delta(984), 1, 2))),
            (&[0x61, 0x80, 0x00], Some((Form::Delta(872), 1, 3))),
            (&[0x61, 0x00], None),       // itself
            (&[0x61, 0x90, 0x00], None), // before the pack
            (&[0x51], None),             // a form that is not in use
            (&[0xff; 30], None),         // a length without end
        ];
        for (bytes, expected) in cases {
            assert_eq!(parse(bytes, 1_000), expected, "{bytes:x?}");
        }
        let mut named = vec![0x72];
        named.extend([9; 20]);
        let form = Form::DeltaOf(Oid([9; 20]));
        assert_eq!(parse(&named, 0), Some((form, 2, 21)));
        assert_eq!(parse(&named[..20], 0), None);
    }
}
