import assert from "node:assert/strict";
import { test } from "node:test";
import { coloursOf, textsOfLines } from "./colours.ts";
import { filesOf } from "./diffs.ts";

const diff = `--- a/src/a.ts
+++ b/src/b.ts
@@ -3,3 +3,3 @@
 keep
-old line
+new line
 end
`;

/** Marks the first three letters of every line that is not empty. */
const index = {
  highlights: async (_path: string, text = "") =>
    Uint32Array.from([...text.matchAll(/^\w{3}/gm)].flatMap(({ index: at }) => [at, at + 3, 0])),
};

test("lines have the colours of their version, at their number", async () => {
  const [file] = filesOf(diff);
  assert.ok(file);
  const texts = textsOfLines(file);
  assert.deepEqual(texts, { before: "\n\nkeep\nold line\nend", after: "\n\nkeep\nnew line\nend" });
  const colours = await coloursOf(index, file, texts);
  const parts = file.hunks[0]?.lines.map((line) => colours?.parts(line, line.text)?.map(({ text }) => text));
  assert.deepEqual(parts, [["kee", "p"], ["old", " line"], ["new", " line"], ["end"]]);
});

test("a line that the version does not have is left plain", async () => {
  const [file] = filesOf(diff);
  assert.ok(file);
  const colours = await coloursOf(index, file, { before: "other", after: "other" });
  assert.equal(colours?.parts({ sign: "-", text: "old line", oldNumber: 4, newNumber: 0 }, "old line"), null);
  assert.equal(await coloursOf(index, file, { before: "x".repeat(1_000_001), after: "" }), null);
});
