import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutlineEntry } from "portolan";
import { stickyScopes } from "./scopes.ts";

const entry = (line: number, end: number, start = line) =>
  ({ symbol: { line, start_line: start, end_line: end }, parent: undefined }) as unknown as OutlineEntry;
// class 1–40 { run 3–20 { inner 5–10 }, walk 22–39 }
const outline = [entry(1, 40), entry(3, 20), entry(5, 10), entry(22, 39, 21)];
const at = (top: number) => stickyScopes(outline, (rows) => top + rows, 5).map(({ line }) => line);

test("the definitions whose first line has left the view stay, outermost first", () => {
  assert.deepEqual(at(1), []);
  assert.deepEqual(at(2), [1]);
  assert.deepEqual(at(4), [1, 3, 5]);
  assert.deepEqual(at(6), [1, 3, 5]);
  assert.deepEqual(at(12), [1, 3]);
});

test("a definition goes when its last line is covered by the rows above", () => {
  assert.deepEqual(at(19), [1, 3]);
  assert.deepEqual(at(20), [1]);
  assert.deepEqual(at(23), [1, 22]);
  assert.deepEqual(at(41), []);
});

test("nothing stays above an empty view or beyond the limit", () => {
  assert.deepEqual(
    stickyScopes(outline, () => 0, 5),
    [],
  );
  assert.equal(stickyScopes(outline, () => 6, 2).length, 2);
});
