// Answers of the MCP server that are not whole: agents are told what is missing, in the text and in the structured answer.
import assert from "node:assert/strict";
import { test } from "node:test";

import { sizedAnswer } from "../dist/mcp/sized.js";

const hit = (name, repo) => ({
  ...(repo !== undefined && { repo }),
  path: `src/${name}.ts`,
  start_line: 1,
  end_line: 2,
  score: 1,
  snippet: { start_line: 1, text: `export const ${name} = 1;`, marks: [] },
  more: [],
});
const late = { shard: 1, n_files: 12, code: "shard.late", message: "it is late" };
const failed = { shard: 4, n_files: 1, code: "shard.failed", message: "it failed" };

/** Asks a host. A search of all repositories gives `ofAll`, one of one repository `ofOne`. */
async function ask(tool, args, { ofAll, ofOne, known = { repositories: [] } }) {
  const asked = [];
  const host = {
    version: "0",
    can: {},
    repositories: async () => known,
    open: async (name = "shop") => ({
      name,
      ask: async () => {
        asked.push(name);
        return ofOne;
      },
    }),
    ...(ofAll && {
      searchAll: async (request) => {
        asked.push(request);
        return ofAll;
      },
    }),
  };
  const context = { signal: new AbortController().signal, onProgress: () => {} };
  return { ...(await sizedAnswer({ tool, args, host, context })), asked };
}

const search = (args, given) => ask("search", { query: "tax", ...args }, given);

test("a search says which shards are missing", async () => {
  const whole = { query: "tax", total: 1, hits: [hit("a")] };
  assert.doesNotMatch((await search({}, { ofOne: whole })).text, /Note/);
  const { text, answer } = await search({}, { ofOne: { ...whole, missing_shards: [late, failed] } });
  assert.match(
    text,
    /\nNote: 2 shards did not answer, and hits in their files are missing: shard 1 \(12 files, shard\.late\), shard 4 \(1 file, shard\.failed\)\. Ask again\.$/,
  );
  assert.equal(answer.missing_shards.length, 2);
  const none = await search({}, { ofOne: { query: "tax", total: 0, hits: [], missing_shards: [late] } });
  assert.match(
    none.text,
    /^nothing found in the part that answered\nNote: 1 shard did not answer, and hits in its files/,
  );
});

test("every repository is asked by the host, with the request as it is", async () => {
  const ofAll = { query: "tax", total: 1, hits: [hit("a", "shop")], n_repositories: 3 };
  const { text, asked } = await search({ repo: "*", languages: ["rust"], max_bytes: 4000 }, { ofAll });
  assert.deepEqual(asked, [{ limit: 10, query: "tax", languages: ["rust"] }]);
  assert.match(text, /^shop: src\/a\.ts:1-2\n.*\nNote: 3 repositories asked\.$/);
});

test("those that are late, that failed, and that were not asked are told", async () => {
  const names = Array.from({ length: 100 }, (_, n) => `team/r${n}`);
  const ofAll = {
    query: "tax",
    total: 40,
    hits: [hit("a", "shop")],
    n_repositories: 10_000,
    more_repositories: true,
    n_failed: 120,
    failed: [{ repo: "broken", message: "damaged" }],
    late: { n_repositories: 900, repositories: names },
    n_missing_shards: 2,
    missing_shards: [
      { repo: "large", ...late },
      { repo: "other", ...failed },
    ],
  };
  const { text } = await search({ repo: "*" }, { ofAll });
  assert.deepEqual(text.split("\n").slice(2), [
    "broken failed: damaged",
    "Note: 10000 repositories asked; there are more, which were not: name one in repo. 900 of them did not answer in time, and their hits are missing: team/r0, team/r1, team/r2, team/r3, team/r4, …. Ask again, or name one in repo. 120 of them failed.",
    "… 1 of 40 hits: raise limit or max_bytes, or name one repository",
    "Note: 2 shards did not answer, and hits in their files are missing: large shard 1 (12 files, shard.late), other shard 4 (1 file, shard.failed). Ask again.",
  ]);
});

test("notes stay where the text is cut, and all repositories are asked once", async () => {
  const hits = Array.from({ length: 50 }, (_, n) => hit(`a${n}`, "shop"));
  const ofAll = { query: "tax", total: 50, hits, n_repositories: 1, late: { n_repositories: 1, repositories: ["x"] } };
  const { text, answer, asked } = await search({ repo: "*", limit: 50, max_bytes: 1024 }, { ofAll });
  assert.equal(asked.length, 1);
  assert.ok(answer.hits.length < 50 && Buffer.byteLength(text) <= 1024, text);
  assert.match(text, /Note: 1 repository asked\. 1 of them did not answer in time/);
  assert.match(text, /… \d+ of 50 hits/);
});

test("where a host asks one after the other, the list that is cut is told, too", async () => {
  const known = { repositories: [{ name: "a" }, { name: "b" }], truncated: true };
  const ofOne = { query: "tax", total: 1, hits: [hit("a")] };
  const { text, answer, asked } = await search({ repo: "*" }, { ofOne, known });
  assert.deepEqual([asked, answer.n_repositories, answer.more_repositories], [["a", "b"], 2, true]);
  assert.match(text, /Note: 2 repositories asked; there are more, which were not: name one in repo\.$/);
  const list = await ask("list_repos", {}, { known });
  assert.deepEqual(list.answer, known);
  assert.equal(
    list.text,
    "a\nb\nNote: these are the first 2 repositories, and there are more: `repo` takes their names, too.",
  );
  assert.equal((await ask("list_repos", {}, { known: { repositories: [{ name: "a" }] } })).text, "a");
});
