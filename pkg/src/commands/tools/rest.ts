/** Routes of the Worker that ask a tool by parameters; the Worker's own table and docs/openapi.json are made from them. */

/** `GET path?…`; besides, every tool of the engine has `POST /v1/NAME`. */
export interface RestRoute {
  readonly path: string;
  /** The value of the parameter `view`, where several tools share the path; the first of them needs none. */
  readonly view?: string;
  /** In the list of routes; absent where the line of another route names this one. */
  readonly about?: string;
  /** In the order in which they are read and listed. */
  readonly parameters: readonly RestParameter[];
}

/** A parameter, and the values that it takes. */
export interface RestParameter {
  readonly name: string;
  /** The field of the tool's request, where it has another name. */
  readonly field?: string;
  readonly kind: RestKind;
}

export type RestKind =
  | { readonly is: "required"; readonly give: string; readonly maxBytes?: number }
  | { readonly is: "number"; readonly from: number; readonly to: number }
  | { readonly is: "choice"; readonly of: readonly string[] }
  /** `list`: separated by commas or repeated; `flag`: true where it is there; `either`: true or false; `view`: chooses the route. */
  | { readonly is: "text" | "share" | "list" | "repeated" | "flag" | "either" | "view" };

/** Routes without a tool of their own, in the list of routes before and behind those of tools. */
export const FIRST_ROUTES: readonly (readonly [route: string, about: string])[] = [
  ["GET /healthz", "is the Worker there"],
];
export const LAST_ROUTES: readonly (readonly [route: string, about: string])[] = [
  ["POST /v1/TOOL?repo=", "any tool, its request as JSON in the body; GET /v1/tools lists them"],
  ["GET /v1/tools", "the tools, each with what it is for"],
  ["GET /openapi.json", "every route, request and answer (OpenAPI 3.1)"],
  ["GET /metrics", "counts and latencies as Prometheus text"],
];

const number = (name: string, from: number, to: number): RestParameter => ({ name, kind: { is: "number", from, to } });
const text = (name: string): RestParameter => ({ name, kind: { is: "text" } });

const OFFSET = number("offset", 0, 10_000);
const DEPTH = number("depth", 1, 10);
const ROWS = number("limit", 1, 1000);
const VIEW: RestParameter = { name: "view", kind: { is: "view" } };
const NAME: RestParameter = {
  name: "name",
  field: "symbol",
  kind: {
    is: "required",
    give: "a name (`add`, `Router.add`, `src/router.ts#add`) or a place (`src/router.ts:40`)",
  },
};
const CALLS = [NAME, VIEW, DEPTH, { name: "min_confidence", kind: { is: "share" } }, ROWS] as const;

/** The routes of each tool that has one. */
export const REST = {
  status: { path: "/v1/status", about: "what is in the index", parameters: [] },
  search: {
    path: "/v1/search",
    about: "where is the code for …",
    parameters: [
      {
        name: "q",
        field: "query",
        kind: { is: "required", give: "words, a question or an identifier", maxBytes: 2000 },
      },
      number("limit", 1, 200),
      OFFSET,
      { name: "mode", kind: { is: "choice", of: ["auto", "lexical", "vector", "hybrid", "ast", "graph", "all"] } },
      { name: "fusion", kind: { is: "choice", of: ["weighted", "rrf"] } },
      { name: "language", field: "languages", kind: { is: "list" } },
      { name: "path", field: "paths", kind: { is: "repeated" } },
      { name: "kind", field: "kinds", kind: { is: "list" } },
      { name: "node_type", field: "node_types", kind: { is: "list" } },
      number("min_complexity", 0, 10_000),
      number("max_complexity", 0, 10_000),
      { name: "similarity_threshold", kind: { is: "share" } },
      { name: "explain", kind: { is: "flag" } },
      { name: "ungrouped", kind: { is: "flag" } },
    ],
  },
  usages: {
    path: "/v1/symbol",
    view: "definitions",
    about: "the definitions of a name, and how much each is used",
    parameters: [NAME, VIEW, text("kind"), { name: "fuzzy", kind: { is: "either" } }, ROWS],
  },
  references: {
    path: "/v1/symbol",
    view: "references",
    about: "who uses it",
    parameters: [NAME, VIEW, ROWS, OFFSET],
  },
  callers: {
    path: "/v1/symbol",
    view: "callers",
    about: "who calls it; view=callees: whom it calls",
    parameters: CALLS,
  },
  callees: { path: "/v1/symbol", view: "callees", parameters: CALLS },
} as const satisfies Record<string, RestRoute>;
