import assert from "node:assert/strict";
import { test } from "node:test";
import { mapFiles } from "./map.ts";

test("files and definitions of a map, its frame and its rest left out", () => {
  const text =
    "<repo_map>\n  src/cart.ts :: class:Cart, fn:add(a, b), fn:total\n  a b/c.rs :: struct:C, ... 73 more\n  ... and 3 more files\n</repo_map>";
  assert.deepEqual(mapFiles(text), [
    {
      path: "src/cart.ts",
      entries: [
        { kind: "class", name: "Cart" },
        { kind: "fn", name: "add(a, b)" },
        { kind: "fn", name: "total" },
      ],
      more: 0,
    },
    { path: "a b/c.rs", entries: [{ kind: "struct", name: "C" }], more: 73 },
  ]);
  assert.deepEqual(mapFiles(""), []);
});
