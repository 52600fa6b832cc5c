//! Reads files side by side, to compare them with an index.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::folder::read_regular;
use crate::workers::side_by_side;

/// Files that are in memory at once.
const BATCH: usize = 256;

/// A file that is to be read.
pub(crate) struct Place {
    pub path: String,
    pub place: PathBuf,
    pub n_bytes: u64,
    /// Time of its last change, in milliseconds since 1970.
    pub changed_at: f64,
}

/// The bytes of a file and their BLAKE3 digest.
pub(crate) type Digested = (Vec<u8>, [u8; 32]);

/// Reads files by `n_threads` threads, a batch at a time, and gives them to `take` in their order until it returns false. Returns whether
/// all were taken.
pub(crate) fn read_each(
    places: Vec<Place>,
    n_threads: usize,
    mut take: impl FnMut(Place, io::Result<Digested>) -> bool,
) -> bool {
    let mut places = places.into_iter();
    loop {
        let batch: Vec<Place> = places.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return true;
        }
        let read: Vec<OnceLock<_>> = batch.iter().map(|_| OnceLock::new()).collect();
        side_by_side(n_threads, batch.len(), &|idx| {
            if let (Some(file), Some(slot)) = (batch.get(idx), read.get(idx)) {
                let _ = slot.set(read_regular(&file.place).map(digested));
            }
        });
        for (place, read) in batch.into_iter().zip(read) {
            if read.into_inner().is_some_and(|read| !take(place, read)) {
                return false;
            }
        }
    }
}

fn digested(bytes: Vec<u8>) -> Digested {
    let digest = source::digest(&bytes);
    (bytes, digest)
}
