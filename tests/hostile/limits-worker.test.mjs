// The clock of a Worker stops while it computes: what ends a question there is its budget of steps and bytes.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Portolan } from "portolan";

import { watchedWorker } from "./watch-programs.mjs";

/** Functions that all call one another: their paths are without number. */
const N_FUNCTIONS = 40;

async function snapshot() {
  const names = Array.from({ length: N_FUNCTIONS }, (_, n) => `f${n}`);
  const body = names.map((name) => `  ${name}();`).join("\n");
  const text = names.map((name) => `function ${name}() {\n${body}\n}`).join("\n");
  const files = [{ path: "a.js", bytes: new TextEncoder().encode(text) }];
  const index = await Portolan.index({ files }, { embeddings: false, name: "dense" });
  await index.complete;
  const bytes = await index.save();
  index.close();
  return bytes;
}

test("in workerd: a query without end is refused after its steps, and the next one is answered", async () => {
  const objects = { "dense.portolan": await snapshot() };
  const p = "a".repeat(100_000);
  await watchedWorker({}, objects, async (worker) => {
    const ask = (query, parameters = {}) =>
      worker.ask("/v1/cypher?repo=dense", { method: "POST", body: JSON.stringify({ query, parameters }) });
    for (const [query, parameters] of [
      ["MATCH p = (a:Function)-[:CALLS*1..12]->(b:Function) RETURN count(p)"],
      ["RETURN size(replace($p, 'a', $p))", { p }],
      ["UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN count(x + y)"],
    ]) {
      const start = performance.now();
      const { status, json } = await ask(query, parameters);
      const seconds = (performance.now() - start) / 1000;
      assert.deepEqual([status, json.code], [400, "cypher.limit"], `${query}: ${JSON.stringify(json).slice(0, 200)}`);
      // Some seconds on a machine of its own; it is the steps that end it.
      assert.ok(seconds < 60, `${query}: ${seconds.toFixed(1)} s`);
      const next = await ask("MATCH (f:Function) RETURN count(f)");
      assert.deepEqual([next.status, next.json.rows], [200, [[N_FUNCTIONS]]]);
    }
  });
});
