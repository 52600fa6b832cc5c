// How the MCP server pages: the lists that it makes itself end where the engine would end them, and several lists share one offset.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { evenLimit, fitting, nextOffset } from "../dist/mcp/pages.js";

const CASES = JSON.parse(readFileSync(new URL("../../tests/pages.json", import.meta.url), "utf8"));

for (const { why, items, max_bytes, fit } of CASES) {
  test(`a list ends where the engine's does: ${why}`, () => {
    assert.deepEqual(fitting(items, max_bytes), items.slice(0, fit));
  });
}

const open = { total: 100, offset: 0, truncated: true };
const whole = { total: 3, offset: 0, truncated: false };

test("the list that got least far says where to go on", () => {
  assert.equal(nextOffset(20, [[3, whole]]), undefined);
  assert.equal(
    nextOffset(20, [
      [3, whole],
      [9, open],
      [5, open],
    ]),
    25,
  );
  assert.equal(nextOffset(20, [[0, open]]), 21);
});

test("a list that others left no place for is asked for with them again", () => {
  assert.equal(evenLimit([[30, open]]), undefined);
  assert.equal(
    evenLimit([
      [30, open],
      [2, open],
    ]),
    16,
  );
  assert.equal(
    evenLimit([
      [9, open],
      [8, open],
    ]),
    undefined,
  );
});
