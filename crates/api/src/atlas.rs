//! The map of the repository: areas, files and symbols with their places.

use crate::paging::paged;
use crate::{Page, wire};

paged! {
    /// Requests the map of the repository, or a part of it.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct AtlasRequest {
        /// The finest things on it: `areas`, `files` or `symbols` (default `files`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub level: AtlasLevel,
        /// Only this area: its label, or its number in the list of all areas.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub area: Option<String>,
        /// Only paths that match one of these globs; one that starts with `!` excludes.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub paths: Vec<String>,
        /// Kinds of edges (`CALLS`, `IMPORTS`, …), `*` for all; if empty, those by which code depends on code.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub edges: Vec<String>,
        /// Minimum confidence of edges (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Maximum number of edges (0 to 200000, default 2000); those with the most uses are kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_edges: Option<u32>,
    }
    /// Maximum number of the finest things (1 to 100000, default 1000).
    limit, offset;
}

wire! {
    /// The finest things on a map.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "lowercase")]
    pub enum AtlasLevel {
        /// Areas alone.
        Areas,
        /// Files in their areas.
        #[default]
        Files,
        /// Symbols in their files.
        Symbols,
    }

    /// A part of the map. The plane is 65,536 units wide and high; the same index has the same places everywhere.
    pub struct AtlasResponse {
        /// The areas: communities, the largest first, then folders of files in no community.
        pub areas: Vec<AtlasArea>,
        /// Files by path, for the levels `files` and `symbols`.
        pub files: Vec<AtlasFile>,
        /// Symbols as columns, for the level `symbols`.
        pub symbols: AtlasSymbols,
        /// Edges between the finest things, as columns.
        pub edges: AtlasEdges,
        /// The part of the list of the finest things in this answer.
        pub page: Page,
    }

    /// An area: files whose code belongs together.
    pub struct AtlasArea {
        /// Its place in the list of all areas.
        pub area: u32,
        /// Label of the community, which `community` takes; or the folder.
        pub label: String,
        /// Whether it is a community.
        pub is_community: bool,
        /// Centre, from the left.
        pub x: u16,
        /// Centre, from the top.
        pub y: u16,
        /// Radius.
        pub r: u16,
        /// Files.
        pub n_files: u32,
        /// Files of tests.
        pub n_tests: u32,
        /// Definitions.
        pub n_symbols: u32,
        /// Lines.
        pub n_lines: u32,
        /// Sum of the cyclomatic complexity of its functions.
        pub complexity: u32,
    }

    /// A file on the map.
    pub struct AtlasFile {
        /// Its path.
        pub path: String,
        /// Language by name.
        pub language: String,
        /// Its area's place in the list of all areas.
        pub area: u32,
        /// Centre, from the left.
        pub x: u16,
        /// Centre, from the top.
        pub y: u16,
        /// Radius.
        pub r: u16,
        /// Definitions.
        pub n_symbols: u32,
        /// Lines.
        pub n_lines: u32,
        /// Sum of the cyclomatic complexity of its functions.
        pub complexity: u32,
        /// Whether it holds tests.
        pub is_test: bool,
    }

    /// Symbols, a column for each property.
    #[derive(Eq, Default)]
    pub struct AtlasSymbols {
        /// Names.
        pub name: Vec<String>,
        /// The kinds that the next column numbers.
        pub kinds: Vec<String>,
        /// Place in `kinds`.
        pub kind: Vec<u8>,
        /// Place in the `files` of the answer.
        pub file: Vec<u32>,
        /// 1-based line of the name.
        pub line: Vec<u32>,
        /// Cyclomatic complexity; 0 without a body.
        pub complexity: Vec<u16>,
        /// From the left.
        pub x: Vec<u16>,
        /// From the top.
        pub y: Vec<u16>,
    }

    /// Edges between the finest things of the answer, a column for each property.
    #[derive(Eq, Default)]
    pub struct AtlasEdges {
        /// Place of the source in the finest list.
        pub source: Vec<u32>,
        /// Place of the target in the finest list.
        pub target: Vec<u32>,
        /// The kinds that the next column numbers: `CALLS`, `IMPORTS`, …
        pub kinds: Vec<String>,
        /// Place in `kinds`.
        pub kind: Vec<u8>,
        /// Number of edges between their symbols and files.
        pub count: Vec<u32>,
        /// Mean confidence in percent.
        pub confidence: Vec<u8>,
        /// Number of edges before `max_edges`.
        pub total: u32,
    }
}
