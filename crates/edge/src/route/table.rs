//! The routes, from the table of tools in `pkg/src/commands/tools`. `pkg/test/tool-table.test.mjs` compares and writes it.

use super::read::{Kind, Parameter, Route};

/// A question and the words for it, as the answer to an unknown path lists them.
#[rustfmt::skip]
pub const ROUTES: &[(&str, &str)] = &[
    ("GET /healthz", "is the Worker there"),
    ("GET /v1/status?repo=", "what is in the index"),
    ("GET /v1/search?q=&repo=&limit=&offset=&mode=&fusion=&language=&path=&kind=&node_type=&min_complexity=&max_complexity=&similarity_threshold=&explain=&ungrouped=", "where is the code for …"),
    ("GET /v1/symbol?name=&repo=&kind=&fuzzy=&limit=", "the definitions of a name, and how much each is used"),
    ("GET /v1/symbol?name=&view=references&repo=&limit=&offset=", "who uses it"),
    ("GET /v1/symbol?name=&view=callers&repo=&depth=&min_confidence=&limit=", "who calls it; view=callees: whom it calls"),
    ("POST /v1/TOOL?repo=", "any tool, its request as JSON in the body; GET /v1/tools lists them"),
    ("GET /v1/tools", "the tools, each with what it is for"),
    ("GET /openapi.json", "every route, request and answer (OpenAPI 3.1)"),
    ("GET /metrics", "counts and latencies as Prometheus text"),
];

/// The routes that ask a tool by parameters.
#[rustfmt::skip]
pub const TOOL_ROUTES: &[Route] = &[
    Route {
        tool: "status", path: "/v1/status", view: "",
        parameters: &[],
    },
    Route {
        tool: "search", path: "/v1/search", view: "",
        parameters: &[
            Parameter { name: "q", field: "query", kind: Kind::Required("words, a question or an identifier", 2000) },
            Parameter { name: "limit", field: "limit", kind: Kind::Number(1, 200) },
            Parameter { name: "offset", field: "offset", kind: Kind::Number(0, 10000) },
            Parameter { name: "mode", field: "mode", kind: Kind::Choice(&["auto", "lexical", "vector", "hybrid", "ast", "graph", "all"]) },
            Parameter { name: "fusion", field: "fusion", kind: Kind::Choice(&["weighted", "rrf"]) },
            Parameter { name: "language", field: "languages", kind: Kind::List },
            Parameter { name: "path", field: "paths", kind: Kind::Repeated },
            Parameter { name: "kind", field: "kinds", kind: Kind::List },
            Parameter { name: "node_type", field: "node_types", kind: Kind::List },
            Parameter { name: "min_complexity", field: "min_complexity", kind: Kind::Number(0, 10000) },
            Parameter { name: "max_complexity", field: "max_complexity", kind: Kind::Number(0, 10000) },
            Parameter { name: "similarity_threshold", field: "similarity_threshold", kind: Kind::Share },
            Parameter { name: "explain", field: "explain", kind: Kind::Flag },
            Parameter { name: "ungrouped", field: "ungrouped", kind: Kind::Flag },
        ],
    },
    Route {
        tool: "usages", path: "/v1/symbol", view: "definitions",
        parameters: &[
            Parameter { name: "name", field: "symbol", kind: Kind::Required("a name (`add`, `Router.add`, `src/router.ts#add`) or a place (`src/router.ts:40`)", usize::MAX) },
            Parameter { name: "view", field: "view", kind: Kind::View },
            Parameter { name: "kind", field: "kind", kind: Kind::Text },
            Parameter { name: "fuzzy", field: "fuzzy", kind: Kind::Either },
            Parameter { name: "limit", field: "limit", kind: Kind::Number(1, 1000) },
        ],
    },
    Route {
        tool: "references", path: "/v1/symbol", view: "references",
        parameters: &[
            Parameter { name: "name", field: "symbol", kind: Kind::Required("a name (`add`, `Router.add`, `src/router.ts#add`) or a place (`src/router.ts:40`)", usize::MAX) },
            Parameter { name: "view", field: "view", kind: Kind::View },
            Parameter { name: "limit", field: "limit", kind: Kind::Number(1, 1000) },
            Parameter { name: "offset", field: "offset", kind: Kind::Number(0, 10000) },
        ],
    },
    Route {
        tool: "callers", path: "/v1/symbol", view: "callers",
        parameters: &[
            Parameter { name: "name", field: "symbol", kind: Kind::Required("a name (`add`, `Router.add`, `src/router.ts#add`) or a place (`src/router.ts:40`)", usize::MAX) },
            Parameter { name: "view", field: "view", kind: Kind::View },
            Parameter { name: "depth", field: "depth", kind: Kind::Number(1, 10) },
            Parameter { name: "min_confidence", field: "min_confidence", kind: Kind::Share },
            Parameter { name: "limit", field: "limit", kind: Kind::Number(1, 1000) },
        ],
    },
    Route {
        tool: "callees", path: "/v1/symbol", view: "callees",
        parameters: &[
            Parameter { name: "name", field: "symbol", kind: Kind::Required("a name (`add`, `Router.add`, `src/router.ts#add`) or a place (`src/router.ts:40`)", usize::MAX) },
            Parameter { name: "view", field: "view", kind: Kind::View },
            Parameter { name: "depth", field: "depth", kind: Kind::Number(1, 10) },
            Parameter { name: "min_confidence", field: "min_confidence", kind: Kind::Share },
            Parameter { name: "limit", field: "limit", kind: Kind::Number(1, 1000) },
        ],
    },
];
