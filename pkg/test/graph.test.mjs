// Walks over the graph, execution flows and functional areas, in JavaScript and on the command line.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Portolan } from "portolan";

import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const root = folderWith({
  ...SHOP,
  "server/orders.py": `from server.stock import reserve_all


@app.post("/orders")
def order(stock, articles):
    return accepted(stock, articles)


def accepted(stock, articles):
    return reserve_all(stock, articles)


def ping(n):
    return pong(n)


def pong(n):
    return ping(n)
`,
});
let index;

before(async () => {
  const { code, stderr } = await portolan("index", ".", "--quiet", "--no-embeddings");
  assert.equal(code, 0, stderr);
  index = await Portolan.open(`${root}/.portolan/index.portolan`);
});

function portolan(...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

async function json(...args) {
  const { code, stdout, stderr } = await portolan(...args, "--json");
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

const names = (symbols) => symbols.map((symbol) => symbol.qualified_name);

test("traverse: which way, over which edges, through which nodes, how far", async () => {
  const callers = await index.traverse({
    from: "round",
    direction: "in",
    edges: ["CALLS"],
    nodes: ["function", "method"],
  });
  assert.deepEqual(
    callers.steps.slice(0, 2).map(({ depth, symbol, relation }) => [depth, symbol.qualified_name, relation]),
    [
      [1, "addTax", "CALLS"],
      [2, "Cart.total", "CALLS"],
    ],
  );
  assert.equal(callers.complete, true);
  const files = await index.traverse({ from: "src/checkout.tsx", edges: ["IMPORTS"], nodes: ["file"] });
  assert.deepEqual(names(files.steps.map((step) => step.symbol)), ["src/cart.ts", "src/tax.ts"]);
  const near = await index.traverse({ from: "round", direction: "in", edges: ["CALLS"], depth: 1 });
  assert.deepEqual(names(near.steps.map((step) => step.symbol)), ["addTax"]);
  await assert.rejects(index.traverse({ from: "round", edges: ["EATS"] }), { code: "query.invalid" });
});

test("paths, circles, pieces", async () => {
  const { found, paths } = await index.paths({ from: "Cart.total", to: "round", edges: ["CALLS"] });
  assert.equal(found, true);
  assert.deepEqual(names(paths[0].nodes), ["Cart.total", "addTax", "round"]);
  assert.equal((await index.paths({ from: "round", to: "Cart.total", edges: ["CALLS"] })).found, false);
  const { cycles } = await index.cycles();
  assert.deepEqual(
    cycles.map((cycle) => names(cycle.path.nodes)),
    [["ping", "pong", "ping"]],
  );
  const piece = await index.subgraph({ from: "addTax", depth: 1, edges: ["CALLS"] });
  assert.ok(names(piece.nodes).includes("Cart.total") && names(piece.nodes).includes("round"));
  const known = new Set(piece.nodes.map((node) => node.id));
  assert.ok(piece.edges.every((edge) => known.has(edge.source) && known.has(edge.target)));
});

test("execution flows begin where frameworks call", async () => {
  const { processes } = await index.processes({ entry_kinds: ["route"] });
  assert.deepEqual(
    processes.map(({ entry, entry_kind }) => [entry.name, entry_kind]),
    [["order", "route"]],
  );
  const { steps } = await index.process(String(processes[0].id));
  assert.deepEqual(names(steps.map((step) => step.symbol)).slice(0, 3), ["order", "accepted", "reserve_all"]);
  assert.deepEqual(await index.process(processes[0].label), await index.process(String(processes[0].id)));
  const through = await index.processes({ symbol: "accepted" });
  assert.ok(through.processes.every((process) => process.label.startsWith("order")));
});

test("areas list their members", async () => {
  const { communities, page } = await index.communities();
  assert.equal(page.total, communities.length);
  for (const { label, n_members } of communities) {
    const { members } = await index.community(label);
    assert.equal(members.length, n_members);
  }
});

test("code_intelligence answers as the questions that it stands for", async () => {
  const { command, ...answer } = await index.codeIntelligence({
    command: "callers",
    symbol: "round",
    depth: 3,
    limit: 100,
  });
  assert.equal(command, "callers");
  assert.deepEqual(answer, await index.callers({ symbol: "round", depth: 3 }));
  const both = await index.codeIntelligence({ command: "query", symbol: "round" });
  assert.ok(both.callers.total >= 1 && both.references.total >= 1);
});

test("the command line says the same", async () => {
  const { steps } = await json("traverse", "round", "--direction", "in", "--edge", "CALLS", "--depth", "1");
  assert.deepEqual(names(steps.map((step) => step.symbol)), ["addTax"]);
  assert.equal((await json("paths", "Cart.total", "round", "--edge", "CALLS", "-n", "1")).paths.length, 1);
  assert.equal((await json("cycles")).page.total, 1);
  assert.equal((await json("processes", "--entry", "route")).page.total, 1);
  assert.equal((await json("code-intelligence", "refs", "round")).command, "refs");
  for (const args of [["subgraph", "addTax"], ["communities"], ["processes"], ["cycles"]]) {
    const { code, stderr } = await portolan(...args);
    assert.equal(code, 0, stderr);
  }
  const { stdout } = await portolan("paths", "Cart.total", "round", "--edge", "CALLS");
  assert.match(stdout, /^src\/cart\.ts:\d+ {2}method Cart\.total\n {2}CALLS src\/tax\.ts/);
  for (const args of [
    ["paths", "round"],
    ["traverse", "round", "--direction", "up"],
    ["code-intelligence", "guess", "round"],
    ["traverse", "round", "--min-confidence", "2"],
  ]) {
    assert.equal((await portolan(...args)).code, 2, args.join(" "));
  }
});
