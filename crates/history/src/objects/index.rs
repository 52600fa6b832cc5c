//! Indexes of packs, version 2: where in its pack an object is.
//!
//! Layout: a header of 8 bytes, 256 running counts by first byte, all names in order, a CRC each, an offset of 4 bytes each, then the offsets
//! that need 8 bytes, and two checksums.

use super::blocks::{BlockFile, Blocks};
use crate::{Error, ObjectFiles, Oid};

const HEADER: u64 = 8;
const FAN_OUT: u64 = HEADER + 4 * 256;
const CHECKSUMS: u64 = 40;

/// An opened index.
pub(crate) struct PackIndex {
    file: BlockFile,
    /// Objects whose first byte is at most this one.
    fan_out: Vec<u32>,
    n_objects: u64,
}

impl PackIndex {
    /// Reads the header of an index and compares its counts with its length.
    pub fn open(
        blocks: &mut Blocks,
        host: &dyn ObjectFiles,
        file: BlockFile,
    ) -> Result<Self, Error> {
        let broken = |why: &str| Error::damaged(format!("{} {why}", file.name));
        let mut start = [0; FAN_OUT as usize];
        blocks.fill(host, &file, 0, &mut start)?;
        if start[..8] != *b"\xfftOc\0\0\0\x02" {
            return Err(broken("is no index of version 2"));
        }
        let counts = start[8..].chunks_exact(4);
        let fan_out: Vec<u32> = counts.map(|four| number(four) as u32).collect();
        let n_objects = u64::from(fan_out.last().copied().unwrap_or(0));
        let least = FAN_OUT + n_objects * (20 + 4 + 4) + CHECKSUMS;
        // At most all offsets but one need 8 bytes.
        let most = least + n_objects * 8;
        if !fan_out.is_sorted() || !(least..=most).contains(&file.n_bytes) {
            return Err(broken("has counts that do not fit its length"));
        }
        Ok(Self {
            file,
            fan_out,
            n_objects,
        })
    }

    /// Returns the offset of an object in the pack; `None` if it is not there. A binary search over the names with the same first byte.
    pub fn find(
        &self,
        blocks: &mut Blocks,
        host: &dyn ObjectFiles,
        oid: Oid,
    ) -> Result<Option<u64>, Error> {
        let first = usize::from(oid.0[0]);
        let mut low = match first {
            0 => 0,
            _ => u64::from(self.fan_out[first - 1]),
        };
        let mut high = u64::from(self.fan_out[first]);
        let mut name = [0; Oid::LEN];
        while low < high {
            let middle = low + (high - low) / 2;
            blocks.fill(host, &self.file, FAN_OUT + middle * 20, &mut name)?;
            match name.cmp(&oid.0) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.offset(blocks, host, middle).map(Some),
            }
        }
        Ok(None)
    }

    fn offset(&self, blocks: &mut Blocks, host: &dyn ObjectFiles, nth: u64) -> Result<u64, Error> {
        let offsets = FAN_OUT + self.n_objects * 24;
        let mut short = [0; 4];
        blocks.fill(host, &self.file, offsets + nth * 4, &mut short)?;
        let offset = number(&short);
        if offset & 0x8000_0000 == 0 {
            return Ok(offset);
        }
        let at = offsets + self.n_objects * 4 + (offset & 0x7fff_ffff) * 8;
        if at + 8 + CHECKSUMS > self.file.n_bytes {
            let message = format!("{} has an offset beyond its end", self.file.name);
            return Err(Error::damaged(message));
        }
        let mut long = [0; 8];
        blocks.fill(host, &self.file, at, &mut long)?;
        Ok(number(&long))
    }
}

/// A number, highest byte first.
fn number(bytes: &[u8]) -> u64 {
    let add = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    bytes.iter().fold(0, add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryFiles;

    /// An index of these names and offsets.
    fn index(objects: &[([u8; 20], u64)]) -> Vec<u8> {
        let mut bytes = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=255 {
            let n = objects.iter().filter(|(name, _)| name[0] <= first).count();
            bytes.extend((n as u32).to_be_bytes());
        }
        objects.iter().for_each(|(name, _)| bytes.extend(name));
        bytes.extend(vec![0; 4 * objects.len()]);
        let mut long = Vec::new();
        for (_, offset) in objects {
            let short = u32::try_from(*offset).ok().filter(|n| *n < 1 << 31);
            bytes.extend(
                short
                    .unwrap_or(0x8000_0000 | (long.len() / 8) as u32)
                    .to_be_bytes(),
            );
            if short.is_none() {
                long.extend(offset.to_be_bytes());
            }
        }
        bytes.extend(long);
        bytes.extend([0; 40]);
        bytes
    }

    fn open(bytes: Vec<u8>) -> Result<(PackIndex, Blocks, MemoryFiles), Error> {
        let mut host = MemoryFiles::default();
        let file = BlockFile {
            id: 0,
            name: "pack.idx".to_owned(),
            n_bytes: bytes.len() as u64,
        };
        host.files.insert(file.name.clone(), bytes);
        let mut blocks = Blocks::new(0);
        let index = PackIndex::open(&mut blocks, &host, file)?;
        Ok((index, blocks, host))
    }

    #[test]
    fn finds_what_is_there() {
        let objects: Vec<([u8; 20], u64)> = (0..=255_u8)
            .step_by(3)
            .map(|n| ([n; 20], u64::from(n) << if n > 200 { 30 } else { 4 }))
            .collect();
        let (index, mut blocks, host) = open(index(&objects)).unwrap();
        for n in 0..=255_u8 {
            let expected = objects.iter().find(|(name, _)| *name == [n; 20]);
            let found = index.find(&mut blocks, &host, Oid([n; 20]));
            assert_eq!(found, Ok(expected.map(|(_, offset)| *offset)));
        }
    }

    #[test]
    fn wrong_counts_and_offsets_are_refused() {
        let good = index(&[([1; 20], 12), ([2; 20], 1 << 40)]);
        let mut long = good.clone();
        let at = long.len() - 40 - 8 - 4;
        long[at + 3] = 9;
        let (index, mut blocks, host) = open(long).unwrap();
        let beyond = index.find(&mut blocks, &host, Oid([2; 20]));
        assert_eq!(beyond.unwrap_err().code(), "history.damaged");
        for (place, byte) in [(0, 0), (7, 3), (8, 1), (8 + 1_023, 200), (8 + 1_020, 0xff)] {
            let mut bad = good.clone();
            bad[place] = byte;
            let code = open(bad).map(|_| ()).unwrap_err().code();
            assert_eq!(code, "history.damaged", "byte {place}");
        }
        assert!(open(good[..100].to_vec()).is_err());
    }
}
