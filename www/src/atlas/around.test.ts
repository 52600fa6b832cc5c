import assert from "node:assert/strict";
import { test } from "node:test";
import type { SubgraphResponse } from "portolan";
import { grow, nothing, pictureOfGrown } from "./around.ts";

const page = { total: 0, offset: 0, truncated: false };
const node = (id: number) => ({
  id,
  name: `n${id}`,
  qualified_name: `n${id}`,
  kind: "function",
  path: "a.ts",
  line: id,
});
const edge = (source: number, target: number) => ({
  source,
  target,
  kind: "CALLS",
  use_line: 1,
  confidence: 1,
  reason: "import",
});
const answer = (nodes: number[], edges: [number, number][]): SubgraphResponse => ({
  nodes: nodes.map(node),
  nodes_page: page,
  edges: edges.map(([a, b]) => edge(a, b)),
  edges_page: page,
  complete: true,
});
const theme = { isDark: false, ink: "#000", ground: "#fff", line: "#999" };

test("what is there stays where it is when more comes", () => {
  const first = grow(
    nothing,
    1,
    answer(
      [1, 2, 3],
      [
        [1, 2],
        [1, 3],
      ],
    ),
  );
  const more = grow(
    first,
    2,
    answer(
      [1, 2, 4, 5],
      [
        [1, 2],
        [2, 4],
        [2, 5],
      ],
    ),
  );
  for (const id of [1, 2, 3]) assert.deepEqual(more.places.get(id), first.places.get(id));
  assert.equal(more.nodes.length, 5);
  assert.equal(more.edges.length, 4);
  assert.deepEqual([...more.opened], [1, 2]);
  assert.deepEqual(
    more,
    grow(
      first,
      2,
      answer(
        [1, 2, 4, 5],
        [
          [1, 2],
          [2, 4],
          [2, 5],
        ],
      ),
    ),
  );
});

test("a hundred neighbours do not overlap", () => {
  const ids = Array.from({ length: 101 }, (_, at) => at);
  const { places } = grow(
    nothing,
    0,
    answer(
      ids,
      ids.slice(1).map((id) => [0, id]),
    ),
  );
  const spots = [...places.values()];
  for (const [at, a] of spots.entries())
    for (const b of spots.slice(at + 1)) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) >= 42);
});

test("lines to nodes that are not there are not drawn", () => {
  const grown = grow(
    nothing,
    1,
    answer(
      [1, 2],
      [
        [1, 2],
        [1, 9],
      ],
    ),
  );
  assert.equal(pictureOfGrown(grown, () => "#123456", theme).lines.length, 1);
});
