import assert from "node:assert/strict";
import { test } from "node:test";
import { openFake, texts } from "../../test/open.ts";
import type { OpenFile } from "../state/file.ts";
import { isProse, localAt, meaningAt, wordAround } from "./meaning.ts";

const fileOf = (path: keyof typeof texts, highlights = new Uint32Array()): OpenFile => ({
  path,
  language: "typescript",
  text: texts[path],
  outline: [],
  highlights,
});
const classes = ["keyword", "string", "function"];

test("the word around a place, also behind its last letter", () => {
  assert.deepEqual(wordAround("a + size;", 8), { from: 4, to: 8 });
  assert.deepEqual(wordAround("größe", 2), { from: 0, to: 5 });
  assert.equal(wordAround("a + 10;", 5), null);
  assert.equal(wordAround("  ", 1), null);
});

test("a local name leads to its binding and to all its uses", () => {
  const text = "f(a, b) { a; b; a }";
  // Rows: a and b as parameters, their uses.
  const rows = Uint32Array.from([
    ...[2, 3, 2, 3, 1, 0, 0],
    ...[5, 6, 5, 6, 1, 0, 0],
    ...[10, 11, 2, 3, 1, 0, 0],
    ...[13, 14, 5, 6, 1, 0, 0],
    ...[16, 17, 2, 3, 1, 0, 0],
  ]);
  const found = localAt(rows, 10, text);
  assert.ok(found?.kind === "local");
  assert.equal(found.what, "parameter");
  assert.deepEqual(found.bound, { from: 2, to: 3 });
  assert.deepEqual(
    found.uses.map(({ from }) => from),
    [2, 10, 16],
  );
  assert.equal(localAt(rows, 8, text), null);
  assert.equal(localAt(new Uint32Array(), 0, text), null);
  assert.equal(localAt(rows, 17, text)?.kind, "local", "behind the last letter");
});

test("a definition of the repository comes before local names, and any other word is text", async () => {
  const index = await openFake();
  const text = texts["src/b.ts"];
  const defined = await meaningAt(index, fileOf("src/b.ts"), text.indexOf("add"), classes);
  assert.equal(defined?.kind, "definitions");
  assert.equal((await meaningAt(index, fileOf("src/b.ts"), text.indexOf("return"), classes))?.kind, "text");
  const keyword = Uint32Array.from([text.indexOf("return"), text.indexOf("return") + 6, 0]);
  assert.equal(await meaningAt(index, fileOf("src/b.ts", keyword), text.indexOf("return"), classes), null);
});

test("words in comments and strings name nothing", () => {
  const columns = Uint32Array.from([0, 5, 1, 8, 12, 2]);
  assert.equal(isProse(columns, 3, classes), true);
  assert.equal(isProse(columns, 6, classes), false);
  assert.equal(isProse(columns, 9, classes), false);
});
