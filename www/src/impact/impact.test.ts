import assert from "node:assert/strict";
import { test } from "node:test";
import type { DepthGroup, Impacted } from "portolan";
import { askedOf, namesById, requestOf, testFiles } from "./impact.ts";

const reached = (id: number, path: string, line: number): Impacted => ({
  symbol: { id, name: `s${id}`, qualified_name: `s${id}`, kind: "function", path, line: 1 },
  relation: "CALLS",
  via: 0,
  use_line: line,
  confidence: 1,
  certainty: 1,
  reason: "import",
  is_test: true,
});
const groups: DepthGroup[] = [
  { depth: 1, meaning: "will break", total: 1, symbols: [reached(1, "test/b.test.js", 9)] },
  {
    depth: 2,
    meaning: "likely affected",
    total: 4,
    symbols: [
      reached(2, "test/a.test.js", 3),
      reached(3, "test/c.test.js", 4),
      reached(4, "test/c.test.js", 8),
      reached(5, "test/b.test.js", 2),
    ],
  },
];

test("arguments of a link become the question; unknown ones are the default", () => {
  assert.deepEqual(askedOf({ of: "add", way: "down", depth: "5", sure: "0.8", tests: "no" }), {
    symbol: "add",
    direction: "downstream",
    depth: 5,
    minConfidence: 0.8,
    tests: "exclude",
  });
  const plain = askedOf({ depth: "999", sure: "x" });
  assert.deepEqual([plain.depth, plain.minConfidence, plain.symbol], [3, 0, ""]);
  assert.equal(requestOf(plain, 50).limit, 50);
});

test("test files come with the nearest first, then those with more tests", () => {
  assert.deepEqual(
    testFiles(groups).map(({ path, n_tests, depth, line }) => [path, n_tests, depth, line]),
    [
      ["test/b.test.js", 2, 1, 9],
      ["test/c.test.js", 2, 2, 4],
      ["test/a.test.js", 1, 2, 3],
    ],
  );
});

test("the target and all that is reached have names", () => {
  const target = { id: 0, name: "add", qualified_name: "add", kind: "function", path: "a.js", line: 1 };
  const names = namesById({ target, by_depth: groups });
  assert.deepEqual([names.get(0), names.get(5), names.get(9)], ["add", "s5", undefined]);
});
