/** Tools about a change: its effects, and renames. */

import { PAGE, ASKED } from "../command-spec.js";
import {
  BYTES,
  CONFIDENCE,
  CURSOR,
  DEPTH,
  FLAG,
  LIMIT,
  OBJECT,
  PATHS,
  REPO,
  SYMBOL,
  TESTS,
  flag,
  list,
  oneOf,
  text,
  words,
} from "./schema.js";
import type { ToolRow } from "./tool-row.js";

export const CHANGE_TOOLS: readonly ToolRow[] = [
  {
    name: "impact",
    method: "impact",
    commands: [
      {
        name: "impact",
        group: "Change",
        operands: "SYMBOL",
        summary: "what breaks if it changes, by depth, with a risk level",
        options: [...PAGE, "depth", "direction", "tests", "edge", "min-confidence", ...ASKED],
        here: { direction: "upstream (its dependants) or downstream (its dependencies)" },
        choices: { direction: ["upstream", "downstream"] },
        examples: [["portolan impact addTax --depth 3 --tests exclude", "without test code"]],
      },
    ],
    mcp: {
      place: 5,
      name: "impact",
      about:
        "Blast radius of changing a symbol, by depth: 1 will break, 2 likely affected, 3 may need tests; risk, flows. Use before every change.",
      input: {
        symbol: SYMBOL,
        direction: oneOf("upstream: dependants", "upstream", "downstream"),
        depth: DEPTH,
        min_confidence: CONFIDENCE,
        kinds: words("edge kinds: CALLS, …"),
        tests: TESTS,
        limit: LIMIT,
        max_bytes: BYTES,
        repo: REPO,
        cursor: CURSOR,
      },
      required: ["symbol"],
      output: { risk: OBJECT, by_depth: list("depth", "total"), candidates: list("selector") },
    },
  },
  {
    name: "detect_changes",
    method: "detectChanges",
    commands: [
      {
        name: "changes",
        group: "Change",
        operands: "",
        summary: "effects of your change: symbols, flows, dependants, risk",
        options: ["staged", "base", "diff", "depth", "tests", ...PAGE, "min-confidence", ...ASKED],
        examples: [
          ["portolan changes", "everything since the last commit"],
          ["portolan changes --base main", "a branch"],
          ["git diff | portolan changes --diff -", "any diff"],
        ],
      },
    ],
    mcp: {
      place: 7,
      name: "detect_changes",
      about:
        "Effects of a change: changed symbols, affected flows, dependants, risk. Without diff: git's diff of the work tree. Use before every commit.",
      input: {
        diff: text("unified diff"),
        staged: flag("only staged changes"),
        base: text("commit or branch"),
        depth: DEPTH,
        tests: TESTS,
        limit: LIMIT,
        max_bytes: BYTES,
        repo: REPO,
        cursor: CURSOR,
      },
      output: { summary: OBJECT, changed_symbols: list("symbol", "change_type") },
    },
  },
  {
    name: "rename",
    method: "rename",
    commands: [
      {
        name: "rename",
        group: "Change",
        operands: "SYMBOL NAME",
        summary: "rename a symbol everywhere: as a diff, or written into the files",
        options: ["text", "apply", "force", "path", ...PAGE, "min-confidence", ...ASKED],
        here: {
          text: "the same word elsewhere: off, review (shown), apply",
          path: "change only these paths, !GLOB excludes; may be repeated",
        },
        examples: [
          ["portolan rename addTax addVat", "the diff"],
          ["portolan rename addTax addVat --apply", "written, if the new name is free"],
        ],
      },
    ],
    mcp: {
      place: 8,
      name: "rename",
      about: "Rename a symbol everywhere: edits and a diff. Writes files only with apply: true; check the edits first.",
      input: {
        symbol: SYMBOL,
        new_name: text("plain"),
        text_search: {
          type: "string",
          enum: ["off", "review", "apply"],
          description: "the word in comments, strings",
        },
        apply: flag("write"),
        force: flag("despite conflicts"),
        paths: PATHS,
        limit: LIMIT,
        max_bytes: BYTES,
        repo: REPO,
        cursor: CURSOR,
      },
      required: ["symbol", "new_name"],
      output: { changes: list("path", "edits"), applied: FLAG },
      changes: true,
    },
  },
];
