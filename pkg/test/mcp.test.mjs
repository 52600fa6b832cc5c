// portolan mcp as a process, asked by the official client: tools, answers, errors, pages.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { listedTools, MAX_LIST_BYTES, toolsFor } from "../dist/mcp/tools.js";
import { SHOP } from "./fixture.mjs";
import { answer, call, connect, empty, library, modern, NAMES, textOf } from "./mcp-shop.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

test("the list of tools: names, annotations, schemas, at most 12 KB", async () => {
  const { tools } = await modern.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    NAMES,
  );
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    assert.ok(description.length > 20 && inputSchema.type === "object" && outputSchema.type === "object", name);
    for (const [argument, { description }] of Object.entries(inputSchema.properties))
      assert.ok(description?.length > 1, `${name}: ${argument} has no description`);
    assert.equal(annotations.readOnlyHint, name !== "rename" && name !== "index", name);
    assert.equal(annotations.destructiveHint, { rename: true, index: false }[name], name);
  }
  const size = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    result: { tools: listedTools({ structural: true, files: true, index: true }) },
  }).length;
  const sizes = readFileSync(join(ROOT, "tests/measures/mcp.snap"), "utf8");
  const now = `# bytes of the answer to tools/list, as JSON-RPC, and of each tool in it\ntools/list ${size}\n${tools.map((tool) => `${tool.name} ${JSON.stringify(listedTools({ structural: true, files: true, index: true }).find(({ name }) => name === tool.name)).length}\n`).join("")}`;
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(join(ROOT, "tests/measures/mcp.snap"), now);
  else assert.equal(now, sizes, "UPDATE_SNAPSHOTS=1 renews it");
  assert.ok(size <= MAX_LIST_BYTES, `${size} bytes`);
});

test("arguments are those of the index's own questions", () => {
  const types = readFileSync(new URL("../wasm/reader.d.ts", import.meta.url), "utf8");
  const requests = {
    search: "(?:Search|Assemble)",
    query: "Query",
    context: "Context",
    impact: "Impact",
    trace: "Trace",
    detect_changes: "DetectChanges",
    rename: "Rename",
    cypher: "Cypher",
    code_intelligence: "CodeIntelligence",
    repo_map: "Map",
    structural_search: "Structural",
    regex: "Regex",
  };
  const own = ["repo", "cursor", "max_bytes", "apply", "force", "staged", "base"];
  for (const { name, inputSchema } of toolsFor({ structural: true, files: true })) {
    if (!requests[name]) continue;
    const body = [...types.matchAll(new RegExp(`^export interface ${requests[name]}Request \\{([\\s\\S]*?)^\\}`, "gm"))]
      .map(([, body]) => body)
      .join("");
    for (const key of Object.keys(inputSchema.properties))
      assert.ok(own.includes(key) || new RegExp(`^ {4}${key}\\??:`, "m").test(body), `${name}: ${key}`);
  }
});

test("every tool answers, as text and as data that keeps to its schema", async () => {
  const requests = {
    list_repos: {},
    search: { query: "addTax" },
    query: { query: "what a customer pays" },
    context: { symbol: "addTax" },
    impact: { symbol: "round", depth: 3 },
    trace: { from: "Checkout", to: "round" },
    detect_changes: {
      diff: "--- a/src/tax.ts\n+++ b/src/tax.ts\n@@ -5,1 +5,1 @@\n-  return round(net * (1 + RATE));\n+  return round(net);\n",
    },
    rename: { symbol: "Cart.total", new_name: "sumUp" },
    cypher: { query: "MATCH (c:Class) RETURN c.name AS name ORDER BY name" },
    code_intelligence: { command: "callers", symbol: "round" },
    repo_map: { max_tokens: 300 },
    read_code: { symbol: "Cart.total" },
    structural_search: { pattern: "addTax($X)", paths: ["src/cart.ts"] },
    status: {},
    list_files: { path: "src" },
    index: {},
    locate: { text: "addTax in src/tax.ts rounds before it adds" },
    regex: { pattern: "^import .* addTax", context_lines: 1, paths: ["src/cart.ts"] },
  };
  assert.deepEqual(Object.keys(requests), NAMES);
  const texts = {};
  const schemas = new Map(toolsFor({ structural: true, files: true, index: true }).map((tool) => [tool.name, tool]));
  for (const [name, args] of Object.entries(requests)) {
    const { structuredContent: data, ...said } = await call(name, args);
    const { properties, required } = schemas.get(name).outputSchema;
    for (const field of required) assert.ok(field in data, `${name}: ${field} is missing`);
    for (const [field, { type }] of Object.entries(properties))
      assert.ok(!(field in data) || type === typeOf(data[field]), `${name}: ${field} is no ${type}`);
    texts[name] = textOf(said);
  }
  assert.match(texts.search, /^src\/tax\.ts:\d+-\d+( {2}\w+ \w+:\d+)?\n\d+\t/);
  assert.match(texts.context, /← CALLS[\s\S]*→ CALLS\n {2}src\/tax\.ts:8 function round, line 5/);
  assert.match(texts.impact, /risk \w+[\s\S]*depth 1, will break: 1\n {2}src\/tax\.ts:4 function addTax/);
  assert.match(texts.trace, /CALLS line \d+ → src\/tax\.ts:8 function round/);
  assert.match(texts.detect_changes, /^1 file, 1 symbol changed/);
  assert.match(texts.rename, /Nothing is written\.\n.*graph: total\(\): number/);
  assert.match(texts.cypher, /^name\nCart\n/);
  assert.match(texts.code_intelligence, /addTax \(\d+ %\)/);
  assert.match(texts.read_code, /^src\/cart\.ts:\d+-\d+ of 23\n\d+\t/);
  assert.match(
    texts.locate,
    /^ {2}src\/tax\.ts:4-6 addTax {2}#\d\n4\texport function addTax\(net: number\): number \{\n5\t/m,
  );
  assert.match(texts.structural_search, /^src\/cart\.ts:17 {2}addTax\(this\.sum\(\)\) {2}\{X: this\.sum\(\)\}$/);
  assert.match(texts.regex, /^src\/cart\.ts:\d+: import .*addTax.*\nsrc\/cart\.ts-\d+- /m);
  assert.match(texts.list_repos, /^shop {2}\S+ \(\d+ files, \d+ symbols\) {2}\[default\]\nlibrary /);
});

function typeOf(value) {
  return Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;
}

test("a regular expression ends: pages, syntax, and a pattern that others never finish", async () => {
  const first = await answer("regex", { pattern: "addTax\\(\\d+\\)", limit: 7 });
  assert.equal(first.matches.length, 7);
  const second = await answer("regex", { pattern: "addTax\\(\\d+\\)", limit: 7, cursor: first.next_cursor });
  assert.ok(
    second.matches.every(({ path, line }) => first.matches.every((one) => one.path !== path || one.line !== line)),
  );
  const wrong = await call("regex", { pattern: "(" });
  assert.ok(wrong.isError && /regex\.syntax/.test(textOf(wrong)), textOf(wrong));
  const look = await call("regex", { pattern: "(?=a)" });
  assert.ok(look.isError, textOf(look));
  const used = process.cpuUsage();
  assert.match((await answer("regex", { pattern: "^(\\w+\\s?)*$" })).text, /main\.go:1: package main/);
  assert.ok(process.cpuUsage(used).user < 5e6);
  const small = await answer("regex", { pattern: ".", max_bytes: 600 });
  assert.ok(small.next_cursor !== undefined && small.text.length <= 600, `${small.text.length}`);
});

test("search with max_tokens gives whole code, as much as there is room for", async () => {
  const { hits, text, n_tokens } = await answer("search", { query: "where is tax added", max_tokens: 200 });
  assert.match(text, /^<code_context>\n<code path="src\/tax\.ts" lines="\d+-\d+"[\s\S]*addTax[\s\S]*<\/code_context>/);
  assert.ok(n_tokens > 0 && n_tokens <= 200 && hits.some(({ path }) => path === "src/tax.ts"), JSON.stringify(hits));
  const less = await answer("search", { query: "where is tax added", max_tokens: 60, paths: ["src/**"] });
  assert.ok(less.text.length < text.length && less.n_tokens <= 60);
  for (const [args, message] of [
    [{ limit: 3 }, /`limit` cannot be combined with `max_tokens` \[request\.invalid\]/],
    [{ repo: "*" }, /`max_tokens` needs one repository/],
  ]) {
    const wrong = await call("search", { query: "tax", max_tokens: 200, ...args });
    assert.ok(wrong.isError && message.test(textOf(wrong)), textOf(wrong));
  }
});

test("several repositories", async () => {
  assert.equal((await answer("search", { query: "add_tax", repo: "library" })).hits[0].path, "src/lib.rs");
  assert.equal((await answer("status", { repo: library })).name, "library");
  const { hits } = await answer("search", { query: "tax", repo: "*", limit: 5 });
  assert.deepEqual(new Set(hits.map(({ repo }) => repo)), new Set(["shop", "library"]));
  const unknown = await call("status", { repo: "nowhere" });
  assert.ok(
    unknown.isError &&
      /no repository "nowhere" is indexed \[repository\.unknown\]\nthere are: shop, library/.test(textOf(unknown)),
    textOf(unknown),
  );
});

test("without an index the answer says how to make one", async () => {
  const lost = await connect(empty);
  const result = await call("search", { query: "x" }, lost);
  assert.ok(result.isError);
  assert.match(
    textOf(result),
    /empty is not indexed \[repository\.unknown\]\nbuild one with `portolan index .*empty`.*; or choose with `repo`: library, shop|shop, library/,
  );
  assert.equal((await lost.listTools()).tools.length, NAMES.length);
  await lost.close();
  const only = await connect(empty, library);
  assert.match((await answer("list_repos", {}, only)).text, /^library {2}.*\[default\]$/);
  assert.equal((await answer("search", { query: "tax" }, only)).repo, "library");
  await only.close();
});

test("errors are sentences", async () => {
  for (const [name, args, want] of [
    ["context", {}, /^context: `symbol` is missing \[request\.invalid\]$/],
    ["context", { symbol: "addTax", limit: 0 }, /`limit` is 0; expected a whole number from 1 on/],
    ["context", { symbol: "addTax", limit: "many" }, /`limit` is "many"; expected a whole number/],
    ["context", { symbl: "addTax" }, /there is no argument `symbl` \[request\.invalid\]\narguments: symbol, tests/],
    ["context", { symbol: "nothingLikeThis" }, /no symbol "nothingLikeThis" \[symbol\.not-found\]/],
    ["code_intelligence", { command: "fly", symbol: "addTax" }, /`command` is "fly"; expected find, refs, callers/],
    ["cypher", { query: "MATCH (a" }, /line 1/],
    ["cypher", { query: "CREATE (a)" }, /\[cypher\.write\]/],
    ["read_code", {}, /give either `symbol`, or `path` with lines/],
    ["read_code", { path: "src/none.ts" }, /\[file\.not-found\]/],
    ["read_code", { path: "../../etc/passwd" }, /\[file\.not-found\]/],
    ["read_code", { path: "src/tax.ts", start_line: 500 }, /ends at line 10/],
    ["structural_search", { pattern: "((" }, /./],
    ["search", { query: "tax", cursor: "10-abc" }, /the cursor belongs to another request \[request\.cursor\]/],
    ["detect_changes", { base: "--output=x" }, /is no commit/],
    ["detect_changes", {}, /\[git\.failed\]/],
  ]) {
    const result = await call(name, args);
    assert.equal(result.isError, true, name);
    assert.match(textOf(result), want);
    assert.doesNotMatch(textOf(result), /\bat .*\.js:\d+|undefined|\[object/);
  }
  await assert.rejects(call("levitate"), /there is no tool "levitate"; tools: list_repos, search/);
  // Models write these instead of numbers and lists.
  assert.equal((await answer("search", { query: "tax", limit: "2", paths: "src/**" })).hits.length, 2);
  assert.equal(
    (await answer("search", { query: "tax", limit: 1, paths: '["src/**", "!src/tax.ts"]', kinds: null, repo: "" })).hits
      .length,
    1,
  );
});

test("pages: everything once, by cursors, in bounded answers", async () => {
  const seen = new Set();
  let cursor;
  let n_pages = 0;
  do {
    const page = await answer("context", { symbol: "addTax", limit: 50, max_bytes: 6000, ...(cursor && { cursor }) });
    assert.ok(JSON.stringify(page).length < 14_000, "bounded");
    for (const { relations } of page.incoming.filter(({ kind }) => kind === "CALLS"))
      for (const { symbol, use_line } of relations) seen.add(`${symbol.path}:${use_line}`);
    cursor = page.next_cursor;
    n_pages++;
  } while (cursor && n_pages < 100);
  const { calls } = await answer("code_intelligence", { command: "callers", symbol: "addTax", limit: 1000 });
  assert.ok(
    n_pages > 3 && n_pages < 60 && seen.size === 601 && calls.length > 10,
    `${n_pages} pages, ${seen.size} callers, ${calls.length}`,
  );
  const first = await answer("structural_search", { pattern: "addTax($X)", limit: 7 });
  const second = await answer("structural_search", { pattern: "addTax($X)", limit: 7, cursor: first.next_cursor });
  assert.deepEqual([first.matches.length, second.matches.length], [7, 7]);
  assert.notEqual(
    first.matches[0].path + first.matches[0].start_line,
    second.matches[0].path + second.matches[0].start_line,
  );
  const one = await answer("search", { query: "tax", limit: 3 });
  const next = await answer("search", { query: "tax", limit: 3, cursor: one.next_cursor });
  assert.ok(
    next.hits.every(
      ({ path, start_line }) => !one.hits.some((hit) => hit.path === path && hit.start_line === start_line),
    ),
  );
  const lines = [];
  for (let at; ; ) {
    const part = await answer("read_code", { path: "src/cart.ts", max_bytes: 256, ...(at && { cursor: at }) });
    lines.push(
      ...part.text
        .split("\n")
        .filter((line) => /^\d+\t/.test(line))
        .map((line) => line.replace(/^\d+\t/, "")),
    );
    at = part.next_cursor;
    if (!at) break;
  }
  assert.equal(`${lines.join("\n")}\n`, SHOP["src/cart.ts"]);
  for (const [name, args] of [
    ["impact", { symbol: "addTax" }],
    ["query", { query: "tax", limit: 100 }],
    ["rename", { symbol: "addTax", new_name: "x" }],
    ["structural_search", { pattern: "addTax($X)", limit: 1000 }],
    ["search", { query: "tax", limit: 200 }],
    ["code_intelligence", { command: "refs", symbol: "addTax", limit: 1000 }],
  ]) {
    const big = await call(name, args);
    assert.ok(
      JSON.stringify(big.structuredContent).length < 24_000 && textOf(big).length < 24_000,
      `${name}: ${JSON.stringify(big.structuredContent).length}`,
    );
  }
});

test("progress on the way, and an end where it is cancelled", async () => {
  const told = [];
  await modern.callTool(
    { name: "structural_search", arguments: { pattern: "addTax($X)", limit: 1000 } },
    { onprogress: (progress) => told.push(progress) },
  );
  assert.ok(
    told.length > 1 &&
      told.at(-1).total > 200 &&
      told.every(({ progress }, place) => place === 0 || progress > told[place - 1].progress),
    JSON.stringify(told),
  );
  const controller = new AbortController();
  const slow = modern.callTool(
    { name: "structural_search", arguments: { pattern: "$F($$$A)", limit: 5000 } },
    { signal: controller.signal, onprogress: () => controller.abort(new Error("enough")) },
  );
  await assert.rejects(slow);
  assert.ok((await answer("status", {})).n_files > 200, "it answers on");
  assert.ok((await answer("structural_search", { pattern: "round($X)" })).matches.length > 0, "and searches on");
});
