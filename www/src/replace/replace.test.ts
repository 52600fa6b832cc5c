import assert from "node:assert/strict";
import { test } from "node:test";
import type { RegexMatch, StructuralMatch } from "portolan";
import { applyEdits } from "../write/plan.ts";
import { regexEdits, scriptPattern, structuralEdits, unknownNames } from "./replace.ts";

const range = (line: number, from: number, to: number, last = line) => ({
  start: { line, character: from },
  end: { line: last, character: to },
});
const match = (where: StructuralMatch["range"], captures: StructuralMatch["captures"]): StructuralMatch => ({
  path: "a.js",
  language: "javascript",
  start_line: where.start.line + 1,
  end_line: where.end.line + 1,
  range: where,
  text: "",
  captures,
});
const line = (number: number, text: string, ...marks: [number, number][]): RegexMatch => ({
  path: "a.js",
  line: number,
  text,
  marks,
  before: [],
  after: [],
});

test("captures come from the text itself; one that matched nothing is empty", () => {
  const text = "x;\n  eq(a + 1, b);\n";
  const found = match(range(1, 2, 14), [
    { name: "A", range: range(1, 5, 10), text: "cut short" },
    { name: "B", range: range(1, 12, 13), text: "b" },
  ]);
  const { edits } = structuralEdits(text, [found], "assert($B === $A$$$REST)");
  assert.equal(applyEdits(text, edits), "x;\n  assert(b === a + 1);\n");
});

test("further lines of a template begin where the match's line begins", () => {
  const text = "    go(x)";
  const found = match(range(0, 4, 9), [{ name: "A", range: range(0, 7, 8), text: "x" }]);
  assert.equal(
    applyEdits(text, structuralEdits(text, [found], "if ($A) {\n  go()\n}").edits),
    "    if (x) {\n      go()\n    }",
  );
});

test("names that the pattern does not have are told", () => {
  assert.deepEqual(unknownNames("f($A, $$$REST)", "g($$$REST, $A, $B, $B, $_)"), ["B", "_"]);
  assert.deepEqual(unknownNames("(identifier) @NAME", "$NAME"), []);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a replacement
  assert.deepEqual(unknownNames("f($A)", "${notOurs} $1 $lower"), []);
});

test("without groups the marks are replaced, whatever the pattern is", () => {
  const text = "aa b aa\r\naa";
  const matches = [line(1, "aa b aa", [0, 2], [5, 7]), line(2, "aa", [0, 2])];
  const options = { pattern: "(?x) a a", ignoreCase: false, template: "$$x" };
  assert.equal(applyEdits(text, regexEdits(text, matches, options).edits), "$x b $x\r\n$x");
});

test("groups by number and by name, only where the pattern matches the same stretch here", () => {
  const text = "get(user, id)";
  const found = [line(1, text, [0, 13])];
  const pattern = "get\\((?P<who>\\w+), (\\w+)\\)";
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a replacement
  const replaced = regexEdits(text, found, { pattern, ignoreCase: false, template: "${who}.$2 $$1" });
  assert.equal(applyEdits(text, replaced.edits), "user.id $1");
  const unread = regexEdits(text, found, { pattern: "(?x) get (x)", ignoreCase: false, template: "$1" });
  assert.deepEqual([unread.edits.length, unread.left], [0, [{ line: 1, reason: "its groups cannot be told" }]]);
  const missing = regexEdits(text, found, { pattern, ignoreCase: false, template: "$9" });
  assert.equal(missing.left.length, 1);
});

test("a line of which only a part is known is left", () => {
  const { edits, left } = regexEdits(`${"x".repeat(9000)}a`, [line(1, "xxa", [2, 3])], {
    pattern: "a",
    ignoreCase: false,
    template: "b",
  });
  assert.deepEqual([edits.length, left[0]?.reason], [0, "the line is too long"]);
});

test("flags at the start and named groups are read as the engine reads them", () => {
  assert.equal(scriptPattern("(?i)(?P<a>x)", false)?.flags.includes("i"), true);
  assert.equal(scriptPattern("[[:alpha:]]{2", false), null);
});
