import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, blocksOf } from "./doc.ts";

const drawn = (blocks: readonly Block[]) =>
  blocks.map((block) => {
    if (block.kind === "code") return `code|${block.text}`;
    const text = block.spans.map(({ text, isCode }) => (isCode ? `<${text}>` : text)).join("");
    return block.kind === "tag" ? `@${block.tag}|${block.name}|${text}` : `${block.kind}|${text}`;
  });

test("paragraphs, code, lists and tags of a doc comment", () => {
  const doc = `Adds a \`route\`, see [the guide](https://example.com/a).
It goes on.

- first item
  that goes on
- second

\`\`\`js
  app.get("/")
    .then()
\`\`\`

@param {string} path - where it is
@param [options.size=3] the size
@returns {Route} the route`;
  assert.deepEqual(drawn(blocksOf(doc)), [
    "text|Adds a <route>, see the guide. It goes on.",
    "item|first item that goes on",
    "item|second",
    'code|app.get("/")\n  .then()',
    "@param|path|where it is",
    "@param|options.size|the size",
    "@returns||the route",
  ]);
});

test("headings of Rust, Python and Markdown", () => {
  assert.deepEqual(drawn(blocksOf("# Errors\n\nIf not.\n\nArgs:\n  size: how many\n:param x: the x")), [
    "heading|Errors",
    "text|If not.",
    "heading|Args",
    "text|size: how many",
    "@param|x|the x",
  ]);
});

test("markup stays text, and a hostile comment ends", () => {
  assert.deepEqual(drawn(blocksOf('<img src=x onerror="alert(1)"> [x](javascript:alert)')), [
    'text|<img src=x onerror="alert(1)"> x',
  ]);
  const start = performance.now();
  blocksOf(`${"[".repeat(20_000)}\n${"`".repeat(20_000)}\n${"**".repeat(20_000)}\n@param {${"{".repeat(20_000)}`);
  assert.ok(performance.now() - start < 10_000);
  assert.equal(blocksOf("- a\n".repeat(500)).length, 60);
});
