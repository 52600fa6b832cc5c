// An index in shards, each held by a Durable Object: its answers are those of one index, and a shard that fails is named.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { same } from "./answers.mjs";
import { callTool, LATE, start, within } from "./harness.mjs";

const QUERY = "/v1/search?q=checksum+of+a+section";

/** Names of the shards of the objects of an index. @param {Record<string, Uint8Array>} objects */
const namesOf = (objects) =>
  Object.keys(objects)
    .map((key) => /-([0-9a-f]{32})\.portolan$/.exec(key)?.[1])
    .filter((name) => name !== undefined);

/** Sizes of sections are those of files, which differ; a root does not count the vectors of its shards. @param {any} json */
const comparable = ({ sections: _, n_vectors: __, n_shards: ___, ...json }) => json;

/** @param {import("./harness.mjs").Native} made */
export const shards = (made) =>
  describe("shards", () => {
    const { model } = made;
    const models = {
      [`models/${model.name}.onnx`]: model.onnx,
      [`models/${model.name}.tokenizer.json`]: model.tokenizer,
    };

    for (const name of ["sharded", "many"])
      describe(`answers of ${namesOf(made.shards(name)).length}`, () => {
        /** @type {Awaited<ReturnType<typeof start>>} */
        let worker;
        before(async () => {
          worker = await start({ DEFAULT_REPOSITORY: name }, { ...made.shards(name), ...models });
        });
        after(() => worker.close());

        for (const { method, target, body, status, answer } of made.answers) {
          if (target.includes("repo=words")) continue;
          test(`as of one index: ${method} ${target} ${body}`, async () => {
            const reply = await worker.ask(target, method === "POST" ? { method, body } : {});
            assert.equal(reply.status, status, reply.text);
            same(comparable(reply.json), comparable(answer));
          });
        }

        test("searches, walks and maps are among them, and are answered", async () => {
          const answered = { search: 0, symbol: 0, others: 0 };
          for (const { method, target, body, status } of made.answers) {
            if (status !== 200 || target.includes("repo=words")) continue;
            const reply = await worker.ask(target, method === "POST" ? { method, body } : {});
            if (reply.status !== 200) continue;
            const [, kind] = /^\/v1\/(search|symbol)/.exec(target) ?? [undefined, "others"];
            answered[/** @type {"search" | "symbol" | "others"} */ (kind)]++;
          }
          assert.ok(answered.search > 8 && answered.symbol > 10 && answered.others > 20, JSON.stringify(answered));
        });

        test("a warm answer opens nothing, and is cached by its etag", async () => {
          const first = await worker.ask(QUERY);
          const again = await worker.ask(QUERY);
          assert.equal(again.headers.get("x-portolan-index"), "kept");
          assert.deepEqual(again.json, first.json);
          const etag = again.headers.get("etag") ?? "";
          const unchanged = await worker.fetch(QUERY, { headers: { "if-none-match": etag } });
          assert.equal(unchanged.status, 304);
        });

        test("a fault of the request is told once, as of one index", async () => {
          for (const [target, code] of [
            ["/v1/search?q=a&path=%5B", "glob.syntax"],
            ["/v1/search?q=%20&mode=lexical", "request.parameter"],
            ["/v1/search?q=a&kind=nothing", "query.invalid"],
          ]) {
            const { status, json } = await worker.ask(target);
            assert.deepEqual([status, json.code], [400, code], target);
          }
        });

        test("many at once", async () => {
          const targets = Array.from({ length: 24 }, (_, n) => `${QUERY}&limit=${1 + (n % 4)}`);
          const replies = await Promise.all(targets.map((target) => worker.ask(target)));
          for (const [n, { status, json, text }] of replies.entries()) {
            assert.equal(status, 200, text);
            assert.deepEqual(json, replies[n % 4].json);
          }
        });
      });

    test("a shard is no repository of its own", () =>
      within({}, made.shards("sharded"), async (worker) => {
        const { status, json } = await worker.ask("/v1/search?q=reader&repo=*");
        assert.equal(status, 200);
        assert.deepEqual([...new Set(json.hits.map(({ repo }) => repo))], ["sharded"]);
        assert.equal(json.failed, undefined);
      }));

    describe("that fail", () => {
      const objects = made.shards("sharded");
      const [first, second] = namesOf(objects);
      /** @type {Awaited<ReturnType<typeof start>>} */
      let worker;
      before(async () => (worker = await start({ DEFAULT_REPOSITORY: "sharded" }, objects, LATE)));
      after(() => worker.close());

      /** @param {string} target  @param {string} code */
      const partial = async (target, code) => {
        const { status, json, headers, text } = await worker.ask(target);
        assert.equal(status, 200, text);
        assert.deepEqual(
          json.missing_shards.map((/** @type {{ code: string }} */ shard) => shard.code),
          [code],
        );
        assert.ok(json.missing_shards[0].n_files > 0 && json.missing_shards[0].message !== "");
        assert.deepEqual([headers.get("cache-control"), headers.get("etag")], ["no-store", null]);
        return json;
      };

      test("a late one is named, and the others answer within the deadline", async () => {
        assert.equal((await worker.ask(QUERY)).json.missing_shards, undefined);
        const started = performance.now();
        const json = await partial(`${QUERY}&late=${first}`, "shard.late");
        assert.ok(performance.now() - started < 3_800, "nobody waits for it");
        assert.ok(json.hits.length > 0);
        assert.equal((await worker.ask(QUERY)).json.missing_shards, undefined);
      });

      test("one whose object throws is named", () => partial(`${QUERY}&lost=${second}`, "shard.failed"));

      test("no hit is of the missing shard, and all others are those of a whole answer", async () => {
        const whole = (await worker.ask(`${QUERY}&limit=200&ungrouped=1`)).json;
        const json = await partial(`${QUERY}&limit=200&ungrouped=1&lost=${first}`, "shard.failed");
        const paths = (/** @type {any} */ { hits }) => new Set(hits.map((/** @type {any} */ { path }) => path));
        const left = [...paths(whole)].filter((path) => !paths(json).has(path));
        assert.ok(left.length > 0 && left.length < paths(whole).size, `${left.length} of ${paths(whole).size}`);
      });

      test("agents are told which shard is missing", async () => {
        const args = { query: "checksum of a section" };
        const { text, answer } = await callTool(worker, "search", args, `/mcp?lost=${first}`);
        const [{ shard, n_files }] = answer.missing_shards;
        assert.ok(text.includes(`shard ${shard} (${n_files} file`) && text.includes("shard.failed"), text);
        assert.doesNotMatch((await callTool(worker, "search", args)).text, /did not answer/);
        const all = await callTool(worker, "search", { ...args, repo: "*" }, `/mcp?lost=${first}`);
        assert.deepEqual(all.answer.missing_shards, [{ repo: "sharded", ...answer.missing_shards[0] }]);
        assert.match(all.text, /Note: 1 repository asked\.(.|\n)*Note: 1 shard did not answer.*: sharded shard /);
      });

      test("tools that do not search need no object", async () => {
        const { status, json } = await worker.ask(`/v1/symbol?name=shown&view=callers&lost=${first}`);
        assert.equal(status, 200);
        assert.ok(json.calls.length > 0);
      });

      test("tools that search as a part of their answer say which shard failed", async () => {
        const body = JSON.stringify({ query: "checksum of a section" });
        for (const tool of ["query", "assemble"]) {
          const { status, json } = await worker.ask(`/v1/${tool}?lost=${first}`, { method: "POST", body });
          assert.deepEqual([status, json.code], [503, "shard.failed"]);
          assert.equal((await worker.ask(`/v1/${tool}`, { method: "POST", body })).status, 200);
        }
      });
    });

    test("a shard that is not in the bucket: searches name it, other tools refuse", async () => {
      const objects = made.shards("sharded");
      const [lost] = Object.keys(objects).filter((key) => key !== "sharded.portolan");
      const { [lost]: _, ...others } = objects;
      await within({ DEFAULT_REPOSITORY: "sharded" }, others, async (worker) => {
        const { status, json, text } = await worker.ask(QUERY);
        assert.equal(status, 200, text);
        assert.deepEqual(
          json.missing_shards.map((/** @type {{ code: string }} */ { code }) => code),
          ["snapshot.not-found"],
        );
        const map = await worker.ask("/v1/map", { method: "POST", body: "{}" });
        assert.deepEqual([map.status, map.json.code], [404, "snapshot.not-found"]);
        // The root knows all files.
        assert.equal((await worker.ask("/v1/status")).status, 200);
      });
    });

    test("shards of another root are refused", async () => {
      const [five, many] = [made.shards("sharded"), made.shards("many")];
      const names = namesOf(five);
      const others = Object.values(many).filter((_, n) => n > 0);
      const swapped = { ...five };
      for (const [n, name] of names.entries()) swapped[`sharded-${name}.portolan`] = others[n];
      await within({ DEFAULT_REPOSITORY: "sharded" }, swapped, async (worker) => {
        const { status, json } = await worker.ask("/v1/map", { method: "POST", body: "{}" });
        assert.deepEqual([status, json.code], [502, "snapshot.damaged"]);
      });
    });
  });
