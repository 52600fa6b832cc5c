// Snapshots under a passphrase, and paths under a key: round trips, wrong keys, damage, and the data that remain visible.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { newPathKey, Portolan } from "../dist/entry/node.js";
import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const root = folderWith(SHOP);
const place = (name) => join(root, ".portolan", name);
const PASSPHRASE = "correct horse, battery: staple ü";

function portolan(args, { cwd = root, env = {} } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    encoding: "utf8",
    input: "",
    env: { ...process.env, ...env },
  });
  return { code: status, stdout, stderr };
}

function done(args, options) {
  const { code, stdout, stderr } = portolan(args, options);
  assert.equal(code, 0, stderr);
  return stdout;
}

function refused(code, args, options) {
  const outcome = portolan(args, options);
  assert.deepEqual([outcome.code, outcome.stdout], [1, ""], args.join(" "));
  assert.match(outcome.stderr, new RegExp(`\\[${code.replace(".", "\\.")}\\]`));
}

before(() => {
  done(["index", "."]);
  writeFileSync(place("passphrase"), `${PASSPHRASE}\nsecond line\n`);
  done(["export", "--passphrase-file", place("passphrase"), "-o", place("shop.sealed")]);
  done(["export", "--obfuscate-paths", "--key-file", place("shop.key"), "-o", place("shop.hidden")]);
});

test("an encrypted snapshot opens with its passphrase from a file or the environment", () => {
  const found = done(["find", "addTax", "--index", place("shop.sealed"), "--passphrase-file", place("passphrase")]);
  assert.match(found, /^src\/tax\.ts:4/);
  assert.equal(
    done(["find", "addTax", "--index", place("shop.sealed")], { env: { PORTOLAN_PASSPHRASE: PASSPHRASE } }),
    found,
  );
  const bytes = readFileSync(place("shop.sealed"), "latin1");
  for (const word of ["addTax", "src/", "typescript", "PORTOLAN"]) assert.equal(bytes.includes(word), false, word);
  if (process.platform !== "win32") assert.equal(statSync(place("shop.sealed")).mode & 0o077, 0);
});

test("without it, with another one, cut or changed: each has its reason", () => {
  const ask = ["find", "addTax", "--index"];
  const env = { PORTOLAN_PASSPHRASE: PASSPHRASE };
  refused("seal.passphrase-missing", [...ask, place("shop.sealed")], { env: { PORTOLAN_PASSPHRASE: "" } });
  refused("seal.passphrase", [...ask, place("shop.sealed")], { env: { PORTOLAN_PASSPHRASE: "wrong" } });
  const bytes = readFileSync(place("shop.sealed"));
  for (const [name, damaged, code] of [
    ["cut", bytes.subarray(0, bytes.length - 100), "seal.truncated"],
    ["changed", Buffer.from(bytes.map((byte, at) => (at === 1000 ? byte ^ 1 : byte))), "seal.changed"],
    ["newer", Buffer.from(bytes.map((byte, at) => (at === 8 ? 9 : byte))), "seal.version"],
    ["greedy", Buffer.from(bytes.map((byte, at) => (at === 15 ? 255 : byte))), "seal.cost"],
  ]) {
    writeFileSync(place(name), damaged);
    refused(code, [...ask, place(name)], { env });
  }
});

test("import gives the snapshot back, byte by byte", () => {
  const elsewhere = folderWith({});
  const { n_files } = JSON.parse(
    done(["import", place("shop.sealed"), "--passphrase-file", place("passphrase"), "--json"], { cwd: elsewhere }),
  );
  assert.ok(n_files > 5);
  assert.deepEqual(readFileSync(join(elsewhere, ".portolan/index.portolan")), readFileSync(place("index.portolan")));
});

test("JavaScript opens and saves encrypted snapshots", async () => {
  const bytes = new Uint8Array(readFileSync(place("shop.sealed")));
  await assert.rejects(Portolan.open(bytes), { code: "seal.passphrase-missing" });
  await assert.rejects(Portolan.open(bytes, { passphrase: "wrong" }), { code: "seal.passphrase" });
  const index = await Portolan.open(bytes, { passphrase: PASSPHRASE });
  const again = await index.save({ passphrase: "another" });
  const opened = await Portolan.open(again, { passphrase: "another" });
  assert.deepEqual(await opened.find("addTax"), await index.find("addTax"));
  assert.deepEqual(await opened.save(), await index.save());
  await assert.rejects(index.save({ passphrase: "" }), { code: "seal.passphrase-missing" });
  opened.close();
  index.close();
});

test("JavaScript hides paths and shows them again, tells its phases, and stops at once", async () => {
  const key = newPathKey();
  assert.match(key, /^portolan-path-key-1 [0-9a-f]{64}\n$/);
  const index = await Portolan.index(root, { embeddings: false });
  await index.complete;
  const phases = [];
  const bytes = await index.save({ passphrase: PASSPHRASE, pathKey: key, onPhase: (phase) => phases.push(phase) });
  assert.deepEqual(phases, ["paths", "encrypting"]);
  const pathsOf = async (options, given = bytes) => {
    // Saved again it is not encrypted, and refused with a passphrase.
    const opened = await Portolan.open(given, given === bytes ? { passphrase: PASSPHRASE, ...options } : options);
    const { files } = await opened.files();
    return { paths: files.map(({ path }) => path), again: await opened.save(), close: opened.close() };
  };
  const hidden = await pathsOf({});
  assert.equal(hidden.paths.includes("src/tax.ts"), false);
  assert.equal((await pathsOf({ pathKey: key })).paths.includes("src/tax.ts"), true);
  // An index that was opened without the key is saved with all that is in it.
  assert.equal((await pathsOf({ pathKey: key }, hidden.again)).paths.includes("src/tax.ts"), true);
  await assert.rejects(Portolan.open(hidden.again, { passphrase: PASSPHRASE }), { code: "seal.not-encrypted" });
  await assert.rejects(pathsOf({ pathKey: newPathKey() }), { code: "seal.key" });
  await assert.rejects(pathsOf({ pathKey: "no key" }), { code: "seal.key" });
  writeFileSync(place("theirs.key"), key);
  writeFileSync(place("theirs.sealed"), bytes);
  done([
    "import",
    place("theirs.sealed"),
    "--key-file",
    place("theirs.key"),
    "--passphrase-file",
    place("passphrase"),
    "-o",
    place("theirs.plain"),
  ]);
  assert.deepEqual(readFileSync(place("theirs.plain")), Buffer.from(await index.save()));

  const controller = new AbortController();
  const saving = index.save({ passphrase: PASSPHRASE, signal: controller.signal, onPhase: () => controller.abort() });
  await assert.rejects(saving, { name: "AbortError" });
  assert.equal((await index.find("addTax")).symbols[0].path, "src/tax.ts");
  index.close();
});

test("obfuscated: no path is to be seen, the graph answers", () => {
  const { files } = JSON.parse(done(["files", "--json", "--index", place("index.portolan")]));
  const bytes = readFileSync(place("shop.hidden"), "latin1");
  const known = new Set(
    files.flatMap(({ path }) => [
      path,
      ...(path.includes("/") ? [path.slice(0, path.lastIndexOf("/") + 1)] : []),
      path.slice(path.lastIndexOf("/") + 1),
    ]),
  );
  for (const name of known) assert.equal(bytes.includes(name), false, name);
  const hidden = JSON.parse(done(["files", "--json", "--index", place("shop.hidden")])).files;
  assert.equal(hidden.length, files.length);
  for (const [at, { path }] of hidden.entries())
    assert.match(path, /^[a-z2-7]{52}(\.\w+)?(\/[a-z2-7]{52}(\.\w+)?)*$|^[a-z2-7]{52,}/, files[at].path);
  const [found] = JSON.parse(done(["find", "addTax", "--json", "--index", place("shop.hidden")])).symbols;
  assert.equal(found.line, 4);
  const callers = (index) =>
    JSON.parse(done(["callers", "round", "--depth", "3", "--json", "--index", place(index)])).calls.map(
      ({ symbol }) => symbol?.name,
    );
  assert.deepEqual(callers("shop.hidden"), callers("index.portolan"));
  assert.equal(done(["outline", found.path, "--index", place("shop.hidden")]).split("\n")[0], found.path);
  assert.equal(done(["reveal", found.path, "--key-file", place("shop.key")]), "src/tax.ts\n");
});

test("the key gives everything back; another key, or none, gives nothing", () => {
  const elsewhere = folderWith({});
  done(["import", place("shop.hidden"), "--key-file", place("shop.key")], { cwd: elsewhere });
  assert.deepEqual(readFileSync(join(elsewhere, ".portolan/index.portolan")), readFileSync(place("index.portolan")));
  writeFileSync(place("other.key"), `portolan-path-key-1 ${"0f".repeat(32)}\n`);
  refused("seal.key", ["import", place("shop.hidden"), "--key-file", place("other.key")], { cwd: elsewhere });
  writeFileSync(place("no.key"), "secret\n");
  refused("seal.key", ["import", place("shop.hidden"), "--key-file", place("no.key")], { cwd: elsewhere });
  refused("input.unreadable", ["import", place("shop.hidden"), "--key-file", place("gone.key")], { cwd: elsewhere });
  refused("seal.foreign", ["import", place("index.portolan"), "--key-file", place("shop.key")], { cwd: elsewhere });
  const bytes = readFileSync(place("shop.hidden"));
  writeFileSync(
    place("tampered"),
    bytes.map((byte, at) => (at === bytes.length - 40 ? byte ^ 1 : byte)),
  );
  refused("snapshot.checksum", ["import", place("tampered"), "--key-file", place("shop.key")], { cwd: elsewhere });
  writeFileSync(place("cut"), bytes.subarray(0, bytes.length - 40));
  refused("snapshot.truncated", ["import", place("cut"), "--key-file", place("shop.key")], { cwd: elsewhere });
});

test("the same key gives the same paths; both at once work, too", () => {
  done([
    "export",
    "--obfuscate-paths",
    "--keep-texts",
    "--key-file",
    place("shop.key"),
    "--passphrase-file",
    place("passphrase"),
    "-o",
    place("both"),
  ]);
  const paths = (index, ...more) =>
    JSON.parse(done(["files", "--json", "--index", place(index), ...more])).files.map(({ path }) => path);
  assert.deepEqual(paths("both", "--passphrase-file", place("passphrase")), paths("shop.hidden"));
  const elsewhere = folderWith({});
  done(["import", place("both"), "--key-file", place("shop.key"), "--passphrase-file", place("passphrase")], {
    cwd: elsewhere,
  });
  assert.deepEqual(readFileSync(join(elsewhere, ".portolan/index.portolan")), readFileSync(place("index.portolan")));
});
