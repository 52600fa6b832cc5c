import assert from "node:assert/strict";
import { test } from "node:test";
import { innermost, outlineTree } from "./outline.ts";

const at = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
const entry = (name: string, start_line: number, end_line: number, parent?: number) => ({
  symbol: {
    id: 0,
    name,
    qualified_name: name,
    kind: "function",
    language: "rust",
    path: "a.rs",
    line: start_line,
    start_line,
    end_line,
    name_range: at,
    signature: "",
    doc: "",
    exported: true,
  },
  parent,
});
const entries = [
  entry("Router", 1, 30),
  entry("add", 3, 9, 0),
  entry("inner", 4, 6, 1),
  entry("free", 40, 50),
  entry("lost", 60, 61, 99),
];

test("children hang under their parents, strays are roots", () => {
  const tree = outlineTree(entries);
  assert.deepEqual(
    tree.map((node) => node.name),
    ["Router", "free", "lost"],
  );
  assert.equal(tree[0]?.children[0]?.children[0]?.name, "inner");
});

test("the innermost entry around a line", () => {
  assert.deepEqual(
    [5, 8, 20, 35, 45].map((line) => innermost(entries, line)),
    ["2", "1", "0", "", "3"],
  );
});
