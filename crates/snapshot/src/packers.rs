//! Helpers of a build: work that is done side by side, and finished sections that are packed elsewhere (`packed_ahead.rs`).

use std::sync::Arc;

use crate::{Archive, Snapshot, TextBlock};

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
    fn texts(&mut self, first: usize, blocks: &[TextBlock]) {
        let _ = (first, blocks);
    }
}

/// Nobody.
impl Packers for () {}
