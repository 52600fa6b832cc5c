//! Errors that programs can match and people can read.

use crate::wire;

wire! {
    /// An error on the wire. `code` is stable (`snapshot.version`, `symbol.not-found`); the other fields are for people.
    #[derive(Eq)]
    pub struct ErrorBody {
        /// `area.reason`, the same for ever.
        pub code: String,
        /// The error and its place.
        pub message: String,
        /// Advice; empty if there is none.
        #[serde(default)]
        pub help: String,
    }
}
