import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changed,
  decodeLink,
  emptyLink,
  encodeLink,
  type Link,
  maxDepth,
  parseLines,
  type QueryMode,
  views,
} from "./link.ts";

test("a link reads as a person would write it", () => {
  const link = {
    ...emptyLink,
    repository: "hono",
    path: "src/a b/router.ts",
    lines: { from: 10, to: 20 },
    query: "match path",
    symbol: "src/router.ts#Router.add",
  };
  assert.equal(encodeLink(link), "#/f/src/a+b/router.ts?r=hono&L=10-20&q=match+path&sym=src/router.ts%23Router.add");
  assert.equal(encodeLink(emptyLink), "#/");
});

test("decode(encode(link)) is the link, for any text in it", () => {
  const random = generator(20261121);
  for (let round = 0; round < 5000; round += 1) {
    const link = randomLink(random);
    assert.deepEqual(decodeLink(encodeLink(link)), link, encodeLink(link));
  }
});

test("a hash survives the browser's own URL parser", () => {
  const random = generator(7);
  for (let round = 0; round < 1000; round += 1) {
    const link = randomLink(random);
    assert.deepEqual(decodeLink(new URL(encodeLink(link), "https://example.org/x/").hash), link);
  }
});

test("what cannot be read has its default, and nothing throws", () => {
  for (const hash of ["", "#", "#/", "#/nonsense", "#/?d=99&m=magic&L=0-4&=3&q", "#?%"])
    assert.deepEqual(decodeLink(hash), emptyLink, hash);
  assert.equal(decodeLink("#/f/50%?q=100%").path, "50%");
  const random = generator(3);
  for (let round = 0; round < 2000; round += 1) decodeLink(`#${randomText(random)}`);
});

test("another view is asked anew; the same one keeps what it was asked", () => {
  const link = { ...emptyLink, view: "impact" as const, args: { of: "add" } };
  assert.equal(encodeLink(link), "#/?v=impact&a.of=add");
  assert.deepEqual(changed(link, { view: "flows" }).args, {});
  assert.deepEqual(changed(link, { path: "a.ts" }).args, { of: "add" });
  assert.deepEqual(changed(link, { view: "impact" }).args, { of: "add" });
  assert.deepEqual(changed(link, { view: "rename", args: { to: "b" } }).args, { to: "b" });
  assert.deepEqual(decodeLink("#/?v=impact&a.=1&a.X=2&a.__proto__=3&v=impact").args, {});
});

test("two panes are two files of one repository", () => {
  const split = {
    ...emptyLink,
    repository: "r",
    path: "a.ts",
    beside: { path: "b.ts", lines: { from: 3, to: 4 } },
    onRight: true,
  };
  assert.equal(encodeLink(split), "#/f/a.ts?r=r&b=b.ts&bL=3-4&p=2");
  assert.deepEqual(changed(split, { path: "c.ts" }).beside, split.beside);
  assert.deepEqual(changed(split, { path: "" }), { ...split, path: "", beside: null, onRight: false });
  assert.equal(changed(split, { repository: "other" }).beside, null);
  assert.equal(changed(split, { beside: null }).onRight, false);
  assert.deepEqual(decodeLink("#/?r=r&b=b.ts&p=2"), { ...emptyLink, repository: "r" });
});

test("lines in both orders, with and without the letter", () => {
  assert.deepEqual(parseLines("L20-L10"), { from: 10, to: 20 });
  assert.deepEqual(parseLines("7"), { from: 7, to: 7 });
  for (const text of ["", "0", "-3", "1-", "1.5", "1e3"]) assert.equal(parseLines(text), null, text);
});

type Random = (below: number) => number;

/** Numbers that repeat: mulberry32, by its published constants. */
function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function randomLink(random: Random): Link {
  const from = 1 + random(9999);
  const path = randomText(random);
  return {
    repository: randomText(random),
    path,
    ...randomPanes(random, path),
    lines: random(2) ? { from, to: from + random(50) } : null,
    query: randomText(random),
    mode: (["auto", "lexical", "vector", "hybrid", "regex", "form"] as QueryMode[])[random(6)] ?? "auto",
    ignoreCase: random(2) === 1,
    wholeWord: random(2) === 1,
    within: randomText(random),
    language: randomText(random),
    kind: randomText(random),
    ...randomView(random),
    symbol: randomText(random),
    depth: 1 + random(maxDepth),
  };
}

function randomPanes(random: Random, path: string): Pick<Link, "beside" | "onRight"> {
  const other = randomText(random);
  if (path === "" || other === "" || random(2) === 0) return { beside: null, onRight: false };
  const from = 1 + random(999);
  return { beside: { path: other, lines: random(2) ? { from, to: from } : null }, onRight: random(2) === 1 };
}

function randomView(random: Random): Pick<Link, "view" | "args"> {
  const view = views[random(views.length * 2)];
  if (view === undefined) return { view: "", args: {} };
  const args = ["of", "depth", "q"].map((name) => [name, randomText(random)] as const);
  return { view, args: Object.fromEntries(args.filter(([, value]) => value !== "")) };
}

function randomText(random: Random): string {
  const pieces = [
    "a",
    "Z",
    "9",
    "/",
    "?",
    "#",
    "&",
    "=",
    "+",
    " ",
    "%",
    "%2F",
    "ü",
    "𝒳",
    "漢",
    "\\",
    '"',
    "<",
    "'",
    ".",
    ":",
    "\u0000",
    "\n",
    "(",
    "*",
  ];
  let text = "";
  for (let left = random(9); left > 0; left -= 1) text += pieces[random(pieces.length)];
  return text;
}

test("a repository on another host is the beginning of its link", () => {
  const link = { ...emptyLink, repository: "github/acme/shop@v1", path: "src/f/a.ts", lines: { from: 10, to: 10 } };
  assert.equal(encodeLink(link), "#/github/acme/shop%40v1/f/src/f/a.ts?L=10");
  assert.deepEqual(decodeLink(encodeLink(link)), link);
  assert.deepEqual(decodeLink("#/github/owner/repo/f/src/a.ts?L=10"), {
    ...emptyLink,
    repository: "github/owner/repo",
    path: "src/a.ts",
    lines: { from: 10, to: 10 },
  });
  assert.deepEqual(decodeLink("#/npm/@acme/shop@1.0.0"), { ...emptyLink, repository: "npm/@acme/shop@1.0.0" });
  const odd = { ...emptyLink, repository: "gitlab/a/f/b", path: "x.ts" };
  assert.deepEqual(decodeLink(encodeLink(odd)), odd);
  assert.deepEqual(decodeLink("#/github/"), emptyLink);
});
