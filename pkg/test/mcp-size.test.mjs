// The text of an answer over MCP keeps to its size in bytes and in tokens, whatever is in the repository, and pages lose nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { encode as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { Portolan } from "portolan";

import { sizedAnswer } from "../dist/mcp/sized.js";
import { SHOP } from "./fixture.mjs";

const MAX_BYTES = 16 * 1024;
const N_LINES = 20_000;
const callers = Array.from(
  { length: 400 },
  (_, n) => `export function caller_number_${n}() { return target(${n}); }\n`,
);
const FILES = {
  ...SHOP,
  "short.txt": "a\n".repeat(N_LINES),
  "wide.txt": `${"wide word ".repeat(4_000)}\n`,
  "odd.js": `export const odd = \`\n${"\u0001\u0002\u202e odd\n".repeat(4_000)}\`;\n`,
  "target.js": `export function target(n) { return n; }\n${callers.join("")}`,
  "日本語.py": "def 計算():\n    return '合計金額を計算する関数です'\n".repeat(60),
  ...Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`many/f${n}.js`, ""])),
};

let index;
let host;
before(async () => {
  const files = Object.entries(FILES).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
  index = await Portolan.index(files, { embeddings: false });
  const repository = {
    name: "own",
    ask: (tool, request) => index.ask(tool, request),
    structural: (request) => index.structural(request),
  };
  host = {
    version: "0",
    can: { structural: true, files: false },
    repositories: async () => ({
      repositories: Array.from({ length: 900 }, (_, n) => ({ name: `repository-${n}`, root: `/srv/${n}` })),
    }),
    open: async () => repository,
  };
});
after(() => index.close());

const context = { signal: new AbortController().signal, onProgress() {} };
const ask = (tool, args) => sizedAnswer({ tool, args, host, context });

const CALLS = [
  ["list_repos", {}],
  ["list_files", {}],
  ["read_code", { path: "short.txt" }],
  ["read_code", { path: "wide.txt" }],
  ["read_code", { path: "odd.js" }],
  ["search", { query: "wide word", limit: 100 }],
  ["search", { query: "target caller", limit: 100 }],
  ["code_intelligence", { command: "query", symbol: "target", limit: 400 }],
  ["code_intelligence", { command: "callers", symbol: "target", limit: 400 }],
  ["code_intelligence", { command: "graph", symbol: "target", limit: 400 }],
  ["context", { symbol: "target", limit: 400 }],
  ["impact", { symbol: "target", limit: 400 }],
  ["rename", { symbol: "target", new_name: "goal", limit: 400 }],
  ["structural_search", { pattern: "target($A)", limit: 400 }],
  ["cypher", { query: "MATCH (f:Function) RETURN f.path, f.name, f.signature LIMIT 400" }],
];

for (const [tool, args] of CALLS)
  test(`the text of an answer keeps to its size: ${tool} ${JSON.stringify(args)}`, async () => {
    const { text } = await ask(tool, args);
    assert.ok(Buffer.byteLength(text) <= MAX_BYTES, `${Buffer.byteLength(text)} bytes`);
    assert.ok(Buffer.byteLength(text) > 100, text);
  });

test("max_bytes limits the text, too", async () => {
  for (const [tool, args] of CALLS.filter(([tool]) => tool !== "list_repos")) {
    const { text } = await ask(tool, { ...args, max_bytes: 2_000 });
    assert.ok(Buffer.byteLength(text) <= 2_000, `${tool}: ${Buffer.byteLength(text)} bytes`);
  }
});

test("pages of a text that was too long go on where it ended", async () => {
  const seen = [];
  let cursor;
  do {
    const { answer, text } = await ask("read_code", { path: "short.txt", ...(cursor && { cursor }) });
    seen.push(...[...text.matchAll(/^(\d+)\ta$/gm)].map(([, line]) => Number(line)));
    cursor = answer.next_cursor;
  } while (cursor);
  assert.deepEqual(
    seen,
    Array.from({ length: N_LINES }, (_, n) => n + 1),
  );
});

test("a line that is longer than an answer is cut, and the text says so", async () => {
  const { text } = await ask("read_code", { path: "wide.txt" });
  assert.match(text, /wide word[\s\S]*\n… cut at 16384 bytes: ask for less, or raise max_bytes$/);
});

const tokensOf = (text) => Math.max(o200k(text).length, cl100k(text).length);

test("budgets of tokens hold for the whole text, the line about the rest included", async () => {
  for (const max_tokens of [200, 1_000, 3_000]) {
    for (const query of ["add tax to a cart", "target", "計算"]) {
      const { text } = await ask("search", { query, max_tokens });
      assert.ok(tokensOf(text) <= max_tokens, `search ${query} ${max_tokens}: ${tokensOf(text)}`);
    }
    const { text } = await ask("repo_map", { max_tokens });
    assert.ok(tokensOf(text) <= max_tokens, `repo_map ${max_tokens}: ${tokensOf(text)}`);
  }
});
