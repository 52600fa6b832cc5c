// Faults that were found by use on the command line and in the package: each test is named after the fault that it keeps away.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Portolan } from "portolan";

import { codeOf, folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const USE = 'import { addTax } from "../src/tax";\n\nexport const sum = () => addTax(1);\n';
const world = folderWith({ "home/.keep": "" });
const env = {
  ...process.env,
  HOME: join(world, "home"),
  XDG_CONFIG_HOME: join(world, "home", ".config"),
  PORTOLAN_HOME: join(world, "home", "portolan"),
};

function portolan(cwd, args, input) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd, encoding: "utf8", input, env });
  return { code: status, stdout, stderr };
}

/** A shop of its own, indexed without vectors. */
function indexed(more = {}) {
  const root = folderWith({ ...SHOP, "examples/use.ts": USE, ...more });
  assert.equal(portolan(root, ["index", "--no-embeddings", "-q"]).code, 0);
  return root;
}

const shop = indexed();

test("rename --apply writes nothing where the new name is taken, unless --force", () => {
  const root = indexed();
  const text = () => readFileSync(join(root, "src/tax.ts"), "utf8");
  const taken = portolan(root, ["rename", "addTax", "round", "--apply"]);
  assert.equal(taken.code, 1);
  assert.match(
    taken.stderr,
    /nothing was written, since round is taken: src\/tax\.ts:.*round is defined here already \[rename\.conflict\]/,
  );
  assert.match(text(), /function addTax/);
  const forced = portolan(root, ["rename", "addTax", "round", "--apply", "--force"]);
  assert.equal(forced.code, 0, forced.stderr);
  assert.match(text(), /function round\(net/);
});

test("rename --apply changes nothing outside of --path, and lists what it leaves", () => {
  const root = indexed({ "notes.md": "addTax adds the tax.\n" });
  const { code, stdout } = portolan(root, ["rename", "addTax", "addVat", "--apply", "--path", "src/**"]);
  assert.equal(code, 0);
  assert.match(stdout, /2 files written/);
  assert.match(stdout, /left as they are \(\d+\)\n(?: {2}.*\n)*? {2}examples\/use\.ts:3 {2}a use outside of --path/);
  assert.equal(readFileSync(join(root, "examples/use.ts"), "utf8"), USE);
  const all = indexed({ "notes.md": "addTax adds the tax.\n" });
  const whole = portolan(all, ["rename", "addTax", "addVat", "--apply"]);
  assert.match(whole.stdout, /notes\.md:1 {2}looks like the name, in document: addTax adds the tax/);
});

test("index -o elsewhere knows the folder that was indexed, and the file does not", () => {
  const root = folderWith(SHOP);
  spawnSync("git", ["init", "-q"], { cwd: root });
  const file = join(world, "elsewhere.portolan");
  assert.equal(portolan(root, ["index", "--no-embeddings", "-q", "-o", file]).code, 0);
  const asked = (...args) => portolan(world, [...args, "-i", file]);
  const changes = asked("changes", "--json");
  assert.equal(changes.code, 0, changes.stderr);
  assert.ok(JSON.parse(changes.stdout).summary.n_files > 5);
  appendFileSync(join(root, "src/legacy.js"), "// more\n");
  assert.deepEqual(JSON.parse(asked("status", "--json").stdout).stale.paths, ["src/legacy.js"]);
  assert.equal(asked("rename", "addTax", "addVat", "--apply").code, 0);
  assert.match(readFileSync(join(root, "src/tax.ts"), "utf8"), /addVat/);
  assert.ok(!readFileSync(file).includes(root), "the index may be shared");
});

test("unknown fields of a request are refused", async () => {
  const { code, stderr } = portolan(shop, ["ask", "find", '{"symbol": "addTax", "limt": 3}']);
  assert.equal(code, 1);
  assert.match(stderr, /unknown field `limt`, expected one of `symbol`, .*\[request\.invalid\]/);
  const index = await Portolan.index([{ path: "a.js", bytes: new TextEncoder().encode("f(1);\n") }]);
  assert.equal(await codeOf(index.find({ symbol: "f", limt: 3 })), "request.invalid");
  assert.equal(await codeOf(index.structural({ pattern: "f($A)", limt: 3 })), "request.invalid");
  assert.equal(await codeOf(index.find({ symbol: "f", limit: undefined, other: undefined })), "none");
});

test("search --batch goes on after a bad line", () => {
  const lines = '{"query": "addTax"}\nno JSON\n{"query": ""}\n{"query": "cart"}\n';
  const { code, stdout, stderr } = portolan(shop, ["search", "--batch", "-"], lines);
  assert.equal(code, 0, stderr);
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ query, hits, error }) => [query, hits?.length > 0, error?.code]),
    [
      ["addTax", true, undefined],
      [undefined, false, "input.invalid"],
      ["", false, "query.empty"],
      ["cart", true, undefined],
    ],
  );
  assert.match(stderr, /-:2: expected \{"query": "…"\}/);
});

test("index --scip of a file that is none fails and writes nothing", () => {
  const root = folderWith(SHOP);
  const { code, stderr } = portolan(root, ["index", "--no-embeddings", "--scip", "package.json"]);
  assert.equal(code, 1);
  assert.match(stderr, /\[scip\.damaged\]/);
  assert.ok(!existsSync(join(root, ".portolan/index.portolan")));
});

test("changes answers before the first commit", () => {
  const root = indexed();
  spawnSync("git", ["init", "-q"], { cwd: root });
  const { code, stdout } = portolan(root, ["changes", "--json"]);
  assert.equal(code, 0);
  assert.ok(JSON.parse(stdout).changed_files.every(({ status }) => status === "added"));
});

test("Portolan.index(42) says that a number cannot be indexed", async () => {
  for (const input of [42, undefined, null, true])
    assert.equal(await codeOf(Portolan.index(input)), "input.kind", String(input));
});

test("one file is 1 file", () => {
  const root = folderWith({ "a.py": "def f():\n    pass\n" });
  assert.match(portolan(root, ["index", "--no-embeddings"]).stdout, /^1 file \(0 skipped\), 1 symbol,/);
  assert.match(portolan(root, ["status"]).stdout, /: 1 file, 2 lines, [\s\S]*\n1 symbol: [\s\S]*\n1 chunk,/);
});

test("lists have --limit and --offset, and a limit that is asked for holds", () => {
  const many = Object.fromEntries(
    Array.from({ length: 400 }, (_, n) => [
      `src/m${n}.js`,
      `export function start${n}() { end${n}(); }\nfunction end${n}() { last${n}(); }\nfunction last${n}() {}\n`,
    ]),
  );
  const root = indexed(many);
  const list = (...args) => JSON.parse(portolan(root, [...args, "--json"]).stdout);
  const all = list("processes", "--limit", "400");
  assert.ok(all.page.total > 90, `${all.page.total}`);
  assert.equal(all.processes.length, all.page.total);
  assert.deepEqual(list("processes", "--limit", "3", "--offset", "2").processes, all.processes.slice(2, 5));
  assert.deepEqual(list("process", "1").process, all.processes[1]);
  const uses = list("refs", "addTax");
  assert.deepEqual(list("refs", "addTax", "--offset", "1").references, uses.references.slice(1));
  assert.equal(list("callers", "addTax", "--min-confidence", "0.1").total, 2);
  assert.deepEqual(list("callers", "addTax", "--offset", "1").calls, list("callers", "addTax").calls.slice(1));
});

test("uses in product code come before examples", () => {
  const { stdout } = portolan(shop, ["callers", "addTax"]);
  assert.match(stdout, /^src\/cart\.ts.*\nexamples\/use\.ts.*\n2 calls, 1 in product code\n$/);
});

test("a pattern that no language can read says so", () => {
  const { code, stderr } = portolan(shop, ["structural", "((("]);
  assert.equal(code, 1);
  assert.match(stderr, /no language of these files can read the pattern/);
});

test("index with nothing changed reads nothing and writes nothing", () => {
  const root = indexed();
  const file = join(root, ".portolan/index.portolan");
  const before = statSync(file, { bigint: true });
  const again = (...args) => JSON.parse(portolan(root, ["index", "--no-embeddings", "--json", ...args]).stdout);
  const { changes, n_files } = again();
  assert.deepEqual(changes, { added: 0, modified: 0, deleted: 0, renamed: 0, unchanged: n_files });
  assert.deepEqual(statSync(file, { bigint: true }), before);
  // Every kind of change is seen.
  appendFileSync(join(root, "src/legacy.js"), "// more\n");
  assert.equal(again().changes.modified, 1);
  writeFileSync(join(root, "src/new.js"), "export const x = 1;\n");
  assert.equal(again().changes.added, 1);
  rmSync(join(root, "src/new.js"));
  assert.equal(again().changes.deleted, 1);
  writeFileSync(join(root, ".gitignore"), "secret/\n*.log\nsrc/legacy.js\n");
  assert.equal(again().changes.deleted, 1);
  assert.equal(again("--exclude", "native/").changes.deleted, 3, "other options");
  const built = statSync(file).mtimeMs;
  assert.ok(again("--full", "--exclude", "native/").n_files > 0 && statSync(file).mtimeMs > built, "--full");
});

test("status and every answer say when files have changed since", () => {
  const root = indexed();
  assert.match(portolan(root, ["status"]).stdout, /\nup to date with the files\n/);
  assert.equal(portolan(root, ["find", "addTax"]).stderr, "");
  appendFileSync(join(root, "src/legacy.js"), "// more\n");
  const note = /1 path has changed since the index was built: src\/legacy\.js/;
  assert.match(portolan(root, ["find", "addTax"]).stderr, note);
  assert.equal(portolan(root, ["find", "addTax", "-q"]).stderr, "");
  assert.match(portolan(root, ["status"]).stdout, /\nchanged since: 1 path \(src\/legacy\.js\)/);
  writeFileSync(join(root, "src/legacy.js"), SHOP["src/legacy.js"]);
  assert.equal(portolan(root, ["find", "addTax"]).stderr, "", "the same text is no change");
  writeFileSync(join(root, "src/new.js"), "");
  assert.match(portolan(root, ["find", "addTax"]).stderr, /: src\/;/);
});

test("trace without a way says what is missing", () => {
  const { code, stdout } = portolan(shop, ["trace", "addTax", "deploy"]);
  assert.equal(code, 0);
  assert.match(stdout, /no path from addTax to deploy[\s\S]*nothing that is known here calls deploy/);
});

test("files and folders are symbols", () => {
  for (const command of ["callers", "context", "impact", "refs"]) {
    const { code, stdout, stderr } = portolan(shop, [command, "src/tax.ts"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /src\/cart\.ts/, command);
  }
  assert.match(portolan(shop, ["context", "src"]).stdout, /^src.*folder src\n/);
});

test("an index tells in JavaScript which files have changed since", async () => {
  const root = folderWith({ "a.js": "f();\n", "b/c.js": "g();\n", "d.js": "h();\n" });
  const index = await Portolan.index(root, { embeddings: false, store: true });
  await index.complete;
  const none = { n_files: 0, paths: [], is_whole: true };
  assert.deepEqual(await index.stale(), none);
  const opened = await Portolan.open(root);
  assert.deepEqual(await opened.stale(), none);
  const { built_at } = await index.status();
  // File systems keep times in steps of some milliseconds.
  while (Date.now() < built_at + 50) await new Promise((resolve) => setTimeout(resolve, 10));
  appendFileSync(join(root, "b/c.js"), "// more\n");
  rmSync(join(root, "d.js"));
  writeFileSync(join(root, "a.js"), "f();\n");
  const two = { n_files: 2, paths: ["b/c.js", "d.js"], is_whole: true };
  assert.deepEqual(await index.stale(), two);
  assert.deepEqual(await opened.stale(), two);
  await index.update();
  assert.deepEqual(await index.stale(), none);
  const bytes = await index.save();
  index.close();
  opened.close();
  assert.equal(await codeOf(index.stale()), "index.closed");
  const elsewhere = await Portolan.open(bytes);
  assert.equal(await elsewhere.stale(), undefined);
  elsewhere.close();
});

test("totals and counts have one name everywhere", () => {
  const { components } = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
  /** Numbers that count nothing, and pairs of a name and its count. */
  const others =
    /^(total|id|score|.*_score|confidence|certainty|factor|added|priority|complexity|dimensions|step|depth|source|target|via|chunk|character|format_version|rank|keep|days|.*_at|processing_time|first_affected|document_frequency|support|reverse|shard|.*line|min_.*|max_.*|(.*_)?limit|offset|depth|.*_depth|.*_lines|.*_ms|.*_percent|.*_threshold|budget_ratio|rrf_k)$/;
  // Places on a map count nothing.
  const schemas = Object.entries(components.schemas).filter(([name]) => !name.startsWith("Atlas"));
  const odd = schemas.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, { type }]) => type === "number" || type === "integer")
      .filter(([field]) => !/^n_[a-z_]+$/.test(field) && !others.test(field))
      .map(([field]) => `${name}.${field}`),
  );
  assert.deepEqual(odd, ["Count.count"]);
});

test("the hook shows callers in product code first, and of how many", () => {
  const callers = Array.from({ length: 6 }, (_, n) => [
    `src/user${n}.ts`,
    `import { addTax } from "./tax";\n\nexport function user${n}() {\n  return addTax(${n});\n}\n`,
  ]);
  const root = indexed(Object.fromEntries(callers));
  const { stdout } = portolan(root, ["augment", "addTax"]);
  const [, names] = /addTax \(src\/tax\.ts:\d+\)\n *Called by \(5 of 8\): (.*)\n/.exec(stdout) ?? assert.fail(stdout);
  assert.deepEqual(
    names.split(", ").filter((name) => !/^(Cart\.total|user\d)$/.test(name)),
    [],
  );
});
