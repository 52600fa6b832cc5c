import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf, endings, type Given, isGrammar, languageName } from "./user-languages.ts";

const file = (name: string, text = name): Given => ({
  name,
  arrayBuffer: async () => new TextEncoder().encode(text).buffer as ArrayBuffer,
});

test("names and endings as people write them", () => {
  assert.equal(languageName("tree-sitter-r.wasm"), "r");
  assert.equal(languageName("Tree_Sitter_Common Lisp.WASM"), "common-lisp");
  assert.deepEqual(endings(".r, Rmd;*.rprofile"), ["r", "rmd", "rprofile"]);
  assert.deepEqual(endings(" "), []);
  assert.equal(isGrammar([{ name: "a.zip" }]), false);
  assert.equal(isGrammar([{ name: "symbols.scm" }, { name: "tree-sitter-r.wasm" }]), true);
});

test("a language is its grammar and its queries", async () => {
  const { name, extensions, queries, unused } = await draftOf([
    file("highlights.scm"),
    file("tree-sitter-r.wasm"),
    file("symbols.scm"),
    file("tags.scm"),
    file("README.md"),
  ]);
  assert.deepEqual(
    [name, extensions, queries, unused],
    ["r", ["r"], { symbols: "symbols.scm", highlights: "highlights.scm" }, ["tags.scm", "README.md"]],
  );
  assert.equal((await draftOf([file("tree-sitter-r.wasm"), file("tags.scm")])).queries.symbols, "tags.scm");
});

test("what is missing is said", async () => {
  await assert.rejects(draftOf([file("symbols.scm")]), /no grammar/);
  await assert.rejects(draftOf([file("tree-sitter-r.wasm")]), /no queries/);
  await assert.rejects(draftOf([file("tree-sitter-r.wasm"), file("tree-sitter-s.wasm")]), /one language at a time/);
});
