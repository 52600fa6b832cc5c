import assert from "node:assert/strict";
import { test } from "node:test";
import { codeLines } from "./lines.ts";

const text = "let a = 1;\r\nlet bb = 2;\n\nlast";
const columns = Uint32Array.from([0, 3, 0, 8, 9, 1, 12, 15, 0, 21, 22, 1]);
const classes = ["keyword", "number.float"];

test("pieces of a line carry the colours of the columns and the marks", () => {
  const [line] = codeLines({ text, columns, classes }, 2, 2, [[16, 18]]);
  assert.equal(line?.number, 2);
  assert.deepEqual(line?.pieces, [
    { text: "let", color: "hl-keyword", marked: false },
    { text: " ", color: "", marked: false },
    { text: "bb", color: "", marked: true },
    { text: " = ", color: "", marked: false },
    { text: "2", color: "hl-number-float", marked: false },
    { text: ";", color: "", marked: false },
  ]);
});

test("lines outside of the text are left out, a carriage return is not shown, an empty line has no pieces", () => {
  const lines = codeLines({ text, columns, classes }, -3, 99);
  assert.deepEqual(
    lines.map(({ number, pieces }) => [number, pieces.map((piece) => piece.text).join("")]),
    [
      [1, "let a = 1;"],
      [2, "let bb = 2;"],
      [3, ""],
      [4, "last"],
    ],
  );
});

test("a mark over several lines marks a part of each; a very long line is cut", () => {
  const lines = codeLines({ text: "abc\ndef", columns: new Uint32Array(), classes: [] }, 1, 2, [[1, 5]]);
  assert.deepEqual(
    lines.map(({ pieces }) => pieces.filter(({ marked }) => marked).map((piece) => piece.text)),
    [["bc"], ["d"]],
  );
  const [long] = codeLines({ text: "x".repeat(5000), columns: new Uint32Array(), classes: [] }, 1, 1);
  assert.equal(long?.pieces.map((piece) => piece.text).join("").length, 402);
});
