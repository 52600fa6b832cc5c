// The parts around a search that need no engine: the cache of answers, several repositories, files that a function picks, layers.
import assert from "node:assert/strict";
import { test } from "node:test";

import { CodeIndex } from "../dist/code-index.js";
import { AnswerCache, cached } from "../dist/reading/answer-cache.js";
import { searchWithFiles } from "../dist/reading/select-files.js";
import { merged, searchSeveral } from "../dist/reading/several.js";

const hit = (path, score, start_line = 1) => ({ path, start_line, end_line: start_line + 1, score });
const response = (hits, more = {}) => ({ query: "q", total: hits.length, hits, ...more });

/** A backend that counts how often it is asked. */
function counting(answers = () => ({ hits: [] })) {
  const asked = [];
  const ask = async (question, request) => {
    asked.push([question, request]);
    return answers(question, request);
  };
  return { asked, backend: { ask, update: async () => ({}), close() {} } };
}

test("an answer is given again until its time is over, as a copy of its own", async () => {
  const { asked, backend } = counting(() => ({ hits: [{ path: "a.ts" }], note: undefined }));
  let now = 0;
  const kept = cached(backend, new AnswerCache({ seconds: 10 }, () => now));
  const first = await kept.ask("search", { query: "tax" });
  first.hits.push("spoilt");
  const second = await kept.ask("search", { query: "tax" });
  assert.deepStrictEqual([second, asked.length], [{ hits: [{ path: "a.ts" }], note: undefined }, 1]);
  await kept.ask("search", { query: "taxes" });
  assert.equal(asked.length, 2, "another request");
  now = 10_001;
  await kept.ask("search", { query: "tax" });
  assert.equal(asked.length, 3, "too old");
  await kept.ask("status", {});
  await kept.ask("status", {});
  assert.equal(asked.length, 5, "what costs nothing is not kept");
});

test("an update drops the answers, also one that is on its way", async () => {
  let release;
  const gate = new Promise((resolve) => (release = resolve));
  const { asked, backend } = counting(() => gate);
  const cache = new AnswerCache();
  const kept = cached(backend, cache);
  const early = kept.ask("search", { query: "tax" });
  await kept.update();
  release({ hits: [] });
  await early;
  await kept.ask("search", { query: "tax" });
  assert.equal(asked.length, 2);
  await kept.ask("search", { query: "tax" });
  assert.equal(asked.length, 2);
  await kept.update();
  await kept.ask("search", { query: "tax" });
  assert.equal(asked.length, 3);
});

test("the cache is bounded in bytes: what was not asked for longest goes", async () => {
  const { asked, backend } = counting((_, { query }) => ({ query, text: "x".repeat(400) }));
  const kept = cached(backend, new AnswerCache({ bytes: 2_500 }));
  for (const query of ["one", "two", "one", "three"]) await kept.ask("search", { query });
  assert.equal(asked.length, 3);
  await kept.ask("search", { query: "one" });
  assert.equal(asked.length, 3, "asked for lately");
  await kept.ask("search", { query: "two" });
  assert.equal(asked.length, 4, "the oldest");
  const off = cached(backend, new AnswerCache({ seconds: 0 }));
  await off.ask("search", { query: "one" });
  await off.ask("search", { query: "one" });
  assert.equal(asked.length, 6);
});

test("a failed question and a request that is no plain data are not kept", async () => {
  let n = 0;
  const backend = {
    async ask() {
      if (n++ === 0) throw new Error("gone");
      return { hits: [] };
    },
    close() {},
  };
  const kept = cached(backend, new AnswerCache());
  await assert.rejects(kept.ask("search", { query: "tax" }), /gone/);
  assert.deepEqual(await kept.ask("search", { query: "tax" }), { hits: [] });
  const circle = {};
  circle.self = circle;
  await kept.ask("search", circle);
  await kept.ask("search", circle);
  assert.equal(n, 4);
});

test("several repositories: hits by score with their repository, totals, failures", async () => {
  const repositories = [
    { name: "shop", search: async () => response([hit("a.ts", 2), hit("b.ts", 1)], { total: 9 }) },
    { name: "library", search: async () => response([hit("lib.rs", 1.5)]) },
    {
      name: "broken",
      search: async () => {
        throw new Error("damaged");
      },
    },
  ];
  const told = [];
  const answer = await searchSeveral(
    repositories,
    { query: "tax", limit: 2 },
    { onProgress: (...all) => told.push(all) },
  );
  assert.deepEqual(
    answer.hits.map(({ repo, path }) => [repo, path]),
    [
      ["shop", "a.ts"],
      ["library", "lib.rs"],
    ],
  );
  assert.deepEqual([answer.total, answer.failed], [10, [{ repo: "broken", message: "damaged" }]]);
  assert.deepEqual(told[1], [1, 3, "library"]);
  await assert.rejects(searchSeveral(repositories, { query: "tax", offset: 3 }), /no paging/);
});

test("notes of several repositories are told where nothing was found, or where all have one", () => {
  const note = "nothing is called handel; did you mean handle?";
  const of = (hits, own) => ({ answer: response(hits, own === undefined ? {} : { note: own }) });
  const none = merged("handel", 5, [
    { repo: "shop", ...of([], note) },
    { repo: "library", ...of([], note) },
  ]);
  assert.deepEqual(none.notes, [
    { repo: "shop", note },
    { repo: "library", note },
  ]);
  const one = merged("handel", 5, [
    { repo: "shop", ...of([hit("a.ts", 1)], note) },
    { repo: "library", ...of([hit("lib.rs", 1)]) },
  ]);
  assert.equal(one.notes, undefined);
});

test("files that a function picks are joined with the hits, 0.6 to 0.4", async () => {
  const asked = [];
  const search = async (request) => {
    asked.push(request);
    return request.paths
      ? response([hit("c.ts", 1, 7), hit("b[1].ts", 1, 3)])
      : response([hit("a.ts", 3), hit("b[1].ts", 2, 3)]);
  };
  const paths = async () => ["a.ts", "b[1].ts", "c.ts"];
  const choose = async (query, all) => [query === "tax" && all.length === 3 ? "b[1].ts" : "", "none.ts", "c.ts"];
  const { hits, total } = await searchWithFiles(search, paths, { query: "tax" }, { selectFiles: choose });
  assert.deepEqual(
    hits.map(({ path }) => path),
    ["b[1].ts", "a.ts", "c.ts"],
  );
  assert.equal(hits[0].score.toFixed(4), (0.6 * (61 / 62) + 0.4).toFixed(4));
  assert.equal(total, 3);
  assert.deepEqual(asked[1].paths, ["/b[[]1[]].ts", "/c.ts"]);
  const only = await searchWithFiles(search, paths, { query: "tax" }, { selectFiles: choose, ensemble: [0, 1] });
  assert.deepEqual(
    only.hits.slice(0, 2).map(({ path }) => path),
    ["b[1].ts", "c.ts"],
  );
  await assert.rejects(
    searchWithFiles(search, paths, { query: "tax" }, { selectFiles: () => "a.ts" }),
    ({ code }) => code === "select.files",
  );
});

test("layers are asked side by side, and come in their order", async () => {
  const started = [];
  const backend = {
    ask: async (_, { mode }) => {
      started.push(mode);
      await new Promise((resolve) => setTimeout(resolve, mode === "lexical" ? 20 : 1));
      return response([], { mode });
    },
    close() {},
  };
  const index = new CodeIndex(backend, { name: "x", stored: { state: "off" }, complete: Promise.resolve() });
  const modes = [];
  for await (const { mode } of index.searchInLayers("tax")) {
    if (modes.length === 0) assert.deepEqual(started, ["lexical", "auto"]);
    modes.push(mode);
  }
  assert.deepEqual(modes, ["lexical", "auto"]);
  for await (const { mode } of index.searchInLayers({ query: "tax", mode: "graph" })) assert.equal(mode, "graph");
});
