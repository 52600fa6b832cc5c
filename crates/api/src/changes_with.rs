//! Files that the same commits change, as a host that reads the history of the repository adds them to an answer.

use crate::wire;

wire! {
    /// A file that usually changes together with another one.
    pub struct CoChanged {
        /// Its path.
        pub path: String,
        /// Number of commits that changed both, at least 3; commits of more than 50 files do not count.
        pub support: u32,
        /// Part of the commits of the file that was asked about, 0 to 1.
        pub confidence: f32,
        /// Part of this file's own commits that changed that one, too, 0 to 1; absent where only the other part is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub reverse: Option<f32>,
    }
}
