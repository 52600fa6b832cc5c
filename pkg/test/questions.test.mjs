// Every question, on a repository in eight languages indexed in Node.
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { HIGHLIGHT_CLASSES, Portolan } from "portolan";

import { codeOf, folderWith, SHOP } from "./fixture.mjs";

let index;
const phases = [];
const updates = [];
const warnings = [];
before(async () => {
  index = await Portolan.index(folderWith(SHOP), {
    name: "shop",
    onProgress: (progress) => phases.push(progress),
    onUpdate: (what) => updates.push(what),
    onWarning: (warning) => warnings.push(warning),
  });
  await index.complete;
});

test("nothing is lost on the way", () => {
  assert.deepEqual(
    warnings.map((warning) => warning.message),
    [],
  );
  assert.equal(index.name, "shop");
  assert.deepEqual(updates, ["vectors"]);
});

test("progress goes through the phases and each ends complete", () => {
  const last = new Map(phases.map((progress) => [progress.phase, progress]));
  assert.deepEqual([...last.keys()], ["reading", "parsing", "building", "embedding"]);
  for (const { phase, done, total } of last.values()) assert.equal(done, total, phase);
});

test("status counts files, languages and what was left out", async () => {
  const status = await index.status();
  const languages = Object.fromEntries(status.languages.map(({ name, count }) => [name, count]));
  for (const language of ["c", "cpp", "go", "java", "javascript", "markdown", "python", "rust", "tsx", "typescript"]) {
    assert.ok(languages[language] > 0, language);
  }
  const skipped = Object.fromEntries(status.skipped.map(({ path, code }) => [path, code]));
  assert.equal(skipped["debug.log"], "ignored");
  assert.equal(skipped["secret/"], "ignored");
  assert.equal(status.n_vectors, status.n_chunks);
  assert.deepEqual(status.problems, []);
});

test("search finds by words, by meaning and by name", async () => {
  const words = await index.search("value added tax on a net price");
  assert.equal(words.hits[0].path, "src/tax.ts");
  const named = await index.search({ query: "Cart.total", limit: 3 });
  assert.equal(named.hits[0].path, "src/cart.ts");
  const text = await index.search("uploads the shop");
  assert.equal(text.hits[0].path, "scripts/deploy.lua");
  assert.equal(await codeOf(index.search("  ")), "query.empty");
});

test("find, refs, callers, callees and definition follow a call across files", async () => {
  const { symbols } = await index.find("addTax");
  assert.deepEqual(
    symbols.map(({ path, line, kind }) => [path, line, kind]),
    [["src/tax.ts", 4, "function"]],
  );
  assert.equal(symbols[0].doc, "Adds value added tax to a net price.");

  const { references } = await index.references("addTax");
  assert.ok(references.some(({ path, line, form }) => path === "src/cart.ts" && line === 17 && form === "call"));

  const { calls: callers } = await index.callers({ symbol: "round", depth: 2 });
  assert.deepEqual(
    callers.map(({ symbol, depth }) => [symbol.qualified_name, depth]),
    [
      ["addTax", 1],
      ["Cart.total", 2],
    ],
  );

  const { calls: callees } = await index.callees("Cart.total");
  assert.deepEqual(callees.map(({ symbol }) => symbol.qualified_name).sort(), ["Cart.sum", "addTax"]);

  const { targets } = await index.definition({ path: "src/cart.ts", line: 16, character: 12 });
  assert.equal(targets[0].symbol.path, "src/tax.ts");
  assert.equal(await codeOf(index.callers("noSuchThingAnywhere")), "symbol.not-found");
});

test("edges carry kind, confidence and reason", async () => {
  const edges = await index.edges();
  const edge = edges.find(
    ({ kind, caller_name, callee_name }) => kind === "CALLS" && caller_name === "total" && callee_name === "addTax",
  );
  assert.deepEqual(
    [edge.caller_file, edge.caller_line, edge.callee_file, edge.callee_line],
    ["src/cart.ts", 16, "src/tax.ts", 4],
  );
  assert.ok(edge.confidence > 0.5 && edge.reason !== "");
});

test("regex, outline, text and files", async () => {
  const { matches } = await index.regex("fn \\w+");
  assert.deepEqual(
    matches.map(({ path, line }) => [path, line]),
    [
      ["core/src/money.rs", 6],
      ["core/src/money.rs", 11],
    ],
  );
  assert.equal(await codeOf(index.regex("(")), "regex.syntax");

  const { symbols } = await index.outline("src/cart.ts");
  assert.ok(symbols.some(({ symbol }) => symbol.qualified_name === "Cart.total"));

  assert.equal((await index.text("src/cart.ts")).text, SHOP["src/cart.ts"]);
  assert.equal(await codeOf(index.text("nowhere.ts")), "file.not-found");

  const { files } = await index.files();
  assert.ok(files.some(({ path, language }) => path === "server/stock.py" && language === "python"));
});

test("highlights of another version of a file are those of its text", async () => {
  const { text } = await index.text("src/tax.ts");
  assert.deepEqual(await index.highlights("src/tax.ts", text), await index.highlights("src/tax.ts"));
  const [start, end] = await index.highlights("src/tax.ts", `\n\n${text}`);
  const [first, last] = await index.highlights("src/tax.ts");
  assert.deepEqual([start, end], [first + 2, last + 2]);
  await assert.rejects(index.highlights("src/tax.ts", "x".repeat(5_000_001)), { code: "request.size" });
});

test("highlights are sorted, do not overlap, and count UTF-16 units", async () => {
  const { text } = await index.text("src/checkout.tsx");
  const triples = await index.highlights("src/checkout.tsx");
  assert.ok(triples.length > 0 && triples.length % 3 === 0);
  let last = 0;
  const words = new Map();
  for (let at = 0; at < triples.length; at += 3) {
    const [start, end, number] = triples.subarray(at, at + 3);
    assert.ok(start >= last && end > start && number < HIGHLIGHT_CLASSES.length);
    words.set(text.slice(start, end), HIGHLIGHT_CLASSES[number]);
    last = end;
  }
  assert.equal(words.get("return"), "keyword");
});

test("the snapshot gives the same answers when opened here", async () => {
  const bytes = await index.save();
  const opened = await Portolan.open(bytes);
  // How large a section is, is known of an index that was saved.
  const { sections, ...status } = await opened.status();
  const { sections: unsaved, ...before } = await index.status();
  assert.deepEqual(status, before);
  const saved = new Set(sections.map(({ name }) => name));
  assert.deepEqual(
    unsaved.filter(({ name }) => !saved.has(name)),
    [],
  );
  for (const query of ["value added tax", "Cart", "warehouse articles"]) {
    assert.deepEqual(await opened.search(query), await index.search(query));
  }
  assert.deepEqual(
    await opened.callers({ symbol: "round", depth: 3 }),
    await index.callers({ symbol: "round", depth: 3 }),
  );
  assert.deepEqual(await opened.edges(), await index.edges());
  assert.deepEqual(await opened.highlights("src/tax.ts"), await index.highlights("src/tax.ts"));
  opened.close();
});

test("an index that was closed says so", async () => {
  index.close();
  assert.equal(await codeOf(index.status()), "index.closed");
});
