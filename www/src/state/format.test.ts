import assert from "node:assert/strict";
import { test } from "node:test";
import { age, shortAge, bytes, plural, splitPath } from "./format.ts";

test("sizes keep two digits and the next unit starts in time", () => {
  const cases: [number, string][] = [
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 kB"],
    [9_940, "9.9 kB"],
    [9_960, "10 kB"],
    [999_499, "999 kB"],
    [999_600, "1.0 MB"],
    [2.5e9, "2.5 GB"],
    [7e13, "70000 GB"],
  ];
  for (const [n, text] of cases) assert.equal(bytes(n), text);
});

test("ages in the unit a person would choose", () => {
  const now = 1_700_000_000_000;
  const ago = (seconds: number) => age(now - seconds * 1000, now);
  assert.deepEqual(
    [ago(0), ago(59), ago(60), ago(7200), ago(86400), ago(90 * 86400), ago(800 * 86400)],
    ["just now", "just now", "1 minute ago", "2 hours ago", "yesterday", "2 months ago", "2 years ago"],
  );
  assert.equal(age(0, now), "");
  assert.equal(age(Number.NaN, now), "");
});

test("plurals and paths", () => {
  assert.deepEqual(
    [plural(1, "file"), plural(1200, "file"), plural(0, "match", "matches")],
    ["1 file", "1,200 files", "0 matches"],
  );
  assert.deepEqual(
    [splitPath("a/b.ts"), splitPath("b.ts"), splitPath("")],
    [
      ["a/", "b.ts"],
      ["", "b.ts"],
      ["", ""],
    ],
  );
});

test("short ages for the margin of the code", () => {
  const day = 86_400_000;
  assert.deepEqual(
    [0, 5 * 60_000, 3 * 3_600_000, 12 * day, 220 * day, 800 * day].map((ago) => shortAge(1e12 - ago, 1e12)),
    ["0 min", "5 min", "3 h", "12 d", "7 mo", "2 y"],
  );
});
