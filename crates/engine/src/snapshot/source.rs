//! Where the bytes of a snapshot that is read section by section come from, and what could not be read.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rkyv::util::AlignedVec;

use super::container;
use crate::{Error, ErrorKind};

/// A snapshot's file that can be read in pieces.
pub trait Source: Send + Sync {
    /// Length of the file.
    fn n_bytes(&self) -> usize;

    /// Bytes of the file.
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

/// What a question met that cannot be read; the first of it.
#[derive(Default)]
pub(crate) struct Met(Mutex<Option<Error>>);

impl Met {
    pub fn meet(&self, fault: &Error) {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.get_or_insert_with(|| fault.clone());
    }

    pub fn take(&self) -> Option<Error> {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.take()
    }
}

/// A file that cannot be read on.
#[must_use]
pub fn unreadable(why: &str) -> Error {
    let message = format!("the snapshot cannot be read: {why}");
    Error::new(ErrorKind::SnapshotUnreadable, message).with_help("open it again")
}
