// The surroundings of the first hits of a search over MCP: callers, tests and flows, in a bounded number of bytes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Portolan } from "portolan";

import { sizedAnswer } from "../dist/mcp/sized.js";
import { SHOP } from "./fixture.mjs";

const LONG = `n${"x".repeat(300)}`;
const FILES = {
  ...SHOP,
  "src/tax.test.ts": `import { addTax } from "./tax";\n\ntest("tax", () => { checkTax(); });\n\nexport function checkTax() { addTax(1); }\n`,
  "src/alone.ts": "/** Waits for the lighthouse keeper. */\nexport function lighthouseKeeper() { return 1; }\n",
  "src/long.ts": `import { zebraStripes } from "./zebra";\n${Array.from({ length: 9 }, (_, n) => `export function ${LONG}${n}() { return zebraStripes(); }\n`).join("")}`,
  "src/zebra.ts": "export function zebraStripes() { return 7; }\n",
};

let index;
let asked;
before(async () => {
  const files = Object.entries(FILES).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));
  index = await Portolan.index(files, { embeddings: false });
});
after(() => index.close());

async function search(args, ask = (tool, request) => index.ask(tool, request)) {
  asked = [];
  const repository = {
    name: "shop",
    ask(tool, request) {
      asked.push(tool);
      return ask(tool, request);
    },
  };
  const host = {
    version: "0",
    can: {},
    repositories: async () => ({ repositories: [] }),
    open: async () => repository,
  };
  const context = { signal: new AbortController().signal, onProgress() {} };
  return sizedAnswer({ tool: "search", args, host, context });
}

test("a hit has its callers, its tests and its flows, as data and in a line", async () => {
  const { answer, text } = await search({ query: "addTax" });
  const [{ symbol, around }] = answer.hits;
  assert.equal(symbol, "addTax");
  assert.deepEqual(around.callers, { total: 1, names: ["Cart.total"] });
  assert.ok(around.tests.total > 0 && around.tests.names.includes("checkTax"), JSON.stringify(around.tests));
  assert.match(around.flows.names[0], /^Checkout → addTax \(step 3 of 3\)$/);
  assert.match(
    text,
    /\n {2}callers 1: Cart\.total; tests \d: checkTax.*; flows 1: Checkout → addTax \(step 3 of 3\)\n/,
  );
});

test("a function that nothing calls says so; what is no code says nothing", async () => {
  const { answer, text } = await search({ query: "lighthouseKeeper" });
  assert.equal(answer.hits[0].around.callers.total, 0);
  assert.match(text, /\n {2}no callers; no tests$/m);
  const { answer: prose } = await search({ query: "cart is priced, taxed and paid", paths: ["README.md"] });
  assert.ok(
    prose.hits.length > 0 && prose.hits.every(({ around }) => around === undefined),
    JSON.stringify(prose.hits),
  );
});

test("three hits are looked around, on the first page only", async () => {
  const { answer } = await search({ query: "tax", limit: 5 });
  assert.ok(answer.hits.length > 3 && asked.filter((tool) => tool === "context").length <= 3, asked.join());
  const next = await search({
    query: "tax",
    limit: 2,
    cursor: (await search({ query: "tax", limit: 2 })).answer.next_cursor,
  });
  assert.ok(next.answer.hits.length > 0 && !asked.includes("context"));
});

test("long names are cut: a line has at most 500 characters", async () => {
  const { text } = await search({ query: "zebraStripes" });
  const line = text.split("\n").find((one) => one.startsWith("  callers 9: nxxx"));
  assert.ok(line?.includes("…, …") && line.length <= 500, line);
});

test("a definition that is not found leaves its hit as it is; other errors are errors", async () => {
  const failing = (code) => (tool, request) =>
    tool === "context" ? Promise.reject(Object.assign(new Error("no"), { code })) : index.ask(tool, request);
  const { answer } = await search({ query: "addTax" }, failing("symbol.not-found"));
  assert.equal(answer.hits[0].symbol, "addTax");
  assert.equal(answer.hits[0].around, undefined);
  await assert.rejects(search({ query: "addTax" }, failing("worker.crashed")));
});
