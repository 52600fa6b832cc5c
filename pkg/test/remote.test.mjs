// An index on a web server: what a question reads is fetched by ranges of the file, and the answers are those of the whole.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { Portolan } from "../dist/entry/node.js";

const lines = (n) =>
  Array.from({ length: 300 }, (_, line) => `  const value${line} = other${n}(${line * 7919 + n * 104729});`).join("\n");
const files = Array.from({ length: 60 }, (_, n) => ({
  path: `src/folder${n % 7}/file${n}.js`,
  bytes: new TextEncoder().encode(
    `/** Does number ${n}. */\nexport function call${n}() {\n${lines(n)}\n  return call${(n + 1) % 60}();\n}\nfunction other${n}(value) { return value; }\n`,
  ),
}));

async function saved() {
  const index = await Portolan.index({ files }, { name: "remote", embeddings: false });
  await index.complete;
  const bytes = await index.save();
  index.close();
  return bytes;
}

/** A server of these bytes; `ranges: false` sends all of them, whatever is asked for. */
async function serve(bytes, { ranges = true, etag = () => '"1"' } = {}) {
  const sent = { n_bytes: 0, n_requests: 0 };
  const server = createServer((request, response) => {
    const range = ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    const [start, end] = range ? [Number(range[1]), Math.min(Number(range[2]) + 1, bytes.length)] : [0, bytes.length];
    response.writeHead(range ? 206 : 200, {
      etag: etag(),
      ...(range ? { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` } : {}),
    });
    sent.n_bytes += end - start;
    sent.n_requests += 1;
    response.end(bytes.subarray(start, end));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/index.portolan`, sent, close: () => server.close() };
}

/** Questions of every kind. */
const ask = (index) => ({
  find: () => index.find("call7"),
  references: () => index.references("call7"),
  callers: () => index.callers({ symbol: "call7", depth: 3 }),
  callees: () => index.callees({ symbol: "call7", depth: 3 }),
  context: () => index.context("call7"),
  impact: () => index.impact("call7"),
  trace: () => index.trace({ from: "call7", to: "call9" }),
  traverse: () => index.traverse("call7"),
  processes: () => index.processes(),
  communities: () => index.communities(),
  rename: () => index.rename({ symbol: "call7", new_name: "call_seven" }),
  map: () => index.map(),
  edges: () => index.edges(),
  outline: () => index.outline("src/folder0/file7.js"),
  files: () => index.files(),
  text: () => index.text("src/folder0/file7.js"),
  cypher: () => index.cypher("MATCH (a)-[:CALLS]->(b) RETURN a.name, b.name ORDER BY a.name LIMIT 10"),
  regex: () => index.regex("number 5[0-9]"),
  search: () => index.search("number seven"),
  query: () => index.query("number seven"),
  chunks: () => index.chunks("src/folder0/file7.js"),
  linked: () => index.findChunksForSymbol("call7"),
  status: () => index.status(),
});

test("answers by ranges are those of the whole index", async () => {
  const bytes = await saved();
  const whole = await Portolan.open(bytes);
  for (const ranges of [true, false]) {
    const server = await serve(bytes, { ranges });
    const remote = await Portolan.openRemote(server.url);
    assert.equal(remote.name, "remote");
    const [here, there] = [ask(whole), ask(remote)];
    for (const name of Object.keys(here))
      assert.deepEqual(await there[name](), await here[name](), `${name}, ranges ${ranges}`);
    remote.close();
    server.close();
  }
  whole.close();
});

test("a symbol is found without texts, facts and postings", async () => {
  const bytes = await saved();
  const whole = await Portolan.open(bytes);
  const sizes = Object.fromEntries((await whole.status()).sections.map(({ name, count }) => [name, count]));
  whole.close();
  const server = await serve(bytes);
  const remote = await Portolan.openRemote(server.url);
  const { symbols } = await remote.find("call7");
  assert.equal(symbols[0].name, "call7");
  assert.ok(
    server.sent.n_bytes < bytes.length / 2,
    `${server.sent.n_bytes} of ${bytes.length}: ${JSON.stringify(sizes)}`,
  );
  const before = server.sent.n_requests;
  await remote.find("call7");
  assert.equal(server.sent.n_requests, before, "what is here is not fetched again");
  remote.close();
  server.close();
});

test("what is wrong on the way is told by name", async () => {
  const bytes = await saved();
  const flipped = bytes.slice();
  flipped[flipped.length >> 2] ^= 1;
  for (const [given, codes] of [
    [flipped, ["snapshot.checksum"]],
    [bytes.subarray(0, bytes.length >> 1), ["snapshot.truncated"]],
    [new TextEncoder().encode("<!doctype html>"), ["snapshot.foreign"]],
  ]) {
    const server = await serve(given);
    const failed = await (async () => {
      const remote = await Portolan.openRemote(server.url);
      for (const question of Object.values(ask(remote))) await question();
    })().catch((error) => error);
    assert.ok(codes.includes(failed?.code), `${failed?.code}: ${failed?.message}`);
    server.close();
  }
  let version = 1;
  const server = await serve(bytes, { etag: () => `"${version}"` });
  const remote = await Portolan.openRemote(server.url);
  version = 2;
  await assert.rejects(remote.search("number"), { code: "remote.changed" });
  server.close();
  await assert.rejects(Portolan.openRemote("http://127.0.0.1:1/none"), { code: "remote.failed" });
});
