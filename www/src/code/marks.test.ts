import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOfWord, rowsOf } from "./marks.ts";

test("many places become a few rows, none outside of the ruler", () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => at + 1);
  const rows = rowsOf({ use: lines, hit: [10_000] }, 300, 3, (line) => line / 10_000);
  assert.equal(rows.filter(({ kind }) => kind === "use").length, 100);
  assert.ok(rows.every(({ top }) => top >= 0 && top <= 297));
  assert.equal(rows.at(-1)?.kind, "hit");
  assert.deepEqual(
    rowsOf({}, 300, 3, () => 0),
    [],
  );
});

test("a word is found where it is a word", () => {
  assert.deepEqual(placesOfWord("add(add_all, add$, add)", "add", 10), [0, 19]);
  assert.deepEqual(placesOfWord("aa aa aa", "aa", 2), [0, 3]);
  assert.deepEqual(placesOfWord("x", "", 2), []);
});
