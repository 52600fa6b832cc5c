//! The place for a fault that turns up while a question is answered.

use std::sync::OnceLock;

use crate::Error;

/// Holds the first fault of one question. Every question has its own, so that no thread sees the fault of another.
#[derive(Debug, Default)]
pub struct FaultSlot(OnceLock<Error>);

impl FaultSlot {
    /// Keeps a fault, unless there is one already.
    pub fn put(&self, fault: &Error) {
        self.0.get_or_init(|| fault.clone());
    }

    /// Returns the fault, if there was one.
    #[must_use]
    pub fn into_fault(self) -> Option<Error> {
        self.0.into_inner()
    }

    /// Returns the answer, or the fault where there was one.
    ///
    /// # Errors
    ///
    /// The fault; else the answer's own error.
    pub fn finish<T, E: From<Error>>(self, answer: Result<T, E>) -> Result<T, E> {
        match self.into_fault() {
            Some(fault) => Err(fault.into()),
            None => answer,
        }
    }
}
