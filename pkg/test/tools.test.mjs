// Every tool in Node, on a real repository: this project's own sources.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Portolan } from "portolan";
import { applyEdits, applyRename, gitDiff } from "portolan/files";

import { codeOf, folderWith, SHOP } from "./fixture.mjs";
import { misfit } from "./openapi.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const REQUESTS = JSON.parse(readFileSync(join(ROOT, "tests/tools.json"), "utf8"));
const API = JSON.parse(readFileSync(join(ROOT, "docs/openapi.json"), "utf8"));
const PARTS = ["source", "graph", "engine", "api"];

let index;
const folder = folderWith({});
before(async () => {
  for (const part of PARTS) cpSync(join(ROOT, "crates", part), join(folder, "crates", part), { recursive: true });
  cpSync(join(ROOT, "Cargo.toml"), join(folder, "Cargo.toml"));
  index = await Portolan.index(folder, { name: "own", embeddings: false });
  await index.complete;
});

/** The names in the list that types and dispatch are made from. */
const TOOLS = [
  ...readFileSync(new URL("../wasm/reader.d.ts", import.meta.url), "utf8").matchAll(/^ {4}(\w+): \[\w+, \w+\];$/gm),
].map(([, name]) => name);

test("every tool has a request here", async () => {
  const { processes } = await index.processes({ limit: 1 });
  const { communities } = await index.communities({ limit: 1 });
  REQUESTS.process = { process: processes[0].label };
  REQUESTS.community = { community: communities[0].label };
  assert.deepEqual(Object.keys(REQUESTS).sort(), TOOLS.toSorted());
});

for (const tool of TOOLS) {
  test(`${tool} answers`, async () => {
    const answer = await index.ask(tool, REQUESTS[tool]);
    const { requestBody, responses } = API.paths[`/v1/${tool}`].post;
    for (const [value, { content }] of [
      [REQUESTS[tool], requestBody],
      [answer, responses[200]],
    ])
      assert.equal(
        misfit(value, content["application/json"].schema, API.components.schemas),
        undefined,
        "openapi.json",
      );
    const size = JSON.stringify(answer).length;
    assert.ok(size > 2, "something");
    // Answers that are whole by their nature may be long: a text, the list of files.
    if (!["file_text", "files", "status", "outline", "chunks"].includes(tool))
      assert.ok(size < 40_000, `${size} bytes`);
    if (!["files", "status", "processes", "communities", "cycles", "map"].includes(tool))
      assert.equal(await codeOf(index.ask(tool, 7)), "request.invalid");
  });
}

test("a wrong value does not fit openapi.json", () => {
  const fault = (value, name) => misfit(value, { $ref: `#/components/schemas/${name}` }, API.components.schemas);
  assert.equal(fault({ query: "a", limit: 3 }, "SearchRequest"), undefined);
  assert.match(fault({ query: "a", limit: "3" }, "SearchRequest"), /limit: string instead of integer/);
  assert.match(fault({}, "SearchRequest"), /query is missing/);
  assert.match(fault({ query: "a", mode: "fast" }, "SearchRequest"), /fast is none of/);
});

test("a tool that there is not", async () => {
  assert.equal(await codeOf(index.ask("levitate", {})), "request.tool");
});

test("context, impact and trace say the same of one call", async () => {
  const { incoming } = await index.context("Reader.select_exact");
  const callers = incoming.find(({ kind }) => kind === "CALLS").relations.map(({ symbol }) => symbol.id);
  const { by_depth } = await index.impact({ symbol: "Reader.select_exact", kinds: ["CALLS"], depth: 1 });
  assert.deepEqual(by_depth[0].symbols.map(({ symbol }) => symbol.id).sort(), callers.sort());
  const { calls } = await index.callers("Reader.select_exact");
  assert.deepEqual(calls.map(({ symbol }) => symbol.id).sort(), callers.sort());
  const { direction, paths } = await index.trace({ from: "Reader.choose", to: "Reader.select_exact" });
  assert.equal(direction, "forward");
  assert.deepEqual(
    paths[0].steps.map(({ to }) => to.name),
    ["select_nodes", "select", "select_exact"],
  );
});

test("what git says changed is told in symbols", async () => {
  const git = (...args) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "as it was");
  assert.equal(await gitDiff(folder), "");
  const path = "crates/engine/src/ask/select.rs";
  const text = readFileSync(join(folder, path), "utf8");
  writeFileSync(
    join(folder, path),
    text.replace("let selector = selector.trim();", "let selector = selector.trim_end();"),
  );
  writeFileSync(join(folder, "new file.rs"), "fn new() {}\n");
  const { changed_files, changed_symbols, summary, risk } = await index.detectChanges(await gitDiff(folder));
  assert.deepEqual(
    changed_files.map(({ path, status, index }) => [path, status, index]),
    [
      [path, "modified", "old"],
      ["new file.rs", "added", "absent"],
    ],
  );
  assert.deepEqual(
    changed_symbols.map(({ symbol, change_type }) => [symbol.qualified_name, change_type]),
    [["Reader.select_exact", "modified"]],
  );
  assert.ok(summary.n_dependants > 3 && risk.level !== "low", JSON.stringify([summary, risk]));
  assert.equal(await gitDiff(folder, { staged: true }), "");
  git("add", "-A");
  assert.equal(await gitDiff(folder, { staged: true }), await gitDiff(folder, { base: "HEAD" }));
  assert.equal(await codeOf(gitDiff(folder, { base: "--output=x" })), "git.failed");
  assert.equal(await codeOf(gitDiff(folder, { base: "nowhere" })), "git.failed");
  await assert.rejects(
    gitDiff(tmpdir()),
    ({ message, help }) =>
      /is in no git repository$/.test(message) && /unified diff/.test(help) && message.length < 200,
  );
  git("reset", "-q", "--hard");
  rmSync(join(folder, ".git"), { recursive: true });
});

test("a rename is written whole, or not at all", async () => {
  const shop = folderWith(SHOP);
  const opened = await Portolan.index(shop, { embeddings: false });
  const request = { symbol: "addTax", new_name: "addVat" };
  const plan = await opened.rename(request);
  const { text } = await opened.text("src/cart.ts");
  const edits = plan.changes.find(({ path }) => path === "src/cart.ts").edits;
  assert.equal(applyEdits(text, edits), text.replaceAll("addTax", "addVat"));
  assert.equal(await codeOf((async () => applyEdits("other text", edits))()), "rename.conflict");

  const read = (path) => readFileSync(join(shop, path), "utf8");
  const changed = `${SHOP["src/tax.ts"]}// changed since\n`;
  writeFileSync(join(shop, "src/tax.ts"), changed);
  assert.equal(await codeOf(applyRename(opened, request, shop)), "rename.conflict");
  assert.deepEqual([read("src/tax.ts"), read("src/cart.ts")], [changed, SHOP["src/cart.ts"]], "nothing is written");

  writeFileSync(join(shop, "src/tax.ts"), `\uFEFF${SHOP["src/tax.ts"]}`);
  const { files } = await applyRename(opened, request, shop);
  assert.deepEqual(files, ["src/cart.ts", "src/tax.ts"]);
  assert.equal(
    read("src/tax.ts"),
    `\uFEFF${SHOP["src/tax.ts"].replaceAll("addTax", "addVat")}`,
    "the byte order mark stays",
  );
  assert.equal(read("src/cart.ts"), SHOP["src/cart.ts"].replaceAll("addTax", "addVat"));
  opened.close();
  const again = await Portolan.index(shop, { embeddings: false });
  assert.equal((await again.callers("addVat")).total, 1);
  assert.equal(await codeOf(again.callers("addTax")), "symbol.not-found");
  again.close();
});

test("words alike are told apart from uses", async () => {
  const files = {
    "a.ts": "/** add adds. */\nexport function add(a: number, b: number) { return a + b; }\n",
    "b.ts":
      'import { add } from "./a";\nexport const table = { add };\nexport const other = "add";\n// add is fine\nexport const sum = add(1, 2);\n',
    "README.md": "Call `add` to add.\n",
  };
  const opened = await Portolan.index(folderWith(files), { embeddings: false });
  const { changes, diff } = await opened.rename({ symbol: "add", new_name: "plus" });
  const edits = changes.flatMap(({ path, edits }) =>
    edits.map(
      ({ line, source, place, applied, new_text }) => `${path}:${line} ${source} ${place} ${applied ? new_text : "-"}`,
    ),
  );
  assert.deepEqual(edits, [
    "README.md:1 text_search document -",
    "README.md:1 text_search document -",
    "a.ts:1 text_search comment -",
    "a.ts:2 graph code plus",
    "b.ts:1 graph code plus",
    "b.ts:2 graph code add: plus",
    "b.ts:3 text_search string -",
    "b.ts:4 text_search comment -",
    "b.ts:5 graph code plus",
  ]);
  assert.ok(diff.startsWith("--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@"), diff);
  opened.close();
});
