//! Where the answer to a question over many files ends before the files do.

use crate::wire;

wire! {
    /// The end of a budget. Files are looked at in the order of their paths.
    #[derive(Eq)]
    pub struct CutOff {
        /// Path of the first file that was not looked at to its end.
        pub path: String,
        /// The part of the budget that was used up.
        pub reason: CutOffReason,
        /// How to narrow the question, for a person.
        pub help: String,
    }

    /// A unit that a budget counts.
    #[derive(Copy, Eq)]
    #[serde(rename_all = "lowercase")]
    pub enum CutOffReason {
        /// Work: the same for the same question, whatever the machine.
        Steps,
        /// The clock, as a last resort: another time the answer may reach further.
        Time,
    }
}
