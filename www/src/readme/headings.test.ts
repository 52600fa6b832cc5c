import assert from "node:assert/strict";
import { test } from "node:test";
import { headingLevels } from "./headings.ts";

test("headings begin below those of the page and never skip an order", () => {
  assert.deepEqual(headingLevels([1, 2, 3, 2], 2), [3, 4, 5, 4]);
  assert.deepEqual(headingLevels([2, 2, 4, 3, 1, 3], 2), [3, 3, 4, 4, 3, 4]);
  assert.deepEqual(headingLevels([1, 2, 3, 4, 5, 6], 2), [3, 4, 5, 6, 6, 6]);
  assert.deepEqual(headingLevels([], 2), []);
});
