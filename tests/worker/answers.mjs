import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { start } from "./harness.mjs";

/** @param {import("./harness.mjs").Native} expected */
export const answers = (expected) =>
  describe("answers", () => {
    const models = {
      [`models/${expected.model.name}.onnx`]: expected.model.onnx,
      [`models/${expected.model.name}.tokenizer.json`]: expected.model.tokenizer,
    };
    /** @type {Awaited<ReturnType<typeof start>>} */
    let worker;
    before(async () => {
      const objects = { "own.portolan": expected.own, "words.portolan": expected.words, ...models };
      worker = await start({ DEFAULT_REPOSITORY: "own" }, objects);
    });
    after(() => worker.close());

    for (const { method, target, body, status, answer } of expected.answers) {
      test(`as natively: ${method} ${target} ${body}`, async () => {
        const reply = await worker.ask(target, method === "POST" ? { method, body } : {});
        assert.equal(reply.status, status, reply.text);
        same(reply.json, answer);
      });
    }

    test("all of them are about something", () => {
      const found = (/** @type {string} */ start) => expected.answers.filter(({ target }) => target.startsWith(start));
      const hits = found("/v1/search").flatMap(({ answer }) => answer.hits ?? []);
      assert.ok(hits.length > 50, `${hits.length} hits`);
      assert.ok(
        hits.some((hit) => hit.why.includes("meaning")),
        "no hit by meaning",
      );
      const calls = found("/v1/symbol").flatMap(({ answer }) => answer.calls ?? answer.references ?? []);
      assert.ok(calls.length > 5, `${calls.length} calls and references`);
    });

    test("healthz needs no index", async () => {
      const { status, json, headers } = await worker.ask("/healthz");
      assert.equal(status, 200);
      assert.equal(json.status, "ok");
      assert.match(json.version, /^\d+\.\d+\.\d+$/);
      assert.equal(headers.get("cache-control"), "no-store");
    });

    test("the index is opened once and kept", async () => {
      await worker.ask("/v1/status");
      const { headers } = await worker.ask("/v1/search?q=graph");
      assert.equal(headers.get("x-portolan-index"), "kept");
    });

    test("answers tell how old their snapshot is", async () => {
      const before = Date.now();
      for (const init of [{}, { method: "POST", body: '{"query": "graph"}' }]) {
        const { headers } = await worker.ask(init.body ? "/v1/search" : "/v1/search?q=graph", init);
        const put = Date.parse(headers.get("last-modified") ?? "");
        assert.ok(before - put >= 0 && before - put < 3_600_000, String(headers.get("last-modified")));
      }
      const { json } = await worker.ask("/v1/status");
      assert.ok(json.built_at <= before);
    });

    test("an answer that the client holds is not sent again", async () => {
      const first = await worker.ask("/v1/search?q=graph");
      const etag = first.headers.get("etag");
      assert.match(etag, /^W\/"[^"]+"$/);
      assert.equal(first.headers.get("cache-control"), "public, max-age=60");
      const again = await worker.ask("/v1/search?q=graph", { headers: { "if-none-match": `"other", ${etag}` } });
      assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
      const other = await worker.ask("/v1/search?q=graph", { headers: { "if-none-match": '"other"' } });
      assert.equal(other.status, 200);
    });

    test("HEAD gives the headers only", async () => {
      const { status, text, headers } = await worker.ask("/v1/search?q=graph", { method: "HEAD" });
      assert.deepEqual([status, text, headers.get("content-type")], [200, "", "application/json; charset=utf-8"]);
    });

    test("pages of other origins may ask", async () => {
      const preflight = await worker.ask("/v1/search", {
        method: "OPTIONS",
        headers: { origin: "https://page.example", "access-control-request-method": "GET" },
      });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get("access-control-allow-methods"), "GET, HEAD, POST, OPTIONS");
      for (const target of ["/v1/search?q=graph", "/v1/search", "/nowhere"]) {
        const { headers } = await worker.ask(target);
        assert.equal(headers.get("access-control-allow-origin"), "*", target);
      }
    });

    test("an unknown path gets the list of routes", async () => {
      const { status, json, headers } = await worker.ask("/v2/search?q=graph");
      assert.deepEqual([status, json.code], [404, "request.route"]);
      assert.match(json.help, /GET \/v1\/search\?q=/);
      assert.equal(headers.get("cache-control"), "no-store");
    });

    test("refusals", async () => {
      const cases = [
        ["/v1/search", 400, "request.parameter"],
        ["/v1/search?q=graph&limit=many", 400, "request.parameter"],
        ["/v1/search?q=graph&colour=red", 400, "request.parameter"],
        ["/v1/search?q=graph&repo=../own", 400, "request.parameter"],
        ["/v1/search?q=graph&repo=nobody/nothing", 404, "snapshot.not-found"],
        ["/v1/symbol?name=thereisnosuchsymbolanywhere&view=callees", 404, "symbol.not-found"],
      ];
      for (const [target, status, code] of cases) {
        const { json, ...reply } = await worker.ask(/** @type {string} */ (target));
        assert.deepEqual([reply.status, json.code], [status, code], String(target));
        assert.notEqual(json.message, "", String(target));
      }
      const put = await worker.ask("/v1/search?q=graph", { method: "PUT", body: "{}" });
      assert.deepEqual(
        [put.status, put.json.code, put.headers.get("allow")],
        [405, "request.method", "GET, HEAD, POST, OPTIONS"],
      );
    });

    test("tools are listed, and posted to by name", async () => {
      const { json } = await worker.ask("/v1/tools");
      const names = json.map((/** @type {{ name: string }} */ { name }) => name);
      for (const name of ["search", "context", "impact", "detect_changes", "rename", "query", "trace"])
        assert.ok(names.includes(name), name);
      const post = (/** @type {string} */ tool, /** @type {string} */ body) =>
        worker.ask(`/v1/${tool}`, { method: "POST", body });
      const { status, json: found, headers } = await post("context", '{"symbol": "Params.parse"}');
      assert.deepEqual([status, found.symbol.name, headers.get("cache-control")], [200, "parse", "no-store"]);
      const refused = [
        ["levitate", "{}", 404, "request.route"],
        ["context", "{", 400, "request.invalid"],
        ["context", "{}", 400, "request.invalid"],
        ["rename", JSON.stringify({ symbol: "parse", new_name: "x" }), 400, "symbol.ambiguous"],
        ["detect_changes", JSON.stringify({ diff: "x".repeat(2 << 20) }), 413, "request.too-large"],
      ];
      for (const [tool, body, status, code] of refused) {
        const reply = await post(String(tool), String(body));
        assert.deepEqual([reply.status, reply.json.code], [status, code], `${tool} ${String(body).slice(0, 40)}`);
      }
    });

    test("many at once", async () => {
      const queries = Array.from(
        { length: 60 },
        (_, n) => `/v1/search?q=${["graph", "parse", "snapshot"][n % 3]}&repo=${["own", "words"][n % 2]}`,
      );
      const replies = await Promise.all(queries.map((query) => worker.ask(query)));
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
      for (const [n, query] of queries.entries())
        assert.deepEqual(replies[n].json, replies[queries.indexOf(query)].json);
    });
  });

/**
 * The same value; numbers with a fraction may differ where the last bits of native and WebAssembly logarithms do.
 * @param {unknown} found  @param {unknown} wanted  @param {string} [at]
 */
export function same(found, wanted, at = "$") {
  if (typeof found === "number" && typeof wanted === "number" && !Number.isInteger(wanted)) {
    assert.ok(Math.abs(found - wanted) <= 1e-5 * Math.max(1, Math.abs(wanted)), `${at}: ${found}, expected ${wanted}`);
  } else if (found !== null && wanted !== null && typeof found === "object" && typeof wanted === "object") {
    assert.deepEqual(Object.keys(found), Object.keys(wanted), at);
    for (const key of Object.keys(wanted)) same(found[key], wanted[key], `${at}.${key}`);
  } else {
    assert.equal(found, wanted, at);
  }
}
