import assert from "node:assert/strict";
import { test } from "node:test";
import { diffLines, kindOf, placeOf } from "./kinds.ts";

test("a link without a kind, or with an unknown one, shows the guide", () => {
  assert.equal(kindOf(undefined).id, "guide");
  assert.equal(kindOf("constructor").id, "guide");
  assert.equal(kindOf("stories").id, "stories");
});

test("a citation opens its line, and a whole file none", () => {
  assert.deepEqual(placeOf({ path: "a.ts", line: 3, holds: { symbol: "add" } }), {
    path: "a.ts",
    lines: { from: 3, to: 3 },
  });
  assert.deepEqual(placeOf({ path: "a.ts", line: 1, holds: { file: true } }), { path: "a.ts", lines: null });
});

test("lines of a diff say what they do", () => {
  assert.deepEqual(
    diffLines("--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n same\n-gone\n").map(({ sign }) => sign),
    ["head", "head", "head", "same", "removed"],
  );
});
