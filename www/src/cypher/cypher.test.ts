import assert from "node:assert/strict";
import { test } from "node:test";
import type { CypherNode, CypherValue } from "portolan";
import { layout } from "./layers.ts";
import { csvOf, graphOf, jsonOf, textOf } from "./results.ts";

const node = (id: number, name: string): CypherNode => ({
  id,
  label: "Function",
  name,
  qualified_name: `A.${name}`,
  path: "a.ts",
  line: id,
});
const calls = (source: number, target: number) => ({
  type: "CALLS",
  source,
  target,
  confidence: 1,
  reason: "import",
  line: 1,
});

test("values in one line, whatever they are", () => {
  const path = { nodes: [node(1, "a"), node(2, "b")], relationships: [calls(1, 2)] };
  const values: [CypherValue, string][] = [
    [undefined, ""],
    [0.5, "0.5"],
    [false, "false"],
    [node(1, "a"), "A.a"],
    [calls(1, 2), "CALLS"],
    [path, "a → b"],
    [["x", [1]], "x, 1"],
    [{ k: 1 }, '{"k":1}'],
  ];
  for (const [value, text] of values) assert.equal(textOf(value), text);
});

test("each node and edge of the rows is drawn once; an edge without its node still has an end", () => {
  const rows: CypherValue[][] = [[node(1, "a"), calls(1, 2)], [node(1, "a"), calls(1, 2)], [[calls(2, 9)]]];
  const graph = graphOf(rows);
  assert.deepEqual(
    graph.nodes.map(({ id, name }) => [id, name]),
    [
      [1, "a"],
      [2, "#2"],
      [9, "#9"],
    ],
  );
  assert.equal(graph.edges.length, 2);
  const cut = graphOf(rows, 2);
  assert.deepEqual([cut.nodes.length, cut.edges.length, cut.n_left], [2, 1, 1]);
});

test("CSV quotes, and a formula stays text; JSON has null for what is missing", () => {
  assert.equal(
    csvOf(
      ["a", "b"],
      [
        ['x,"y"\n', "=cmd()"],
        [-3, "-x"],
      ],
    ),
    'a,b\r\n"x,""y""\n",\'=cmd()\r\n-3,\'-x\r\n',
  );
  assert.deepEqual(JSON.parse(jsonOf(["a", "b"], [[1, undefined]])), [{ a: 1, b: null }]);
});

test("edges lead to the right, a cycle has a layout too, and no two boxes share a place", () => {
  const nodes = [4, 1, 2, 3, 5].map((id) => ({ id, name: String(id), node: undefined }));
  const edge = (source: number, target: number) => ({ source, target, type: "CALLS" });
  const edges = [edge(1, 2), edge(2, 3), edge(1, 3), edge(3, 1), edge(4, 3), edge(5, 5)];
  const { places, width, height } = layout({ nodes, edges });
  const x = (id: number) => places.get(id)?.x ?? Number.NaN;
  assert.ok(x(4) < x(3));
  assert.ok(x(1) < x(2) || x(3) < x(1), "at most one edge of the cycle leads back");
  assert.equal(new Set([...places.values()].map((place) => `${place.x} ${place.y}`)).size, 5);
  assert.ok(width > 0 && height > 0);
  assert.deepEqual([...layout({ nodes, edges }).places], [...places]);
  assert.deepEqual(layout({ nodes: [], edges: [] }), { places: new Map(), width: 0, height: 0 });
});

test("a chain of thousands has a layout", () => {
  const nodes = Array.from({ length: 5000 }, (_, id) => ({ id, name: String(id), node: undefined }));
  const edges = nodes.slice(1).map(({ id }) => ({ source: id - 1, target: id, type: "CALLS" }));
  assert.equal(layout({ nodes, edges }).places.size, 5000);
});
