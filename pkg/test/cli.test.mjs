// The command line as a process: answers on stdout, nothing else; exit codes 0, 1, 2.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const root = folderWith(SHOP);

function portolan(args, { cwd = root } = {}) {
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { cwd, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

async function json(...args) {
  const { code, stdout, stderr } = await portolan([...args, "--json"]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

before(async () => {
  const { code, stdout, stderr } = await portolan(["index", "."]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\d+ files \(\d+ skipped\), \d+ symbols/);
  assert.equal(stderr, "", "no progress where there is no terminal");
});

test("the index lies in .portolan and keeps itself out of git", () => {
  assert.ok(existsSync(join(root, ".portolan/index.portolan")));
  assert.equal(readFileSync(join(root, ".portolan/.gitignore"), "utf8"), "*\n");
});

test("search, from a folder below", async () => {
  const { code, stdout } = await portolan(["search", "value added tax", "--limit", "2"], { cwd: join(root, "src") });
  assert.equal(code, 0);
  assert.match(stdout, /^src\/tax\.ts:\d+-\d+/);
  const { hits } = await json("search", "value added tax", "--limit", "2", "--explain");
  assert.equal(hits[0].path, "src/tax.ts");
  assert.ok(hits.length <= 2 && hits[0].explanation.score > 0);
});

test("a batch of queries: one line in, one line out", async () => {
  const queries = ["value added tax", "warehouse", "receipt to a customer"];
  writeFileSync(join(root, "queries.jsonl"), queries.map((query) => JSON.stringify({ query })).join("\n"));
  const { code, stdout, stderr } = await portolan(["search", "--batch", "queries.jsonl", "--json", "--limit", "3"]);
  assert.equal(code, 0, stderr);
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ query }) => query),
    queries,
  );
  for (const { hits } of answers) {
    assert.ok(hits.length > 0 && hits.length <= 3);
    assert.deepEqual(Object.keys(hits[0]), ["path", "start_line", "end_line", "score", "symbol"]);
  }
  assert.equal(answers[2].hits[0].path, "mail/Mailer.java");
});

test("find, refs, callers, callees, regex, outline", async () => {
  assert.equal((await json("find", "addTax")).symbols[0].path, "src/tax.ts");
  assert.ok((await json("refs", "addTax")).total >= 1);
  assert.deepEqual(
    (await json("callers", "round", "--depth", "2")).calls.map(({ depth }) => depth),
    [1, 2],
  );
  assert.deepEqual(
    (await json("callees", "addTax")).calls.map(({ symbol }) => symbol.name),
    ["round"],
  );
  assert.equal((await json("regex", "class \\w+")).matches.length, 4);
  assert.equal((await json("outline", "src/tax.ts")).path, "src/tax.ts");
  const { stdout } = await portolan(["callers", "addTax"]);
  assert.match(stdout, /^src\/cart\.ts:17 {2}Cart\.total/);
});

test("context, impact, query, trace, and any tool by its name", async () => {
  const context = await json("context", "addTax");
  assert.deepEqual(
    context.incoming.find(({ kind }) => kind === "CALLS").relations.map(({ symbol }) => symbol.qualified_name),
    ["Cart.total"],
  );
  assert.match(
    (await portolan(["context", "addTax"])).stdout,
    /^src\/tax\.ts:4 {2}function addTax[\s\S]*← CALLS \(1\)\n {2}src\/cart\.ts:16 {2}Cart\.total/,
  );
  const impact = await json("impact", "round", "--depth", "3", "--tests", "exclude");
  assert.deepEqual(
    impact.by_depth.map(({ depth, symbols }) => [depth, symbols[0].symbol.name]),
    [
      [1, "addTax"],
      [2, "total"],
      [3, "Checkout"],
    ],
  );
  assert.match((await portolan(["impact", "round"])).stdout, /risk: \w+/);
  assert.match(
    (await portolan(["trace", "Checkout", "round"])).stdout,
    /Checkout\n {2}CALLS .*Cart\.total .*\n {2}CALLS .*addTax .*\n {2}CALLS .*round /,
  );
  assert.ok(
    (await json("query", "value added tax")).processes.length +
      (await json("query", "value added tax")).definitions.length >
      0,
  );
  assert.match((await portolan(["query", "value added tax"])).stdout, /tax/i);
  const { stdout } = await portolan(["ask", "impact", '{"symbol": "round", "depth": 1}']);
  assert.equal(JSON.parse(stdout).page.total, 1);
});

test("a rename is shown, then written; changes come from git or a file", async () => {
  const shop = folderWith(SHOP);
  const here = { cwd: shop };
  await portolan(["index", ".", "--no-embeddings"], here);
  const shown = await portolan(["rename", "addTax", "addVat"], here);
  assert.match(
    shown.stdout,
    /^--- a\/src\/cart\.ts\n[\s\S]*\+export function addVat[\s\S]*addTax → addVat: 3 graph edits, \d+ text matches/,
  );
  assert.equal(readFileSync(join(shop, "src/tax.ts"), "utf8"), SHOP["src/tax.ts"]);
  writeFileSync(join(shop, "change.diff"), shown.stdout);
  const changes = JSON.parse((await portolan(["changes", "--diff", "change.diff", "--json"], here)).stdout);
  assert.deepEqual(
    changes.changed_symbols.map(({ symbol }) => symbol.name),
    ["total", "addTax"],
  );
  const failed = await portolan(["changes"], here);
  assert.deepEqual([failed.code, failed.stdout], [1, ""]);
  assert.match(failed.stderr, /\[git\.failed\]/);
  const written = await portolan(["rename", "addTax", "addVat", "--apply"], here);
  assert.match(written.stdout, /^addTax → addVat: 2 files written\nsrc\/cart\.ts\nsrc\/tax\.ts\n/);
  assert.equal(readFileSync(join(shop, "src/tax.ts"), "utf8"), SHOP["src/tax.ts"].replaceAll("addTax", "addVat"));
  const again = await portolan(["rename", "addTax", "addMwst", "--apply"], here);
  assert.deepEqual([again.code, again.stdout], [1, ""]);
  assert.match(again.stderr, /\[rename\.conflict\]/);
});

test("edges, one a line, in the form of the wire", async () => {
  const { stdout } = await portolan(["edges", "--json"]);
  const edges = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const fields = [
    "caller_file",
    "caller_name",
    "caller_line",
    "callee_file",
    "callee_name",
    "callee_line",
    "kind",
    "confidence",
    "reason",
  ];
  for (const edge of edges) assert.deepEqual(Object.keys(edge), fields);
  assert.ok(edges.some(({ kind, callee_name }) => kind === "CALLS" && callee_name === "addTax"));
});

test("status, and an index at another place", async () => {
  const target = join(folderWith({}), "shop.portolan");
  const { n_files, index } = await json("index", root, "-o", target, "--no-embeddings", "--name", "elsewhere");
  assert.equal(index, target);
  const status = await json("status", "--index", target);
  assert.deepEqual([status.name, status.n_files, status.n_vectors], ["elsewhere", n_files, 0]);
});

test("the package lists, opens and deletes what is in .portolan", async () => {
  const { code, stdout, stderr } = await new Promise((resolve) => {
    const script = `import { Portolan } from ${JSON.stringify(new URL("../dist/entry/node.js", import.meta.url).href)};
      const [entry] = await Portolan.list();
      const index = await Portolan.open(entry.name);
      const { n_files } = await index.status();
      index.close();
      await Portolan.delete("no such index");
      console.log(JSON.stringify([entry.name, entry.n_files === n_files && n_files > 0, entry.n_bytes > 1000]));`;
    execFile(process.execPath, ["--input-type=module", "-e", script], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), ["index", true, true]);
});

test("what fails says why and ends with 1; a wrong command line with 2", async () => {
  const empty = folderWith({});
  for (const [args, code, message] of [
    [["search", "x"], 1, /no index in this folder/],
    [["index", "nowhere"], 1, /there is no such file or folder/],
    [["status", "--index", BIN], 1, /\[snapshot\.foreign\]/],
    [["frobnicate"], 2, /no command "frobnicate"/],
    [["search"], 2, /QUERY is missing/],
    [["search", "x", "--limit", "many"], 2, /--limit expects a whole number/],
    [["search", "--unknown"], 2, /--unknown/],
    [["rename", "addTax"], 2, /SYMBOL and NAME/],
    [["changes", "x"], 2, /no operand/],
    [["impact", "x", "--tests", "some"], 2, /--tests expects include, exclude, only/],
    [["ask", "context", "{"], 2, /not JSON/],
  ]) {
    const outcome = await portolan(args, { cwd: empty });
    assert.deepEqual([outcome.code, outcome.stdout], [code, ""], args.join(" "));
    assert.match(outcome.stderr, message);
  }
});

test("help and version", async () => {
  assert.match((await portolan(["--help"])).stdout, /Exit codes: 0 answered .* 1 failed, 2 wrong command line/);
  assert.match((await portolan([])).stdout, /portolan index \[PATH \| SOURCE\]/);
  assert.match((await portolan(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
});
