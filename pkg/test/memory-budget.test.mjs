// The memory of an index is checked before and while it is made: files that do not fit are left out and named, and nothing ends with
// a trap.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Portolan } from "../dist/entry/node.js";
import { memoryOf } from "../dist/node/memory.js";
import { MemoryBudget } from "../dist/engine/memory-budget.js";

const GIGABYTE = 1e9;
const MEGABYTE = 1e6;

function heap(n_bytes) {
  return { memory: { buffer: { byteLength: n_bytes } }, __wbindgen_malloc: () => 0, __wbindgen_free() {} };
}

test("what is likely to be too much is said before it is begun", () => {
  const budget = new MemoryBudget(heap(MEGABYTE));
  assert.equal(budget.caution(200 * MEGABYTE), undefined);
  const caution = budget.caution(0.5 * GIGABYTE);
  assert.equal(caution.code, "index.large");
  assert.match(caution.message, /0\.5 GB of sources may take 6\.0 GB of memory, and there is room for 4\.3 GB/);
  assert.match(caution.help, /exclude/);
});

test("four gigabytes hold what they hold, however much is offered", () => {
  // 12 bytes for each byte of text, and 5 % stay free.
  for (const limit of [undefined, 64 * GIGABYTE]) {
    const budget = new MemoryBudget(heap(MEGABYTE), limit);
    assert.deepEqual(
      [330, 345].map((n) => budget.fits(n * MEGABYTE)),
      [true, false],
    );
  }
  const phone = new MemoryBudget(heap(MEGABYTE), 2 ** 30);
  assert.deepEqual(
    [80, 90].map((n) => phone.fits(n * MEGABYTE)),
    [true, false],
  );
});

test("what was taken counts, whatever was expected", () => {
  const used = heap(2.5 * GIGABYTE);
  assert.equal(new MemoryBudget(used).fits(MEGABYTE), false);
  // Memory that was made ahead says nothing.
  const budget = new MemoryBudget(used);
  budget.forTexts(MEGABYTE);
  assert.equal(budget.fits(MEGABYTE), true);
});

test("an update makes room for all files at once, and for no more than half of the limit", () => {
  const sizes = [];
  const used = { ...heap(MEGABYTE), __wbindgen_malloc: (size) => sizes.push(size) };
  new MemoryBudget(used).forUpdate(10 * MEGABYTE);
  new MemoryBudget(used, 100 * MEGABYTE).forUpdate(10 * MEGABYTE);
  assert.deepEqual(sizes, [16 * 2 ** 20 + 160 * MEGABYTE, 50 * MEGABYTE]);
});

test("an engine leaves some of the machine to others", () => {
  assert.equal(memoryOf(undefined, 8 * GIGABYTE), 6 * GIGABYTE);
  assert.equal(memoryOf(2 * GIGABYTE, 8 * GIGABYTE), 1.5 * GIGABYTE);
  assert.equal(memoryOf(0, 8 * GIGABYTE), 6 * GIGABYTE);
  assert.equal(memoryOf(2 ** 60, 8 * GIGABYTE), 6 * GIGABYTE);
});

/** A function of its own in each file. */
const text = (n) =>
  `export function made${n}() {\n${`  use("the body of ${n}, which is long enough");\n`.repeat(500)}}\n`;

test("what there is no memory for is left out, told and listed; the rest is indexed, saved and opened", async () => {
  const files = Array.from({ length: 60 }, (_, n) => ({
    path: `src/${String(n).padStart(2, "0")}.ts`,
    bytes: new TextEncoder().encode(text(n)),
  }));
  const folder = mkdtempSync(join(tmpdir(), "portolan-room-"));
  try {
    for (const { path, bytes } of files) writeFileSync(join(folder, path.replace("/", "-")), bytes);
    const n_bytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    // Room for half of them, and the engine itself.
    const memory = (16 * 1024 * 1024 + 6 * n_bytes) / 0.95;
    for (const input of [{ files }, folder]) {
      const warnings = [];
      const index = await Portolan.index(input, {
        memory,
        embeddings: false,
        onWarning: (warning) => warnings.push(warning),
      });
      await index.complete;
      const { n_files, skipped } = await index.status();
      const left = skipped.filter(({ code }) => code === "memory");
      assert.ok(n_files >= 25 && n_files <= 31, `${n_files} files`);
      assert.equal(n_files + left.length, files.length);
      assert.deepEqual(
        warnings.map(({ code }) => code),
        ["index.large", "index.full", "index.too-large"],
      );
      assert.match(warnings[1].message, /ts and the files after it are left out$/);
      assert.match(warnings[2].message, new RegExp(`^${left.length} files were left out \\(`));
      assert.match(warnings[2].help, /subfolders/);
      const opened = await Portolan.open(await index.save());
      assert.equal((await opened.find({ symbol: "made3" })).symbols.length, 1);
      assert.equal((await opened.status()).skipped.length, skipped.length);
      opened.close();
      index.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
