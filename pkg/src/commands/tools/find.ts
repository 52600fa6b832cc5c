/** Tools that find code, definitions and files. */

import { FILTERS, OWN_GRAMMAR, ASKED } from "../command-spec.js";
import { REST } from "./rest.js";
import {
  BYTES,
  COUNT,
  FLAG,
  LANGUAGES,
  NUMBER,
  PATHS,
  SYMBOL,
  TEXT,
  count,
  list,
  oneOf,
  text,
  words,
} from "./schema.js";
import type { ToolRow } from "./tool-row.js";

export const FIND_TOOLS: readonly ToolRow[] = [
  {
    name: "status",
    method: "status",
    rest: REST.status,
    commands: [
      {
        name: "status",
        group: "Index",
        operands: "",
        summary: "contents of the index and skipped files",
        options: [...ASKED],
        examples: [
          ["portolan status", "counts, languages, sizes, skipped files"],
          ["portolan status --json", "the same for programs"],
        ],
      },
    ],
    mcp: {
      place: 14,
      name: "status",
      title: "Index status",
      about: "Counts of an index by kind, its model, skipped files, and whether it is stale.",
      input: { repo: TEXT },
      output: { name: TEXT, n_files: NUMBER, n_symbols: NUMBER },
    },
  },
  {
    name: "files",
    method: "files",
    commands: [
      {
        name: "files",
        group: "Index",
        operands: "",
        summary: "the files in the index",
        options: [...ASKED],
        examples: [["portolan files", "paths, languages, lines, definitions"]],
      },
    ],
    mcp: {
      place: 15,
      name: "list_files",
      title: "Files",
      about: "Indexed files, of a folder or all.",
      input: { path: TEXT, languages: LANGUAGES, repo: TEXT, cursor: TEXT },
      output: { files: list("path"), total: NUMBER },
    },
  },
  {
    name: "search",
    method: "search",
    rest: REST.search,
    commands: [
      {
        name: "search",
        group: "Find",
        operands: "QUERY",
        summary: "find code by words, a question or an identifier",
        options: [
          "limit",
          "offset",
          "mode",
          "fusion",
          ...FILTERS,
          "kind",
          "node-type",
          "min-complexity",
          "max-complexity",
          "similarity-threshold",
          "weight",
          "explain",
          "batch",
          "repo",
          "model",
          "rerank",
          "rerank-top",
          ...ASKED,
        ],
        here: { kind: "only code that defines a symbol of this kind" },
        examples: [
          ["portolan search 'where is tax added'", "a question"],
          ["portolan search addTax --kind function -n 3", "an identifier"],
          [
            "portolan search 'retry' --path 'src/**' --path '!**/*.test.ts' --explain",
            "in some files, with the reasons",
          ],
          ["portolan search --batch queries.jsonl --json", "many queries in one process"],
          ["portolan search 'add tax' --repo '*'", "in every repository indexed on this machine"],
        ],
      },
    ],
    mcp: {
      place: 2,
      name: "search",
      title: "Search code",
      about: "Find code by words, a question or an identifier: ranked pieces with path, lines, symbol. Start here.",
      input: {
        query: TEXT,
        limit: COUNT,
        mode: oneOf("auto", "lexical", "vector", "hybrid", "ast", "graph", "all"),
        languages: LANGUAGES,
        paths: PATHS,
        kinds: words("function, class, method, …"),
        max_tokens: count("whole code in this token budget"),
        repo: text("* searches all"),
        cursor: TEXT,
      },
      required: ["query"],
      output: { hits: list("path", "start_line", "end_line") },
    },
  },
  {
    name: "locate",
    method: "locate",
    commands: [
      {
        name: "locate",
        group: "Find",
        operands: "[TEXT]",
        summary: "files and functions that an issue, an error or a stack trace is about; - or no TEXT reads stdin",
        options: ["limit", "tokens", ...FILTERS, ...ASKED],
        here: { limit: "maximum number of files (default 10)", tokens: "token budget of the answer (default 2000)" },
        examples: [
          ["portolan locate 'Wrong total in Cart.add'", "a title"],
          ["portolan locate - < issue.md", "a whole issue, template and log included"],
          ["npm test 2>&1 | portolan locate --json", "the stack traces of a failed run"],
        ],
      },
    ],
    mcp: {
      place: 17,
      name: "locate",
      title: "Locate an issue",
      about:
        "Files and functions that an issue, error message or stack trace (whole text) is about, with reasons and confidence.",
      input: {
        text: TEXT,
        limit: COUNT,
        max_tokens: count("default 2000"),
        paths: PATHS,
        repo: TEXT,
      },
      required: ["text"],
      output: { files: list("path", "functions"), known: FLAG },
    },
  },
  {
    name: "find",
    method: "find",
    commands: [
      {
        name: "find",
        group: "Find",
        operands: "SYMBOL",
        summary: "definitions by name: add, Router.add, src/router.ts#add, src/router.ts:40",
        options: ["limit", "kind", ...ASKED],
        examples: [
          ["portolan find Cart.total", "a method of a class"],
          ["portolan find src/tax.ts:4", "the definition around a line"],
        ],
      },
    ],
  },
  { name: "usages", rest: REST.usages },
  {
    name: "references",
    method: "references",
    rest: REST.references,
    commands: [
      {
        name: "refs",
        group: "Find",
        operands: "SYMBOL",
        summary: "uses of a symbol, file or folder, product code first",
        options: ["limit", "offset", "kind", ...ASKED],
        examples: [["portolan refs addTax", "every use, with the line"]],
      },
    ],
  },
  {
    name: "callers",
    method: "callers",
    rest: REST.callers,
    commands: [
      {
        name: "callers",
        group: "Find",
        operands: "SYMBOL",
        summary: "callers of a symbol, file or folder, product code first",
        options: ["depth", "limit", "offset", "kind", "min-confidence", ...ASKED],
        here: { depth: "levels of callers (default 1)" },
        examples: [["portolan callers addTax --depth 2", "callers and their callers"]],
      },
    ],
  },
  {
    name: "callees",
    method: "callees",
    rest: REST.callees,
    commands: [
      {
        name: "callees",
        group: "Find",
        operands: "SYMBOL",
        summary: "functions that a symbol calls",
        options: ["depth", "limit", "offset", "kind", "min-confidence", ...ASKED],
        here: { depth: "levels of callees (default 1)" },
        examples: [["portolan callees Cart.total", "what it calls"]],
      },
    ],
  },
  {
    name: "definition",
    method: "definition",
    commands: [
      {
        name: "definition",
        group: "Find",
        operands: "FILE:LINE:COLUMN",
        summary: "where the name at a place is defined",
        options: [...ASKED],
        examples: [["portolan definition src/cart.ts:17:12", "line and column count from 1"]],
      },
    ],
  },
  {
    name: "similar",
    asks: "code_intelligence",
    commands: [
      {
        name: "similar",
        group: "Find",
        operands: "SYMBOL",
        summary: "definitions with a similar meaning",
        options: ["limit", ...ASKED],
        examples: [["portolan similar addTax", "by vectors, without addTax itself"]],
      },
    ],
  },
  {
    name: "regex",
    method: "regex",
    commands: [
      {
        name: "regex",
        group: "Find",
        operands: "PATTERN",
        summary: "lines that match a regular expression",
        options: [...FILTERS, "ignore-case", "word", "context", "limit", "max-millis", ...ASKED],
        examples: [
          ["portolan regex 'class \\w+' --language typescript", "in one language"],
          ["portolan regex todo --ignore-case --context 2", "with two lines of context"],
        ],
      },
    ],
  },
  {
    name: "structural",
    method: "structural",
    commands: [
      {
        name: "structural",
        group: "Find",
        operands: "PATTERN",
        summary: "structural search: foo($A), $$$ARGS for any number of nodes",
        options: [...FILTERS, "tree-query", "where", "strictness", "limit", "max-millis", ...OWN_GRAMMAR, ...ASKED],
        examples: [
          ["portolan structural 'addTax($NET)'", "every call with one argument"],
          ["portolan structural '$F($$$ARGS)' --where 'F=^add'", "calls of names that begin with add"],
        ],
      },
    ],
    mcp: {
      place: 13,
      name: "structural_search",
      title: "Structural search",
      about: "Find code by a pattern with metavariables, foo($A, $$$REST), or by a tree-sitter query.",
      input: {
        pattern: TEXT,
        query: text("tree-sitter query"),
        constraints: {
          type: "array",
          items: { type: "object", required: ["name"] },
          description: "{name, regex | not_regex | kinds} per metavariable",
        },
        languages: LANGUAGES,
        paths: PATHS,
        limit: COUNT,
        max_millis: COUNT,
        repo: TEXT,
        cursor: TEXT,
      },
      output: { matches: list("path", "start_line", "end_line") },
    },
  },
  {
    name: "outline",
    method: "outline",
    commands: [
      {
        name: "outline",
        group: "Find",
        operands: "FILE",
        summary: "definitions of a file",
        options: [...ASKED],
        examples: [["portolan outline src/cart.ts", "names, kinds, lines"]],
      },
    ],
  },
  {
    name: "file_text",
    method: "text",
    commands: [
      {
        name: "text",
        group: "Find",
        operands: "FILE[:FROM-TO]",
        summary: "text of a file as indexed, or some of its lines",
        options: [...ASKED],
        examples: [["portolan text src/cart.ts:10-20", "ten lines"]],
      },
    ],
    mcp: {
      place: 12,
      name: "read_code",
      title: "Read code",
      about: "Source with line numbers: a symbol (better), or lines of a file.",
      input: {
        symbol: SYMBOL,
        path: TEXT,
        start_line: COUNT,
        end_line: COUNT,
        max_bytes: BYTES,
        repo: TEXT,
        cursor: TEXT,
      },
      output: { path: TEXT, start_line: NUMBER, end_line: NUMBER, text: TEXT },
    },
  },
  {
    name: "chunks",
    method: "chunks",
    commands: [
      {
        name: "chunks",
        group: "Find",
        operands: "FILE",
        summary: "the chunks of a file and their contents",
        options: [...ASKED],
        examples: [["portolan chunks src/cart.ts", "lines, scope, definitions, sizes"]],
      },
    ],
  },
];
