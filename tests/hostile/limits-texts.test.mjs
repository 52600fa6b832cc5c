// Texts of a repository and of language models as documents and answers: no markup of them counts, and reading them takes no time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Marked } from "marked";

import { ModelChain } from "../../pkg/dist/chat/chain.js";
import { piecesOf, Places } from "../../pkg/dist/chat/citations.js";
import { sentenceOf, sentencesOf } from "../../pkg/dist/generate/fill.js";
import { markdownOf } from "../../pkg/dist/generate/markdown.js";
import { fastClock } from "../../pkg/test/chat-fake.mjs";

const ATTACKS = [
  "see https://evil.example/?q=1 and http://evil.example, ftp://evil.example",
  "www.evil.example",
  "HTTPS://EVIL.example",
  "[x](https://evil.example)",
  "![x](https://evil.example/x.png)",
  "<https://evil.example>",
  "<img src=https://evil.example onerror=alert(1)>",
  "</p><script>alert(1)</script>",
  "\\<script>alert(1)</script>",
  "javascript&colon;alert(1) &#106;avascript",
  "`</code><img src=x>",
  "# title\n\n## another",
  "a\n\n[b]: https://evil.example\n\n[b]",
  "x | y | [z](https://evil.example) |",
  "- [ ] task\n1. one",
  "\u202e\u001b[31m",
];

test("no text of a repository becomes a link, an image or HTML of a document", () => {
  const at = { path: "src/it's (a) [b].ts", line: 3, holds: { file: true } };
  const blocks = ATTACKS.flatMap((text) => [
    { kind: "paragraph", sentences: [[text], [{ words: text, at }], [{ code: text, at }]] },
    { kind: "list", items: [[text], [{ code: text }]] },
    { kind: "table", head: [text, "b"], rows: [[[text], [{ code: text, at }]]] },
    { kind: "quote", text, at: { ...at, path: text.replaceAll("\n", " ") } },
    { kind: "note", text },
  ]);
  const sections = blocks.map((block, n) => ({
    id: String(n),
    title: ATTACKS[n % ATTACKS.length],
    level: 2,
    blocks: [block],
  }));
  const markdown = markdownOf({ kind: "guide", title: ATTACKS[0], n_dropped: 0, sections });
  const html = new Marked({ gfm: true, async: false }).parse(markdown);
  const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
  assert.ok(links.length > 50);
  for (const href of links) assert.match(href, /^\.\//, `${href} leads elsewhere`);
  assert.deepEqual(html.match(/<(?:img|script|input|style|svg|iframe)[\s>]/gi) ?? [], []);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in it
  assert.doesNotMatch(html, /[\u001b\u202e]/);
  const n_headings = html.match(/<h[1-6]/g).length;
  assert.equal(n_headings, sections.length + 1);
});

const quick = (name, limit, work) => {
  const started = performance.now();
  work();
  assert.ok(performance.now() - started < limit, `${name}: ${performance.now() - started} ms`);
};

test("what a model writes is read as fast as it is written", () => {
  const n = 20_000;
  for (const piece of ["``", "[`a`", "[", "](", "[a](", "`", "“", "[\\", "[``](", "**", "【a", "[a.ts:1,"]) {
    const text = `[${piece.repeat(n / piece.length)}`;
    quick(`sentences of ${piece}`, 2_000, () => sentencesOf(text));
    quick(`a sentence of ${piece}`, 2_000, () => sentenceOf(text, new Map()));
    quick(`places in ${piece}`, 2_000, () => piecesOf(text, new Places([])));
  }
});

test("an answer without end is given up, and so are calls without end", async () => {
  const endless = (part) => ({
    name: "endless",
    host: "model.example",
    canCall: true,
    async *stream() {
      for (;;) yield part;
    },
  });
  const call = (input) => ({ type: "call", call: { id: "1", name: "search_codebase", input } });
  for (const part of [{ type: "text", text: "x".repeat(1_000) }, call({}), call({ query: "x".repeat(100_000) })]) {
    const chain = new ModelChain([endless(part)], { clock: fastClock(0) });
    const request = { messages: [], tools: [], signal: AbortSignal.timeout(20_000) };
    const all = async () => {
      for await (const event of chain.ask(request)) assert.ok(event);
    };
    await assert.rejects(all(), { code: "chat.too-long" });
  }
});
