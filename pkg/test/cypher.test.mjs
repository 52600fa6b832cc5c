// Cypher, exports, connectors and SCIP, in JavaScript and on the command line.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Portolan } from "portolan";

import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const root = folderWith(SHOP);
let index;

function portolan(...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { cwd: root, encoding: "utf8" }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
}

before(async () => {
  const { code, stderr } = await portolan("index", ".", "--quiet", "--no-embeddings");
  assert.equal(code, 0, stderr);
  index = await Portolan.open(join(root, ".portolan/index.portolan"));
});
after(() => index.close());

test("a query gives a table, with values of every kind", async () => {
  const query =
    "MATCH p = (a {name: $name})-[r:CALLS]->(b) RETURN a.name, b, r, p, [1, 0.5, null, true] AS list, {k: 'v'} AS map";
  const { columns, rows, truncated } = await index.cypher({ query, parameters: { name: "addTax" } });
  assert.deepEqual(columns, ["a.name", "b", "r", "p", "list", "map"]);
  const [name, node, relationship, path, list, map] = rows[0];
  assert.equal(name, "addTax");
  assert.deepEqual([node.label, node.name, node.path, node.line], ["Function", "round", "src/tax.ts", 8]);
  assert.deepEqual([relationship.type, relationship.reason, relationship.line], ["CALLS", "same-file", 5]);
  assert.deepEqual(
    path.nodes.map(({ name }) => name),
    ["addTax", "round"],
  );
  assert.deepEqual([list, map, truncated], [[1, 0.5, undefined, true], { k: "v" }, false]);
});

test("errors say what and where", async () => {
  for (const [query, code, place] of [
    ["MATCH (n RETURN n", "cypher.syntax", "line 1, column 10"],
    ["MATCH (n)\nSET n.name = 'x'", "cypher.write", "line 2, column 1"],
    ["MATCH (n:Funktion) RETURN n", "cypher.name", "line 1, column 10"],
  ]) {
    await assert.rejects(index.cypher(query), (error) => error.code === code && error.message.startsWith(place));
  }
});

test("a query that goes on for ever ends", async () => {
  const query = "UNWIND range(1, 90000) AS x UNWIND range(1, 90000) AS y RETURN count(*)";
  await assert.rejects(index.cypher({ query, timeout_ms: 50 }), { code: "cypher.limit" });
});

test("on the command line", async () => {
  const { stdout } = await portolan(
    "cypher",
    "MATCH (f {name: $name}) RETURN f.path, f.line AS line",
    "--param",
    "name=addTax",
  );
  assert.equal(stdout, "f.path      line\nsrc/tax.ts  4\n");
  const wrong = await portolan("cypher", "RETURN");
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /\[cypher\.syntax\]/);
});

test("exports go to stdout, a file or a folder", async () => {
  const { files, n_nodes } = await index.export("json");
  const graph = JSON.parse(files[0].text);
  assert.equal(graph.nodes.length, n_nodes);
  assert.ok(
    graph.edges.every(
      ({ source, target }) =>
        graph.nodes.some(({ id }) => id === source) && graph.nodes.some(({ id }) => id === target),
    ),
  );
  const { stdout } = await portolan("export", "--format", "mermaid", "addTax", "--depth", "1", "--edge", "CALLS");
  assert.match(stdout, /^flowchart LR\n {2}subgraph f\d+\["src\/tax\.ts"\]\n/);
  assert.equal((await portolan("export", "--format", "csv", "-o", "tables")).code, 0);
  assert.match(readFileSync(join(root, "tables/nodes.csv"), "utf8"), /^Id,Label,kind,/);
  assert.ok(existsSync(join(root, "tables/edges.csv")));
  assert.equal((await portolan("export", "--format", "csv")).code, 2);
  await assert.rejects(index.export({ format: "dot", max_nodes: 1 }), { code: "export.too-large" });
});

test("a place is linked to its chunk and to what it means", async () => {
  const { chunk, definition } = await index.linkLspToChunk({
    path: "src/cart.ts",
    line: 17,
    character: 12,
    enrich: { max_snippet: 60 },
  });
  assert.equal(chunk.path, "src/cart.ts");
  assert.deepEqual([definition.path, definition.symbol.name], ["src/tax.ts", "addTax"]);
  assert.ok(definition.snippet.startsWith("export function addTax"));
  const { results } = await index.getCallersAsResults("addTax");
  assert.deepEqual(
    results.map(({ symbol }) => symbol.qualified_name),
    ["Cart.total"],
  );
  assert.equal((await index.findChunksForSymbol("addTax")).results[0].callees[0].name, "round");
  assert.deepEqual(
    (await index.getCalleesAsResults("addTax")).results.map(({ symbol }) => symbol.name),
    ["round"],
  );
});

test("what a SCIP index says stands above what rules find", async () => {
  writeFileSync(join(root, "shop.scip"), scip());
  const { code, stderr } = await portolan(
    "index",
    ".",
    "--quiet",
    "--no-embeddings",
    "--scip",
    "shop.scip",
    "-o",
    "exact.portolan",
  );
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  const exact = await Portolan.open(join(root, "exact.portolan"));
  const { rows } = await exact.cypher(
    "MATCH (a)-[r:CALLS]->(b {name: 'addTax'}) RETURN a.name, r.reason, r.confidence",
  );
  assert.deepEqual(rows, [["total", "compiler-index", 1]]);
  exact.close();
  const other = await portolan(
    "index",
    ".",
    "--quiet",
    "--no-embeddings",
    "--scip",
    "README.md",
    "-o",
    "other.portolan",
  );
  assert.equal(other.code, 1);
  assert.match(other.stderr, /\[scip\.damaged\]/);
});

/** A SCIP index of two names: `addTax` where it is defined, and where it is called. */
function scip() {
  const bytes = (value) => (typeof value === "string" ? [...Buffer.from(value)] : value);
  const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);
  const field = (number, value) => [(number << 3) | 2, ...varint(bytes(value).length), ...bytes(value)];
  const occurrence = (range, roles) =>
    field(2, [...field(1, range), ...field(2, "s n shop 1 src/`tax.ts`/addTax()."), 3 << 3, roles]);
  const document = (path, ...occurrences) => field(2, [...field(1, path), ...occurrences.flat()]);
  return Uint8Array.from([
    ...document("src/tax.ts", occurrence([3, 16, 22], 1)),
    ...document("src/cart.ts", occurrence([16, 11, 17], 8)),
  ]);
}
