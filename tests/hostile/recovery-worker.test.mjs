// A question that stops the engine costs that question only, in the real workerd: over HTTP, over MCP, and in a Worker that uses the package.
// The artifacts stop on purpose (poison.mjs): the Worker's at bodies of certain lengths, the package's at three tools.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";

import { Portolan } from "portolan";

import { poison, poisonedPackage } from "./poison.mjs";
import { ROOT, sandbox } from "./sandbox.mjs";
import { watchedWorker } from "./watch-programs.mjs";

const LENGTHS = { unreachable: 201, recursion: 202, memory: 203 };
const LONE = `
import { Portolan } from "portolan";
const open = {};
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const [, name, tool] = pathname.split("/");
    open[name] ??= await Portolan.open(new Uint8Array(await (await env.SNAPSHOTS.get("one.portolan")).arrayBuffer()));
    const answer = await open[name].ask(tool, await request.json()).catch(({ code, message }) => ({ code, message }));
    return Response.json(answer);
  },
};`;

let root;
let objects;
before(async () => {
  const box = sandbox();
  root = box.root;
  process.once("exit", () => box.close());
  symlinkSync(poisonedPackage(root), join(root, "pkg"));
  cpSync(join(ROOT, "crates/edge/worker"), join(root, "crates/edge/worker"), { recursive: true });
  cpSync(join(ROOT, "docs/openapi.json"), join(root, "docs/openapi.json"));
  cpSync(join(ROOT, "crates/edge/wrangler.toml"), join(root, "crates/edge/wrangler.toml"));
  const stops = Object.fromEntries(Object.entries(LENGTHS).map(([way, length]) => [length, way]));
  poison(join(root, "crates/edge/worker/wasm/edge_bg.wasm"), [{ name: "index_answer", parameter: 6, stops }]);
  mkdirSync(join(root, "lone"));
  writeFileSync(join(root, "lone/index.mjs"), LONE);
  const bucket = '[[r2_buckets]]\nbinding = "SNAPSHOTS"\nbucket_name = "portolan"\n';
  const head = 'name = "lone"\nmain = "index.mjs"\ncompatibility_date = "2026-07-01"\n';
  writeFileSync(join(root, "lone/wrangler.toml"), `${head}${bucket}`);
  const bytes = new TextEncoder().encode("export function addTax(net: number) { return net * 1.19; }\n");
  const index = await Portolan.index({ files: [{ path: "src/tax.ts", bytes }] }, { embeddings: false, name: "shop" });
  await index.complete;
  const snapshot = await index.save();
  index.close();
  objects = { "one.portolan": snapshot, "two.portolan": snapshot };
});

const post = (body) => ({ method: "POST", body });
/** A valid question whose body has `length` bytes. */
const ofLength = (length) => post('{"symbol":"addTax"}'.padEnd(length));

async function answers(worker, repository) {
  const { status, json } = await worker.ask(`/v1/find?repo=${repository}`, post('{"symbol":"addTax"}'));
  assert.deepEqual([status, json.symbols?.length], [200, 1], json.message);
}

test("over HTTP: every way to stop costs one request, whatever else is open or under way", () =>
  watchedWorker(
    {},
    objects,
    async (worker) => {
      await answers(worker, "one");
      await answers(worker, "two");
      for (const [way, length] of Object.entries(LENGTHS)) {
        const { status, json } = await worker.ask("/v1/find?repo=one", ofLength(length));
        assert.deepEqual([status, json.code], [500, "internal.stopped"], way);
        await answers(worker, "one");
        await answers(worker, "two");
      }
      const stop = () => worker.ask("/v1/find?repo=one", ofLength(LENGTHS.recursion));
      const find = () => worker.ask("/v1/find?repo=two", post('{"symbol":"addTax"}'));
      const all = await Promise.all([find(), stop(), find(), stop(), find()]);
      assert.deepEqual(
        all.map(({ status }) => status),
        [200, 500, 200, 500, 200],
      );
    },
    join(root, "crates/edge/wrangler.toml"),
  ));

test("over HTTP: a repository that stops the engine again and again is paused, another one is not", () =>
  watchedWorker(
    {},
    objects,
    async (worker) => {
      for (let n = 0; n < 20; n++) await worker.ask("/v1/find?repo=one", ofLength(LENGTHS.unreachable));
      const { json } = await worker.ask("/v1/find?repo=one", post('{"symbol":"addTax"}'));
      assert.equal(json.code, "index.failed");
      await answers(worker, "two");
    },
    join(root, "crates/edge/wrangler.toml"),
  ));

test("over HTTP and MCP: what is too deep, too long or no JSON is refused, and the next question is answered", () =>
  watchedWorker(
    {},
    objects,
    async (worker) => {
      const deep = `{"query":"RETURN $p","parameters":{"p":${"[".repeat(4_000)}${"]".repeat(4_000)}}}`;
      const refused = {
        "/v1/cypher?repo=one": [deep, 400, "request.depth"],
        [`/v1/find?repo=one&x=${"y".repeat(10_000)}`]: ["{}", 413, "request.too-large"],
        "/v1/find?repo=one": [`{"symbol":"${"x".repeat(2_000_000)}"}`, 413, "request.too-large"],
        "/v1/context?repo=one": ['{"symbol":', 400, "request.invalid"],
      };
      for (const [target, [body, wanted, code]] of Object.entries(refused)) {
        const { status, json } = await worker.ask(target, post(body));
        assert.deepEqual([status, json.code], [wanted, code], target.slice(0, 40));
      }
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const message = (params) => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`;
      const mcp = async (body) => {
        const response = await worker.fetch("/mcp", { method: "POST", headers, body });
        return { status: response.status, text: await response.text() };
      };
      const tooDeep = await mcp(message(`{"name":"cypher","arguments":${deep}}`));
      assert.deepEqual([tooDeep.status, JSON.parse(tooDeep.text).error.data.code], [400, "request.depth"]);
      assert.equal(JSON.parse(tooDeep.text).id, 7);
      const tooLong = await mcp(message(`{"name":"query","arguments":{"query":"${"x".repeat(2_000_000)}"}}`));
      assert.deepEqual([tooLong.status, JSON.parse(tooLong.text).error.data.code], [413, "request.size"]);
      const good = await mcp(message('{"name":"query","arguments":{"query":"addTax","repo":"one"}}'));
      assert.match(good.text, /addTax/);
      await answers(worker, "one");
    },
    join(root, "crates/edge/wrangler.toml"),
  ));

test("in a Worker that uses the package: both indexes of the isolate are asked on", () =>
  watchedWorker(
    {},
    objects,
    async (worker) => {
      const ask = async (name, tool, request) =>
        (await worker.ask(`/${name}/${tool}`, post(JSON.stringify(request)))).json;
      const stops = { detect_changes: { diff: "x" }, find_chunks_for_symbol: { symbol: "addTax" }, communities: {} };
      assert.equal((await ask("b", "find", { symbol: "addTax" })).symbols.length, 1);
      for (const [tool, request] of Object.entries(stops)) {
        assert.equal((await ask("a", tool, request)).code, "internal.trap", tool);
        assert.equal((await ask("a", "find", { symbol: "addTax" })).symbols.length, 1);
        assert.equal((await ask("b", "find", { symbol: "addTax" })).symbols.length, 1);
      }
    },
    join(root, "lone/wrangler.toml"),
  ));
