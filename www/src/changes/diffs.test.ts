import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutlineEntry } from "portolan";
import { changedLines, DiffError, filesOf, textsOf, touchedBy } from "./diffs.ts";

const before = "class A {\n  one() {\n    return 1;\n  }\n\n  two() {\n    return 2;\n  }\n}\n";
const after = "class A {\n  one() {\n    return 10;\n  }\n\n  two() {\n    log();\n    return 2;\n  }\n}\n";
const diff = `diff --git a/src/a.js b/src/a.js
index 1..2 100644
--- a/src/a.js
+++ b/src/a.js
@@ -2,7 +2,8 @@ class A {
   one() {
-    return 1;
+    return 10;
   }
 
   two() {
+    log();
     return 2;
   }
`;

const entry = (id: number, name: string, from: number, to: number, parent?: number): OutlineEntry => ({
  symbol: {
    id,
    name,
    qualified_name: name,
    kind: "method",
    language: "javascript",
    path: "src/a.js",
    line: from,
    start_line: from,
    end_line: to,
    name_range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    signature: "",
    doc: "",
    exported: false,
  },
  parent,
});
const outline = [entry(1, "A", 1, 9), entry(2, "one", 2, 4, 0), entry(3, "two", 6, 8, 0)];

test("a diff of git: paths without prefixes, lines with their numbers on both sides", () => {
  const [file] = filesOf(diff);
  assert.ok(file);
  assert.deepEqual([file.path, file.oldPath, file.hunks.length], ["src/a.js", "src/a.js", 1]);
  assert.deepEqual(
    file.hunks[0]?.lines
      .filter(({ sign }) => sign !== " ")
      .map(({ sign, oldNumber, newNumber }) => [sign, oldNumber, newNumber]),
    [
      ["-", 3, 0],
      ["+", 0, 3],
      ["+", 0, 7],
    ],
  );
});

test("a hunk touches the innermost definitions, on the side that the index has", () => {
  const hunk = filesOf(diff)[0]?.hunks[0];
  assert.ok(hunk);
  assert.deepEqual(changedLines(hunk, "old"), [
    [3, 4],
    [6, 7],
  ]);
  assert.deepEqual(
    touchedBy(hunk, outline, "old").map(({ name }) => name),
    ["one", "two"],
  );
  const outside = filesOf("--- a.js\n+++ a.js\n@@ -40,0 +41,1 @@\n+x\n")[0]?.hunks[0];
  assert.deepEqual(outside && touchedBy(outside, outline, "old"), []);
});

test("both texts come from the one that the index has; a diff that does not fit gives none", () => {
  const [file] = filesOf(diff);
  assert.ok(file);
  assert.deepEqual(textsOf(file, before, "old"), { before, after });
  assert.deepEqual(textsOf(file, after, "new"), { before, after });
  assert.equal(textsOf(file, "something else\n", "old"), null);
});

test("files that are added, deleted, renamed or binary", () => {
  const files = filesOf(`diff --git a/new.js b/new.js
new file mode 100644
--- /dev/null
+++ b/new.js
@@ -0,0 +1,1 @@
+x
\\ No newline at end of file
diff --git a/old.js b/old.js
deleted file mode 100644
--- a/old.js
+++ /dev/null
@@ -1,1 +0,0 @@
-x
diff --git a/b c.js b/d.js
similarity index 100%
rename from b c.js
rename to d.js
`);
  assert.deepEqual(
    files.map(({ path, oldPath, hunks }) => [path, oldPath, hunks[0]?.lines.length ?? 0]),
    [
      ["new.js", "new.js", 1],
      ["old.js", "old.js", 1],
      ["d.js", "b c.js", 0],
    ],
  );
});

test("a text that is no diff is refused in words", () => {
  for (const text of ["", "hello\nworld", "--- a\n+++ b\n@@ nonsense @@\n"])
    assert.throws(() => filesOf(text), DiffError, text);
});
