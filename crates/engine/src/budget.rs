//! Where a question over many files ended because its budget was used up.

use source::FileId;
use syntax::Spent;

/// The end of a budget. Files before it, in path order, were looked at to their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutOff {
    /// The first file that was not looked at to its end.
    pub file: FileId,
    /// The limit that was reached: steps, bytes or time.
    pub spent: Spent,
}

impl CutOff {
    /// Whether the clock ended it, which depends on how busy the machine is. Steps and bytes do not.
    #[must_use]
    pub fn is_time(&self) -> bool {
        self.spent == Spent::Time
    }
}
