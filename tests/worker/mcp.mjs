// MCP over Streamable HTTP in workerd, asked by the official clients.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { start } from "./harness.mjs";

const TOOLS = [
  "list_repos",
  "search",
  "query",
  "context",
  "impact",
  "trace",
  "detect_changes",
  "rename",
  "cypher",
  "code_intelligence",
  "repo_map",
  "read_code",
  "status",
  "list_files",
  "locate",
  "regex",
];

/** @param {{ own: Uint8Array, words: Uint8Array }} made */
export const mcp = (made) =>
  describe("MCP", () => {
    /** @type {Awaited<ReturnType<typeof start>>} */
    let worker;
    /** @type {Client} */
    let client;
    before(async () => {
      worker = await start({ DEFAULT_REPOSITORY: "own" }, { "own.portolan": made.own, "words.portolan": made.words });
      client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
      await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", worker.url)));
    });
    after(async () => {
      await client?.close();
      await worker?.close();
    });

    /** @param {string} name  @param {object} args */
    const answer = async (name, args) => {
      const result = await client.callTool({ name, arguments: args });
      const [{ text }] = /** @type {any} */ (result.content);
      return { isError: result.isError ?? false, text, .../** @type {any} */ (result.structuredContent) };
    };

    test("the newest protocol, and every tool that needs no files", async () => {
      assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        TOOLS,
      );
      assert.ok(
        tools.every(({ annotations }) => annotations?.readOnlyHint === true),
        "nothing can be written",
      );
      const of = (/** @type {string} */ name) =>
        /** @type {any} */ (tools.find((tool) => tool.name === name)).inputSchema;
      assert.deepEqual(
        [of("rename").properties.apply, of("detect_changes").properties.staged, of("detect_changes").required],
        [undefined, undefined, ["diff"]],
      );
      assert.ok(JSON.stringify(tools).length <= 12 * 1024);
    });

    test("answers as over HTTP", async () => {
      const { hits } = await answer("search", { query: "reader", limit: 3 });
      const { json } = await worker.ask("/v1/search?q=reader&limit=3");
      assert.deepEqual(
        hits.map(({ path, start_line }) => [path, start_line]),
        json.hits.map(({ path, start_line }) => [path, start_line]),
      );
      const [{ symbols }] = [
        (await worker.ask("/v1/find", { method: "POST", body: JSON.stringify({ symbol: "parse" }) })).json,
      ];
      const [{ qualified_name, path }] = symbols;
      const selector = `${path}#${qualified_name}`;
      const { symbol, text } = await answer("context", { symbol: selector });
      assert.equal(symbol.path, path);
      assert.ok(text.startsWith(`${path}:`), text);
      for (const [name, args] of /** @type {const} */ ([
        ["impact", { symbol: selector }],
        ["query", { query: "read a file" }],
        ["locate", { text: "parse reads a file twice", limit: 3 }],
        ["rename", { symbol: selector, new_name: "other" }],
        ["trace", { from: selector, to: selector }],
        ["code_intelligence", { command: "callers", symbol: selector }],
        ["repo_map", { max_tokens: 200 }],
        ["read_code", { symbol: selector }],
        ["cypher", { query: "MATCH (n:Function) RETURN count(n) AS n" }],
        ["detect_changes", { diff: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n" }],
        ["regex", { pattern: "fn \\w+", limit: 5 }],
        ["status", {}],
        ["list_repos", {}],
      ])) {
        const { isError, text } = await answer(name, args);
        assert.equal(isError, false, `${name}: ${text}`);
      }
    });

    test("several repositories, and errors as sentences", async () => {
      const { repositories } = await answer("list_repos", {});
      assert.deepEqual(
        repositories.map(({ name, is_default }) => [name, is_default]),
        [
          ["own", true],
          ["words", undefined],
        ],
      );
      assert.equal((await answer("status", { repo: "words" })).repo, "words");
      const all = await answer("search", { query: "parse", repo: "*" });
      assert.ok(all.hits.length > 0 && all.hits.every(({ repo }) => ["own", "words"].includes(repo)));
      const none = await answer("status", { repo: "nowhere" });
      assert.deepEqual(
        [none.isError, none.text],
        [
          true,
          "there is no index of nowhere [snapshot.not-found]\nput its snapshot into the bucket as nowhere.portolan",
        ],
      );
      const odd = await answer("status", { repo: "../x" });
      assert.ok(odd.isError && /is not a name/.test(odd.text), odd.text);
      assert.match((await answer("context", {})).text, /`symbol` is missing/);
    });

    test("pages go on in another request", async () => {
      const first = await answer("search", { query: "parse", limit: 2 });
      const second = await answer("search", { query: "parse", limit: 2, cursor: first.next_cursor });
      assert.ok(
        second.hits.every(
          ({ path, start_line }) => !first.hits.some((hit) => hit.path === path && hit.start_line === start_line),
        ),
      );
    });

    test("resources and prompts", async () => {
      const { resources } = await client.listResources();
      assert.deepEqual(
        resources.map(({ uri }) => uri),
        ["portolan://own/map", "portolan://own/schema", "portolan://words/map", "portolan://words/schema"],
      );
      const { contents } = await client.readResource({ uri: "portolan://own/schema" });
      assert.match(/** @type {any} */ (contents[0]).text, /\| CALLS \| \d+ \|/);
      assert.equal((await client.listPrompts()).prompts.length, 11);
    });

    test("the client of the generation before", async () => {
      const old = new OldClient({ name: "old", version: "1.0.0" });
      await old.connect(new OldTransport(new URL("/mcp", worker.url)));
      assert.equal((await old.listTools()).tools.length, TOOLS.length);
      const { content } = await old.callTool({ name: "search", arguments: { query: "parse" } });
      assert.ok(/** @type {any} */ (content)[0].text.length > 20);
      await old.close();
    });

    test("what is no MCP is refused, with the headers of all answers", async () => {
      const get = await worker.fetch("/mcp");
      assert.deepEqual(
        [get.status, get.headers.get("access-control-allow-origin"), get.headers.get("x-content-type-options")],
        [405, "*", "nosniff"],
      );
      const odd = await worker.fetch("/mcp", {
        method: "POST",
        body: "{",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      });
      assert.equal(odd.status, 400);
      const long = await worker.fetch("/mcp", {
        method: "POST",
        body: `{"x":"${"y".repeat(5 << 20)}"}`,
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      });
      assert.equal(long.status, 413);
      const preflight = await worker.fetch("/mcp", { method: "OPTIONS" });
      assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /mcp-protocol-version/);
      assert.equal((await worker.ask("/healthz")).status, 200);
    });
  });
