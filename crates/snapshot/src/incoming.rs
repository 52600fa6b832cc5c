//! A snapshot that arrives piece by piece, for hosts with little memory: sections that only an [`crate::Engine`] needs are
//! dropped as they pass, and the others are put at once where they are opened.

use rkyv::util::AlignedVec;

use super::container::{self, Shortened};
use crate::{Error, Snapshot};

/// Facts are half a snapshot, and no question reads them.
const LEFT_OUT: [&str; 2] = ["facts", "scip"];

/// Takes the bytes of a snapshot in order; see the module.
pub struct Incoming {
    n_bytes: usize,
    /// Bytes of the whole file taken so far.
    taken: usize,
    file: AlignedVec<16>,
    /// Once the table has been read.
    plan: Option<Shortened>,
}

impl Incoming {
    /// Expects a file of `n_bytes`.
    #[must_use]
    pub fn new(n_bytes: usize) -> Self {
        Self {
            n_bytes,
            taken: 0,
            file: AlignedVec::new(),
            plan: None,
        }
    }

    /// Bytes that are kept, known for certain once [`Incoming::push`] has seen 11 KB. MemoryBudget for all of them is made by the
    /// push after that.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.plan.as_ref().map_or(self.n_bytes, |plan| plan.n_bytes)
    }

    /// The next bytes.
    pub fn push(&mut self, piece: &[u8]) {
        if let Some(plan) = &self.plan {
            let missing = plan.n_bytes.saturating_sub(self.file.len());
            self.file.reserve_exact(missing);
            return self.keep(piece);
        }
        self.file.extend_from_slice(piece);
        if self.file.len() >= container::HEAD.min(self.n_bytes) {
            self.read_table();
        }
    }

    /// All bytes have come; sections are unpacked when a question asks for them.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::open_lazily`].
    pub fn open(self) -> Result<Snapshot, Error> {
        if self.plan.is_some() && self.taken < self.n_bytes {
            return Err(container::truncated(self.n_bytes as u64, self.taken));
        }
        Snapshot::open_lazily(self.file)
    }

    /// Copies only kept sections from here on. A file without a readable table is taken whole: opening says why.
    fn read_table(&mut self) {
        let Ok(plan) = container::shorten(&self.file, self.n_bytes, &LEFT_OUT) else {
            return;
        };
        let start = std::mem::take(&mut self.file);
        self.file.extend_from_slice(&plan.head);
        self.plan = Some(plan);
        self.keep(&start);
    }

    fn keep(&mut self, piece: &[u8]) {
        let Some(plan) = &self.plan else { return };
        let (from, to) = (self.taken, self.taken.saturating_add(piece.len()));
        for (range, place) in &plan.kept {
            let (start, end) = (range.start.max(from), range.end.min(to));
            if let Some(bytes) = piece
                .get(start.saturating_sub(from)..end.saturating_sub(from))
                .filter(|_| start < end)
            {
                // Sections begin at multiples of 16; the bytes between them are zero.
                self.file.resize(place + (start - range.start), 0);
                self.file.extend_from_slice(bytes);
            }
        }
        self.taken = to;
        if to >= self.n_bytes {
            self.file.resize(plan.n_bytes.max(self.file.len()), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrive(file: &[u8], n_piece: usize) -> Vec<u8> {
        let mut incoming = Incoming::new(file.len());
        file.chunks(n_piece).for_each(|piece| incoming.push(piece));
        incoming.file.to_vec()
    }

    #[test]
    fn what_is_kept_is_a_file_of_its_own_however_it_arrives() {
        let facts = vec![7_u8; 30_000];
        let texts: Vec<u8> = (0..20_001).map(|n| (n % 251) as u8).collect();
        let whole = container::write(&[
            ("info", b"twelve bytes"),
            ("facts", &facts),
            ("texts", &texts),
            ("later", b"!"),
        ]);
        let expected = container::write(&[
            ("info", b"twelve bytes"),
            ("texts", &texts),
            ("later", b"!"),
        ]);
        for n_piece in [1, 16, 1_000, 10_303, 40_000, whole.len()] {
            assert!(
                arrive(&whole, n_piece) == expected.as_slice(),
                "in pieces of {n_piece}"
            );
        }
    }

    #[test]
    fn what_is_no_snapshot_is_taken_whole() {
        let foreign = vec![b'x'; 50_000];
        assert!(arrive(&foreign, 999) == foreign);
        let short = b"PORTOLAN".to_vec();
        assert_eq!(arrive(&short, 3), short);
    }

    #[test]
    fn a_file_that_ends_early_is_refused() {
        let texts = vec![1_u8; 20_000];
        let whole = container::write(&[("info", b"twelve bytes"), ("texts", &texts)]);
        for n_cut in [1, 5_000] {
            let cut = &whole[..whole.len() - n_cut];
            // As it happens where an object was cut before it was stored, and where a connection breaks.
            for n_bytes in [cut.len(), whole.len()] {
                let mut incoming = Incoming::new(n_bytes);
                incoming.push(cut);
                let opened = incoming.open().map(|_| ());
                let code = opened.map_err(|error| error.code());
                assert_eq!(code, Err("snapshot.truncated"), "{n_cut} bytes less");
            }
        }
    }
}
