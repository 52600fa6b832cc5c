//! Helpers of a build: work that is done side by side, and finished sections that are packed elsewhere (`packed_ahead.rs`).

use std::sync::{Arc, OnceLock};

use crate::{Archive, Snapshot};

/// Helps to build a snapshot: takes finished sections to be packed elsewhere, and does parts of the work side by side. Sections that are
/// not taken are packed when the snapshot is written.
pub trait Packers {
    /// Does `work` once for each number below `n`, in any order, on any thread; returns when all is done.
    fn each(&mut self, n: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..n).for_each(work);
    }

    /// Sections that come from now on have much in common with those of this snapshot: see [`Snapshot::like`].
    fn like(&mut self, last: &Arc<Snapshot>) {
        let _ = last;
    }

    /// The archive of a section, for [`crate::pack_section`] or [`crate::pack_archive`].
    fn section(&mut self, name: &'static str, archive: &Archive) {
        let _ = (name, archive);
    }

    /// Blocks of texts from this number on, for [`crate::pack_texts`].
    fn texts(&mut self, first: usize, blocks: &[&[u8]]) {
        let _ = (first, blocks);
    }
}

/// Nobody.
impl Packers for () {}

/// Makes two values, side by side where `packers` can.
pub fn both<A: Send + Sync, B: Send + Sync>(
    packers: &mut dyn Packers,
    first: &(dyn Fn() -> A + Sync),
    second: &(dyn Fn() -> B + Sync),
) -> (A, B) {
    let (made_first, made_second) = (OnceLock::new(), OnceLock::new());
    packers.each(2, &|part| match part {
        0 => drop(made_first.set(first())),
        _ => drop(made_second.set(second())),
    });
    (
        made_first.into_inner().unwrap_or_else(first),
        made_second.into_inner().unwrap_or_else(second),
    )
}

/// Makes a value for each number below `n`, side by side where `packers` can.
pub fn collect<T: Send + Sync>(
    packers: &mut dyn Packers,
    n: usize,
    make: &(dyn Fn(usize) -> T + Sync),
) -> Vec<T> {
    let made: Vec<OnceLock<T>> = (0..n).map(|_| OnceLock::new()).collect();
    packers.each(n, &|number| {
        if let Some(slot) = made.get(number) {
            slot.get_or_init(|| make(number));
        }
    });
    let made = made.into_iter().enumerate();
    made.map(|(number, slot)| slot.into_inner().unwrap_or_else(|| make(number)))
        .collect()
}
