//! A snapshot's file on the host: bytes in memory, or a function that reads.

use std::borrow::Cow;
use std::ops::Range;

use engine::{SnapshotError, Source, unreadable};
use js_sys::{Function, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

/// See the module.
pub struct HostFile {
    n_bytes: usize,
    pieces: Held<Pieces>,
}

/// A value of JavaScript: it belongs to the thread that made it.
pub struct Held<T>(pub T);

enum Pieces {
    Bytes(Uint8Array),
    Function(Function),
}

// SAFETY: values of JavaScript belong to the thread that made them, and these artifacts have one thread.
#[expect(
    unsafe_code,
    reason = "a source is marked as one that threads may share"
)]
unsafe impl<T> Send for Held<T> {}
// SAFETY: as above.
#[expect(
    unsafe_code,
    reason = "a source is marked as one that threads may share"
)]
unsafe impl<T> Sync for Held<T> {}

impl HostFile {
    /// Bytes that the host keeps.
    pub fn bytes(bytes: &Uint8Array) -> Self {
        Self {
            n_bytes: bytes.length() as usize,
            pieces: Held(Pieces::Bytes(bytes.clone())),
        }
    }

    /// A file of `n_bytes`; `read` is given the first byte of a piece and its end.
    pub fn function(n_bytes: usize, read: Function) -> Self {
        Self {
            n_bytes,
            pieces: Held(Pieces::Function(read)),
        }
    }

    fn piece(&self, start: usize, end: usize) -> Result<Uint8Array, JsValue> {
        match &self.pieces.0 {
            Pieces::Bytes(bytes) => Ok(bytes.subarray(start as u32, end as u32)),
            Pieces::Function(read) => {
                let (start, end) = (JsValue::from(start as f64), JsValue::from(end as f64));
                read.call2(&JsValue::NULL, &start, &end)?.dyn_into()
            }
        }
    }
}

impl Source for HostFile {
    fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, SnapshotError> {
        let piece = self.piece(range.start, range.end).map_err(failed)?;
        if piece.length() as usize != range.len() {
            return Err(unreadable("it has become shorter"));
        }
        Ok(Cow::Owned(piece.to_vec()))
    }
}

/// The host could not read: its reason, if it gave one.
pub fn failed(thrown: JsValue) -> SnapshotError {
    let error = thrown.dyn_ref::<js_sys::Error>();
    let why = error.map(|error| String::from(error.message()));
    unreadable(&why.unwrap_or_else(|| "what reads it failed".to_owned()))
}
