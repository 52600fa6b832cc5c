// Snapshots that are damaged, foreign or of another version: each is refused by name.
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { Portolan } from "portolan";

import { codeOf, folderWith, SHOP } from "./fixture.mjs";

let bytes;
before(async () => {
  const index = await Portolan.index(folderWith(SHOP), { embeddings: false });
  await index.complete;
  bytes = await index.save();
  index.close();
});

const changed = (change) => {
  const copy = bytes.slice();
  return change(copy) ?? copy;
};

test("truncated", async () => {
  for (const length of [9, 63, 100, 5_000, bytes.length - 1]) {
    assert.equal(await codeOf(Portolan.open(bytes.slice(0, length))), "snapshot.truncated", `${length} bytes`);
  }
});

test("a flipped bit anywhere is noticed", async () => {
  for (let place = 16; place < bytes.length; place += Math.ceil(bytes.length / 60)) {
    const code = await codeOf(Portolan.open(changed((copy) => void (copy[place] ^= 0x10))));
    // Padding between sections belongs to nothing; everything else is covered by a checksum.
    if (code === "none") assert.equal(bytes[place], 0, `byte ${place}`);
    else assert.match(code, /^snapshot\.(checksum|truncated)$/, `byte ${place}`);
  }
});

test("another version, another file, no file", async () => {
  assert.equal(await codeOf(Portolan.open(changed((copy) => void (copy[8] = 99)))), "snapshot.version");
  assert.equal(await codeOf(Portolan.open(new TextEncoder().encode("GIF89a and so on, long enough to be a header of something"))), "snapshot.foreign");
  assert.equal(await codeOf(Portolan.open(new Uint8Array())), "snapshot.foreign");
  assert.equal(await codeOf(Portolan.open("no-such-file.portolan")), "storage.not-found");
});

test("after a refusal the next snapshot opens", async () => {
  await codeOf(Portolan.open(bytes.slice(0, 100)));
  const index = await Portolan.open(bytes);
  assert.ok((await index.status()).n_files > 0);
  index.close();
});
