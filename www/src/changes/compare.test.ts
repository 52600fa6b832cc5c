import assert from "node:assert/strict";
import { test } from "node:test";
import { diffOf } from "./diff-of.ts";
import { filesOf, textsOf } from "./diffs.ts";

test("two folders become a diff that gives both texts back", async () => {
  const sides = [
    { path: "src/a b.js", before: "one\ntwo\n", after: "one\n2\n" },
    { path: "gone.js", before: "x\n", after: undefined },
    { path: "new.js", before: undefined, after: "y\nz" },
  ];
  const files = filesOf(await diffOf(sides));
  assert.deepEqual(
    files.map(({ path, hunks }) => [path, hunks.length]),
    [
      ["src/a b.js", 1],
      ["gone.js", 1],
      ["new.js", 1],
    ],
  );
  for (const [at, file] of files.entries()) {
    const { before = "", after = "" } = sides[at] as { before?: string; after?: string };
    assert.deepEqual(textsOf(file, before, "old"), { before, after }, file.path);
  }
});
