import assert from "node:assert/strict";
import { test } from "node:test";
import type { Thing } from "./picture.ts";
import { shrinkLargest } from "./scene.ts";

const disc = (r: number, label: string): Thing => ({ x: 0, y: 0, r, label, colour: "#123456" });

test("a disc that would hide the others is a core on a pale disc of its true size", () => {
  const things = [disc(1, "a"), disc(50, "all"), disc(2, "b"), disc(2, "c")];
  shrinkLargest(things);
  assert.deepEqual(
    things.map(({ r, label, isGround }) => [r, label, isGround === true]),
    [
      [1, "a", false],
      [8, "all", false],
      [2, "b", false],
      [2, "c", false],
      [50, "", true],
    ],
  );
});

test("discs of usual sizes stay as they are", () => {
  const things = [disc(1, "a"), disc(3, "b"), disc(4, "c")];
  shrinkLargest(things);
  assert.deepEqual(
    things.map(({ r }) => r),
    [1, 3, 4],
  );
});
