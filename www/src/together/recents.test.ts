import assert from "node:assert/strict";
import { test } from "node:test";
import { nameProblem } from "./recents.ts";

test("a name must be there and be free; its own name is", () => {
  const entries = [{ name: "hono" }, { name: "express" }];
  assert.equal(nameProblem("hono 2", "hono", entries), "");
  assert.equal(nameProblem("hono", "hono", entries), "");
  assert.match(nameProblem("express", "hono", entries), /called express already/);
  assert.match(nameProblem("  ", "hono", entries), /needs a name/);
});
