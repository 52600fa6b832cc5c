//! The graph for other tools.

use crate::{WalkDirection, wire};

wire! {
    /// Requests a part of the graph in a format.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct ExportRequest {
        /// `graphml` (NetworkX, Gephi), `json` (nodes and links), `csv` (two tables), `dot` (Graphviz), `mermaid`,
        /// `svg` (a layered drawing).
        pub format: String,
        /// Start of the part: a symbol (`add`, `src/router.ts#add`), the path of a file or folder, or a package
        /// (default: the whole graph).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub from: Option<String>,
        /// End of paths: only the shortest from `from` to this symbol, file, folder or package (at most 20).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub to: Option<String>,
        /// Label or number of an execution flow: only its steps and the calls from each to the next.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub process: Option<String>,
        /// Address that the boxes of an SVG link to, with `{path}` and `{line}` for the place of a node
        /// (`https://github.com/o/r/blob/main/{path}#L{line}`); it begins with `https://`, `http://`, `/`, `./` or `#`
        /// (default: no links).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub link: Option<String>,
        /// Direction from there (default `out`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub direction: WalkDirection,
        /// Number of steps from there (1 to 50, default 2; of paths 10).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Kinds of edges (`CALLS`, `IMPORTS`, …), `*` for all; if empty, all, or from a start those by which code depends on code.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub edges: Vec<String>,
        /// Kinds of nodes (`file`, `folder`, `external`, `symbol`, or `function`, `class`, …); all if empty.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub nodes: Vec<String>,
        /// Only nodes in these files: globs, with `!` to exclude (`src/**`, `!*.test.ts`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub paths: Vec<String>,
        /// Minimum confidence of edges (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Refuses a part with more nodes than this (default: the format's limit).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_nodes: Option<u32>,
    }

    /// The files of an export.
    #[derive(Eq, Default)]
    pub struct ExportResponse {
        /// One file; two of `csv`.
        pub files: Vec<ExportedFile>,
        /// Nodes in them.
        pub n_nodes: u32,
        /// Relationships in them.
        pub n_edges: u32,
    }

    /// A file of an export.
    #[derive(Eq, Default)]
    pub struct ExportedFile {
        /// `graph.graphml`, `nodes.csv`, …
        pub name: String,
        /// Its contents.
        pub text: String,
    }
}
