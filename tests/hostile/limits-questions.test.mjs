// Questions and files that asked for gigabytes or minutes: each is refused with a code, at once, and the next question is answered.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Portolan } from "../../pkg/dist/entry/node.js";

const files = [
  {
    path: "a.js",
    bytes: new TextEncoder().encode("export function once() { return twice(); }\nfunction twice() {}\n"),
  },
];

async function made() {
  const index = await Portolan.index({ files }, { embeddings: false });
  await index.complete;
  return index;
}

test("a query that makes too much is refused before it makes it, and the next one is answered", async () => {
  const index = await made();
  const lists = (n, word) => `WITH [1] AS l ${`WITH ${word} AS l `.repeat(n)}RETURN l`;
  for (const [query, parameters] of [
    ["RETURN size(replace($p, 'a', $p))", { p: "a".repeat(100_000) }],
    [lists(60, "[l, l]"), {}],
    [lists(90, "[[[l]]]"), {}],
    [`RETURN [${"size($p), ".repeat(400)}1]`, { p: "a".repeat(1_000_000) }],
    ["UNWIND $p AS x UNWIND $p AS y UNWIND $p AS z RETURN count(*)", { p: Array.from({ length: 5_000 }, (_, n) => n) }],
    ["UNWIND range(1, 100000) AS x RETURN count($p =~ '.*(a|b){50}')", { p: "ab".repeat(100_000) }],
    [`RETURN 'a' =~ '${"\\\\pL".repeat(5_000)}'`, {}],
  ]) {
    const error = await index.cypher({ query, parameters }).then(
      () => assert.fail(`${query.slice(0, 60)} was answered`),
      (error) => error,
    );
    assert.equal(error.code, "cypher.limit", `${query.slice(0, 60)}: ${error.message}`);
    const { rows } = await index.cypher({ query: "MATCH (f:Function) RETURN count(f)" });
    assert.deepEqual(rows, [[2]]);
  }
  const tall = `${"(".repeat(50)}1${`${" + 1".repeat(150)})`.repeat(50)}`;
  await assert.rejects(index.cypher({ query: `RETURN ${tall} AS x` }), { code: "cypher.unsupported" });
  index.close();
});

test("the same query is refused after the same steps, with a clock and without", async () => {
  const index = await made();
  const query = "UNWIND range(1, 3000) AS x UNWIND range(1, 1000) AS y RETURN count(x + y)";
  const first = await index.cypher({ query });
  const again = await index.cypher({ query, timeout_ms: 60_000 });
  assert.equal(first.n_steps, again.n_steps);
  assert.deepEqual(first.rows, [[3_000_000]]);
  index.close();
});

/** A snapshot whose section of this name says that it unpacks to `n_bytes` bytes. */
function lying(bytes, name, n_bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < view.getUint32(12, true); at++) {
    const entry = 64 + 40 * at;
    const found = new TextDecoder().decode(bytes.subarray(entry, entry + 16)).replace(/\0+$/, "");
    if (found === name) view.setUint32(Number(view.getBigUint64(entry + 16, true)), n_bytes, true);
  }
  return bytes;
}

test("a section that claims to be large is not believed", async () => {
  const index = await made();
  const bytes = await index.save();
  index.close();
  for (const name of ["graph", "names", "chunks", "lexical"]) {
    const before = process.memoryUsage().rss;
    const asked = async () => {
      const opened = await Portolan.open(lying(new Uint8Array(bytes), name, 0xfff00000));
      await opened.search({ query: "once" });
    };
    await assert.rejects(asked(), /snapshot/);
    assert.ok(process.memoryUsage().rss - before < 500e6);
  }
});

test("an encrypted snapshot does not make its reader work for minutes", async () => {
  const index = await made();
  const sealed = await index.save({ passphrase: "one of several words" });
  const plain = await index.save();
  index.close();
  for (const [memory, passes] of [
    [1024 * 1024, 16],
    [256 * 1024 + 1, 1],
    [64 * 1024, 5],
  ]) {
    const bytes = new Uint8Array(sealed);
    const view = new DataView(bytes.buffer);
    view.setUint32(12, memory, true);
    view.setUint32(16, passes, true);
    const started = performance.now();
    await assert.rejects(Portolan.open(bytes, { passphrase: "one of several words" }), { code: "seal.cost" });
    assert.ok(performance.now() - started < 5_000);
  }
  await assert.rejects(Portolan.open(plain, { passphrase: "one of several words" }), { code: "seal.not-encrypted" });
  const opened = await Portolan.open(sealed, { passphrase: "one of several words" });
  assert.equal((await opened.status()).n_files, 1);
  opened.close();
});

test("who opens a snapshot says what it may cost", async () => {
  const index = await made();
  const passphrase = "one of several words";
  const sealed = await index.save({ passphrase });
  const plain = await index.save();
  index.close();
  for (const limits of [{ kdfMemory: 2 ** 25 }, { kdfPasses: 2 }])
    await assert.rejects(Portolan.open(sealed, { passphrase, limits }), { code: "seal.cost" });
  const asked = async (limits, given = plain, rest = {}) => {
    const opened = await Portolan.open(given, { limits, ...rest });
    const { symbols } = await opened.find("once").finally(() => opened.close());
    return symbols.length;
  };
  await assert.rejects(asked({ unpackedBytes: 200 }), { code: "snapshot.damaged" });
  assert.equal(await asked({ unpackedBytes: 2 ** 20 }), 1);
  assert.equal(await asked({ kdfMemory: 2 ** 26, kdfPasses: 3 }, sealed, { passphrase }), 1);
  await assert.rejects(asked({ unpackedBytes: "1 GB" }), { code: "options.invalid" });
});

/** Files of ordinary code, and one in the middle that some patterns take long to search. */
function withOneDear() {
  const bytes = (text) => new TextEncoder().encode(text);
  const code = "export function compute(number) { return number + other; }\n".repeat(200);
  const plain = Array.from({ length: 20 }, (_, n) => ({ path: `src/${n + 10}.js`, bytes: bytes(code) }));
  return [...plain, { path: "src/20-dear.js", bytes: bytes(`${"a".repeat(1_900)}\n`.repeat(900)) }];
}

test("a pattern that takes too much ends after its steps, with the file and a help, and the same each time", async () => {
  const index = await Portolan.index({ files: withOneDear() }, { embeddings: false });
  await index.complete;
  // Each letter is a match, and each search for the next one continues to the end of its window.
  const pattern = "(?s)a{2,}z|[^a]compute|a.*z|a";
  const first = await index.regex({ pattern, limit: 100_000, paths: ["src/20-dear.js"] });
  assert.deepEqual(
    [first.timed_out, first.cut_off?.path, first.cut_off?.reason],
    [true, "src/20-dear.js", "steps"],
    JSON.stringify(first).slice(0, 300),
  );
  assert.match(first.cut_off.help, /name paths or languages/);
  const again = await index.regex({ pattern, limit: 100_000, paths: ["src/20-dear.js"], max_millis: 600_000 });
  assert.deepEqual(again, first);
  const next = await index.regex({ pattern: "compute", limit: 1 });
  assert.deepEqual([next.matches.length, next.cut_off], [1, undefined]);
  index.close();
});

test("lists of a request that name the same thing a hundred thousand times cost no more than once", async () => {
  const index = await made();
  const { steps } = await index.traverse({ from: "once", edges: Array(90_000).fill("CALLS") });
  assert.equal(steps.length, 1);
  await assert.rejects(index.regex({ pattern: "once", paths: Array(2_000).fill("*.js") }), { code: "query.invalid" });
  await assert.rejects(index.regex({ pattern: "once", paths: ["{".repeat(10_000)] }), { code: "glob.syntax" });
  await assert.rejects(index.regex({ pattern: "\\pL".repeat(9_000) }), { code: "regex.size" });
  assert.equal((await index.find("once")).symbols.length, 1);
  index.close();
});

test("mutated snapshots are refused or answered, never a trap", async () => {
  const index = await made();
  const bytes = await index.save();
  index.close();
  let seed = 7;
  const random = (n) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed % n;
  };
  const ends = performance.now() + 10_000;
  let n = 0;
  for (; n < 150 && performance.now() < ends; n++) {
    const changed = new Uint8Array(bytes);
    for (let at = 0; at <= random(4); at++) changed[random(changed.length)] = random(256);
    try {
      const opened = await Portolan.open(changed.subarray(0, random(3) ? undefined : random(changed.length)));
      await opened.search({ query: "once" });
      await opened.callers({ symbol: "once" });
      opened.close();
    } catch (error) {
      assert.match(error.code ?? String(error), /^(snapshot|symbol|seal|query)\./, error.stack);
    }
  }
  assert.ok(n > 5);
});
