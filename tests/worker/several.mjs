// `repo=*`: one search of every repository of the bucket.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { start } from "./harness.mjs";

/** @param {{ own: Uint8Array, words: Uint8Array }} made */
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
  });
