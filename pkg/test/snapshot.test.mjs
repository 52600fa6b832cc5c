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

test("a flipped bit is noticed by who reads it, each time, or lies where no answer reads", async () => {
  const expected = await answers(bytes);
  let n_noticed = 0;
  let n_flips = 0;
  for (let place = 16; place < bytes.length; place += Math.ceil(bytes.length / 60)) {
    const flipped = changed((copy) => {
      copy[place] ^= 0x10;
    });
    n_flips++;
    const outcome = await answers(flipped).catch((error) => error.code);
    if (typeof outcome === "string") {
      n_noticed++;
      assert.match(outcome, /^snapshot\.(checksum|truncated)$/, `byte ${place}`);
    } else {
      // Padding, or the facts that only an update reads (and checks then).
      assert.deepEqual(outcome, expected, `byte ${place}`);
    }
  }
  assert.ok(n_noticed > n_flips / 3, `${n_noticed} of ${n_flips}`);
});

test("a question that does not read what is damaged is answered; one that does is refused as often as it is asked", async () => {
  const table = new DataView(bytes.buffer, bytes.byteOffset);
  const names = Array.from({ length: table.getUint32(12, true) }, (_, n) => 64 + 40 * n);
  const nameAt = (at) => new TextDecoder().decode(bytes.subarray(at, at + 16)).replace(/\0+$/, "");
  const lexical = names.find((at) => nameAt(at) === "lexical");
  const place = Number(table.getBigUint64(lexical + 16, true)) + 40;
  const oneBit = (copy) => {
    copy[place] ^= 1;
  };
  const index = await Portolan.open(changed(oneBit));
  assert.ok((await index.find("addTax")).symbols.length > 0);
  for (let round = 0; round < 2; round++)
    assert.equal(await codeOf(index.search("value added tax")), "snapshot.checksum");
  assert.ok((await index.find("addTax")).symbols.length > 0);
  assert.equal(await codeOf(index.save()), "snapshot.checksum");
  index.close();
});

test("what was opened is saved byte by byte", async () => {
  const index = await Portolan.open(bytes);
  assert.deepEqual(await index.save(), bytes);
  index.close();
});

async function answers(snapshot) {
  const index = await Portolan.open(snapshot);
  const all = [
    await index.status(),
    await index.edges(),
    await index.search("value added tax"),
    await index.regex("fn"),
    await index.outline("src/cart.ts"),
  ];
  index.close();
  return all;
}

test("another version, another file, no file", async () => {
  assert.equal(await codeOf(Portolan.open(changed((copy) => copy.fill(99, 8, 9)))), "snapshot.version");
  assert.equal(
    await codeOf(Portolan.open(new TextEncoder().encode("GIF89a and so on, long enough to be a header of something"))),
    "snapshot.foreign",
  );
  assert.equal(await codeOf(Portolan.open(new Uint8Array())), "snapshot.foreign");
  assert.equal(await codeOf(Portolan.open("no-such-file.portolan")), "storage.not-found");
});

test("after a refusal the next snapshot opens", async () => {
  await codeOf(Portolan.open(bytes.slice(0, 100)));
  const index = await Portolan.open(bytes);
  assert.ok((await index.status()).n_files > 0);
  index.close();
});
