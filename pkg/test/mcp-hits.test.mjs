// The text of a search over MCP: code for the likeliest hits, a line for the others, and no name twice.
import assert from "node:assert/strict";
import { test } from "node:test";

import { hitsLines } from "../dist/mcp/text-hits.js";

const CODE = "function one() {\n  const cart = load();\n  return cart.total(tax);\n}";

/** A hit of the file `name`, whose words are marked where the text has them. */
function hit(name, fields = {}) {
  const marks = [...CODE.matchAll(/cart|tax|total/g)].map(({ 0: { length }, index }) => [index, index + length]);
  return {
    path: `src/${name}.ts`,
    start_line: 10,
    end_line: 13,
    symbol: name,
    kind: "function",
    snippet: { start_line: 10, text: CODE, marks },
    more: [],
    ...fields,
  };
}

const codeOf = (lines, name) => {
  const from = lines.findIndex((line) => line.startsWith(`src/${name}.ts`)) + 1;
  const end = lines.findIndex((line, at) => at >= from && !/^\d+\t/.test(line));
  return lines.slice(from, end < 0 ? undefined : end);
};

test("the first three hits have their code, the others the line with most of the words", () => {
  const lines = hitsLines(["a", "b", "c", "d"].map((name) => hit(name)));
  assert.equal(codeOf(lines, "a").length, 4);
  assert.equal(codeOf(lines, "c").length, 4);
  assert.deepEqual(codeOf(lines, "d"), ["12\t  return cart.total(tax);"]);
});

test("guesses give way to hits that are none", () => {
  const guess = { guess: true };
  const lines = hitsLines([hit("a", guess), hit("b", guess), hit("c"), hit("d", guess), hit("e")]);
  assert.deepEqual(
    ["a", "b", "c", "d", "e"].map((name) => codeOf(lines, name).length),
    [4, 1, 4, 1, 4],
  );
  assert.match(lines[0], /^src\/a\.ts:10-13 {2}function a {2}\(a guess\)$/);
});

test("a line is found in code without marks, and none in empty code", () => {
  const some = ["a", "b", "c"].map((name) => hit(name));
  const unmarked = { snippet: { start_line: 5, text: "\n  first();\n  second();", marks: [] } };
  assert.deepEqual(codeOf(hitsLines([...some, hit("d", unmarked)]), "d"), ["6\t  first();"]);
  const empty = { snippet: { start_line: 5, text: "\n  \n", marks: [] } };
  assert.deepEqual(codeOf(hitsLines([...some, hit("d", empty)]), "d"), []);
});

test("other places of the file name a symbol once", () => {
  const more = [
    { start_line: 20, end_line: 22, symbol: "a" },
    { start_line: 30, end_line: 31, symbol: "b" },
    { start_line: 40, end_line: 41, symbol: "b" },
    { start_line: 50, end_line: 51 },
    { start_line: 60, end_line: 61, symbol: "a" },
  ];
  const lines = hitsLines([hit("a", { more })]);
  assert.equal(lines.at(-1), "  also 20-22, 30-31 b, 40-41, 50-51, 60-61 a");
});
