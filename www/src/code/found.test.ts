import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { placesOf } from "./found.ts";

const lines = ["one", "  two hits", "three", "four hits"];
const doc = Text.of(lines);
const textOf = (places: { from: number; to: number }[]) => places.map(({ from, to }) => doc.sliceString(from, to));

test("marks of a passage are at the same words of the document", () => {
  const passage = {
    text: "  two hits\nthree\nfour hits",
    textLine: 2,
    marks: [
      [6, 10],
      [22, 26],
      [11, 16],
    ] as const,
  };
  assert.deepEqual(textOf(placesOf(passage, doc)), ["hits", "three", "hits"]);
});

test("a mark over lines is one mark a line; what is not in the document is left out", () => {
  assert.deepEqual(textOf(placesOf({ text: "three\nfour hits", textLine: 3, marks: [[2, 10]] }, doc)), ["ree", "four"]);
  assert.deepEqual(placesOf({ text: "a\nb", textLine: 4, marks: [[2, 3]] }, doc), []);
});
