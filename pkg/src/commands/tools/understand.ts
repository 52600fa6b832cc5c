/** Tools that explain code: whole answers about symbols, execution flows and communities. */

import { FILTERS, PAGE, ASKED } from "../command-spec.js";
import {
  BYTES,
  CONFIDENCE,
  CURSOR,
  LANGUAGES,
  LIMIT,
  NUMBER,
  OBJECT,
  PATHS,
  REPO,
  SYMBOL,
  TEXT,
  count,
  flag,
  list,
  oneOf,
  text,
  words,
} from "./schema.js";
import type { ToolRow } from "./tool-row.js";

export const UNDERSTAND_TOOLS: readonly ToolRow[] = [
  {
    name: "assemble",
    method: "assemble",
    commands: [
      {
        name: "assemble",
        group: "Understand",
        operands: "QUERY",
        summary: "code for a query with its callees, within a token budget",
        options: ["tokens", "budget-ratio", "max-chunks", "similarity-threshold", ...FILTERS, ...ASKED],
        examples: [["portolan assemble 'where is tax added' --tokens 2000", "for a prompt"]],
      },
    ],
  },
  {
    name: "map",
    method: "map",
    commands: [
      {
        name: "map",
        group: "Understand",
        operands: "",
        summary: "repository map: files and their definitions",
        options: ["tokens", "order", ...FILTERS, ...ASKED],
        here: { order: "symbols (most definitions first) or centrality" },
        choices: { order: ["symbols", "centrality"] },
        examples: [["portolan map --tokens 500", "within 500 tokens"]],
      },
    ],
    mcp: {
      place: 11,
      name: "repo_map",
      about: "Files and their definitions within a token budget. Use first in an unknown repository.",
      input: {
        max_tokens: count("default 1024"),
        order: oneOf("of files", "symbols", "centrality"),
        paths: PATHS,
        languages: LANGUAGES,
        repo: REPO,
      },
      output: { text: TEXT, n_tokens: NUMBER },
    },
  },
  {
    name: "context",
    method: "context",
    commands: [
      {
        name: "context",
        group: "Understand",
        operands: "SYMBOL",
        summary: "everything about a symbol: relations in both directions, members, flows",
        options: [...PAGE, "min-confidence", ...ASKED],
        examples: [["portolan context addTax", "everything about addTax"]],
      },
    ],
    mcp: {
      place: 4,
      name: "context",
      about: "Everything about a symbol: definition, callers, callees, other relations, members, flows.",
      input: {
        symbol: SYMBOL,
        tests: flag("include relations from tests"),
        min_confidence: CONFIDENCE,
        limit: LIMIT,
        max_bytes: BYTES,
        repo: REPO,
        cursor: CURSOR,
      },
      required: ["symbol"],
      output: { symbol: OBJECT, incoming: list("kind"), outgoing: list("kind"), candidates: list("selector") },
    },
  },
  {
    name: "query",
    method: "query",
    commands: [
      {
        name: "query",
        group: "Understand",
        operands: "QUERY",
        summary: "execution flows that match a query, and definitions outside flows",
        options: [...PAGE, ...FILTERS, "model", ...ASKED],
        examples: [["portolan query 'how is an order paid'", "flows first"]],
      },
    ],
    mcp: {
      place: 3,
      name: "query",
      about: "Search by execution flows: chains of calls that match, and definitions outside them.",
      input: {
        query: text("words"),
        limit: LIMIT,
        languages: LANGUAGES,
        paths: PATHS,
        max_bytes: BYTES,
        repo: REPO,
        cursor: CURSOR,
      },
      required: ["query"],
      output: { processes: list("summary", "n_steps"), definitions: list("symbol") },
    },
  },
  {
    name: "trace",
    method: "trace",
    commands: [
      {
        name: "trace",
        group: "Understand",
        operands: "FROM TO",
        summary: "paths from one symbol to another, also through nested functions and callbacks",
        options: ["edge", "depth", "limit", "min-confidence", ...ASKED],
        examples: [["portolan trace Checkout round", "step by step"]],
      },
    ],
    mcp: {
      place: 6,
      name: "trace",
      about: "How one symbol leads to another: calls, nested functions, callbacks, implementations.",
      input: {
        from: SYMBOL,
        to: text("symbol"),
        max_depth: count("steps"),
        kinds: words("edge kinds"),
        limit: LIMIT,
        repo: REPO,
      },
      required: ["from", "to"],
      output: { direction: TEXT, paths: list("steps") },
    },
  },
  {
    name: "processes",
    method: "processes",
    commands: [
      {
        name: "processes",
        group: "Understand",
        operands: "[SYMBOL]",
        summary: "execution flows, all or those through a symbol",
        options: ["entry", ...PAGE, ...ASKED],
        examples: [["portolan processes --entry route", "flows that begin with a route"]],
      },
    ],
  },
  {
    name: "process",
    method: "process",
    commands: [
      {
        name: "process",
        group: "Understand",
        operands: "PROCESS",
        summary: "one execution flow, by label or number, step by step",
        options: [...ASKED],
        examples: [["portolan process 0", "the first"]],
      },
    ],
  },
  {
    name: "communities",
    method: "communities",
    commands: [
      {
        name: "communities",
        group: "Understand",
        operands: "",
        summary: "communities (functional areas), the largest first",
        options: [...PAGE, ...ASKED],
        examples: [["portolan communities", "all of them"]],
      },
    ],
  },
  {
    name: "community",
    method: "community",
    commands: [
      {
        name: "community",
        group: "Understand",
        operands: "COMMUNITY",
        summary: "one community, by label or number, with its members",
        options: [...PAGE, ...ASKED],
        examples: [["portolan community 0", "the largest"]],
      },
    ],
  },
  {
    name: "code_intelligence",
    method: "codeIntelligence",
    commands: [
      {
        name: "code-intelligence",
        group: "Understand",
        operands: "COMMAND SYMBOL",
        summary: "find, refs, callers, callees, similar, graph or query in one command",
        options: ["depth", "limit", "min-confidence", ...ASKED],
        complete: ["find", "refs", "callers", "callees", "similar", "graph", "query"],
        examples: [["portolan code-intelligence callers addTax --depth 2", "as agents ask"]],
      },
    ],
    mcp: {
      place: 10,
      name: "code_intelligence",
      about: "One relation of a symbol; graph: its neighbourhood, query: callers and uses.",
      input: {
        command: oneOf("relation", "find", "refs", "callers", "callees", "similar", "graph", "query"),
        symbol: SYMBOL,
        depth: count("levels"),
        min_confidence: CONFIDENCE,
        limit: LIMIT,
        max_bytes: BYTES,
        repo: REPO,
      },
      required: ["command", "symbol"],
      output: { command: TEXT },
    },
  },
];
