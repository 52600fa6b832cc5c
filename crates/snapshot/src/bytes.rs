//! Where the bytes of a snapshot that is read section by section come from.

use std::borrow::Cow;
use std::ops::Range;

use rkyv::util::AlignedVec;

use super::container;
use crate::{Error, ErrorKind};

/// A snapshot's file that can be read in pieces.
pub trait Source: Send + Sync {
    /// Length of the file.
    fn n_bytes(&self) -> usize;

    /// Reads bytes of the file.
    ///
    /// # Errors
    ///
    /// `snapshot.truncated` where the file has become shorter, `snapshot.unreadable` where it cannot be read.
    fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, Error>;
}

impl Source for AlignedVec<16> {
    fn n_bytes(&self) -> usize {
        self.len()
    }

    fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, Error> {
        let bytes = self.get(range.clone()).map(Cow::Borrowed);
        bytes.ok_or_else(|| container::truncated(range.end as u64, self.len()))
    }
}

/// Makes the error of a file that cannot be read on.
#[must_use]
pub fn unreadable(why: &str) -> Error {
    let message = format!("the snapshot cannot be read: {why}");
    Error::new(ErrorKind::Unreadable, message).with_help("open it again")
}
