import assert from "node:assert/strict";
import { test } from "node:test";
import { recentOf, withRecent, type Recent } from "./recent.ts";

const file = (path: string, repository = "shop"): Recent => ({ repository, path, symbol: "" });

test("the last one is first and there once", () => {
  let list: readonly Recent[] = [];
  for (const path of ["a", "b", "a"]) list = withRecent(list, file(path));
  assert.deepEqual(
    list.map(({ path }) => path),
    ["a", "b"],
  );
  for (let at = 0; at < 100; at += 1) list = withRecent(list, file(String(at)));
  assert.equal(list.length, 60);
});

test("only of the open repository, without the open file", () => {
  const list = [file("a"), file("b"), file("a", "other"), { ...file("a"), symbol: "a#x" }];
  assert.deepEqual(
    recentOf(list, "shop", "a").map(({ path, symbol }) => path + symbol),
    ["b", "aa#x"],
  );
});
