import assert from "node:assert/strict";
import { test } from "node:test";
import { blameOf } from "./blame.ts";

const commit = (id: string, authored: number) => ({
  id,
  subject: id,
  author: "Ada",
  authored,
  path: "a.ts",
  is_boundary: false,
});
const commits = [commit("new", 300), commit("middle", 200), commit("old", 100)];
const blamed = { commits, lines: [2, 0, 1], text: "one\ntwo\nthree\n" };

test("lines of the committed text have their commits, whatever its line ends are", () => {
  assert.deepEqual(blameOf(blamed, "one\ntwo\nthree\n").lines, [2, 0, 1]);
  assert.deepEqual(blameOf({ ...blamed, text: "\uFEFFone\r\ntwo\r\nthree\r\n" }, "one\ntwo\nthree\n").lines, [2, 0, 1]);
});

test("lines that were not committed have none, and those after them keep theirs", () => {
  assert.deepEqual(blameOf(blamed, "one\nfresh\ntwo\nthree\nlast\n").lines, [2, -1, 0, 1, -1]);
  assert.deepEqual(blameOf(blamed, "two\nthree\n").lines, [0, 1]);
});

test("shades go by rank, from the newest to the oldest", () => {
  assert.deepEqual(blameOf(blamed, blamed.text).steps, [0, 1, 3]);
  assert.deepEqual(blameOf({ ...blamed, commits: [commit("one", 5)] }, "one\n").steps, [0]);
});
