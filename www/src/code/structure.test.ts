import assert from "node:assert/strict";
import { test } from "node:test";
import { structureOf } from "./structure.ts";

const text = `class A {
  run() {
    if (x) {

      y();
    }
  }
}
last();
`;

test("a block ends at its last deeper line; what opens none ends at itself", () => {
  const { ends } = structureOf(text, 4);
  assert.deepEqual([...ends], [6, 5, 4, 3, 4, 5, 6, 7, 8, 9]);
});

test("a blank line has the indent that the lines around it share", () => {
  const { indents, unit } = structureOf(text, 4);
  assert.deepEqual([...indents], [0, 2, 4, 4, 6, 4, 2, 0, 0, 0]);
  assert.equal(unit, 2);
});

test("tabs, carriage returns and texts without a line break", () => {
  const { indents, unit, ends } = structureOf("a\r\n\tb\r\n\r\n\t\tc", 4);
  assert.deepEqual([...indents], [0, 4, 4, 8]);
  assert.deepEqual([...ends], [3, 3, 2, 3]);
  assert.equal(unit, 4);
  assert.deepEqual([...structureOf("", 4).ends], [0]);
});

test("each of many deep blocks ends at its own last line", () => {
  const deep = Array.from({ length: 40_000 }, (_, at) => `${" ".repeat((at % 40) * 2)}x`).join("\n");
  const { ends } = structureOf(deep, 4);
  assert.equal(ends.length, 40_000);
  assert.ok(ends.every((end, at) => end === at - (at % 40) + 39));
});
