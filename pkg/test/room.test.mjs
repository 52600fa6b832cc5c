// What an index takes of memory is looked at before and while it is made: it ends with a word, not with a trap.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Room } from "../dist/room.js";

const GIGABYTE = 1e9;

function heap(n_bytes) {
  return { memory: { buffer: { byteLength: n_bytes } }, __wbindgen_malloc: () => 0, __wbindgen_free() {} };
}

test("what is likely to be too much is said before it is begun", () => {
  assert.equal(Room.caution(40e6), undefined);
  const caution = Room.caution(0.5 * GIGABYTE);
  assert.equal(caution.code, "index.large");
  assert.match(caution.message, /0\.5 GB of sources may take 8\.0 GB of memory/);
  assert.match(caution.help, /exclude/);
});

test("indexing ends before the memory does", () => {
  new Room(heap(3 * GIGABYTE)).check(100);
  assert.throws(() => new Room(heap(3.9 * GIGABYTE)).check(20_000), ({ code, message, help }) => code === "index.too-large" && /after 20000 files/.test(message) && help !== "");
});
