import assert from "node:assert/strict";
import { test } from "node:test";
import { bestPaths, fit, marksOf } from "./rank.ts";

const paths = [
  "src/router/reg-exp-router.ts",
  "src/router.ts",
  "test/router.test.ts",
  "docs/our-terms.md",
  "src/middleware/BasicAuth.ts",
  "src/context.ts",
];
const best = async (typed: string) => (await bestPaths(typed, paths, 3, () => false)).map(({ path }) => path);

test("the file's own name first, then starts of words, then anything in order", async () => {
  assert.equal((await best("router"))[0], "src/router.ts");
  assert.equal((await best("rer"))[0], "src/router/reg-exp-router.ts");
  assert.equal((await best("ba"))[0], "src/middleware/BasicAuth.ts");
  assert.equal((await best("test/ro"))[0], "test/router.test.ts");
  assert.deepEqual(await best("xyz"), []);
});

test("letters out of order do not fit", () => {
  assert.equal(fit("ba", "ab"), null);
  assert.notEqual(fit("", "ab"), null);
});

test("a search that is stopped gives nothing", async () => {
  assert.deepEqual(await bestPaths("r", paths, 3, () => true), []);
});

test("letters are marked where they are found, together if they are anywhere", () => {
  assert.deepEqual(marksOf("tax", "src/Tax.ts"), [4, 5, 6]);
  assert.deepEqual(marksOf("s t", "src/Tax.ts"), [0, 4]);
  assert.deepEqual(marksOf("zz", "src"), []);
  assert.deepEqual(marksOf("", "src"), []);
});
