import assert from "node:assert/strict";
import { test } from "node:test";
import { imageType, readmeAmong, targetOf } from "./links.ts";

const table: [string, string, unknown][] = [
  ["src/tax.ts", "README.md", { kind: "file", path: "src/tax.ts" }],
  ["./a%20b.png?raw=true#x", "README.md", { kind: "file", path: "a b.png" }],
  ["../logo.png", "docs/README.md", { kind: "file", path: "logo.png" }],
  ["/docs/a.md", "docs/deep/README.md", { kind: "file", path: "docs/a.md" }],
  ["../../etc/passwd", "docs/README.md", { kind: "none" }],
  ["#install", "README.md", { kind: "place", id: "install" }],
  ["https://example.org/a", "README.md", { kind: "elsewhere", url: "https://example.org/a" }],
  ["//example.org/a", "README.md", { kind: "elsewhere", url: "https://example.org/a" }],
  ["javascript:alert(1)", "README.md", { kind: "none" }],
  ["data:text/html,x", "README.md", { kind: "none" }],
  ["JaVaScRiPt:alert(1)", "README.md", { kind: "none" }],
  ["vbscript:x", "README.md", { kind: "none" }],
  ["blob:https://a/b", "README.md", { kind: "none" }],
  ["", "README.md", { kind: "none" }],
];

for (const [address, path, expected] of table)
  test(`${JSON.stringify(address)} in ${path}`, () => assert.deepEqual(targetOf(address, path), expected));

test("the README is in the top folder, Markdown before others", () => {
  assert.equal(readmeAmong(["docs/README.md", "readme.rst", "Readme.md", "README"]), "Readme.md");
  assert.equal(readmeAmong(["docs/README.md"]), undefined);
});

test("images are known by their endings", () => {
  assert.equal(imageType("a/b.SVG"), "image/svg+xml");
  assert.equal(imageType("a.html"), undefined);
});
