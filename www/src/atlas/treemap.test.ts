import assert from "node:assert/strict";
import { test } from "node:test";
import { squarify, treemap } from "./treemap.ts";

test("the example of the paper has its rows", () => {
  // Sizes 6, 6, 4, 3, 2, 2, 1 in a box of 6 by 4: the first row is a column of two.
  const places = squarify([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, w: 6, h: 4 });
  assert.deepEqual(places[0], { x: 0, y: 0, w: 3, h: 2 });
  assert.deepEqual(places[1], { x: 0, y: 2, w: 3, h: 2 });
  const area = places.reduce((sum, { w, h }) => sum + w * h, 0);
  assert.ok(Math.abs(area - 24) < 1e-9);
});

test("files lie within their folders and do not overlap", () => {
  const leaves = Array.from({ length: 200 }, (_, at) => ({
    path: `${at % 3 === 0 ? "src" : "tests/unit"}/d${at % 7}/f${at}.ts`,
    size: (at * 7919) % 400,
  }));
  const boxes = treemap(leaves, "", 900, 600);
  const files = boxes.filter(({ at }) => at >= 0);
  assert.ok(files.length > 150, String(files.length));
  for (const box of boxes) {
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.w <= 900.001 && box.y + box.h <= 600.001, box.path);
    const around = boxes.filter(({ at, path }) => at < 0 && box.path.startsWith(`${path}/`));
    for (const folder of around) assert.ok(box.x >= folder.x && box.x + box.w <= folder.x + folder.w + 0.001);
  }
  for (const [at, a] of files.entries())
    for (const b of files.slice(at + 1)) {
      const apart =
        a.x + a.w <= b.x + 1e-6 || b.x + b.w <= a.x + 1e-6 || a.y + a.h <= b.y + 1e-6 || b.y + b.h <= a.y + 1e-6;
      assert.ok(apart, `${a.path} ${b.path}`);
    }
});

test("folders with one entry are one box", () => {
  const boxes = treemap(
    [
      { path: "a/b/c/x.ts", size: 3 },
      { path: "y.ts", size: 1 },
    ],
    "",
    400,
    300,
  );
  assert.deepEqual(boxes.map(({ name, path, count }) => `${name} ${path} ${count}`).sort(), [
    "a/b/c a/b/c 1",
    "x.ts a/b/c/x.ts 1",
    "y.ts y.ts 1",
  ]);
});

test("nothing and an unknown folder have no boxes", () => {
  assert.deepEqual(treemap([], "", 100, 100), []);
  assert.deepEqual(treemap([{ path: "a.ts", size: 1 }], "src", 100, 100), []);
  assert.deepEqual(treemap([{ path: "a.ts", size: 1 }], "", 0, 0), []);
});
