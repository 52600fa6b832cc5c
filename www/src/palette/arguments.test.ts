import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyLink } from "../state/link.ts";
import { askedOf, asking, askingAs } from "./arguments.ts";

test("a word and what follows it", () => {
  assert.equal(askedOf("impact  addTax ")?.argument, "addTax");
  assert.equal(askedOf("regex a b")?.argument, "a b");
  assert.equal(askedOf("IMPACT x")?.command.word, "impact");
  for (const text of ["impact", "impact ", "wrap long lines", ""]) assert.equal(askedOf(text), undefined, text);
});

test("words are offered as they are typed, without a repository only those that need none", () => {
  assert.deepEqual(
    askingAs("re", true).map(({ word }) => word),
    ["regex", "rename"],
  );
  assert.deepEqual(askingAs("re", false), []);
  assert.deepEqual(
    askingAs("col", false).map(({ word }) => word),
    ["colours"],
  );
  assert.deepEqual(askingAs("", true), []);
});

test("an argument that is none is refused", () => {
  const line = asking.find(({ word }) => word === "line")!;
  for (const [text, path] of [
    ["x", "a.ts"],
    ["0", "a.ts"],
    ["1.5", "a.ts"],
    ["3", emptyLink.path],
  ] as const)
    assert.equal(line.run(text, path), false, text);
  assert.equal(asking.find(({ word }) => word === "colours")!.run("pink", ""), false);
});

test("no two commands begin with the same word", () => {
  assert.equal(new Set(asking.map(({ word }) => word)).size, asking.length);
});
