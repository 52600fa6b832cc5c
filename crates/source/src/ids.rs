//! The number of a file in one index.

use rkyv::{Archive, Deserialize, Serialize};

/// A file of one index, counted from 0 in path order. Meaningful only together with that index.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Archive, Serialize, Deserialize,
)]
#[rkyv(derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash))]
pub struct FileId(pub u32);

impl FileId {
    /// As an index into columns that hold one entry a file.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
