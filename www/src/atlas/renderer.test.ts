import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestOf } from "./renderer.ts";

const disc = (x: number, r: number, isGround = false) => ({ x, y: 0, r, label: "", colour: "#000000", isGround });
const pictureOf = (...things: ReturnType<typeof disc>[]) => ({
  title: "",
  things,
  lines: [],
  ink: "#000000",
  ground: "#ffffff",
});

test("the nearest view shows the smallest disc in half of its height", () => {
  const nearest = nearestOf(pictureOf(disc(0, 50), disc(80, 2)));
  // 100 high, with a margin of 3 % of the width on both sides.
  assert.ok(nearest > 0.07 && nearest < 0.08, String(nearest));
});

test("grounds and an empty picture set no bound", () => {
  assert.equal(nearestOf(pictureOf()), 1);
  assert.equal(nearestOf(pictureOf(disc(0, 50), disc(0, 1, true))), 1);
});
