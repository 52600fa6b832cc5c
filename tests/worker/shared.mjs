// Shared indexes in the real workerd: versions in its R2, rate limits in its Durable Objects, tools over the versions.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { Cutter } from "../../pkg/dist/shared/cutter.js";
import { FolderStore } from "../../pkg/dist/shared/folder-store.js";
import { createToken } from "../../pkg/dist/shared/tokens.js";
import { start } from "./harness.mjs";

const COMMIT = "1".repeat(40);
const digestOf = (/** @type {Uint8Array} */ bytes) => createHash("sha256").update(bytes).digest("hex");

/** @param {Uint8Array} file */
function cut(file) {
  const cutter = new Cutter(file.length);
  const pieces = [...cutter.push(file)].map(({ part, bytes }) => ({ part, bytes, digest: digestOf(bytes) }));
  const sections = (cutter.layout?.parts ?? []).map((own, at) => ({
    ...own,
    pieces: pieces.filter(({ part }) => part === at).map(({ digest, bytes }) => ({ digest, n_bytes: bytes.length })),
  }));
  return { sections, pieces };
}

/** @param {{ own: Uint8Array, words: Uint8Array }} made */
export const shared = (made) =>
  describe("shared indexes", () => {
    /** @type {Awaited<ReturnType<typeof start>>} */
    let worker;
    const folder = mkdtempSync(join(tmpdir(), "portolan-tokens-"));
    /** @type {Record<string, string>} */
    const tokens = {};
    const repo = "/v1/repos/acme%2Ftools";

    /** @param {string} target  @param {any} [init]  @param {string} [scope] */
    const ask = (target, { headers, ...init } = {}, scope = "admin") =>
      worker.fetch(target, { ...init, headers: { ...headers, authorization: `Bearer ${tokens[scope]}` } });

    /** @param {string} target  @param {any} [init]  @param {string} [scope] */
    const json = async (target, init, scope) => {
      const response = await ask(target, init, scope);
      return { status: response.status, json: await response.json() };
    };

    before(async () => {
      const store = new FolderStore(folder);
      for (const scope of /** @type {const} */ (["read", "write", "admin"])) {
        const made = await createToken(store, {
          name: scope,
          scope,
          repositories: scope === "read" ? ["acme/*"] : ["**"],
        });
        tokens[scope] = /** @type {string} */ (made.token);
      }
      const document = await store.readDocument("access/tokens");
      worker = await start(
        { ACCESS: "tokens", REFRESH_SECONDS: "1", RATE_PER_MINUTE: "1000000" },
        {
          "shared/documents/access/tokens": /** @type {Uint8Array} */ (document?.bytes),
          "by-hand.portolan": made.words,
        },
      );
      const put = await json(`${repo}?commit=${COMMIT}`, { method: "PUT", body: made.own });
      assert.equal(put.status, 201, JSON.stringify(put.json));
    });
    after(async () => {
      await worker?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test("a file that was put is read byte for byte, whole and by range", async () => {
      const whole = await ask(`${repo}/index`);
      assert.deepEqual(new Uint8Array(await whole.arrayBuffer()), made.own);
      const range = await ask(`${repo}/index`, { headers: { range: "bytes=100-70000" } });
      assert.equal(range.status, 206);
      assert.deepEqual(new Uint8Array(await range.arrayBuffer()), made.own.subarray(100, 70_001));
    });

    test("a hundred requests at once are answered while index and tokens are read again", async () => {
      const seconds = Number(process.env.PORTOLAN_SECONDS ?? 7);
      const until = Date.now() + 1000 * seconds;
      /** @type {Record<string, number>} */
      const answers = {};
      const client = async (/** @type {number} */ at) => {
        for (let n = 0; Date.now() < until; n++) {
          const tool = (at + n) % 2 === 0 ? "search?limit=3&q" : "symbol?name";
          const response = await ask(`/v1/${tool}=reader&repo=acme/tools`, {}, "admin");
          const text = await response.text();
          const answer = response.status === 200 ? "200" : `${response.status} ${text.slice(0, 200)}`;
          answers[answer] = (answers[answer] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: 100 }, (_, at) => client(at)));
      delete answers["429"];
      const others = Object.keys(answers).filter((answer) => answer !== "200" && !answer.startsWith("429"));
      assert.deepEqual(others, [], JSON.stringify(answers));
      assert.ok((answers["200"] ?? 0) > 100, JSON.stringify(answers));
    });

    test("queries are answered from the current version, an older one by its name", async () => {
      const search = await json("/v1/search?repo=acme/tools&q=reader&limit=3", {}, "read");
      assert.equal(search.status, 200, JSON.stringify(search.json));
      assert.ok(search.json.hits.length > 0);
      const { sections, pieces } = cut(made.words);
      const request = { n_bytes: made.words.length, sections, source: { commit: "2".repeat(40) } };
      const offer = () => json(`${repo}/versions`, { method: "POST", body: JSON.stringify(request) }, "write");
      const first = await offer();
      assert.equal(first.status, 202);
      for (const { digest, bytes } of pieces.filter(({ digest }) => first.json.missing.includes(digest))) {
        const response = await ask(`${repo}/pieces/${digest}`, { method: "PUT", body: bytes }, "write");
        assert.equal(response.status, 204);
      }
      const second = await offer();
      assert.deepEqual([second.status, second.json.is_current], [201, true]);
      const older = await json(`/v1/status?repo=acme/tools&version=${COMMIT}`, {}, "read");
      assert.equal(older.status, 200, JSON.stringify(older.json));
      const back = await json(`${repo}/current`, { method: "POST", body: '{"version":"previous"}' });
      assert.equal(back.json.source.commit, COMMIT);
    });

    test("rights hold for tools, lists and MCP", async () => {
      assert.equal((await worker.fetch("/v1/status?repo=acme/tools")).status, 401);
      assert.equal((await worker.fetch("/healthz")).status, 200);
      assert.equal((await json("/v1/status?repo=by-hand", {}, "read")).status, 404);
      assert.equal((await json("/v1/status?repo=by-hand", {}, "admin")).status, 200);
      assert.equal((await json("/v1/status?repo=by-hand", {}, "read")).status, 404, "also while it is open");
      assert.equal((await json(`${repo}/prune`, { method: "POST", body: "{}" }, "write")).status, 403);
      const call = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "search", arguments: { query: "reader", repo: "by-hand" } },
      };
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const mcp = await ask("/mcp", { method: "POST", headers, body: JSON.stringify(call) }, "read");
      assert.match(await mcp.text(), /no index of by-hand/);
      const list = await json("/v1/repos", {}, "read");
      assert.deepEqual(
        list.json.repositories.map((/** @type {{ name: string }} */ { name }) => name),
        ["acme/tools"],
      );
    });

    test("of writers at the same moment none loses a version", async () => {
      const { sections } = cut(made.own);
      const offers = await Promise.all(
        Array.from({ length: 6 }, (_, n) => {
          const request = { n_bytes: made.own.length, sections, source: { commit: `${n}`.repeat(40) }, switch: false };
          return json(`${repo}/versions`, { method: "POST", body: JSON.stringify(request) });
        }),
      );
      assert.ok(
        offers.every(({ status }) => status < 300 || status === 409),
        JSON.stringify(offers),
      );
      const { json: list } = await json(`${repo}/versions`);
      const commits = list.versions.map((/** @type {any} */ { source }) => source.commit);
      for (const [n, { status }] of offers.entries()) if (status < 300) assert.ok(commits.includes(`${n}`.repeat(40)));
    });

    test("what does not fit its digest is refused; deleted is deleted", async () => {
      const wrong = await json(`${repo}/pieces/${"0".repeat(64)}`, { method: "PUT", body: "x" });
      assert.deepEqual([wrong.status, wrong.json.code], [422, "version.digest"]);
      assert.equal((await ask("/v1/repos/gone", { method: "PUT", body: made.words })).status, 201);
      assert.equal((await ask("/v1/repos/gone", { method: "DELETE" })).status, 204);
      assert.equal((await ask("/v1/repos/gone/index")).status, 404);
      const { objects } = await worker.bucket.list({ prefix: "shared/objects/repos/gone/" });
      assert.deepEqual(objects, []);
    });

    test("a refused token is limited by a Durable Object", async () => {
      tokens.wrong = `ptl_${"A".repeat(12)}_${"A".repeat(43)}`;
      const statuses = [];
      for (let n = 0; n < 25; n++) statuses.push((await ask("/v1/repos", {}, "wrong")).status);
      assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
    });

    test("tokens that were made are in the log, once, and no secret of one", async () => {
      const logs = JSON.stringify(worker.logs());
      assert.match(logs, /put_index/);
      for (const scope of ["read", "write", "admin"]) {
        const said = logs.match(new RegExp(`create_token[^{}]*?name[^{}]{1,9}${scope}`, "g"));
        assert.equal(said?.length, 1, `${scope}: ${said}`);
      }
      const list = await worker.bucket.get("shared/documents/access/tokens");
      assert.equal(JSON.parse((await list?.text()) ?? "").events, undefined, "the events are taken out");
      for (const token of Object.values(tokens)) assert.ok(!logs.includes(token.slice(17)));
    });
  });
