// portolan mcp as a process, asked by the official clients of two generations and by the inspector.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Portolan } from "portolan";

import { bindIndex } from "../dist/node/bind-index.js";
import { remember } from "../dist/node/registry.js";
import { toolsFor } from "../dist/mcp/tools.js";
import { folderWith, SHOP } from "./fixture.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const INSPECTOR = join(ROOT, "node_modules/@modelcontextprotocol/inspector-cli/build");
const NAMES =
  "list_repos search query context impact trace detect_changes rename cypher code_intelligence repo_map read_code structural_search status".split(
    " ",
  );

const work = folderWith({
  "empty/.keep": "",
  "library/src/lib.rs": "/// Adds tax in the library.\npub fn add_tax(net: f64) -> f64 { net * 1.19 }\n",
});
const [shop, library, empty, home] = ["shop", "library", "empty", "home"].map((name) => join(work, name));
for (const [path, text] of Object.entries(SHOP)) {
  mkdirSync(join(shop, path, ".."), { recursive: true });
  writeFileSync(join(shop, path), text);
}
for (let number = 0; number < 200; number++) {
  const lines = [0, 1, 2].map((part) => `export function value${number}_${part}() {\n  return addTax(${number});\n}\n`);
  writeFileSync(join(shop, `src/many${number}.ts`), `import { addTax } from "./tax";\n${lines.join("")}`);
}

let modern;
before(async () => {
  // The servers below must see that these indexes were made by the same user.
  process.env.PORTOLAN_HOME = process.env.HOME = home;
  for (const root of [shop, library]) {
    const index = await Portolan.index(root, { store: true, embeddings: false });
    await index.complete;
    const { n_files, n_symbols } = await index.status();
    remember(root, join(root, ".portolan/index.portolan"), { n_files, n_symbols });
    index.close();
  }
  modern = await connect(shop);
});
after(() => modern?.close());

const params = (cwd, ...args) => ({
  command: process.execPath,
  args: [BIN, "mcp", ...args],
  cwd,
  env: { PATH: process.env.PATH, HOME: home, PORTOLAN_HOME: home },
  stderr: "pipe",
});

/** A client of today, which speaks the newest protocol. */
async function connect(cwd, ...args) {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StdioClientTransport(params(cwd, ...args)));
  return client;
}

const call = (name, args = {}, client = modern) => client.callTool({ name, arguments: args });
const textOf = ({ content }) => content[0].text;
/** The answer, which is no error. */
async function answer(name, args, client) {
  const result = await call(name, args, client);
  assert.equal(result.isError ?? false, false, textOf(result));
  return { ...result.structuredContent, text: textOf(result) };
}

test("the list of tools: names, annotations, schemas, under 12 KB", async () => {
  const { tools } = await modern.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    NAMES,
  );
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    assert.ok(description.length > 20 && inputSchema.type === "object" && outputSchema.type === "object", name);
    assert.equal(annotations.readOnlyHint, name !== "rename", name);
    assert.equal(annotations.destructiveHint, name === "rename" ? true : undefined, name);
  }
  const size = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    result: { tools: toolsFor({ structural: true, files: true }) },
  }).length;
  const sizes = readFileSync(join(ROOT, "tests/measures/mcp.snap"), "utf8");
  const now = `# bytes of the answer to tools/list, as JSON-RPC, and of each tool in it\ntools/list ${size}\n${tools.map((tool) => `${tool.name} ${JSON.stringify(toolsFor({ structural: true, files: true }).find(({ name }) => name === tool.name)).length}\n`).join("")}`;
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(join(ROOT, "tests/measures/mcp.snap"), now);
  else assert.equal(now, sizes, "UPDATE_SNAPSHOTS=1 renews it");
  assert.ok(size < 12_000, `${size} bytes`);
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
  };
  const own = ["repo", "cursor", "apply", "staged", "base"];
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
  };
  assert.deepEqual(Object.keys(requests), NAMES);
  const texts = {};
  // The client compares what comes with the schema it was told, and throws where it differs.
  for (const [name, args] of Object.entries(requests)) texts[name] = (await answer(name, args)).text;
  assert.match(texts.search, /^src\/tax\.ts:\d+-\d+( {2}\w+ \w+)?\n\d+\t/);
  assert.match(texts.context, /← CALLS[\s\S]*→ CALLS\n {2}src\/tax\.ts:8 function round, line 5/);
  assert.match(texts.impact, /risk \w+[\s\S]*depth 1, will break: 1\n {2}src\/tax\.ts:4 function addTax/);
  assert.match(texts.trace, /CALLS line \d+ → src\/tax\.ts:8 function round/);
  assert.match(texts.detect_changes, /^1 files, 1 symbols changed/);
  assert.match(texts.rename, /Nothing is written\.\n.*graph: total\(\): number/);
  assert.match(texts.cypher, /^name\nCart\n/);
  assert.match(texts.code_intelligence, /addTax \(\d+ %\)/);
  assert.match(texts.read_code, /^src\/cart\.ts:\d+-\d+ of 23\n\d+\t/);
  assert.match(texts.structural_search, /^src\/cart\.ts:17 {2}addTax\(this\.sum\(\)\) {2}\{X: this\.sum\(\)\}$/);
  assert.match(texts.list_repos, /^shop {2}\S+ \(\d+ files, \d+ symbols\) {2}\[default\]\nlibrary /);
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
    ["read_code", { path: "src/tax.ts", start_line: 500 }, /has 10 lines/],
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

test("a rename is written only when asked", async () => {
  const copy = join(work, "copy");
  cpSync(library, copy, { recursive: true });
  const client = await connect(copy, copy);
  const before = readFileSync(join(copy, "src/lib.rs"), "utf8");
  const dry = await answer("rename", { symbol: "add_tax", new_name: "with_tax" }, client);
  assert.deepEqual([dry.applied, readFileSync(join(copy, "src/lib.rs"), "utf8")], [false, before]);
  const done = await answer("rename", { symbol: "add_tax", new_name: "with_tax", apply: true }, client);
  assert.deepEqual(
    [done.applied, done.files, readFileSync(join(copy, "src/lib.rs"), "utf8")],
    [true, ["src/lib.rs"], before.replace("add_tax", "with_tax")],
  );
  const again = await call("rename", { symbol: "add_tax", new_name: "other", apply: true }, client);
  assert.ok(again.isError && /changed since it was indexed/.test(textOf(again)), textOf(again));
  await client.close();
});

test("a stale index says so, and a new one is taken up", async () => {
  const copy = join(work, "moving");
  cpSync(library, copy, { recursive: true });
  const soon = new Date(Date.now() + 60_000);
  writeFileSync(join(copy, "src/lib.rs"), "pub fn other() {}\n");
  utimesSync(join(copy, "src/lib.rs"), soon, soon);
  const client = await connect(copy, copy);
  const stale = await answer("context", { symbol: "add_tax" }, client);
  assert.deepEqual(stale.stale, { n_files: 1, paths: ["src/lib.rs"] });
  assert.match(stale.text, /Note: the index is older than 1 file \(src\/lib\.rs\); .*`portolan index`/);
  const index = await Portolan.index(copy, { embeddings: false });
  writeFileSync(join(copy, ".portolan/new"), await index.save());
  renameSync(join(copy, ".portolan/new"), join(copy, ".portolan/index.portolan"));
  assert.ok(bindIndex(join(copy, ".portolan/index.portolan")));
  index.close();
  const fresh = await answer("context", { symbol: "other" }, client);
  assert.deepEqual([fresh.stale, fresh.symbol.name], [undefined, "other"]);
  writeFileSync(join(copy, ".portolan/index.portolan"), "broken");
  assert.match(textOf(await call("status", {}, client)), /\[index\.untrusted\]/);
  rmSync(join(copy, ".portolan"), { recursive: true });
  assert.ok((await call("status", {}, client)).isError);
  await client.close();
});

test("what git says", async () => {
  const copy = join(work, "tracked");
  cpSync(library, copy, { recursive: true });
  const git = (...args) =>
    execFileSync("git", ["-C", copy, "-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "as it was");
  writeFileSync(join(copy, "src/lib.rs"), readFileSync(join(copy, "src/lib.rs"), "utf8").replace("1.19", "1.07"));
  const client = await connect(copy, copy);
  const { changed_symbols } = await answer("detect_changes", {}, client);
  assert.deepEqual(
    changed_symbols.map(({ symbol, change_type }) => [symbol.name, change_type]),
    [["add_tax", "modified"]],
  );
  assert.equal((await answer("detect_changes", { staged: true }, client)).changed_symbols.length, 0);
  await client.close();
});

test("resources and prompts", async () => {
  const { resources } = await modern.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ["portolan://shop/map", "portolan://shop/schema", "portolan://library/map", "portolan://library/schema"],
  );
  const { resourceTemplates } = await modern.listResourceTemplates();
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ["portolan://{repo}/symbol/{selector}", "portolan://{repo}/file/{+path}{?lines}"],
  );
  const read = async (uri) => (await modern.readResource({ uri })).contents[0].text;
  assert.match(await read("portolan://shop/map"), /src\/cart\.ts/);
  assert.match(await read("portolan://shop/schema"), /\| CALLS \| \d+ \|/);
  assert.match(await read("portolan://shop/symbol/Cart.total"), /method Cart\.total/);
  assert.match(await read(`portolan://shop/symbol/${encodeURIComponent("src/tax.ts#addTax")}`), /function addTax/);
  assert.match(
    await read("portolan://shop/file/src/tax.ts?lines=4-5"),
    /^src\/tax\.ts:4-5 of 10\n4\texport function addTax/,
  );
  for (const uri of [
    "portolan://shop/none",
    "portolan://none/map",
    "portolan://shop/file/",
    "portolan://shop/file/a.ts?x",
    "portolan://shop/symbol/%zz",
    "file:///etc/passwd",
  ])
    await assert.rejects(read(uri), (error) => error.code === -32602, uri);
  const { prompts } = await modern.listPrompts();
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ["exploring", "debugging", "impact-analysis", "refactoring"],
  );
  for (const {
    name,
    arguments: [{ name: argument, required }],
  } of prompts) {
    const { messages } = await modern.getPrompt({ name, arguments: { [argument]: "the tax of a cart" } });
    assert.ok(
      required && messages[0].content.text.includes("the tax of a cart") && messages[0].content.text.includes("1. `"),
      name,
    );
  }
  await assert.rejects(modern.getPrompt({ name: "none" }), /there is no prompt "none"/);
});

test("settings of a repository: what a call leaves out, and what is wrong in the file", async () => {
  const [file, place] = [join(library, "portolan.toml"), { repo: "library" }];
  writeFileSync(
    join(library, "src/more.rs"),
    Array.from({ length: 12 }, (_, at) => `/// Adds tax number ${at}.\npub fn add_tax_${at}() {}\n`).join(
      "\n".repeat(30),
    ),
  );
  const made = await Portolan.index(library, { store: true, embeddings: false });
  await made.complete;
  made.close();
  const search = async (args = {}) => (await call("search", { query: "add tax", ...place, ...args })).structuredContent;
  const plain = await search();
  writeFileSync(
    file,
    '[search]\nlimit = 1\nlanguages = ["rust"]\nweights = { test_penalty = 1, "conceptual.name_terms" = 0 }\n[map]\ntokens = 20\n[answers]\ndepth = 1\nmin_confidence = 1\nmax_bytes = 300\n[changes]\ntests = "only"\n',
  );
  const set = await search();
  assert.equal(set.hits.length, 1);
  assert.notEqual(set.hits[0].score, plain.hits[0].score, "weights count");
  assert.ok(
    (await search({ limit: 2 })).hits.length <= 2 && (await search({ languages: ["typescript"] })).hits.length === 0,
    "the call goes before",
  );
  assert.ok(
    (await call("search", { query: "add tax", max_tokens: 200, ...place })).structuredContent.hits.length > 0,
    "packed code has settings of its own",
  );
  assert.ok((await call("repo_map", place)).structuredContent.n_tokens <= 20);
  assert.deepEqual((await call("impact", { symbol: "add_tax", ...place })).structuredContent.by_depth, []);
  const all = (await call("search", { query: "add tax", repo: "*", languages: ["rust"] })).structuredContent;
  assert.ok(
    all.hits.some(({ repo, score }) => repo === "library" && score === set.hits[0].score),
    "in all repositories, too",
  );
  for (const [text, message] of [
    [
      "[search]\nlimit = 0\n",
      /portolan\.toml:2: search\.limit: expected a whole number from 1 on, not 0 \[settings\.invalid\]/,
    ],
    ["[search]\nweights = { none = 1 }\n", /none/],
    ["[search\n", /this is no TOML/],
  ]) {
    writeFileSync(file, text);
    const { isError, content } = await call("search", { query: "add tax", ...place });
    assert.ok(isError, text);
    assert.match(content[0].text, message);
  }
  rmSync(file);
  assert.deepEqual(await search(), plain, "without the file as before");
  // Variables hold for all; a file that is named goes before that of the folder.
  writeFileSync(join(work, "other.toml"), '[search]\nmode = "lexical"\n');
  const named = await connect(library, "--config", join(work, "other.toml"));
  assert.equal((await call("search", { query: "add tax" }, named)).structuredContent.mode, "lexical");
  await named.close();
  const variables = new Client({ name: "test", version: "1.0.0" });
  const { env, ...rest } = params(library);
  await variables.connect(
    new StdioClientTransport({
      ...rest,
      env: { ...env, PORTOLAN_SEARCH_LIMIT: "2", PORTOLAN_SEARCH_WEIGHTS: "test_penalty=0.5" },
    }),
  );
  assert.equal((await call("search", { query: "add tax" }, variables)).structuredContent.hits.length, 2);
  await variables.close();
});

test("every protocol: the newest, and the client of the generation before", async () => {
  assert.equal(modern.getNegotiatedProtocolVersion(), "2026-07-28");
  const old = new OldClient({ name: "old", version: "1.0.0" });
  await old.connect(new OldTransport(params(shop)));
  assert.equal(old.getServerVersion().name, "portolan");
  assert.match(old.getInstructions(), /list_repos/);
  assert.equal((await old.listTools()).tools.length, NAMES.length);
  const { content, structuredContent } = await old.callTool({ name: "impact", arguments: { symbol: "round" } });
  assert.ok(content[0].text.startsWith("src/tax.ts:8") && structuredContent.by_depth.length > 0);
  await old.close();
});

test("the inspector", { skip: !existsSync(INSPECTOR) && "not installed" }, async () => {
  // It looks for its name and version where its own package would have it.
  cpSync(INSPECTOR, join(work, "inspector/cli/build"), { recursive: true });
  writeFileSync(join(work, "inspector/package.json"), '{ "name": "inspector", "version": "1.0.0", "type": "module" }');
  symlinkSync(join(ROOT, "node_modules"), join(work, "inspector/node_modules"), "junction");
  const index = join(work, "inspector/cli/build/index.js");
  const inspect = async (...args) =>
    JSON.parse(
      (
        await promisify(execFile)(process.execPath, [index, process.execPath, BIN, "mcp", shop, ...args], {
          cwd: empty,
          env: { PATH: process.env.PATH, HOME: home, PORTOLAN_HOME: home },
        })
      ).stdout,
    );
  assert.equal((await inspect("--method", "tools/list")).tools.length, NAMES.length);
  assert.match(
    (await inspect("--method", "tools/call", "--tool-name", "context", "--tool-arg", "symbol=addTax", "limit=2"))
      .content[0].text,
    /function addTax/,
  );
  assert.equal((await inspect("--method", "resources/list")).resources.length, 2);
  assert.match((await inspect("--method", "resources/read", "--uri", "portolan://shop/map")).contents[0].text, /cart/);
  assert.equal((await inspect("--method", "prompts/list")).prompts.length, 4);
});

test("garbage between messages, and the end of stdin", async () => {
  const child = execFile(process.execPath, [BIN, "mcp", shop], { cwd: empty });
  let out = "";
  child.stdout.on("data", (data) => (out += data));
  child.stdin.write('not json\n{"jsonrpc":"2.0","id":1}\n\n[]\n');
  child.stdin.write(
    '{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n',
  );
  await until(() => out.includes('"id":2'));
  for (const line of out.trim().split("\n")) assert.equal(JSON.parse(line).jsonrpc, "2.0");
  child.stdin.end();
  const [code] = await new Promise((resolve) => child.once("exit", (...how) => resolve(how)));
  assert.equal(code, 0);
});

test("the command line does not load the SDK for anything else", () => {
  const loaded = execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `await import(${JSON.stringify(new URL("../dist/cli/main.js", import.meta.url).href)}); await import(${JSON.stringify(new URL("../dist/hook/main.js", import.meta.url).href)}); console.log(process.moduleLoadList.length)`,
    ],
    { encoding: "utf8" },
  );
  assert.ok(Number(loaded) > 0);
  for (const file of ["cli/main.js", "hook/main.js", "cli/ask.js"])
    assert.doesNotMatch(readFileSync(new URL(`../dist/${file}`, import.meta.url), "utf8"), /^import .*(mcp|setup)\//m);
});

async function until(is) {
  for (let waited = 0; !is(); waited += 20) {
    if (waited > 20_000) throw new Error("nothing came");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
