import assert from "node:assert/strict";
import { test } from "node:test";
import { className, firstAfter } from "./highlights.ts";

test("the first range that ends after a position, as a plain scan finds it", () => {
  const columns = Uint32Array.from([0, 3, 0, 5, 9, 1, 9, 10, 2, 40, 44, 0]);
  for (let position = 0; position < 50; position += 1) {
    const plain = [0, 1, 2, 3].find((index) => (columns[index * 3 + 1] ?? 0) > position) ?? 4;
    assert.equal(firstAfter(columns, position), plain, String(position));
  }
  assert.equal(firstAfter(new Uint32Array(), 3), 0);
});

test("class names are safe in CSS", () => {
  assert.deepEqual(["keyword", "function.method", "String Escape"].map(className), [
    "hl-keyword",
    "hl-function-method",
    "hl-string-escape",
  ]);
});
