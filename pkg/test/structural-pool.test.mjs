// The workers of a structural search: lost ones, silent ones, order, enough. The workers are played here.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { channel } from "../dist/rpc/channel.js";
import { serve } from "../dist/rpc/rpc.js";
import { StructuralSearch } from "../dist/reading/structural.js";
import { UserGrammars } from "../dist/grammars/user-grammars.js";

const plan = (limit = 100, max_millis = 5_000) => ({
  words: [{ language: "rust", words: [] }],
  unread: [],
  limit,
  max_steps: 1_000_000,
  max_millis,
});

const searches = [];
afterEach(() => {
  for (const search of searches.splice(0)) search.close(); // open ports would keep the process alive
});

/** A source of files and a host whose workers do what `find` says. */
function stage({ n_files = 100, parallelism = 4, plan: given = () => plan(), find }) {
  const files = Array.from({ length: n_files }, (_, n) => ({
    path: `src/${String(n).padStart(3, "0")}.rs`,
    language: "rust",
  }));
  const seen = { n_workers: 0, n_closed: 0 };
  const host = {
    parallelism,
    assets: { module: async () => undefined, grammar: async () => undefined },
    spawn() {
      const [near, far] = channel();
      const number = seen.n_workers++;
      serve(far, { start: () => null, readPattern: () => given(), findPattern: (batch) => find(batch, number) });
      const close = () => {
        seen.n_closed++;
        near.close();
      };
      return { ...near, close };
    },
  };
  const source = {
    structuralFiles: ({ words }) => ({ languages: ["rust"], files: words ? files : [] }),
    text: (path) => path,
  };
  const search = new StructuralSearch(host, new UserGrammars());
  searches.push(search);
  return { search, source, seen };
}

test("a worker whose engine stopped at a form reads no other one; one that refused a form does", async () => {
  const faults = [
    { code: "internal.trap", message: "RuntimeError: unreachable", help: "" },
    { code: "query.syntax", message: "no such node", help: "" },
  ];
  for (const [fault, n_workers] of [
    [faults[0], 2],
    [faults[1], 1],
  ]) {
    let isFirst = true;
    const given = () => {
      if (!isFirst) return plan();
      isFirst = false;
      throw fault;
    };
    const { search, source, seen } = stage({ n_files: 1, parallelism: 1, plan: given, find: all });
    await assert.rejects(search.search(source, { pattern: "f()" }), { code: fault.code });
    assert.equal((await search.search(source, { pattern: "f()" })).matches.length, 1);
    assert.equal(seen.n_workers, n_workers);
  }
});

const all = ({ files }) => ({
  matches: files.map(({ path }) => ({ path })),
  truncated: false,
  timed_out: false,
  n_files: files.length,
  n_steps: files.map(() => 10),
});
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("matches are in path order, whichever worker was faster", async () => {
  const { search, source, seen } = stage({
    async find(batch, worker) {
      await pause(worker === 0 ? 30 : 1);
      return all(batch);
    },
  });
  const response = await search.search(source, { pattern: "x" });
  assert.deepEqual(
    response.matches.map(({ path }) => path),
    response.matches.map(({ path }) => path).sort(),
  );
  assert.deepEqual(
    [response.matches.length, response.n_files, response.truncated, response.timed_out],
    [100, 100, false, false],
  );
  assert.equal(seen.n_workers, 4);
  await search.search(source, { pattern: "x" });
  assert.equal(seen.n_workers, 4, "workers are kept");
  search.close();
  assert.equal(seen.n_closed, 4);
});

test("a worker that breaks costs the files it had in hand", async () => {
  let broken = false;
  const { search, source, seen } = stage({
    parallelism: 1,
    find(batch) {
      if (broken || batch.files[0].path === "src/000.rs") return all(batch);
      broken = true;
      return { matches: [], truncated: false, timed_out: true, n_files: 0, n_steps: [], is_lost: true };
    },
  });
  const response = await search.search(source, { pattern: "x" });
  assert.equal(response.timed_out, true);
  assert.equal(response.matches.length, 100 - 32);
  assert.deepEqual([seen.n_workers, seen.n_closed], [2, 1]);
});

test("a worker that stays silent is ended, and the answer is what there is", async () => {
  const { search, source, seen } = stage({
    parallelism: 1,
    plan: () => plan(100, 1_000),
    find: () => new Promise(() => {}),
  });
  const response = await search.search(source, { pattern: "x" });
  assert.deepEqual([response.matches, response.timed_out, seen.n_closed], [[], true, 1]);
});

test("steps end a search at the same file, however many workers there are and whichever is faster", async () => {
  const answers = [];
  for (const [parallelism, slow] of [
    [1, 0],
    [4, 0],
    [4, 2],
  ]) {
    const { search, source } = stage({
      parallelism,
      plan: () => ({ ...plan(1_000), max_steps: 405 }),
      async find(batch, worker) {
        await pause(worker === slow ? 20 : 1);
        return all(batch);
      },
    });
    const response = await search.search(source, { pattern: "x" });
    assert.deepEqual([response.matches.length, response.n_files, response.timed_out], [40, 40, true]);
    assert.deepEqual([response.cut_off.path, response.cut_off.reason], ["src/040.rs", "steps"]);
    assert.match(response.cut_off.help, /name paths/);
    answers.push(response);
  }
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);
});

test("time that is up names the first file that was not looked at", async () => {
  const { search, source } = stage({
    parallelism: 1,
    plan: () => plan(1_000, 30),
    async find(batch) {
      await pause(40);
      return all(batch);
    },
  });
  const { matches, timed_out, cut_off } = await search.search(source, { pattern: "x" });
  assert.deepEqual([matches.length, timed_out], [32, true]);
  assert.deepEqual([cut_off.path, cut_off.reason], ["src/032.rs", "time"]);
});

test("enough is enough", async () => {
  let n_texts = 0;
  const { search, source } = stage({
    n_files: 1_000,
    parallelism: 1,
    plan: () => plan(10),
    find(batch) {
      n_texts += batch.files.length;
      return all(batch);
    },
  });
  const response = await search.search(source, { pattern: "x" });
  assert.deepEqual([response.matches.length, response.truncated, response.timed_out], [10, true, false]);
  assert.equal(n_texts, 32);
});

test("an error of reading leaves the workers usable", async () => {
  let fails = true;
  const { search, source, seen } = stage({
    plan() {
      if (fails) throw Object.assign(new Error("no"), { code: "pattern.syntax" });
      return plan();
    },
    find: all,
  });
  await assert.rejects(search.search(source, { pattern: "(" }));
  fails = false;
  assert.equal((await search.search(source, { pattern: "x" })).matches.length, 100);
  assert.ok(seen.n_workers <= 4);
});
