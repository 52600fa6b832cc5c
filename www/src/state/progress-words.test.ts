import assert from "node:assert/strict";
import { test } from "node:test";
import { wholeMeter } from "./progress-words.ts";

test("files to parse that grow with the files that are read do not hold the bar at its end", () => {
  const measure = wholeMeter();
  const shares: number[] = [];
  for (let read = 1; read <= 100; read += 1) {
    measure({ phase: "reading", done: read, total: 100 });
    shares.push(measure({ phase: "parsing", done: Math.max(0, read - 4), total: read }) ?? -1);
  }
  assert.ok((shares[9] ?? 1) < 0.1, `a tenth of the files: ${shares[9]}`);
  assert.ok(Math.abs((shares[49] ?? 0) - 0.35) < 0.05, `half of the files: ${shares[49]}`);
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b),
  );
});

test("an archive is unpacked in one step, then its files are counted", () => {
  const measure = wholeMeter();
  assert.equal(measure({ phase: "reading", done: 1, total: 1 }), 0);
  assert.equal(measure({ phase: "parsing", done: 1, total: 2 }), 0.35);
  assert.equal(measure({ phase: "building", done: 0, total: 1 }), null);
  assert.equal(measure({ phase: "embedding", done: 1, total: 1 }), 0.95);
  assert.equal(measure({ phase: "saving", done: 0, total: 1 }), null);
});
