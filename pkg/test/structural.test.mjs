// Structural search, regular expressions with their limits, the map: in an index made here and in a snapshot that was opened.
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { Portolan } from "portolan";

import { codeOf, folderWith, SHOP } from "./fixture.mjs";

let made;
let opened;
before(async () => {
  made = await Portolan.index(folderWith(SHOP), { name: "shop" });
  await made.complete;
  opened = await Portolan.open(await made.save());
});

const places = ({ matches }) =>
  matches.map(({ path, start_line, text }) => `${path}:${start_line} ${text.split("\n")[0]}`);

test("code with holes is found in every language that reads the pattern", async () => {
  const response = await made.structural("addTax($NET)");
  assert.ok(places(response).includes("src/cart.ts:17 addTax(this.sum())"), places(response).join("\n"));
  const [match] = response.matches.filter(({ path }) => path === "src/cart.ts");
  assert.deepEqual(
    match.captures.map(({ name, text }) => [name, text]),
    [["NET", "this.sum()"]],
  );
  const { text } = await made.text("src/cart.ts");
  const line = text.split("\n")[match.range.start.line];
  assert.equal(line.slice(match.range.start.character, match.range.end.character), "addTax(this.sum())");
  assert.ok(response.languages.length > 3);
  assert.deepEqual([response.truncated, response.timed_out], [false, false]);
});

test("an opened snapshot loads the grammars it needs, and answers the same", async () => {
  for (const request of [
    "addTax($NET)",
    { query: "(class_declaration name: (_) @name) @match", languages: ["typescript", "java"] },
    { pattern: "$A + $B", paths: ["src/"] },
  ]) {
    assert.deepEqual(await opened.structural(request), await made.structural(request));
  }
});

test("filters, conditions and limits", async () => {
  const request = {
    pattern: "$F($$$ARGS)",
    languages: ["typescript"],
    constraints: [{ name: "F", regex: "^(add|round)" }],
  };
  const all = await made.structural(request);
  assert.ok(
    all.matches.length >= 2 &&
      all.matches.every(({ captures }) => /^(add|round)/.test(captures.find(({ name }) => name === "F").text)),
  );
  const one = await made.structural({ ...request, limit: 1 });
  assert.deepEqual([one.matches, one.truncated], [all.matches.slice(0, 1), true]);
  const kinds = await made.structural({ ...request, constraints: [{ name: "F", kinds: ["member_expression"] }] });
  assert.ok(
    kinds.matches.length > 0 && kinds.matches.every(({ captures }) => captures.some(({ text }) => text.includes("."))),
  );
});

test("what cannot be read is an error with its place", async () => {
  for (const index of [made, opened]) {
    await assert.rejects(index.structural({ pattern: "addTax(", languages: ["typescript"] }), {
      code: "pattern.syntax",
      message: /column 7/,
    });
    await assert.rejects(index.structural({ query: "(nonsense) @a", languages: ["rust"] }), {
      code: "pattern.syntax",
      message: /rust has no node named "nonsense"/,
    });
    assert.equal(await codeOf(index.structural({})), "query.invalid");
    assert.equal(await codeOf(index.structural(" ")), "query.empty");
    assert.equal(await codeOf(index.structural({ pattern: "f($A)", languages: ["klingon"] })), "query.invalid");
  }
  assert.ok((await made.structural("addTax($NET)")).matches.length > 0, "the next question is answered");
});

test("a search ends when it is told to", async () => {
  const stop = new AbortController();
  const search = made.structural({ query: "(_) @any" }, { signal: stop.signal });
  stop.abort();
  await assert.rejects(search, { name: "AbortError" });
  assert.ok((await made.structural("addTax($NET)")).matches.length > 0);
});

test("searches at the same time do not disturb each other", async () => {
  const patterns = ["addTax($NET)", "$A + $B", "class $C { $$$ }", "addTax($NET)"];
  const together = await Promise.all(patterns.map((pattern) => made.structural(pattern)));
  for (const [place, pattern] of patterns.entries()) assert.deepEqual(together[place], await made.structural(pattern));
});

test("hostile patterns end", async () => {
  for (const pattern of [
    "(".repeat(8000),
    "$".repeat(5000),
    ["f($$$A, ".repeat(40), ", $$$B)".repeat(40)].join("1"),
    "\u0000",
    "🦀(".repeat(1000),
  ]) {
    const answer = await made.structural({ pattern, max_millis: 2_000 }).catch((error) => error.code);
    assert.ok(typeof answer === "object" || answer.startsWith("pattern."), pattern.slice(0, 20));
  }
  for (const pattern of ["(a*)*b", "(\\w+\\s?)*$", "(a?){500}a{500}", "(?s).*x.*y.*z"]) {
    const { timed_out } = await made.regex({ pattern, max_millis: 2_000 });
    assert.equal(timed_out, false);
  }
});

test("the map fits its tokens, as the model counts them", async () => {
  const whole = await made.map({ max_tokens: 10_000 });
  assert.match(
    whole.text,
    /^<repo_map>\n[\s\S]* {2}src\/cart\.ts :: interface:Line, class:Cart, fn:add, fn:total, fn:sum\n[\s\S]*<\/repo_map>\n$/,
  );
  assert.equal(whole.n_more, 0);
  const small = await made.map({ max_tokens: 60 });
  assert.ok(small.n_tokens <= 60 && small.n_files > 0 && small.n_files + small.n_more === whole.n_files, small.text);
  assert.match(small.text, /\.\.\. and \d+ more files\n<\/repo_map>\n$/);
  assert.deepEqual(await opened.map({ max_tokens: 60 }), small);
  assert.equal((await made.map({ max_tokens: 0 })).text, "");
  const central = await made.map({ order: "centrality", paths: ["src/"], languages: ["typescript"] });
  assert.match(central.text, /^<repo_map>\n {2}src\/tax\.ts/);
});
