import assert from "node:assert/strict";
import { test } from "node:test";
import { byPart, partOf } from "./product.ts";

test("tests, examples and documents are told from product code by their paths", () => {
  for (const path of ["lib/route.js", "src/main/java/App.java", "src/latest.ts", "contest/run.py", "src/spectrum.rs"])
    assert.equal(partOf(path), "product", path);
  for (const path of [
    "test/route.test.js",
    "src/a.spec.ts",
    "pkg/x_test.go",
    "tests/unit/a.py",
    "a/test_b.py",
    "src/test/java/AppTest.java",
    "app/FooTest.kt",
    "packages/a/__tests__/b.js",
  ])
    assert.equal(partOf(path), "tests", path);
  for (const path of ["examples/hello.js", "README.md", "benchmarks/a.js", "docs/guide.ts"])
    assert.equal(partOf(path), "examples", path);
});

test("product code comes first and the order within a part stays", () => {
  const groups = byPart(["test/a.js", "lib/b.js", "docs/c.md", "lib/a.js"], (path) => path);
  assert.deepEqual(
    groups.map(({ id, items }) => [id, items]),
    [
      ["product", ["lib/b.js", "lib/a.js"]],
      ["tests", ["test/a.js"]],
      ["examples", ["docs/c.md"]],
    ],
  );
  assert.deepEqual(byPart([], String), []);
});
