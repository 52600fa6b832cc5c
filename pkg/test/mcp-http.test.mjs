// portolan mcp --http: the official clients over HTTP, and who may not ask.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { serveMcpOverHttp } from "../dist/mcp/node-http.js";
import { BIN, home, NAMES, shop, work } from "./mcp-shop.mjs";

const TOKEN = "a-token-of-some-length";
const children = [];
let url;
before(async () => {
  writeFileSync(join(work, "token"), `${TOKEN}\n`);
  url = await started("--token-file", join(work, "token"));
});
after(() => {
  for (const child of children) child.kill();
});

/** The address that a server prints. */
async function started(...args) {
  const child = spawn(process.execPath, [BIN, "mcp", shop, "--http", "--port", "0", ...args], {
    cwd: shop,
    env: { PATH: process.env.PATH, HOME: home, PORTOLAN_HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (line) => resolve(String(line).trim()));
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
  });
}

const headers = { authorization: `Bearer ${TOKEN}` };
const asked = (own, method = "POST") =>
  new Promise((resolve, reject) => {
    const body = method === "POST" ? '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' : undefined;
    const given = { "content-type": "application/json", accept: "application/json, text/event-stream", ...own };
    const sent = request(url, { method, headers: given }, (answer) => {
      let text = "";
      answer
        .on("data", (piece) => (text += piece))
        .on("end", () => resolve({ status: answer.statusCode, text, headers: answer.headers }));
    });
    sent.on("error", reject).end(body);
  });

test("a client of today and an old one are answered", async () => {
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  for (const [Kind, Transport] of [
    [Client, StreamableHTTPClientTransport],
    [OldClient, OldTransport],
  ]) {
    const client = new Kind({ name: "test", version: "1.0.0" });
    await client.connect(new Transport(new URL(url), { requestInit: { headers } }));
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      NAMES,
    );
    const { structuredContent } = await client.callTool({ name: "search", arguments: { query: "addTax", limit: 1 } });
    assert.equal(structuredContent.hits[0].path, "src/tax.ts");
    await client.close();
  }
});

test("without the token, under another name, from another site, at another place: refused", async () => {
  const cases = [
    [{}, 401],
    [{ authorization: "Bearer a-token-of-some-other" }, 401],
    [{ ...headers, host: "evil.example" }, 421],
    [{ ...headers, origin: "https://evil.example" }, 403],
    [{ ...headers, origin: "null" }, 403],
  ];
  for (const [own, status] of cases) assert.equal((await asked(own)).status, status, JSON.stringify(own));
  assert.match((await asked({})).headers["www-authenticate"], /^Bearer/);
  assert.equal((await asked({ ...headers, origin: "http://localhost:3000" })).status, 200);
  assert.equal((await asked(headers, "PUT")).status, 405);
  assert.equal((await asked(headers, "GET")).status, 405, "there are no sessions to listen to");
  const other = await fetch(new URL("/other", url), { headers });
  assert.equal(other.status, 404);
});

test("a body that is too long or too deep is refused, and the server goes on", async () => {
  const post = (body) =>
    fetch(url, { method: "POST", body, headers: { ...headers, "content-type": "application/json" } });
  assert.equal((await post(`{"x":"${"y".repeat(1024 * 1024 + 10)}"}`)).status, 413);
  assert.equal((await post(`${"[".repeat(5000)}${"]".repeat(5000)}`)).status, 400);
  assert.equal((await asked(headers)).status, 200);
});

test("other machines are let in with a token only", async () => {
  const host = { version: "1", cwd: shop, only: [shop] };
  const http = { port: 0, host: "0.0.0.0", allowedHosts: [] };
  await assert.rejects(serveMcpOverHttp(host, http), ({ code }) => code === "options.invalid");
  await assert.rejects(serveMcpOverHttp(host, { ...http, token: "short" }), ({ code }) => code === "options.invalid");
  const server = await serveMcpOverHttp(host, { ...http, token: TOKEN });
  await server.close();
});
