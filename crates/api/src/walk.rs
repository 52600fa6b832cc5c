//! Walks over the code graph: what is within reach, ways from here to there, circles, pieces.

use crate::{Page, SymbolRef, wire};

wire! {
    /// Which way edges are followed.
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

    /// Which way a walk goes first.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum WalkOrder {
        /// What is near comes first.
        #[default]
        Breadth,
        /// One way to its end, then the next.
        Depth,
    }

    /// What is within reach of a node?
    #[derive(Default)]
    pub struct TraverseRequest {
        /// Where to start: a symbol (`add`, `Router.add`, `src/router.ts#add`, `src/router.ts:40`), or the path of a file or
        /// folder, or an external package. A name with several definitions stands for all of them.
        pub from: String,
        /// Which way; `out` if absent.
        #[serde(default)]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub direction: WalkDirection,
        /// Which way first; `breadth` if absent.
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
        /// How many steps (1 to 50); 3 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Do not follow edges below this confidence; 0 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// At most so many; 200 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Leave out so many first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub offset: Option<u32>,
        /// The list ends where the answer would have more bytes of JSON than this; 32768 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
    }

    /// What is within reach.
    pub struct TraverseResponse {
        /// What `from` was taken for.
        pub from: Vec<SymbolRef>,
        /// In the order in which they are reached; each node once.
        pub steps: Vec<WalkStep>,
        /// Which part of the steps is here.
        pub page: Page,
        /// Whether the walk saw everything within its depth; it ends at ten thousand nodes.
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

    /// How does one lead to the other?
    #[derive(Default)]
    pub struct PathsRequest {
        /// Where to start, as in [`TraverseRequest`].
        pub from: String,
        /// Where to end.
        pub to: String,
        /// Which way edges are followed; `out` if absent.
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
        /// Most steps (1 to 50); 10 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Do not follow edges below this confidence; 0 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// At most so many ways (1 to 1000); 5 if absent. With 1 the answer is the shortest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// The list ends where the answer would have more bytes of JSON than this; 32768 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
    }

    /// Ways from here to there.
    pub struct PathsResponse {
        /// What `from` was taken for.
        pub from: Vec<SymbolRef>,
        /// What `to` was taken for.
        pub to: Vec<SymbolRef>,
        /// Whether there is a way.
        pub found: bool,
        /// The shortest first; no node twice on one way.
        pub paths: Vec<WalkPath>,
        /// Whether these are all ways within the depth.
        pub complete: bool,
    }

    /// A way.
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

    /// What goes in circles?
    #[derive(Default)]
    pub struct CyclesRequest {
        /// Only within reach of this, as in [`TraverseRequest`]; everywhere if absent.
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
        /// How many steps from `from` (1 to 50); 50 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Do not follow edges below this confidence; 0 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// At most so many; 50 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Leave out so many first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub offset: Option<u32>,
        /// The list ends where the answer would have more bytes of JSON than this; 32768 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
    }

    /// Circles.
    pub struct CyclesResponse {
        /// The largest groups first.
        pub cycles: Vec<WalkCycle>,
        /// Which part of them is here.
        pub page: Page,
    }

    /// Nodes each of which leads to all others.
    pub struct WalkCycle {
        /// How many there are.
        pub n_members: u32,
        /// The first fifty of them.
        pub members: Vec<SymbolRef>,
        /// The shortest circle through the first; it ends where it starts.
        pub path: WalkPath,
    }

    /// A piece of the graph around something.
    #[derive(Default)]
    pub struct SubgraphRequest {
        /// The middle, as in [`TraverseRequest`].
        pub from: String,
        /// Which way; `both` if absent.
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
        /// How many steps from the middle (1 to 50); 2 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub depth: Option<u32>,
        /// Leave out edges below this confidence; 0 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub min_confidence: Option<f32>,
        /// At most so many nodes, the nearest; 100 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub limit: Option<u32>,
        /// Lists end where the answer would have more bytes of JSON than this; 65536 if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", tsify(optional))]
        pub max_bytes: Option<u32>,
    }

    /// A piece of the graph.
    pub struct SubgraphResponse {
        /// Its nodes, by number.
        pub nodes: Vec<SymbolRef>,
        /// Which part of them is here.
        pub nodes_page: Page,
        /// The edges among them that were asked for.
        pub edges: Vec<WalkEdge>,
        /// Which part of them is here.
        pub edges_page: Page,
        /// Whether everything within the depth is in it.
        pub complete: bool,
    }
}
