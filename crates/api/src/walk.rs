//! Traversals of the code graph: nodes within reach, paths, cycles, subgraphs.

use crate::paging::paged;
use crate::{Page, SymbolRef, wire};

wire! {
    /// Direction in which edges are followed.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum WalkDirection {
        /// From what uses to what is used: to callees.
        #[default]
        Out,
        /// From what is used to what uses it: to callers.
        In,
        /// Either.
        Both,
    }

    /// Order of a traversal.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum WalkOrder {
        /// Breadth first: near nodes come first.
        #[default]
        Breadth,
        /// One way to its end, then the next.
        Depth,
    }
}

paged! {
    /// Requests everything within reach of a node.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct TraverseRequest {
        /// Start: a symbol (`add`, `Router.add`, `src/router.ts#add`, `src/router.ts:40`), the path of a file or
        /// folder, or an external package. A name with several definitions selects all of them.
        pub from: String,
        /// Direction (default `out`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub direction: WalkDirection,
        /// Order (default `breadth`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub order: WalkOrder,
        /// Kinds of edges to follow (`CALLS`, `IMPORTS`, …), `*` for all; if empty, all by which code depends on code: `CALLS`,
        /// `REFERENCES`, `IMPORTS`, `EXTENDS`, `IMPLEMENTS`, `ALIASES`, `DISPATCH`.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub edges: Vec<String>,
        /// Kinds of nodes to enter (`file`, `folder`, `external`, `symbol`, or `function`, `class`, …); all if empty. A node that
        /// is not entered is not walked through either.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub nodes: Vec<String>,
        /// Number of steps (1 to 50, default 3).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Minimum confidence of edges (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
    }
    /// Maximum number of results (default 200).
    limit, offset, max_bytes;
}

wire! {
    /// The nodes within reach.
    pub struct TraverseResponse {
        /// Definitions that `from` was resolved to.
        pub from: Vec<SymbolRef>,
        /// In the order in which they are reached; each node once.
        pub steps: Vec<WalkStep>,
        /// The part of the steps in this answer.
        pub page: Page,
        /// True if the traversal saw everything within its depth; it stops at ten thousand nodes.
        pub complete: bool,
    }

    /// A node that is reached.
    pub struct WalkStep {
        /// The node.
        pub symbol: SymbolRef,
        /// Steps from the start, from 1.
        pub depth: u32,
        /// Number of the node one step nearer to the start.
        pub via: u32,
        /// The edge over which it is reached: `CALLS`, …
        pub relation: String,
        /// Line of the (first) use, 1-based, in the file of the one that uses.
        pub use_line: u32,
        /// Share of such edges that are right, 0 to 1.
        pub confidence: f32,
        /// The rule that found the edge.
        pub reason: String,
    }

    /// Requests the paths from one node to another.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct PathsRequest {
        /// Start, as in [`TraverseRequest`].
        pub from: String,
        /// End.
        pub to: String,
        /// Direction of edges (default `out`).
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub direction: WalkDirection,
        /// As in [`TraverseRequest`]; for a chain of calls `CALLS` and `DISPATCH`.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub edges: Vec<String>,
        /// As in [`TraverseRequest`].
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub nodes: Vec<String>,
        /// Maximum number of steps (1 to 50, default 10).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Minimum confidence of edges (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Maximum number of paths (1 to 1000, default 5). With 1 the answer is the shortest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Maximum size of the answer in bytes of JSON (default 32768); lists are cut to fit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
    }

    /// The paths from one node to another.
    pub struct PathsResponse {
        /// Definitions that `from` was resolved to.
        pub from: Vec<SymbolRef>,
        /// Definitions that `to` was resolved to.
        pub to: Vec<SymbolRef>,
        /// True if there is a path.
        pub found: bool,
        /// The shortest first; no path has a node twice.
        pub paths: Vec<WalkPath>,
        /// True if these are all paths within the depth.
        pub complete: bool,
    }

    /// A path.
    pub struct WalkPath {
        /// Its nodes in order.
        pub nodes: Vec<SymbolRef>,
        /// Its edges in order, one fewer than nodes.
        pub edges: Vec<WalkEdge>,
    }

    /// An edge by the numbers of its nodes.
    pub struct WalkEdge {
        /// Number of the node that uses.
        pub source: u32,
        /// Number of the node that is used.
        pub target: u32,
        /// `CALLS`, …
        pub kind: String,
        /// Line of the (first) use, 1-based, in the file of the source.
        pub use_line: u32,
        /// Share of such edges that are right, 0 to 1.
        pub confidence: f32,
        /// The rule that found it.
        pub reason: String,
    }
}

paged! {
    /// Requests cycles.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct CyclesRequest {
        /// Only within reach of this, as in [`TraverseRequest`] (default: everywhere).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub from: Option<String>,
        /// As in [`TraverseRequest`], but `CALLS` if empty. Imports in circles: `IMPORTS`, with `nodes` `file`.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub edges: Vec<String>,
        /// As in [`TraverseRequest`].
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub nodes: Vec<String>,
        /// Number of steps from `from` (1 to 50, default 50).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Minimum confidence of edges (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
    }
    /// Maximum number of results (default 50).
    limit, offset, max_bytes;
}

wire! {
    /// The cycles of the graph.
    pub struct CyclesResponse {
        /// The largest groups first.
        pub cycles: Vec<WalkCycle>,
        /// The part of the list in this answer.
        pub page: Page,
    }

    /// Nodes each of which leads to all others.
    pub struct WalkCycle {
        /// Number of members.
        pub n_members: u32,
        /// The first fifty of them.
        pub members: Vec<SymbolRef>,
        /// The shortest circle through the first; it ends where it starts.
        pub path: WalkPath,
    }

    /// Requests the part of the graph around a node.
    #[derive(Default)]
    #[serde(deny_unknown_fields)]
    pub struct SubgraphRequest {
        /// The middle, as in [`TraverseRequest`].
        pub from: String,
        /// Direction (default `both`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub direction: Option<WalkDirection>,
        /// As in [`TraverseRequest`].
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub edges: Vec<String>,
        /// As in [`TraverseRequest`].
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub nodes: Vec<String>,
        /// Number of steps from the middle (1 to 50, default 2).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Minimum confidence of edges (default 0).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// Maximum number of nodes, the nearest first (default 100).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Maximum size of the answer in bytes of JSON (default 65536); lists are cut to fit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
    }

    /// A part of the graph.
    pub struct SubgraphResponse {
        /// Its nodes, by number.
        pub nodes: Vec<SymbolRef>,
        /// The part of the list in this answer.
        pub nodes_page: Page,
        /// The edges among them.
        pub edges: Vec<WalkEdge>,
        /// The part of the list in this answer.
        pub edges_page: Page,
        /// True if it contains everything within the depth.
        pub complete: bool,
    }
}
