import assert from "node:assert/strict";
import { test } from "node:test";
import { className, coloured, firstAfter } from "./columns.ts";

const columns = Uint32Array.from([0, 3, 0, 5, 9, 1, 9, 10, 2, 40, 44, 0]);

test("a piece is cut where its colour changes, also within a colour", () => {
  assert.deepEqual(
    coloured("cd fghij", 2, columns).map(({ text, colour }) => `${text}:${colour}`),
    ["c:0", "d :-1", "fghi:1", "j:2"],
  );
  assert.deepEqual(coloured("plain", 20, columns), [{ text: "plain", colour: -1 }]);
  assert.deepEqual(coloured("", 0, columns), []);
});

test("the parts put together are the piece", () => {
  const text = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
  for (let start = 0; start < text.length; start += 1)
    for (let end = start; end <= text.length; end += 3) {
      const parts = coloured(text.slice(start, end), start, columns);
      assert.equal(parts.map((part) => part.text).join(""), text.slice(start, end));
    }
});

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
