import assert from "node:assert/strict";
import { test } from "node:test";
import type { Symbol as Definition } from "portolan";
import type { OpenFile } from "../state/file.ts";
import { lineAt, signatureOf } from "./facts.ts";

const text = "// first\nexport function add(\n  a,\n  b,\n) {\n    return a + b;\n}\n";
const file: OpenFile = {
  path: "a.js",
  language: "javascript",
  text,
  outline: [],
  highlights: Uint32Array.from([9, 15, 0, 16, 24, 0, 25, 28, 1]),
};
const symbol = (signature: string, start_line = 2) => ({ signature, start_line }) as Definition;

test("a signature has the colours of its file, also where it is written on several lines", () => {
  const pieces = signatureOf(symbol("export function add( a, b, )"), file);
  assert.deepEqual(pieces[0], { text: "export", colour: 0 });
  assert.equal(pieces.map((piece) => piece.text).join(""), "export function add( a, b, )");
});

test("a signature that is written otherwise is plain", () => {
  assert.deepEqual(signatureOf(symbol("add(a, b)", 6), file), [{ text: "add(a, b)", colour: -1 }]);
  assert.deepEqual(signatureOf(symbol("add(a, b)", 600), file), [{ text: "add(a, b)", colour: -1 }]);
  assert.deepEqual(signatureOf(symbol("x"), null), [{ text: "x", colour: -1 }]);
});

test("a line is shown without its indent, with its number", () => {
  const { number, pieces } = lineAt(file, text.indexOf("a + b"));
  assert.equal(number, 6);
  assert.equal(pieces.map((piece) => piece.text).join(""), "return a + b;");
});
