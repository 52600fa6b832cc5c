// `repo=*`: one search of every repository of the bucket.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { callTool, start, within } from "./harness.mjs";

/** @param {{ own: Uint8Array, words: Uint8Array, small: Uint8Array }} made */
export const several = (made) =>
  describe("several repositories", () => {
    /** @type {Awaited<ReturnType<typeof start>>} */
    let worker;
    before(async () => {
      worker = await start(
        { DEFAULT_REPOSITORY: "own" },
        { "own.portolan": made.own, "words.portolan": made.words, "broken.portolan": new Uint8Array(100) },
      );
    });
    after(() => worker?.close());

    test("hits say where they are, and one that cannot be read costs its own", async () => {
      const { status, json } = await worker.ask("/v1/search?q=reader&repo=*&limit=20");
      assert.equal(status, 200);
      const repositories = new Set(json.hits.map(({ repo }) => repo));
      assert.deepEqual([...repositories].sort(), ["own", "words"]);
      assert.deepEqual(
        json.failed.map(({ repo }) => repo),
        ["broken"],
      );
      const scores = json.hits.map(({ score }) => score);
      assert.deepEqual(
        scores,
        [...scores].sort((one, other) => other - one),
      );
      const one = await worker.ask("/v1/search?q=reader&repo=own&limit=20");
      assert.deepEqual(
        json.hits.filter(({ repo }) => repo === "own").map(({ path }) => path),
        one.json.hits.map(({ path }) => path).slice(0, json.hits.filter(({ repo }) => repo === "own").length),
      );
    });

    test("posted too; what is wrong with the request is said once", async () => {
      const body = JSON.stringify({ query: "reader", limit: 2 });
      const { json } = await worker.ask("/v1/search?repo=*", { method: "POST", body });
      assert.equal(json.hits.length, 2);
      assert.ok(json.total > 2);
      const wrong = await worker.ask("/v1/search?repo=*&q=reader&mode=fast");
      assert.deepEqual([wrong.status, wrong.json.code], [400, "request.parameter"]);
      const page = await worker.ask("/v1/search?repo=*&q=reader&offset=5");
      assert.deepEqual([page.status, page.json.code], [400, "request.parameter"]);
      assert.equal((await worker.ask("/v1/status?repo=*")).status, 400);
    });

    describe("that are many", () => {
      const ALL = "/v1/search?q=encrypt+bytes&repo=*&limit=15";
      /** @param {number} n */
      const many = (n) =>
        Object.fromEntries(
          Array.from({ length: n }, (_, at) => [`team${at % 7}/repository-${at}.portolan`, made.small]),
        );

      test("all of them are asked, in groups, and the best hits come first", () =>
        within({}, { ...many(150), "broken.portolan": new Uint8Array(100) }, async (worker) => {
          const { status, json, text } = await worker.ask(ALL);
          assert.equal(status, 200, text);
          assert.equal(json.n_repositories, 151);
          assert.equal(json.late, undefined);
          assert.deepEqual([json.n_failed, json.failed[0].repo], [1, "broken"]);
          assert.equal(json.hits.length, 15);
          const one = (await worker.ask("/v1/search?q=encrypt+bytes&repo=team0/repository-0&limit=15")).json;
          // They are all alike: each has the best hit, and so has the list.
          assert.ok(json.hits.every(({ score }) => score === one.hits[0].score));
          assert.equal(new Set(json.hits.map(({ repo }) => repo)).size, 15);
          assert.equal(json.total, 150 * one.total);
        }));

      test("an answer is given again until it is old; a request that differs is asked", () =>
        within({ REFRESH_SECONDS: "1" }, many(40), async (worker) => {
          const first = (await worker.ask(ALL)).json;
          await worker.bucket.put("added.portolan", made.small);
          assert.deepEqual((await worker.ask(ALL)).json, first);
          await new Promise((resolve) => setTimeout(resolve, 1_100));
          assert.equal((await worker.ask(ALL)).json.n_repositories, first.n_repositories + 1);
          assert.equal((await worker.ask(`${ALL}&mode=lexical`)).json.n_repositories, first.n_repositories + 1);
        }));

      test("those that are not reached in time are named, and the answer is not kept", () =>
        within({ ALL_MILLIS: "1" }, many(150), async (worker) => {
          const { status, json, headers } = await worker.ask(ALL);
          assert.equal(status, 200);
          assert.ok(json.late.n_repositories > 0, JSON.stringify(json).slice(0, 300));
          assert.ok(json.late.repositories.length > 0 && json.late.repositories.length <= 100);
          assert.ok(json.late.n_repositories <= json.n_repositories);
          assert.equal(headers.get("cache-control"), "no-store");
        }));

      test("agents are answered by the same search, and told how many were asked and who is missing", () =>
        within({ DEFAULT_REPOSITORY: "team0/repository-0" }, many(210), async (worker) => {
          const query = "encrypt bytes";
          const { json } = await worker.ask(ALL);
          const args = { query, repo: "*", limit: 15, max_bytes: 100_000 };
          const all = await callTool(worker, "search", args);
          assert.deepEqual([all.answer.hits, all.answer.total], [json.hits, json.total]);
          assert.equal(all.answer.n_repositories, 210, "more than a list has");
          assert.match(all.text, /\nNote: 210 repositories asked\.\n… 15 of \d+ hits: raise limit/);
          const listed = await callTool(worker, "list_repos", {});
          assert.deepEqual([listed.answer.repositories.length, listed.answer.truncated], [200, true]);
          assert.match(listed.text, /\nNote: these are the first 200 repositories, and there are more/);
          const wrong = await callTool(worker, "search", { ...args, languages: ["none"] });
          assert.ok(wrong.isError && /none/.test(wrong.text), wrong.text);
        }));

      test("agents are told which repositories were not reached in time", () =>
        within({ ALL_MILLIS: "1" }, many(150), async (worker) => {
          const { answer, text } = await callTool(worker, "search", { query: "encrypt bytes", repo: "*" });
          const { n_repositories, repositories } = answer.late;
          assert.ok(n_repositories > 0 && repositories.length > 0);
          assert.match(
            text,
            /\nNote: 150 repositories asked\. \d+ of them did not answer in time.*: team\d\/repository-/,
          );
        }));
      test("where five fit and the time is short, successive questions reach all, and each says which it did not", () => {
        // Four bytes of memory for each of a file: see `UNPACKED` of indexes.mjs.
        const vars = { ALL_MILLIS: "1", MAX_SNAPSHOT_BYTES: String(5 * 4 * made.small.length) };
        return within(vars, many(32), async (worker) => {
          const left = new Set(Object.keys(many(32)).map((key) => key.replace(".portolan", "")));
          let n_partial = 0;
          // Each question reaches at least one that was closed, in each group.
          for (let n = 0; n < 40 && left.size > 0; n++) {
            const { status, json, text } = await worker.ask(`/v1/search?q=encrypt+bytes+${n}&repo=*&limit=200`);
            assert.deepEqual([status, json.n_repositories, json.failed], [200, 32, undefined], text.slice(0, 300));
            const late = new Set(json.late?.repositories);
            assert.equal(late.size, json.late?.n_repositories ?? 0);
            assert.ok(json.hits.every(({ repo }) => !late.has(repo)));
            for (const name of left) if (!late.has(name)) left.delete(name);
            if (late.size > 0) n_partial++;
          }
          assert.deepEqual([...left], []);
          assert.ok(n_partial > 0, "all were reached at once");
        });
      });

      test("a fault of the request is told once", () =>
        within({}, many(70), async (worker) => {
          const { status, json } = await worker.ask("/v1/search?q=a&repo=*&mode=fast");
          assert.deepEqual([status, json.code], [400, "request.parameter"]);
        }));
    });
  });
