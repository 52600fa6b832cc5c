//! The repository map.

use crate::wire;

wire! {
    /// A map for a reader with little room.
    #[derive(Eq, Default)]
    #[serde(deny_unknown_fields)]
    pub struct MapRequest {
        /// Token budget (default 1,024). Tokens are counted from above, so that language models (`o200k`, `cl100k`) count no more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_tokens: Option<u32>,
        /// Order of files (default `symbols`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub order: MapOrder,
        /// Only paths that match one of these globs; one that starts with `!` excludes.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub paths: Vec<String>,
        /// Only these languages, by name.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub languages: Vec<String>,
    }

    /// Order of files.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "lowercase")]
    pub enum MapOrder {
        /// Those with most definitions.
        #[default]
        Symbols,
        /// Those whose definitions most of the repository leads to.
        Centrality,
    }

    /// A map.
    #[derive(Eq)]
    pub struct MapResponse {
        /// `<repo_map>`, a line `path :: kind:name, …` for each file, `</repo_map>`; empty where nothing fits.
        pub text: String,
        /// Its tokens.
        pub n_tokens: u32,
        /// Files in it.
        pub n_files: u32,
        /// Files with definitions that did not fit.
        pub n_more: u32,
    }
}
