//! Reads files side by side, to compare them with an index.

use std::io;
use std::iter::Peekable;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::folder::read_regular;
use crate::workers::side_by_side;

/// Files that are in memory at once, and their bytes as the walk found them, except for one that has more.
const BATCH: usize = 256;
const BATCH_BYTES: u64 = 16 << 20;

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
    let mut places = places.into_iter().peekable();
    while places.peek().is_some() {
        let batch = batch_of(&mut places);
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
    true
}

/// The next files that fit in memory together, at least one.
fn batch_of(places: &mut Peekable<impl Iterator<Item = Place>>) -> Vec<Place> {
    let mut batch = Vec::new();
    let mut n_bytes = 0;
    while let Some(place) = places.next_if(|place| {
        batch.is_empty() || (batch.len() < BATCH && n_bytes + place.n_bytes <= BATCH_BYTES)
    }) {
        n_bytes += place.n_bytes;
        batch.push(place);
    }
    batch
}

fn digested(bytes: Vec<u8>) -> Digested {
    let digest = source::digest(&bytes);
    (bytes, digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(sizes: &[u64]) -> Vec<Place> {
        let place = |&n_bytes| Place {
            path: String::new(),
            place: PathBuf::new(),
            n_bytes,
            changed_at: 0.0,
        };
        sizes.iter().map(place).collect()
    }

    #[test]
    fn a_batch_ends_at_its_number_of_files_or_bytes() {
        let check = |sizes: &[u64], batches: &[usize]| {
            let mut places = places(sizes).into_iter().peekable();
            let mut found = Vec::new();
            while places.peek().is_some() {
                found.push(batch_of(&mut places).len());
            }
            assert_eq!(found, batches);
        };
        check(&[], &[]);
        check(&[1; 600], &[BATCH, BATCH, 88]);
        check(&[BATCH_BYTES, 0, 1], &[2, 1]);
        check(&[u64::MAX / 2, u64::MAX / 2, 7], &[1, 1, 1]);
    }

    #[test]
    fn files_come_in_their_order_until_one_is_refused() {
        let mut given = places(&[0; 600]);
        for (number, place) in given.iter_mut().enumerate() {
            place.path = number.to_string();
        }
        let mut taken = Vec::new();
        let is_all = read_each(given, 4, |place, read| {
            assert!(read.is_err());
            taken.push(place.path);
            taken.len() < 300
        });
        assert!(!is_all);
        let wanted: Vec<String> = (0..300).map(|number| number.to_string()).collect();
        assert_eq!(taken, wanted);
    }
}
