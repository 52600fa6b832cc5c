// Values that the fields of requests take, beyond their types: bounds, words and forms, for docs/openapi.json. The server checks them
// (`crates/api/src/answer`, `pkg/src/shared/manifest.ts`); the suite `contract` asks it just inside and just outside of each.

const MOST = 2 ** 32 - 1;
const from = (minimum, maximum = MOST) => ({ type: "integer", minimum, maximum });
const words = (...of) => ({ type: "string", enum: of });
const listOf = (items, maxItems) => ({ type: "array", items, ...(maxItems !== undefined && { maxItems }) });
const form = (pattern) => ({ type: "string", pattern });

/** A text with something in it. */
const NAMED = form("\\S");
export const LANGUAGE = words(
  ...[
    "text",
    "rust",
    "python",
    "javascript",
    "typescript",
    "tsx",
    "go",
    "java",
    "c",
    "cpp",
    "markdown",
    "toml",
    "json",
  ],
  ...["yaml", "csharp", "php", "kotlin", "swift", "scala", "dart", "ruby", "lua", "bash", "elixir", "haskell", "zig"],
  ...["html", "css", "sql"],
);
export const KIND = words(
  ...["module", "function", "method", "constructor", "class", "struct", "enum", "variant", "trait", "interface"],
  ...["impl", "type_alias", "constant", "variable", "field", "macro", "section"],
);
export const RELATION = words(
  ...["CONTAINS", "DEFINES", "HAS_METHOD", "CALLS", "REFERENCES", "IMPORTS", "EXTENDS", "IMPLEMENTS", "ALIASES"],
  ...["DISPATCH", "MEMBER_OF", "STEP_IN_PROCESS"],
);
const EDGE = words("*", ...RELATION.enum);
const NODE = words("file", "folder", "symbol", "external", "community", "process", ...KIND.enum);
const SHARE = { type: "number", minimum: 0, maximum: 1 };
const CALL_DEPTH = from(1, 10);
const WALK_DEPTH = from(1, 50);

export const HASH = form("^([0-9a-f]{40}|[0-9a-f]{64})$");
export const DIGEST = form("^[0-9a-f]{64}$");
const TAG = form("^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$");
const REF = form("^[^\\u0000-\\u0020\\u007f~^:?*\\[\\\\]{1,200}$");
const PART = "[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?";
/** A repository: `tools`, `acme/tools`. */
export const REPOSITORY = { ...form(`^${PART}(/${PART}){0,7}$`), maxLength: 200 };
/** The same in a query, where it may be empty; `*` asks all. */
export const REPOSITORY_ASKED = { ...form(`^(${PART}(/${PART}){0,7})?$`), maxLength: 200 };
export const REPOSITORIES_ASKED = { ...form(`^(\\*|${PART}(/${PART}){0,7})?$`), maxLength: 200 };

/** Parameters in the query of routes of shared indexes. */
export const OF_VERSIONS = {
  commit: HASH,
  tree: HASH,
  parent: listOf(HASH, 64),
  ref: REF,
  tag: listOf(TAG, 32),
  limit: from(1, 1000),
};

/** Fields that mean the same in every request. */
const EVERYWHERE = {
  max_bytes: from(256, 2 ** 28),
  min_confidence: SHARE,
  ...Object.fromEntries(["symbol", "query", "from", "to"].map((name) => [name, NAMED])),
  kind: KIND,
  languages: listOf(LANGUAGE),
  edges: listOf(EDGE),
  nodes: listOf(NODE),
};
/** Numbers with a fraction, which the server takes as they are. */
const FRACTIONS = ["budget_ratio", "similarity_threshold", "min_share"];

const OF_TYPE = {
  AtlasRequest: { limit: from(1, 100_000) },
  CallsRequest: { depth: CALL_DEPTH, limit: from(1, 100_000) },
  CodeIntelligenceRequest: { limit: from(1, 1000) },
  CommunitiesRequest: { limit: from(1, 10_000) },
  CommunityRequest: { community: NAMED, limit: from(1, 10_000) },
  ContextRequest: { limit: from(1, 10_000) },
  CyclesRequest: { depth: WALK_DEPTH, limit: from(1, 10_000) },
  CypherRequest: { limit: from(1, 100_000), timeout_ms: from(1, 60_000) },
  DetectChangesRequest: { depth: from(0, 10), limit: from(1, 100_000) },
  Enrichment: { graph_depth: from(1, 5), max_snippet: from(40, 100_000) },
  ExportRequest: { format: words("graphml", "json", "csv", "dot", "mermaid", "svg"), depth: WALK_DEPTH },
  FindRequest: { limit: from(1, 1000) },
  ImpactRequest: { depth: CALL_DEPTH, limit: from(1, 100_000), kinds: listOf(RELATION) },
  LinkedRequest: { depth: CALL_DEPTH, limit: from(1, 1000) },
  LinkRequest: { line: from(1) },
  ChangesTogether: { files: { maxItems: 100 } },
  CoChanged: { confidence: SHARE, reverse: SHARE },
  LocateRequest: {
    text: NAMED,
    limit: from(1, 200),
    function_limit: from(0, 200),
    max_tokens: from(256, 1_000_000),
    together: { maxItems: 100 },
  },
  PathsRequest: { depth: WALK_DEPTH, limit: from(1, 1000) },
  ProcessRequest: { process: NAMED },
  ProcessesRequest: {
    limit: from(1, 10_000),
    entry_kinds: listOf(words("main", "route", "handler", "exported", "uncalled", "test")),
    process_type: words("intra_community", "cross_community"),
  },
  QueryRequest: { limit: from(1, 1000), max_definitions: from(1, 1000) },
  ReferencesRequest: { limit: from(1, 100_000) },
  RegexRequest: { pattern: { type: "string", minLength: 1 }, limit: from(1, 100_000) },
  RenameRequest: { new_name: NAMED, limit: from(1, 1_000_000) },
  SearchRequest: { limit: from(1, 200), kinds: listOf(KIND) },
  SubgraphRequest: { depth: WALK_DEPTH, limit: from(1, 10_000) },
  TraceRequest: { max_depth: from(1, 100), limit: from(1, 20), kinds: listOf(RELATION) },
  TraverseRequest: { depth: WALK_DEPTH, limit: from(1, 10_000) },
  NearestCommit: { commit: HASH, tree: HASH },
  NearestRequest: { commits: { maxItems: 5000 } },
  Piece: { digest: DIGEST, n_bytes: from(1, 4 * 1024 ** 2) },
  PruneRequest: { keep: from(0, 5000), days: from(0, 36_500) },
  SwitchRequest: { version: { type: "string", maxLength: 200 } },
  VersionRequest: { n_bytes: from(1, 8 * 1024 ** 3), sections: { minItems: 1, maxItems: 300 } },
  VersionSection: { name: form("^[!-~]{1,16}$"), n_bytes: from(1, 8 * 1024 ** 3), pieces: { minItems: 1 } },
  VersionSource: { commit: HASH, tree: HASH, parents: listOf(HASH, 64), ref: REF, tags: listOf(TAG, 32) },
};

/** The schema of a type that requests hold, its fields narrowed. `isClosed`: the server refuses fields that it does not know. */
export function narrowed(type, schema, isClosed) {
  if (schema.type !== "object" || !schema.properties) return schema;
  const fields = Object.entries(schema.properties).map(([name, field]) => [name, narrowedField(type, name, field)]);
  return {
    ...schema,
    properties: Object.fromEntries(fields),
    ...(isClosed && { additionalProperties: false }),
  };
}

function narrowedField(type, name, field) {
  const known = OF_TYPE[type]?.[name] ?? EVERYWHERE[name];
  if (known) return { ...field, ...known };
  return field.type === "number" && !FRACTIONS.includes(name) ? { ...field, ...from(0) } : field;
}
