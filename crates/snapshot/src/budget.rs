//! How much memory an opened snapshot may take: a small file must not become a large index.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::columns::{Fault, declared};
use super::kind::{SECTIONS, SectionKind};

/// Bytes that any snapshot may unpack to, however small its file.
const SMALL: usize = 64 << 20;
/// Beyond that, how many times its file. Indexes of sources unpack to five times theirs, columns in memory to twenty times.
const MAX_RATIO: usize = 64;
/// Bytes in memory for a byte of an unpacked section: a column of one plane becomes numbers of four bytes, and those an
/// archive.
const MEMORY_PER_BYTE: usize = 8;
/// Bytes of an unpacked block for each posting in it, at most, and for its two lengths.
const POSTING: usize = 8;
const LENGTHS: usize = 64;

/// The memory left for the sections of one snapshot. A section that is freed and read again counts once.
pub(crate) struct MemoryBudget {
    most: AtomicUsize,
    taken: [AtomicUsize; SECTIONS.len()],
}

impl Default for MemoryBudget {
    /// No bound, for sections that were built here.
    fn default() -> Self {
        Self {
            most: AtomicUsize::new(usize::MAX),
            taken: SECTIONS.map(|_| AtomicUsize::new(0)),
        }
    }
}

impl MemoryBudget {
    /// Returns the usual budget of a file of `n_bytes`.
    pub fn usual(n_bytes: usize) -> usize {
        SMALL.saturating_add(n_bytes.saturating_mul(MAX_RATIO))
    }

    /// Sets how many bytes all sections may take together.
    pub fn limit(&self, most: usize) {
        self.most.store(most, Ordering::Relaxed);
    }

    /// Takes room for a packed section, before it is unpacked.
    pub fn section(&self, kind: SectionKind, packed: &[u8]) -> Result<(), Fault> {
        let per_byte = match kind {
            // Its blocks stay packed; one is unpacked at a time, within a bound of its own.
            SectionKind::Facts => return self.take(kind, packed.len()),
            // Directories of blocks; an archive as it is.
            SectionKind::Info | SectionKind::Files | SectionKind::Scip | SectionKind::Vectors => 2,
            _ => MEMORY_PER_BYTE,
        };
        self.take(kind, declared(packed)?.saturating_mul(per_byte))
    }

    /// Takes room for all texts, whose sizes their directory has.
    pub fn texts(&self, n_bytes: usize) -> Result<(), Fault> {
        self.take(SectionKind::Blocks, n_bytes)
    }

    /// Takes memory for `n` postings, each a chunk and a count.
    pub fn postings(&self, n: usize) -> Result<(), Fault> {
        self.take(SectionKind::Rows, n.saturating_mul(6))
    }

    fn take(&self, kind: SectionKind, n_bytes: usize) -> Result<(), Fault> {
        self.taken[kind as usize].store(n_bytes, Ordering::Relaxed);
        let taken = self.taken.iter().map(|taken| taken.load(Ordering::Relaxed));
        let all = taken.fold(0, usize::saturating_add);
        if all > self.most.load(Ordering::Relaxed) {
            self.taken[kind as usize].store(0, Ordering::Relaxed);
            return Err("it unpacks to more than a file of this size holds");
        }
        Ok(())
    }
}

/// Whether a block of texts has the size that its directory says.
pub(super) fn check_texts(packed: &[u8], expected: usize) -> Result<(), Fault> {
    match declared(packed)? == expected {
        true => Ok(()),
        false => Err("a block is not as large as its texts"),
    }
}

/// Whether a block of postings is no larger than `n_postings` of them can be.
pub(super) fn check_postings(packed: &[u8], n_postings: usize) -> Result<(), Fault> {
    match declared(packed)? <= n_postings.saturating_mul(POSTING).saturating_add(LENGTHS) {
        true => Ok(()),
        false => Err("a block is larger than its postings"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::pack;
    use super::*;

    /// Bytes of which few say anything: they pack to a three-hundredth.
    fn thin(n: usize) -> Vec<u8> {
        let mut bytes = vec![0; n];
        for (at, byte) in bytes.iter_mut().enumerate().step_by(1024) {
            *byte = (at.wrapping_mul(2_654_435_761) >> 13) as u8;
        }
        pack(&bytes, 1)
    }

    #[test]
    fn a_frame_of_nothing_is_refused_before_it_is_unpacked() {
        let bomb = thin(64 << 20);
        assert!(bomb.len() < 400_000);
        let room = MemoryBudget::default();
        assert_eq!(room.section(SectionKind::Graph, &bomb), Ok(()));
        room.limit(MemoryBudget::usual(400_000));
        assert!(room.section(SectionKind::Graph, &bomb).is_err());
        // A refused section takes nothing from the budget.
        let small = thin(1 << 20);
        assert_eq!(room.section(SectionKind::Graph, &small), Ok(()));
    }

    #[test]
    fn sections_share_the_room_and_count_once() {
        let room = MemoryBudget::default();
        room.limit(100 << 20);
        let packed = thin(6 << 20);
        for _ in 0..10 {
            assert_eq!(room.section(SectionKind::Graph, &packed), Ok(()));
        }
        assert_eq!(room.section(SectionKind::Names, &packed), Ok(()));
        assert!(room.section(SectionKind::Chunks, &packed).is_err());
        assert_eq!(room.texts(4 << 20), Ok(()));
        assert!(room.postings(1 << 20).is_err());
    }

    #[test]
    fn facts_take_their_packed_size_whatever_their_first_bytes_are() {
        let room = MemoryBudget::default();
        room.limit(MemoryBudget::usual(1 << 20));
        // The length of a directory of 506 bytes and its unpacked size: no size of the section.
        let mut facts = vec![0; 600_000];
        facts[..4].copy_from_slice(&[0xfa, 0x03, 0xde, 0x02]);
        assert_eq!(room.section(SectionKind::Facts, &facts), Ok(()));
        room.limit(500_000);
        assert!(room.section(SectionKind::Facts, &facts).is_err());
    }

    #[test]
    fn blocks_are_as_large_as_their_directory_says() {
        let packed = pack(&[7; 1_000], 1);
        assert_eq!(check_texts(&packed, 1_000), Ok(()));
        assert!(check_texts(&packed, 999).is_err());
        assert_eq!(check_postings(&packed, 200), Ok(()));
        assert!(check_postings(&packed, 10).is_err());
        assert!(declared(&[1, 2]).is_err());
    }
}
