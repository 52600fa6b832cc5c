import assert from "node:assert/strict";
import { test } from "node:test";
import { side } from "./calm.ts";

test("results keep the order of the items, and no more than the width run at once", async () => {
  let running = 0;
  let most = 0;
  const results = await side([5, 1, 4, 2, 3], 2, async (n) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, n));
    running -= 1;
    return n * 10;
  });
  assert.deepEqual(results, [50, 10, 40, 20, 30]);
  assert.equal(most, 2);
  assert.deepEqual(await side([], 4, async (n) => n), []);
});

test("the first failure ends it", async () => {
  await assert.rejects(
    side([1, 2], 1, async (n) => {
      throw new Error(`no ${n}`);
    }),
    /no 1/,
  );
});
