import assert from "node:assert/strict";
import { test } from "node:test";
import { Marked } from "marked";
import { tokensOf } from "./lexer.ts";

const marked = new Marked({ gfm: true, async: false });
const drawn = (text: string) => marked.parser(tokensOf(text, marked.defaults));

test("usual texts are read as marked reads them", () => {
  const text =
    "# Shop\n\n> a *quote*\n> - of `a` list\n>   1. [within](b.md)\n\n| a | b |\n|---|---|\n| **1** | ~~2~~ |\n\n" +
    "<details><summary>x</summary>\n\n![y](z.png)\n\n</details>\n\n[r]: https://example.org\n\nSee [r], https://example.org.\n".repeat(
      20,
    );
  assert.equal(drawn(text), marked.parse(text));
});

test("quotes and lists without end are text from a depth on", () => {
  for (const text of [">".repeat(100_000), "> - ".repeat(20_000), "1. ".repeat(20_000)]) {
    const html = drawn(text);
    assert.ok((html.match(/<(blockquote|ul|ol)/g) ?? []).length <= 20);
  }
});

test("paragraphs that are slow to read are text, and markup in them is none", () => {
  const started = performance.now();
  for (const piece of ["_a_b", "**a*", "[", "[a](", "![", "~~a", "a**b", "<a ", "*a "]) {
    const html = drawn(`${piece.repeat(250_000)}<img src=x onerror=alert(1)>`);
    assert.ok(!/<img src=x/.test(html), piece);
  }
  assert.match(drawn("_a_b".repeat(2_000)), /_a_b/);
  // Each of them alone takes minutes otherwise.
  assert.ok(performance.now() - started < 40_000, `${performance.now() - started} ms`);
});
