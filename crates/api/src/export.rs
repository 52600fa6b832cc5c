//! The graph for other tools.

use crate::{WalkDirection, wire};

wire! {
    /// Which piece of the graph, and in which format.
    #[derive(Default)]
    pub struct ExportRequest {
        /// `graphml` (NetworkX, Gephi), `json` (nodes and links), `csv` (two tables), `dot` (Graphviz), `mermaid`.
        pub format: String,
        /// What is within reach of this: a symbol (`add`, `src/router.ts#add`), the path of a file or folder, or a package.
        /// Everything if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub from: Option<String>,
        /// Which way from there; `out` if absent.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub direction: WalkDirection,
        /// How many steps from there (1 to 50); 2 if absent.
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
        /// Only what stands in these files: globs, with `!` to exclude (`src/**`, `!*.test.ts`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub paths: Vec<String>,
        /// Leave out edges below this confidence; 0 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Refuse a piece of more nodes than this; what the format bears if absent.
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
