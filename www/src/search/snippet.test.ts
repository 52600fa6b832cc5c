import assert from "node:assert/strict";
import { test } from "node:test";
import { denseLine, snippetLines } from "./snippet.ts";

const drawn = (text: string, marks: [number, number][], first = 1) =>
  snippetLines(text, first, marks).map(
    ({ number, pieces }) =>
      `${number} ${pieces.map(({ text: piece, marked }) => (marked ? `[${piece}]` : piece)).join("")}`,
  );

test("marks stay on their words when lines are cut and the indent is left out", () => {
  const text = "    fn add(x)\n      x.add()\n";
  assert.deepEqual(
    drawn(
      text,
      [
        [7, 10],
        [22, 25],
      ],
      9,
    ),
    ["9 fn [add](x)", "10   x.[add]()"],
  );
});

test("a mark over a line break marks both ends, overlapping marks become one", () => {
  assert.deepEqual(drawn("ab\ncd", [[1, 4]]), ["1 a[b]", "2 [c]d"]);
  assert.deepEqual(
    drawn("abcdef", [
      [1, 3],
      [2, 5],
      [5, 5],
    ]),
    ["1 a[bcde]f"],
  );
});

test("marks outside the text, empty texts, carriage returns and long lines do no harm", () => {
  assert.deepEqual(drawn("ab", [[1, 99]]), ["1 ab"]);
  assert.deepEqual(drawn("", []), ["1 "]);
  assert.deepEqual(drawn("a\r\nb", [[0, 1]]), ["1 [a]", "2 b"]);
  assert.ok((drawn("x".repeat(5000), [])[0] ?? "").length < 420);
});

test("the pieces put together are the text", () => {
  const text = "if (a) {\n\treturn b;\n}";
  const lines = snippetLines(text, 1, [
    [0, 4],
    [6, 12],
    [15, 16],
  ]);
  assert.equal(lines.map(({ pieces }) => pieces.map((piece) => piece.text).join("")).join("\n"), text);
});

test("blank lines at the ends are left out, the numbers stay", () => {
  assert.deepEqual(drawn("\n\n  a\n\n  b\n  \n", [], 5), ["7 a", "8 ", "9 b"]);
  assert.deepEqual(drawn("\n \n", [], 3), ["3 "]);
});

test("a dense line starts shortly before its first mark", () => {
  const line = (text: string, marks: [number, number][]) =>
    denseLine(snippetLines(text, 1, marks)[0]!)
      .pieces.map((piece) => piece.text)
      .join("");
  assert.equal(line("if a then b else something_long and hit here", [[36, 39]]), "…ng_long and hit here");
  assert.equal(line("short hit", [[6, 9]]), "short hit");
  assert.equal(
    line("no mark in this line, however long it may be", []),
    "no mark in this line, however long it may be",
  );
});
