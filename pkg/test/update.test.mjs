// An updated index answers as one built from scratch: by API, by command line, while watching.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Portolan } from "portolan";

import { nodeSessionHost } from "../dist/node/session-host.js";
import { Session } from "../dist/indexing/session.js";
import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));

function write(root, path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Everything that can be asked without a parameter, and some questions: equal for equal indexes. */
async function answers(index) {
  const status = await index.status();
  const questions = ["value added tax", "addTax", "cart", "Basket", "helper"];
  const searches = [];
  for (const query of questions)
    searches.push(
      (await index.search({ query, limit: 20 })).hits.map(({ path, start_line, score }) => [path, start_line, score]),
    );
  const { n_files, n_symbols, n_edges, n_chunks, n_vectors, skipped } = status;
  return {
    counts: { n_files, n_symbols, n_edges, n_chunks, n_vectors, skipped },
    files: (await index.files()).files,
    edges: await index.edges(),
    communities: await index.communities(),
    processes: await index.processes(),
    searches,
  };
}

async function assertAsNew(index, root, options) {
  const anew = await Portolan.index(root, { ...options, name: index.name });
  await anew.complete;
  try {
    assert.deepEqual(await answers(index), await answers(anew));
  } finally {
    anew.close();
  }
}

/** The same numbers every time (Lehmer 1951). */
function random(seed) {
  let state = seed;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
}

const TEXTS = [
  'import { addTax } from "./tax";\n\nexport class Basket {\n  total() { return addTax(this.sum()); }\n  sum() { return 1; }\n}\n',
  "export function helper(n: number) {\n  return other(n) + 1;\n}\n\nfunction other(n: number) { return n; }\n",
  'import { helper } from "./a";\n\nexport const twice = (n: number) => helper(helper(n));\n',
  "# Notes\n\nAbout carts.\n\n## More\n\nAnd baskets.\n",
  "",
];
const PATHS = ["src/a.ts", "src/b.ts", "src/deep/c.ts", "src/tax.ts", "NOTES.md", "lib/d.ts", "src/cart.ts"];

test("random edits: an updated index answers as one made anew", async () => {
  const options = { embeddings: false };
  const next = random(20_261_122);
  const root = folderWith(SHOP);
  const index = await Portolan.index(root, options);
  for (let round = 0; round < 12; round++) {
    for (let n = next(3); n >= 0; n--) {
      const path = PATHS[next(PATHS.length)];
      const kind = next(4);
      if (kind === 0) rmSync(join(root, path), { force: true });
      else if (kind === 1 && existsSync(join(root, path))) {
        mkdirSync(join(root, "moved"), { recursive: true });
        renameSync(join(root, path), join(root, `moved/${round}-${path.replaceAll("/", "-")}`));
      } else write(root, path, TEXTS[next(TEXTS.length)]);
    }
    await index.update();
    if (round % 4 === 3) await assertAsNew(index, root, options);
  }
  index.close();
});

test("added, modified, deleted and renamed files are told apart", async () => {
  const root = folderWith(SHOP);
  const index = await Portolan.index(root, { embeddings: false });
  const { n_files } = await index.status();
  assert.deepEqual(await index.update(), { added: [], modified: [], deleted: [], renamed: [], n_unchanged: n_files });
  write(root, "src/new.ts", "export function brandNew() {}\n");
  appendFileSync(join(root, "src/tax.ts"), "\nexport function untaxed() { return 0; }\n");
  renameSync(join(root, "src/cart.ts"), join(root, "src/basket.ts"));
  rmSync(join(root, "README.md"));
  assert.deepEqual(await index.update(), {
    added: ["src/new.ts"],
    modified: ["src/tax.ts"],
    deleted: ["README.md"],
    renamed: [{ from: "src/cart.ts", to: "src/basket.ts" }],
    n_unchanged: n_files - 3,
  });
  const { symbols } = await index.find({ symbol: "brandNew" });
  assert.equal(symbols[0].path, "src/new.ts");
  const { calls } = await index.callers({ symbol: "addTax" });
  assert.ok(calls.some(({ path }) => path === "src/basket.ts"));
  index.close();
});

test("edits by hand", async () => {
  const root = folderWith(SHOP);
  const index = await Portolan.index(root, { embeddings: false });
  const bytes = new TextEncoder().encode("export function typed() {}\n");
  const changes = await index.update({
    files: [
      { path: "src/typed.ts", bytes },
      { path: "secret/key2.ts", bytes },
    ],
    deleted: ["README.md"],
  });
  assert.deepEqual([changes.added, changes.deleted], [["src/typed.ts"], ["README.md"]]);
  assert.equal((await index.find({ symbol: "typed" })).symbols.length, 1);
  index.close();
});

test("new code gets vectors, old code keeps its own", async () => {
  const root = folderWith(SHOP);
  const index = await Portolan.index(root);
  await index.complete;
  write(
    root,
    "src/parcel.ts",
    "/** Weighs a parcel before it is sent. */\nexport function weigh(parcel: { grams: number }) {\n  return parcel.grams / 1000;\n}\n",
  );
  await index.update();
  for (let n = 0; n < 200 && (await index.status()).n_vectors < (await index.status()).n_chunks; n++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await assertAsNew(index, root, {});
  index.close();
});

test("a saved index is the start of the next one", async () => {
  const root = folderWith(SHOP);
  const first = await Portolan.index(root, { embeddings: false });
  const previous = await first.save();
  first.close();
  write(root, "src/tax.ts", TEXTS[1]);
  let changes;
  const index = await Portolan.index(root, { embeddings: false, previous, onChanges: (what) => (changes = what) });
  assert.deepEqual(changes.modified, ["src/tax.ts"]);
  await assertAsNew(index, root, { embeddings: false });
  index.close();
  const warnings = [];
  const damaged = await Portolan.index(root, {
    embeddings: false,
    previous: previous.slice(0, 100),
    onWarning: ({ code }) => warnings.push(code),
  });
  assert.deepEqual(warnings, ["previous.unusable"]);
  damaged.close();
});

test("what the disk says is as it was is not read again, and an archive cannot make it say so", async () => {
  const root = folderWith(SHOP);
  const path = join(root, "src/tax.ts");
  const then = new Date(Date.now() - 60_000);
  utimesSync(path, then, then);
  // Files that were written this moment are read again in any case.
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const first = await Portolan.index(root, { embeddings: false });
  const previous = await first.save();
  first.close();
  const again = async (hints) => {
    const read = [];
    const host = nodeSessionHost();
    const { openPath } = host;
    host.openPath = async (path) => ({
      ...(await openPath(path)),
      folder: counted((await openPath(path)).folder, read),
    });
    const session = new Session(host);
    let changes;
    const emit = (event) => {
      if (event.type === "changes") changes = event.changes;
    };
    await session.make(root, { embeddings: false, previous, hints }, new AbortController().signal, emit);
    session.close();
    return { read, modified: changes.modified };
  };
  assert.deepEqual(await again(true), { read: [], modified: [] });
  const all = await again(false);
  assert.ok(all.read.length > 5 && all.modified.length === 0, "and with no hints all of them are");
  // As tar does: another text of the same size, and then the time that the archive says.
  write(root, "src/tax.ts", SHOP["src/tax.ts"].replace("0.19", "0.07"));
  utimesSync(path, then, then);
  assert.deepEqual(await again(true), { read: ["tax.ts"], modified: ["src/tax.ts"] });
});

/** The folder, with the names of files that are read noted. */
function counted(folder, read) {
  const entryOf = (entry) => {
    if (entry.kind === "folder") return { ...entry, folder: counted(entry.folder, read) };
    if (entry.kind !== "file" || !/\.\w+$/.test(entry.name) || entry.name.startsWith(".")) return entry;
    const { file } = entry;
    const note = () => {
      read.push(entry.name);
      return file.read();
    };
    return { ...entry, file: { size: () => file.size(), modified: () => file.modified(), read: note } };
  };
  return { list: () => folder.list().map(entryOf) };
}

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
}

test("portolan index reads only what has changed", () => {
  const root = folderWith(SHOP);
  const index = (...options) => JSON.parse(run("index", root, "--json", "--no-embeddings", ...options));
  const first = index();
  assert.equal(first.changes, undefined);
  write(root, "src/more.ts", TEXTS[0]);
  assert.deepEqual(index().changes, { added: 1, modified: 0, deleted: 0, renamed: 0, unchanged: first.n_files });
  assert.equal(index("--full").changes, undefined);
  assert.match(run("index", root, "--no-embeddings"), /nothing has changed, \d+ unchanged/);
});

test("portolan watch takes in what changes, and survives what goes wrong", { timeout: 120_000 }, async () => {
  const root = folderWith(SHOP);
  const watcher = spawn(process.execPath, [BIN, "watch", root, "--json", "--no-embeddings", "--debounce", "100"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: watcher.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => JSON.parse((await lines.next()).value);
  try {
    assert.equal((await nextLine()).watching, root);
    await new Promise((resolve) => setTimeout(resolve, 300));
    write(root, "src/later.ts", "export function later() {}\n");
    assert.deepEqual((await nextLine()).changes.added, ["src/later.ts"]);
    // A folder that comes and goes, a file in it.
    write(root, "src/fresh/inner.ts", "export function inner() {}\n");
    assert.deepEqual((await nextLine()).changes.added, ["src/fresh/inner.ts"]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    write(root, "src/fresh/inner.ts", "export function innermost() {}\n");
    assert.deepEqual((await nextLine()).changes.modified, ["src/fresh/inner.ts"]);
    rmSync(join(root, "src/fresh"), { recursive: true });
    assert.deepEqual((await nextLine()).changes.deleted, ["src/fresh/inner.ts"]);
    const ended = new Promise((resolve) => watcher.once("exit", resolve));
    watcher.kill("SIGTERM");
    assert.equal(await ended, 0);
  } finally {
    watcher.kill("SIGKILL");
  }
  const found = JSON.parse(run("find", "later", "--json", "--index", join(root, ".portolan/index.portolan")));
  assert.equal(found.symbols[0].path, "src/later.ts");
});
