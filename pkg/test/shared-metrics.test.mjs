// /metrics and /openapi.json of a server of shared indexes: who sees what, and that no client can make up a label. Bodies that stall.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { after, before, test } from "node:test";

import { addCounts, Metrics, noCounts, prometheusText } from "../dist/shared/metrics.js";
import { MetricsObject, ObjectKeeper } from "../dist/shared/metrics-object.js";
import { serveShared } from "../dist/shared/node-server.js";
import { createToken } from "../dist/shared/tokens.js";
import { Versions } from "../dist/shared/versions.js";
import { chunks, folderStore, version } from "./shared-parts.mjs";

const FILE = version(1);
const store = folderStore();
const tokens = {};
let server;

before(async () => {
  const versions = new Versions(store);
  for (const name of ["acme/tools", "secret/plans", "open/docs"])
    await versions.addFile(name, FILE.length, chunks(FILE), { source: {}, isSwitched: true, by: "x" });
  for (const [name, pattern] of [
    ["acme", "acme/*"],
    ["all", "**"],
  ])
    tokens[name] = (await createToken(store, { name, scope: "admin", repositories: [pattern] })).token;
  server = await serveShared({
    store,
    port: 0,
    host: "127.0.0.1",
    allowedHosts: [],
    origins: [],
    public: ["open/*"],
    defaultRepository: "acme/tools",
    audit: () => {},
    complain: () => {},
    tools: async () => Response.json({}),
    limits: { json: 2 ** 24, stall_ms: 500, small_ms: 1_000, file_ms: 20_000 },
  });
});
after(() => server.close());

async function ask(path, token, init = {}) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${tokens[token]}` };
  const response = await fetch(`${server.url}${path}`, { ...init, headers });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

test("requests are counted by route, and repositories are named to those who may read them", async () => {
  for (const repo of ["acme/tools", "acme/tools", "secret/plans"]) await ask(`/v1/status?repo=${repo}`, "all");
  await ask("/v1/repos/secret%2Fplans/versions", "all");
  await ask("/v1/repos/secret%2Fnothing/versions", "all");
  const { type, text, status } = await ask("/metrics", "all");
  assert.deepEqual([status, type], [200, "text/plain; version=0.0.4; charset=utf-8"]);
  assert.match(text, /^portolan_requests_total\{route="\/v1\/status",method="GET",status="200"\} 3$/m);
  assert.match(
    text,
    /^portolan_requests_total\{route="\/v1\/repos\/\{name\}\/versions",method="GET",status="404"\} 1$/m,
  );
  assert.match(text, /^portolan_request_duration_seconds_count\{route="\/v1\/status"\} 3$/m);
  assert.match(text, /^portolan_repository_requests_total\{repository="acme\/tools"\} 2$/m);
  assert.match(text, /^portolan_repository_requests_total\{repository="secret\/plans"\} 2$/m);
  const ofAcme = (await ask("/metrics", "acme")).text;
  assert.match(ofAcme, /acme\/tools/);
  for (const seen of [ofAcme, (await ask("/metrics")).text]) assert.doesNotMatch(seen, /secret|nothing/);
  await ask("/v1/status?repo=open/docs");
  assert.doesNotMatch((await ask("/metrics")).text, /repository=/, "without a token not even public ones are named");
});

test("neither paths nor names nor methods of a client become labels", async () => {
  const before = (await ask("/metrics", "all")).text;
  for (const path of ["/nowhere%22%7D", "/v1/nothing", "/v1/repos/a%22b/index", "/v1/status?repo=a%22%0Ab"])
    for (const token of [undefined, "all"]) await ask(path, token);
  const { text } = await ask("/metrics", "all");
  assert.doesNotMatch(text, /nowhere|nothing|a"b|\\/);
  const names = (whole) => new Set([...whole.matchAll(/repository="([^"]*)"/g)].map(([, name]) => name));
  assert.deepEqual(names(text), names(before));
  for (const line of text.trim().split("\n"))
    assert.match(
      line,
      /^(# (HELP|TYPE) portolan_\w+ .+|portolan_\w+\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\} [\d.e-]+)$/,
    );
});

test("a wrong token is refused here, too", async () => {
  tokens.wrong = "ptl_AAAAAAAAAAAA_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  assert.equal((await ask("/metrics", "wrong")).status, 401);
  assert.equal((await ask("/metrics", "all", { method: "DELETE" })).status >= 200, true);
});

test("a histogram is cumulative, and ends with all", () => {
  const metrics = new Metrics();
  for (const milliseconds of [0, 4, 40, 400, 60_000])
    metrics.observe({ route: "/mcp", method: "POST", status: 200, milliseconds });
  const counts = noCounts();
  addCounts(counts, metrics.pending);
  const text = prometheusText(counts, () => false);
  const values = [...text.matchAll(/_bucket\{route="\/mcp",le="([^"]+)"\} (\d+)/g)].map(([, le, n]) => `${le} ${n}`);
  assert.deepEqual(values, [
    "0.001 1",
    "0.0025 1",
    "0.005 2",
    "0.01 2",
    "0.025 2",
    "0.05 3",
    "0.1 3",
    "0.25 3",
    "0.5 4",
    "1 4",
    "2.5 4",
    "10 4",
    "+Inf 5",
  ]);
  assert.match(text, /_sum\{route="\/mcp"\} 60\.444$/m);
});

/** A namespace with one Durable Object over a storage that survives it. */
function namespace(stored = new Map()) {
  const storage = {
    get: async (key) => structuredClone(stored.get(key)),
    put: async (key, value) => void stored.set(key, structuredClone(value)),
  };
  let object = new MetricsObject({ storage });
  let isDown = false;
  return {
    idFromName: (name) => name,
    get: () => ({
      fetch: (url, init) => (isDown ? Promise.reject(new Error("down")) : object.fetch(new Request(url, init))),
    }),
    evict: () => (object = new MetricsObject({ storage })),
    setDown: (is) => (isDown = is),
  };
}

test("isolates hand their counts to one object, which keeps them; nothing is lost or counted twice", async () => {
  const objects = namespace();
  let now = 0;
  const isolates = [1, 2].map(() => new Metrics(new ObjectKeeper(objects), () => now));
  const seen = { route: "/v1/search", method: "GET", status: 200, milliseconds: 3, repository: "acme/tools" };
  const count = async (isolate) =>
    Number(/requests_total\{route="\/v1\/search".*\} (\d+)/.exec(await isolate.text(() => true))?.[1] ?? 0);
  for (let n = 0; n < 10; n++) for (const isolate of isolates) isolate.observe(seen);
  assert.equal(await count(isolates[0]), 10, "the other has not handed over yet");
  now = 10_000;
  await isolates[1].observe(seen);
  assert.equal(await count(isolates[0]), 21);
  objects.evict();
  assert.equal(await count(isolates[0]), 21);
  objects.setDown(true);
  now = 20_000;
  await isolates[0].observe(seen);
  await assert.rejects(isolates[0].text(() => true));
  objects.setDown(false);
  assert.equal(await count(isolates[0]), 22);
  assert.equal(await count(isolates[1]), 22);
});

test("so many repositories that they would fill the memory are counted together", () => {
  const metrics = new Metrics();
  for (let n = 0; n < 1200; n++)
    metrics.observe({ route: "/v1/search", method: "GET", status: 200, milliseconds: 1, repository: `r/${n}` });
  assert.equal(Object.keys(metrics.pending.repositories).length, 1001);
  assert.equal(metrics.pending.repositories[""], 200);
});

test("a repository named as something of every object is counted", () => {
  const metrics = new Metrics();
  for (const repository of ["constructor", "constructor", "toString"])
    metrics.observe({ route: "/v1/search", method: "GET", status: 200, milliseconds: 1, repository });
  assert.deepEqual(metrics.pending.repositories, { constructor: 2, toString: 1 });
});

test("the description of the routes needs no token", async () => {
  const { status, type, text } = await ask("/openapi.json");
  assert.deepEqual([status, type], [200, "application/json; charset=utf-8"]);
  const checkedIn = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
  assert.deepEqual(JSON.parse(text), checkedIn);
  assert.equal((await ask("/openapi.json", undefined, { method: "HEAD" })).text, "");
});

test("a version without a repository is one of the default, within the rights of the token", async () => {
  const { versions } = JSON.parse((await ask("/v1/repos/acme%2Ftools/versions", "all")).text);
  assert.equal((await ask(`/v1/status?version=${versions[0].id}`, "acme")).status, 200);
  assert.equal((await ask("/v1/status?version=nothing", "acme")).status, 404);
  assert.equal((await ask(`/v1/status?version=${versions[0].id}`)).status, 401);
  assert.equal((await ask("/v1/status?repo=*&version=nothing", "all")).status, 400);
  for (const name of ["%20/%1f", "a/../b", "_", "%F0%9F%92%B6"]) {
    const { status, text } = await ask(`/v1/status?repo=${name}&version=nothing`, "all");
    assert.deepEqual([status, JSON.parse(text).code], [400, "repository.name"], name);
  }
});

test("a method that is not answered is told which are, before anything else about the request", async () => {
  for (const [path, method, allow] of [
    ["/v1/repos", "DELETE", "GET, HEAD, OPTIONS"],
    ["/v1/tools", "PATCH", "GET, HEAD, OPTIONS"],
    ["/v1/find?repo=&version=", "PUT", "POST, OPTIONS"],
    ["/v1/search", "DELETE", "GET, HEAD, POST, OPTIONS"],
    ["/v1/repos/a%2Fb", "GET", "PUT, DELETE, OPTIONS"],
    ["/v1/repos/a/prune", "GET", "POST, OPTIONS"],
    ["/healthz", "POST", "GET, HEAD, OPTIONS"],
  ]) {
    const headers = { authorization: `Bearer ${tokens.all}` };
    const response = await fetch(`${server.url}${path}`, { method, headers });
    assert.deepEqual([response.status, response.headers.get("allow")], [405, allow], `${method} ${path}`);
    assert.equal((await response.json()).code, "request.method");
    const options = await fetch(`${server.url}${path}`, { method: "OPTIONS" });
    assert.deepEqual([options.status, options.headers.get("allow")], [204, allow]);
  }
});

test("what is refused before the handler is refused in its form", async () => {
  const response = await fetch(`${server.url}/v1/status?q=${"x".repeat(5000)}`);
  assert.equal(response.status, 414);
  assert.match(response.headers.get("content-type"), /^application\/json/);
  assert.deepEqual(Object.keys(await response.json()), ["code", "message", "help"]);
});

test("a query whose body stalls, or is too long, ends; others are answered meanwhile", async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const head = `POST /v1/search?repo=acme/tools HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${tokens.all}\r\n`;
  socket.write(`${head}Content-Length: 100\r\n\r\n{"query":`);
  const ended = new Promise((resolve) => {
    let text = "";
    socket.on("data", (piece) => (text += piece)).on("close", () => resolve(text));
    socket.on("error", () => {});
  });
  assert.equal((await ask("/v1/status?repo=acme/tools", "all")).status, 200);
  assert.match(await ended, /^HTTP\/1.1 408 [\s\S]*request\.timeout/);
  const long = await ask("/v1/search?repo=acme/tools", "all", { method: "POST", body: "x".repeat(2 << 20) });
  assert.equal(long.status, 413);
});
