// The MCP server and a repository on disk: it writes renames, notices changes, asks git, and reads settings.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Portolan } from "portolan";

import { bindIndex } from "../dist/node/bind-index.js";
import { answer, call, connect, library, params, textOf, work } from "./mcp-shop.mjs";

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
