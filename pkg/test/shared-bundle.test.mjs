// An index in shards as a version: one file of a table, the root and the shards, of which the handler of tools sees root and shards.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";

import { index } from "../dist/cli/index-command.js";
import { parseCommand } from "../dist/commands/options.js";
import { Portolan } from "../dist/entry/node.js";
import { bucketOf } from "../dist/shared/bucket.js";
import { bundleTable, filesOf, MAX_FILES } from "../dist/storage/bundle.js";
import { cutFile } from "../dist/shared/index-file.js";
import { openJoined } from "../dist/shared/joined-files.js";
import { layoutOf } from "../dist/shared/layout.js";
import { Versions } from "../dist/shared/versions.js";
import { folderWith, SHOP } from "./fixture.mjs";
import { chunks, container, folderStore, noise } from "./shared-parts.mjs";

const REPO = "acme/large";
const NAMES = ["0", "1", "2"].map((digit) => digit.repeat(32));

/** A root and its shards in a folder. @param {number} seed */
function saved(seed) {
  const root = Buffer.concat([Buffer.from("PTLNROOT"), noise(5_000 + seed, seed)]);
  const shards = NAMES.map((_, n) => container({ info: noise(100, n), blocks: noise(50_000, n === 2 ? seed : n) }));
  const folder = folderWith({});
  const path = join(folder, "index.portolan");
  writeFileSync(path, root);
  for (const [n, shard] of shards.entries()) writeFileSync(join(folder, `index-${NAMES[n]}.portolan`), shard);
  // Files that are no shards of this root.
  writeFileSync(join(folder, "index-notes.portolan"), "x");
  writeFileSync(join(folder, `other-${NAMES[0]}.portolan`), "x");
  return { path, root: new Uint8Array(root), shards };
}

async function push(versions, path) {
  const file = await cutFile(path);
  try {
    const request = { source: {}, n_bytes: file.n_bytes, sections: file.sections };
    const { missing } = await versions.offer(REPO, request, "tester");
    for (const digest of missing) await versions.putPiece(REPO, digest, file.read(digest));
    return { ...(await versions.offer(REPO, request, "tester")), n_uploaded: missing.length };
  } finally {
    file.close();
  }
}

const bytesOf = async (object) => new Uint8Array(await new Response(object.body).arrayBuffer());

test("root and shards are read from a version, whole and by ranges", async () => {
  const versions = new Versions(folderStore());
  const { path, root, shards } = saved(7);
  const { version } = await push(versions, path);
  const bucket = bucketOf(versions, () => true, undefined);
  const found = await bucket.get(`${REPO}.portolan`);
  assert.deepEqual([found.size, found.etag], [root.length, version.id]);
  assert.deepEqual(await bytesOf(found), root);
  for (const [n, name] of NAMES.entries()) {
    const key = `${REPO}-${name}.portolan`;
    assert.deepEqual(await bytesOf(await bucket.get(key)), shards[n]);
    const range = { offset: 1000, length: 77 };
    assert.deepEqual(await bytesOf(await bucket.get(key, { range })), shards[n].subarray(1000, 1077));
    // Not beyond the shard, into the next one.
    const end = { offset: shards[n].length - 5, length: 100 };
    assert.equal((await bytesOf(await bucket.get(key, { range: end }))).length, 5);
  }
  assert.equal(await bucket.get(`${REPO}-${"f".repeat(32)}.portolan`), null);
  assert.deepEqual(
    (await bucket.list()).objects.map(({ key }) => key),
    [`${REPO}.portolan`],
  );
  const hidden = bucketOf(versions, () => false, undefined);
  assert.equal(await hidden.get(`${REPO}-${NAMES[0]}.portolan`), null, "who may not read the root reads no shard");
});

test("a shard that did not change is not sent again, and the switch is one step", async () => {
  const versions = new Versions(folderStore());
  const first = await push(versions, saved(7).path);
  const next = saved(8);
  const second = await push(versions, next.path);
  assert.ok(second.is_current && second.version.id !== first.version.id);
  // Table, root and the third shard.
  assert.equal(second.n_uploaded, 3);
  const bucket = bucketOf(versions, () => true, undefined);
  assert.deepEqual(await bytesOf(await bucket.get(`${REPO}-${NAMES[2]}.portolan`)), next.shards[2]);
  const older = await bucket.get(`${REPO}-${NAMES[2]}.portolan`);
  assert.notEqual(older, null);
  // A version that is named has its own shards.
  const named = `${REPO}/_v.${first.version.id}`;
  assert.equal((await bucket.get(`${named}.portolan`)).etag, first.version.id);
  assert.equal((await bucket.get(`${named}-${NAMES[0]}.portolan`)).etag, first.version.id);
  await versions.switchTo(REPO, "previous", "tester");
  assert.equal((await bucket.get(`${REPO}.portolan`)).etag, first.version.id);
});

test("a list has as many repositories as are wanted, and says whether there are more", async () => {
  const store = folderStore();
  const versions = new Versions(store);
  const file = container({ info: noise(100, 1) });
  const addition = { source: {}, isSwitched: true, by: "tester" };
  for (const name of ["a", "b", "c", "d"]) await versions.addFile(name, file.length, chunks(file), addition);
  const bucket = bucketOf(versions, (name) => name !== "b", undefined);
  for (const namesOnly of [false, true])
    for (const [most, names, truncated] of [
      [undefined, "acd", false],
      [3, "acd", false],
      [2, "ac", true],
    ]) {
      const { objects, ...rest } = await bucket.list({ namesOnly, most });
      assert.deepEqual([objects.map(({ key }) => key[0]).join(""), rest], [names, { truncated }]);
    }
});

test("a table that does not fit its files is refused", () => {
  const files = [{ name: "", n_bytes: 10 }, ...NAMES.map((name) => ({ name, n_bytes: 20 }))];
  const table = bundleTable(files);
  const n_bytes = table.length + 70;
  assert.deepEqual(
    filesOf(table, n_bytes).map(({ offset }) => offset - table.length),
    [0, 10, 30, 50],
  );
  assert.equal(layoutOf(table, n_bytes).parts.length, 5);
  const changed = (change) => {
    const copy = table.slice();
    change(copy, new DataView(copy.buffer));
    return copy;
  };
  const damaged = [
    [table, n_bytes - 1],
    [table.subarray(0, 100), n_bytes],
    [changed((_, view) => view.setUint32(8, 9, true)), n_bytes],
    [changed((_, view) => view.setUint32(12, 0, true)), n_bytes],
    [changed((_, view) => view.setUint32(12, 2 ** 31, true)), n_bytes],
    [changed((_, view) => view.setBigUint64(16 + 32, 2n ** 63n, true)), n_bytes],
    [changed((bytes) => bytes.set(new TextEncoder().encode("../"), 16 + 40)), n_bytes],
    [changed((bytes) => bytes.copyWithin(16 + 80, 16 + 40, 16 + 72)), n_bytes],
  ];
  for (const [n, [bytes, length]] of damaged.entries()) {
    assert.equal(filesOf(bytes, length), undefined, `table ${n}`);
    assert.throws(() => layoutOf(bytes, length), { code: "version.invalid" }, `table ${n}`);
  }
  assert.throws(() => bundleTable(Array(MAX_FILES + 1).fill(files[0])), { code: "push.too-many-shards" });
});

/** An index of the shop in shards, and the version that a push makes of it. */
async function shopInShards() {
  const path = join(folderWith({}), "shop.portolan");
  await index(parseCommand(["index", folderWith(SHOP), "-o", path, "--engine", "wasm", "--shards", "2", "--quiet"]));
  const versions = new Versions(folderStore());
  const { version } = await push(versions, path);
  assert.ok(version.n_bytes > 0);
  const file = openJoined(path);
  const bytes = file.read(0, file.n_bytes);
  file.close();
  return { path, bytes };
}

test("Portolan.open answers from a version as from root and shards; openRemote refuses it", async () => {
  const { path, bytes } = await shopInShards();
  const [beside, version] = [await Portolan.open(path), await Portolan.open(bytes)];
  assert.ok((await version.status()).n_shards > 1);
  for (const ask of [
    (opened) => opened.search("where is tax added"),
    (opened) => opened.callers({ symbol: "addTax", depth: 3 }),
    (opened) => opened.text("src/tax.ts"),
    (opened) => opened.regex("\\w+Tax"),
  ])
    assert.deepEqual(await ask(version), await ask(beside));
  for (const opened of [beside, version]) opened.close();
  const file = join(folderWith({}), "fetched.portolan");
  writeFileSync(file, bytes);
  const fetched = await Portolan.open(file);
  assert.equal((await fetched.find("addTax")).symbols[0].path, "src/tax.ts");
  fetched.close();

  for (const cut of [12, 100, bytes.length - 1])
    await assert.rejects(Portolan.open(bytes.subarray(0, cut)), { code: "snapshot.damaged" }, `${cut} bytes`);
  const server = createServer((_, response) => response.end(bytes));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  await assert.rejects(Portolan.openRemote(`http://127.0.0.1:${server.address().port}/`), (error) => {
    assert.equal(error.code, "index.shards");
    assert.match(`${error.message} ${error.help}`, /in shards.*Portolan\.open/);
    return true;
  });
});
