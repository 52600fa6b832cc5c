// Snapshots in IndexedDB: replaced whole or not at all; without IndexedDB or space a named error.
import "fake-indexeddb/auto";

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { IndexedDbStore, toStoredState } from "../dist/storage/indexed-db.js";
import { codeOf } from "./fixture.mjs";

/** Its bytes come in two pieces, the first one last. */
const entry = (name, size = 4) => ({
  name,
  write(give) {
    give(1, new Uint8Array(size - 1).fill(name.length));
    give(0, new Uint8Array(1).fill(name.length));
  },
  n_files: size,
  saved_at: 1_700_000_000_000,
});
const { put } = IDBObjectStore.prototype;
const { indexedDB } = globalThis;

afterEach(async () => {
  IDBObjectStore.prototype.put = put;
  globalThis.indexedDB = indexedDB;
  const store = new IndexedDbStore();
  for (const { name } of await store.list()) await store.delete(name);
});

test("put, get, list, delete", async () => {
  const store = new IndexedDbStore();
  await store.put(entry("a"));
  await store.put(entry("b", 7));
  await store.put(entry("a", 5));
  assert.deepEqual(await store.get("a"), new Uint8Array(5).fill(1));
  assert.deepEqual(await store.list(), [
    { name: "a", saved_at: 1_700_000_000_000, n_bytes: 5, n_files: 5 },
    { name: "b", saved_at: 1_700_000_000_000, n_bytes: 7, n_files: 7 },
  ]);
  await store.delete("a");
  assert.equal(await store.get("a"), undefined);
  assert.deepEqual(
    (await store.list()).map(({ name }) => name),
    ["b"],
  );
});

test("a full store: a named error, and what was stored stays whole", async () => {
  const store = new IndexedDbStore();
  await store.put(entry("a", 3));
  IDBObjectStore.prototype.put = function (value, key) {
    // The bytes fit, the second record does not: the worst moment.
    if (!(value instanceof Uint8Array)) throw new DOMException("no space", "QuotaExceededError");
    return put.call(this, value, key);
  };
  const error = await store.put(entry("a", 9)).catch((error) => error);
  assert.equal(error.code, "storage.quota");
  assert.match(error.message, /"a" \(0\.0 MB\) could not be stored/);
  assert.equal(toStoredState(error).state, "quota");
  IDBObjectStore.prototype.put = put;
  assert.deepEqual(await store.get("a"), new Uint8Array(3).fill(1));
  assert.equal((await store.list())[0].n_bytes, 3);
});

test("no IndexedDB, or one that refuses to open: a clear message, and another try later", async () => {
  const store = new IndexedDbStore();
  globalThis.indexedDB = {
    open: () => {
      throw new DOMException("denied", "SecurityError");
    },
  };
  const error = await store.list().catch((error) => error);
  assert.equal(error.code, "storage.unavailable");
  assert.match(error.message, /denied/);
  delete globalThis.indexedDB;
  assert.equal(await codeOf(store.put(entry("a"))), "storage.unavailable");
  globalThis.indexedDB = indexedDB;
  await store.put(entry("a"));
  assert.equal((await store.list()).length, 1);
});
