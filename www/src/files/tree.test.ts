import assert from "node:assert/strict";
import { test } from "node:test";
import { fileTree, foldersOf, leavesOf, type FileNode } from "./tree.ts";

const files = (...paths: string[]) =>
  paths.map((path) => ({ path, language: "text", n_bytes: 1, n_lines: 1, n_symbols: 0 }));
const drawn = (nodes: readonly FileNode[], indent = ""): string =>
  nodes
    .map(
      (node) =>
        `${indent}${node.name}${node.branch ? "/" : node.leftOut && ` (${node.leftOut})`}\n${drawn(node.children, `${indent}  `)}`,
    )
    .join("");

test("folders first, numbers in order, lone folders in one row", () => {
  const tree = fileTree(
    files("readme.md", "src/main/java/App.java", "src/main/java/util/B.java", "a10.ts", "a9.ts", "Docs/x.md"),
  );
  assert.equal(
    drawn(tree),
    "Docs/\n  x.md\nsrc/main/java/\n  util/\n    B.java\n  App.java\na9.ts\na10.ts\nreadme.md\n",
  );
});

test("every file is in the tree once, under its own folders", () => {
  const paths = ["a/b/c/d.ts", "a/b/e.ts", "a/f/g/h.ts", "z.ts", "a/B/e.ts"];
  const tree = fileTree(files(...paths));
  const found: string[] = [];
  const pending = [...tree];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.entry) found.push(node.id);
    pending.push(...node.children);
  }
  assert.deepEqual(found.sort(), [...paths].sort());
  assert.deepEqual(foldersOf(tree, "a/f/g/h.ts"), ["a", "a/f/g"]);
  assert.deepEqual(foldersOf(tree, "z.ts"), []);
});

test("a hundred thousand files cost only what is seen", () => {
  const many = files(...Array.from({ length: 100_000 }, (_, at) => `packages/p${at % 300}/src/f${at}.ts`));
  const start = performance.now();
  const [packages] = fileTree(many);
  assert.equal(packages?.nFiles, 100_000);
  const millis = performance.now() - start;
  assert.ok(millis < 500, `${millis} ms`);
  assert.equal(packages?.children.length, 300);
  assert.equal(packages?.children[0]?.name, "p0/src");
});

test("files that were left out are in the tree with their reason, under paths that stay inside", () => {
  const indexed = files("src/a.ts");
  const left = leavesOf(
    [
      { path: "src/logo.png", code: "binary", message: "it is not text" },
      { path: "node_modules/", code: "ignored", message: "" },
      { path: "../outside", code: "unsafe-path", message: "it leads outside" },
      { path: "x//y", code: "binary", message: "" },
      { path: "src/a.ts", code: "duplicate-path", message: "it is there twice" },
    ],
    indexed,
  );
  const tree = fileTree([...indexed, ...left]);
  assert.equal(drawn(tree), "src/\n  a.ts\n  logo.png (it is not text)\nnode_modules (ignored)\n");
  assert.equal(tree[0]?.nFiles, 1);
  assert.deepEqual(foldersOf(tree, "src/logo.png"), ["src"]);
});

test("a folder whose files were all left out says how many and why", () => {
  const left = (path: string, leftOut: string) => ({ path, leftOut });
  const [logos, source] = fileTree([
    ...files("src/a.ts"),
    left("src/b.bin", "binary"),
    left("logos/a.png", "binary"),
    left("logos/b.png", "binary"),
    left("logos/c.svg", "too large"),
  ]);
  assert.deepEqual([logos?.nFiles, logos?.nLeftOut, logos?.leftOut], [0, 3, "binary (2 files), too large"]);
  assert.deepEqual([source?.nFiles, source?.nLeftOut, source?.leftOut], [1, 1, ""]);
});
