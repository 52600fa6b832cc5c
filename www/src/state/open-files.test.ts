import assert from "node:assert/strict";
import { test } from "node:test";
import { withTab } from "./open-files.ts";

test("a tab opens behind the active one, and once", () => {
  assert.deepEqual(withTab(["a", "b", "c"], "x", "b", ["x"]), ["a", "b", "x", "c"]);
  assert.deepEqual(withTab(["a", "b"], "a", "b", ["a"]), ["a", "b"]);
  assert.deepEqual(withTab([], "a", "", ["a"]), ["a"]);
});

test("of too many the first that is not shown goes", () => {
  const many = Array.from({ length: 40 }, (_, at) => String(at));
  const next = withTab(many, "x", "39", ["0", "x"]);
  assert.equal(next.length, 40);
  assert.deepEqual([next[0], next[1], next.at(-1)], ["0", "2", "x"]);
});
