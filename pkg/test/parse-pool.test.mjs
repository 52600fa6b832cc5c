// The pool of parsing workers, over workers that break on purpose.
import assert from "node:assert/strict";
import { test } from "node:test";

import { channel } from "../dist/rpc/channel.js";
import { ParsePool } from "../dist/indexing/parse-pool.js";
import { serve } from "../dist/rpc/rpc.js";

const BATCH = (...paths) => ({
  files: paths.map((path) => ({ path, bytes: new Uint8Array(1) })),
  grammars: new Set(["rust"]),
});

/** A pool of workers that behave so; what came out, and how many workers were started. */
async function run(batches, behave, { size = 2, grammarDelays = [], timeoutMs } = {}) {
  const units = [];
  const state = { n_started: 0, grammars: 0 };
  const spawn = () => {
    state.n_started++;
    const [near, far] = channel();
    const failures = [];
    let n_under_way = 0;
    // As threads do: what they have sent before arrives before.
    const die = (error) => {
      if (n_under_way > 0) return void setImmediate(die, error);
      for (const fail of failures) fail(error);
    };
    const post = (message, transfer) => {
      n_under_way++;
      far.post(message, transfer);
    };
    const listen = (onMessage) =>
      near.listen((message) => {
        n_under_way--;
        onMessage(message);
      });
    const farEnd = { ...far, post };
    serve(farEnd, {
      start: () => null,
      parse({ files, grammars }) {
        state.grammars += Object.keys(grammars).length;
        state.first ??= Object.keys(grammars);
        const result = { units: [], memory: 1, warnings: [] };
        for (const file of files) {
          const outcome = behave(file);
          if (outcome === "die") {
            setImmediate(die, new Error("out of memory"));
            return new Promise(() => {});
          }
          if (outcome === "hang") return new Promise(() => {});
          if (outcome === "trap") return { ...result, crashed: { path: file.path, message: "unreachable" } };
          result.units.push({
            path: file.crash === undefined ? file.path : `${file.path} as text: ${file.crash}`,
            unit: new Uint8Array(),
          });
          if (outcome === "grow") result.memory = 1e9;
        }
        return result;
      },
    });
    return { ...near, listen, onFailure: (handler) => failures.push(handler) };
  };
  const pool = new ParsePool({
    spawn,
    size,
    timeoutMs,
    engine: {},
    grammar: async () => {
      await new Promise((resolve) => setTimeout(resolve, grammarDelays.shift() ?? 0));
      return new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    },
    onResult: (result) => units.push(...result.units.map(({ path }) => path)),
  });
  const running = [];
  for (const batch of batches) running.push((await pool.submit(batch)).done);
  const outcomes = await Promise.allSettled(running);
  pool.close();
  return { units: units.sort(), ...state, failed: outcomes.filter(({ status }) => status === "rejected").length };
}

test("every file comes out once", async () => {
  const { units, n_started, grammars } = await run(
    [BATCH("a", "b"), BATCH("c"), BATCH("d"), BATCH("e"), BATCH("f")],
    () => "ok",
  );
  assert.deepEqual(units, ["a", "b", "c", "d", "e", "f"]);
  assert.equal(n_started, 2);
  assert.equal(grammars, 2, "a grammar is sent once to each worker");
});

test("a batch cannot overtake the one that brings its grammar", async () => {
  for (const grammarDelays of [
    [30, 0],
    [0, 30],
    [30, 10],
  ]) {
    const { units, first } = await run([BATCH("a"), BATCH("b")], () => "ok", { size: 1, grammarDelays });
    assert.deepEqual(units, ["a", "b"]);
    assert.deepEqual(first, ["rust"], "the first batch that a worker sees has the grammar");
  }
});

test("a trap costs one file: it is read as text, the others by a new worker", async () => {
  const { units, n_started } = await run(
    [BATCH("a", "bad", "c"), BATCH("d")],
    ({ path, crash }) => (path === "bad" && crash === undefined ? "trap" : "ok"),
    { size: 1 },
  );
  assert.deepEqual(units, ["a", "bad as text: unreachable", "c", "d"]);
  assert.equal(n_started, 2);
});

test("a worker that dies without a word costs one file, too", async () => {
  const { units, failed } = await run(
    [BATCH("a", "bad", "c"), BATCH("d", "e")],
    ({ path, crash }) => (path === "bad" && crash === undefined ? "die" : "ok"),
    { size: 1 },
  );
  assert.equal(failed, 0);
  assert.equal(units.length, 5);
  assert.ok(units.some((path) => path.startsWith("bad as text: a worker stopped")));
});

test("a worker that hangs is given up and costs one file", async () => {
  const hangs = ({ path, crash }) => (path === "bad" && crash === undefined ? "hang" : "ok");
  const { units, failed, n_started } = await run([BATCH("a", "bad", "c"), BATCH("d")], hangs, {
    size: 1,
    timeoutMs: 50,
  });
  assert.equal(failed, 0);
  assert.deepEqual(units, ["a", "bad as text: no answer for 0.05 s", "c", "d"]);
  assert.ok(n_started > 1);
});

test("a grammar that hangs on one file after the other is given up: the others are read as text at once", async () => {
  let n_hung = 0;
  const hangs = ({ crash }) => (crash === undefined && ++n_hung ? "hang" : "ok");
  const { units } = await run([BATCH("a", "b", "c", "d", "e", "f", "g", "h")], hangs, { size: 1, timeoutMs: 40 });
  assert.equal(units.length, 8);
  assert.equal(units.filter((unit) => unit.includes("given up")).length, 5);
  assert.equal(n_hung, 4, "the batch, and three files alone");
});

test("a grammar that reads a file between those it hangs on is not given up", async () => {
  const hangs = ({ path, crash }) => (path.startsWith("bad") && crash === undefined ? "hang" : "ok");
  const { units } = await run(
    [BATCH("bad1"), BATCH("a"), BATCH("bad2"), BATCH("b"), BATCH("bad3"), BATCH("c"), BATCH("bad4"), BATCH("d")],
    hangs,
    { size: 1, timeoutMs: 40 },
  );
  assert.equal(units.filter((unit) => unit.includes("as text")).length, 4);
  assert.equal(units.filter((unit) => unit.includes("given up")).length, 0);
});

/** A parser in this thread that behaves so, beside one worker that reads everything; what came from where. */
async function runHere(batches, behave, { lazy = false, size = 1 } = {}) {
  const units = [];
  const started = { here: 0, workers: 0 };
  const parser = (place, behave) => () => {
    started[place]++;
    const [near, far] = channel();
    let fail = () => {};
    serve(far, {
      start: () => (behave({}) === "absent" ? Promise.reject(new Error("no memory")) : null),
      parse({ files }) {
        if (behave({}) === "absent") throw new Error("not started");
        const result = { units: [], memory: 1, warnings: [] };
        for (const { path, crash } of files) {
          const outcome = behave({ path });
          if (outcome === "stop") return setTimeout(() => fail(new Error("stopped")), 5) && new Promise(() => {});
          if (outcome === "trap") return { ...result, crashed: { path, message: "unreachable" } };
          result.units.push({
            path: `${path} ${place}${crash === undefined ? "" : " as text"}`,
            unit: new Uint8Array(),
          });
        }
        return result;
      },
    });
    return { ...near, onFailure: (handler) => (fail = handler) };
  };
  const pool = new ParsePool({
    spawn: parser("workers", () => "ok"),
    here: parser("here", behave),
    lazy,
    size,
    engine: {},
    grammar: async () => undefined,
    onResult: (result) => units.push(...result.units.map(({ path }) => path)),
  });
  const running = [];
  for (const batch of batches) running.push((await pool.submit(batch)).done);
  await Promise.all(running);
  const kept = pool.keep(2).length;
  pool.close();
  return { units: units.sort(), ...started, kept };
}

test("this thread parses what its workers have no place for", async () => {
  const { units, here, workers, kept } = await runHere([BATCH("a"), BATCH("b"), BATCH("c")], () => "ok");
  assert.deepEqual(units, ["a workers", "b workers", "c here"]);
  assert.deepEqual([here, workers, kept], [1, 1, 1], "what comes after parsing is done by the worker");
});

test("a few files need no worker; a long one does, and so do many", async () => {
  assert.equal((await runHere([BATCH("a")], () => "ok", { lazy: true })).units[0], "a here");
  const long = { files: [{ path: "a", bytes: new Uint8Array(300_000) }], grammars: new Set() };
  assert.deepEqual((await runHere([long], () => "ok", { lazy: true })).units, ["a workers"]);
});

test("what this thread cannot read is read by a worker, and this thread parses no more", async () => {
  for (const outcome of ["trap", "stop"]) {
    const { units, here } = await runHere(
      [BATCH("a", "bad", "c"), BATCH("d")],
      ({ path }) => (path === "bad" ? outcome : "ok"),
      { lazy: true },
    );
    assert.deepEqual(
      units,
      [outcome === "trap" ? "a here" : "a workers", "bad workers", "c workers", "d workers"],
      outcome,
    );
    assert.equal(here, 1);
  }
  const { units } = await runHere([BATCH("a")], () => "absent", { lazy: true });
  assert.deepEqual(units, ["a workers"], "where it cannot start, either");
});

test("a file that breaks even as text ends the work with an error", async () => {
  const { failed } = await run([BATCH("bad")], () => "die", { size: 1 });
  assert.equal(failed, 1);
});

test("a worker whose memory has grown is replaced when it is idle", async () => {
  const { units, n_started } = await run([BATCH("a")], () => "grow", { size: 1 });
  assert.deepEqual(units, ["a"]);
  assert.equal(n_started, 2);
});

/** A pool of many workers that answer on demand, and the maximum number of bytes that they have at once. */
async function mostBytesAtOnce(sizes, maxBytes) {
  let now = 0;
  let most = 0;
  const waiting = [];
  const spawn = () => {
    const [near, far] = channel();
    serve(far, {
      start: () => null,
      async parse({ files }) {
        const n_bytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
        now += n_bytes;
        most = Math.max(most, now);
        await new Promise((resolve) => waiting.push(resolve));
        now -= n_bytes;
        return { units: files.map(({ path }) => ({ path, unit: new Uint8Array() })), memory: 1, warnings: [] };
      },
    });
    return { ...near, onFailure: () => {} };
  };
  let n_units = 0;
  const pool = new ParsePool({
    spawn,
    size: 8,
    engine: {},
    maxBytes,
    grammar: async () => undefined,
    onResult: ({ units }) => (n_units += units.length),
  });
  const answering = setInterval(() => waiting.shift()?.(), 1);
  const running = [];
  for (const [n, size] of sizes.entries())
    running.push(
      (await pool.submit({ files: [{ path: `${n}`, bytes: new Uint8Array(size) }], grammars: new Set() })).done,
    );
  await Promise.all(running);
  clearInterval(answering);
  pool.close();
  assert.equal(n_units, sizes.length);
  return most;
}

test("reading waits while workers have as many bytes as they may, whatever the sizes of files", async () => {
  const small = Array.from({ length: 60 }, (_, n) => 100 + ((n * 37) % 400));
  const most = await mostBytesAtOnce(small, 1_000);
  assert.ok(most > 500 && most <= 1_000, `${most}`);
  assert.equal(await mostBytesAtOnce([300, 5_000, 200, 7_000, 100, 100], 1_000), 7_000, "what is larger goes alone");
  assert.ok((await mostBytesAtOnce(small, 1e9)) > 2_000, "without a limit there would be more");
});
