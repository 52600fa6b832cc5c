//! The place where a question over many files ended because a limit of its budget was reached.

use source::FileId;
use syntax::Spent;

/// The place where a budget ended. Files before it, in path order, were searched to their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutOff {
    /// The first file that was not searched to its end.
    pub file: FileId,
    /// The limit that was reached: steps, bytes or time.
    pub spent: Spent,
}

impl CutOff {
    /// Whether the time limit ended it, which depends on how busy the machine is. Limits of steps and bytes do not.
    #[must_use]
    pub fn is_time(&self) -> bool {
        self.spent == Spent::Time
    }
}
