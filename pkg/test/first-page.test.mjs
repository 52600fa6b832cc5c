// The first page of a built site: its content without scripts; nothing of a repository becomes markup.
import assert from "node:assert/strict";
import { test } from "node:test";

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";

import { cardOf, html, withContent, withHead } from "../dist/cli/first-page.js";
import { givenCard, siteUrl } from "../dist/cli/site-card.js";

const hostile = '"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e $& ';
const plain = {
  name: "shop",
  description: "Adds tax to orders.",
  readme: "# Shop\n\nA **shop** with [docs](https://example.org/).\n\n```sh\nnpm test\n```\n",
  paths: ["src/tax.ts", "README.md"],
  figures: [
    ["files", 2],
    ["definitions", 1234],
  ],
  languages: [
    ["typescript", 1],
    ["markdown", 1],
  ],
};
const page = `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'" /><title>Portolan</title>
<meta name="description" content="Index a repository" /></head><body><div id="app"></div></body></html>`;
const built = (first) => withContent(withHead(page, first, cardOf(first)), first);

test("title, description, README, files and figures are in the page", () => {
  const text = built(plain);
  assert.match(text, /<title>shop: code explorer<\/title>/);
  assert.match(text, /<meta name="description" content="Adds tax to orders\. \(2 files\)" \/>/);
  assert.match(text, /<meta property="og:image" content="card\.svg" \/>/);
  assert.match(text, /<meta name="portolan-index" content="shop" \/>/);
  assert.match(text, /<h3>Shop<\/h3>\n\s*<p>A shop with docs\.<\/p>\n\s*<pre>npm test<\/pre>/);
  assert.match(text, /<a href="#\/f\/src\/tax\.ts\?r=shop">src\/tax\.ts<\/a>/);
  assert.match(text, /2 files, 1,234 definitions; typescript, markdown\./);
  assert.ok(text.indexOf('id="first"') < text.indexOf('id="app"'));
  assert.equal(text.match(/Content-Security-Policy/g).length, 1);
});

test("hostile names, texts and paths stay text", () => {
  const first = {
    ...plain,
    name: hostile,
    description: hostile,
    readme: `${hostile}\n\n# ${hostile}\n\n\`\`\`\n${hostile}\n\`\`\`\n\n<svg onload=alert(3)>`,
    paths: [hostile, "javascript:alert(1)"],
    languages: [[hostile, 1]],
  };
  for (const text of [built(first), cardOf(first).bytes]) {
    assert.doesNotMatch(text, /<script|<img|<svg onload|\u202e|href="javascript/i);
    assert.doesNotMatch(text, /="[^"]*"[^\s/>?][^>]*onerror=/);
  }
  const tags = [...built(first).matchAll(/<([a-z0-9]+)/gi)].map(([, tag]) => tag);
  const known = "html head meta title body div main style h1 h2 h3 p pre ul li a".split(" ");
  assert.deepEqual(
    tags.filter((tag) => !known.includes(tag)),
    [],
  );
});

test("a long list of files is cut, and says so", () => {
  const text = built({ ...plain, paths: Array.from({ length: 1000 }, (_, at) => `src/${at}.ts`) });
  assert.equal(text.match(/<li>/g).length, 400);
  assert.match(text, /And 600 more\./);
});

test("the card is a picture with the name, whose bars fill the line", () => {
  const { bytes: card } = cardOf(plain);
  assert.match(card, /^<svg xmlns=.*viewBox="0 0 1200 630"/);
  assert.match(card, />shop<\/text>/);
  const widths = [...card.matchAll(/height="16"/g)].length;
  assert.equal(widths, 2);
});

test("text is safe in attributes, too", () => {
  assert.equal(html(`<a b="c" d='e'>&\u0000`), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\\u0000");
});

test("with its address the page names its picture by its whole address", () => {
  const text = withHead(page, { ...plain, address: "https://shop.example/code/" }, cardOf(plain));
  assert.match(text, /<meta property="og:image" content="https:\/\/shop\.example\/code\/card\.svg" \/>/);
  assert.match(text, /<meta property="og:url" content="https:\/\/shop\.example\/code\/" \/>/);
  assert.match(text, /<link rel="canonical" href="https:\/\/shop\.example\/code\/" \/>/);
  assert.doesNotMatch(built(plain), /canonical|og:url/);
});

test("the address of a page ends with a slash; other texts are refused", () => {
  assert.equal(siteUrl("https://shop.example/code"), "https://shop.example/code/");
  assert.equal(siteUrl(undefined), undefined);
  for (const given of ["shop.example", "javascript:alert(1)", "https://a@shop.example/", "https://shop.example/?a=1"])
    assert.throws(() => siteUrl(given), /--site-url expects an address/, given);
});

/** A PNG of one colour, without its checksums, which nobody reads here. */
function png(width, height) {
  const piece = (name, body) => Buffer.concat([sized(body.length), Buffer.from(name), body, Buffer.alloc(4)]);
  const sized = (n) => Buffer.from([n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]);
  const head = Buffer.concat([sized(width), sized(height), Buffer.from([8, 0, 0, 0, 0])]);
  const body = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    piece("IHDR", head),
    piece("IDAT", body),
    piece("IEND", Buffer.alloc(0)),
  ]);
}

test("a picture is taken by its first bytes, not by its name", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "portolan-card-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const at = (bytes) => {
    writeFileSync(join(folder, "picture"), bytes);
    return join(folder, "picture");
  };
  const { file, size } = givenCard(at(png(1200, 630)));
  assert.deepEqual([file, size], ["card.png", [1200, 630]]);
  assert.equal(givenCard(at(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).file, "card.jpg");
  assert.equal(givenCard(at(Buffer.from("RIFF....WEBP"))).file, "card.webp");
  assert.throws(() => givenCard(at("<svg><script>alert(1)</script></svg>")), {
    code: "input.unreadable",
    message: /is no PNG, JPEG or WebP/,
  });
  assert.throws(() => givenCard(join(folder, "gone")), { code: "input.unreadable" });
});
