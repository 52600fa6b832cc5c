import assert from "node:assert/strict";
import { test } from "node:test";
import { askedOf, requestOf, withArgs } from "./asked.ts";

test("a link without arguments shows the boxes of all files by language", () => {
  const asked = askedOf({});
  assert.deepEqual([asked.form, asked.by, asked.level, asked.sure], ["boxes", "language", "areas", 0]);
  const request = requestOf(asked, ["src"]);
  assert.deepEqual([request.level, request.paths, request.max_edges], ["files", ["src"], 0]);
});

test("a link that makes no sense has the defaults", () => {
  const asked = askedOf({ as: "hairball", by: "mood", level: "atoms", sure: "1e9", kinds: "CALLS,EATS" });
  assert.deepEqual(asked, { ...askedOf({}), kinds: ["CALLS"] });
});

test("an area shows its files, a file its symbols", () => {
  assert.equal(askedOf({ as: "graph", area: "Routing" }).level, "files");
  const inside = requestOf(askedOf({ as: "graph", area: "Routing", file: "src/[id].ts", sure: "90" }), ["docs"]);
  assert.equal(inside.level, "symbols");
  assert.deepEqual(inside.paths, ["/src/[[]id[]].ts"]);
  assert.equal(inside.min_confidence, 0.9);
});

test("an argument that becomes empty leaves the link", () => {
  assert.deepEqual(withArgs({ as: "graph", area: "x" }, { area: "", by: "tests" }), { as: "graph", by: "tests" });
});
