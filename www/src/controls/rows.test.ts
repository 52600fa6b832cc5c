import assert from "node:assert/strict";
import { test } from "node:test";
import { actionOf, type TreeNode, typeAhead, visibleRows } from "./rows.ts";

const node = (name: string, ...children: TreeNode[]): TreeNode => ({
  id: name,
  name,
  branch: children.length > 0,
  children,
});
const roots = [
  node("docs", node("guide.md")),
  node("src", node("app", node("main.ts")), node("lib.ts")),
  node("readme.md"),
];
const shown = (...open: string[]) => visibleRows(roots, ({ id }) => open.includes(id));

test("rows carry level, place and number of siblings", () => {
  const rows = shown("src").map(({ node: { name }, level, position, siblings, expanded }) => [
    name,
    level,
    position,
    siblings,
    expanded,
  ]);
  assert.deepEqual(rows, [
    ["docs", 1, 1, 3, false],
    ["src", 1, 2, 3, true],
    ["app", 2, 1, 2, false],
    ["lib.ts", 2, 2, 2, undefined],
    ["readme.md", 1, 3, 3, undefined],
  ]);
});

test("arrows open, enter, close and leave", () => {
  const rows = shown("src");
  assert.deepEqual(actionOf(rows, 1, "ArrowRight", 10), { to: 2 });
  assert.deepEqual(actionOf(rows, 2, "ArrowRight", 10), { toggle: 2 });
  assert.deepEqual(actionOf(rows, 3, "ArrowRight", 10), null);
  assert.deepEqual(actionOf(rows, 3, "ArrowLeft", 10), { to: 1 });
  assert.deepEqual(actionOf(rows, 1, "ArrowLeft", 10), { toggle: 1 });
  assert.deepEqual(actionOf(rows, 0, "ArrowLeft", 10), { to: 0 });
  assert.deepEqual(
    [
      actionOf(rows, 4, "ArrowDown", 10),
      actionOf(rows, 0, "PageDown", 10),
      actionOf(rows, -1, "ArrowDown", 10),
      actionOf([], -1, "End", 10),
    ],
    [{ to: 4 }, { to: 4 }, { to: 0 }, null],
  );
});

test("typing finds the next row that starts so", () => {
  const rows = shown("src", "docs");
  assert.equal(rows[typeAhead(rows, 0, "s")]?.node.name, "src");
  assert.equal(rows[typeAhead(rows, 2, "RE")]?.node.name, "readme.md");
  assert.equal(typeAhead(rows, 0, "zz"), -1);
  assert.equal(typeAhead([], 0, "a"), -1);
});

test("a tree of ten thousand levels needs no stack", () => {
  let deep = node("leaf");
  for (let level = 0; level < 10_000; level += 1) deep = node(`n${level}`, deep);
  assert.equal(visibleRows([deep], () => true).length, 10_001);
});
