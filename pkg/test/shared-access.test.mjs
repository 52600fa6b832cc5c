// Who may do what on a server of shared indexes: every route with every scope, tokens of CI from an issuer on loopback, limits, origins, and
// that no secret is in an answer or a log.
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";

import { matches } from "../dist/shared/names.js";
import { OidcVerifier } from "../dist/shared/oidc.js";
import { MemoryLimiter, taken } from "../dist/shared/limiter.js";
import { serveShared } from "../dist/shared/node-server.js";
import { SHARED_ROUTES } from "../dist/shared/routes.js";
import { createToken, listTokens, revokeToken, TokenList } from "../dist/shared/tokens.js";
import { Versions } from "../dist/shared/versions.js";
import { githubClaims, jwt, seconds, startIssuer } from "./shared-issuer.mjs";
import { chunks, digestOf, folderStore, hashOf, version } from "./shared-parts.mjs";

const AUDIENCE = "https://portolan.example";
const FILE = version(1);
const DIGEST = digestOf("x");
const logs = [];
const store = folderStore();
const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));
let server;
const tokens = {};

/** Answers what it was asked, as the tools would: the test of rights is whether it is asked at all. */
const tools = async (request, bucket, mayRead) => {
  const { pathname, searchParams } = new URL(request.url);
  const listed = await bucket.list();
  const repo = searchParams.get("repo") ?? "";
  const object = repo && (await bucket.get(`${repo}.portolan`, { range: { offset: 0, length: 8 } }));
  return Response.json({
    pathname,
    repo,
    listed: listed.objects.map(({ key }) => key),
    isFound: Boolean(object),
    start: object ? await new Response(object.body).text() : "",
    ...(request.method === "POST" && { body: await request.text() }),
    mayRead: ["acme/tools", "acme/other", "open/docs"].filter(mayRead),
  });
};

async function start(options = {}) {
  const started = await serveShared({
    store,
    port: 0,
    host: "127.0.0.1",
    allowedHosts: [],
    origins: ["https://code.example"],
    audience: AUDIENCE,
    public: ["open/*"],
    audit: (line) => logs.push(JSON.stringify(line)),
    complain: (error) => logs.push(String(error?.stack ?? error)),
    tools,
    ...options,
  });
  servers.push(started);
  return started;
}

before(async () => {
  const versions = new Versions(store);
  for (const name of ["acme/tools", "acme/other", "open/docs"])
    await versions.addFile(name, FILE.length, chunks(FILE), {
      source: { commit: hashOf("1") },
      isSwitched: true,
      by: "x",
    });
  for (const scope of ["read", "write", "admin"]) {
    const { token } = await createToken(store, { name: scope, scope, repositories: ["acme/tools", "new/*"] });
    tokens[scope] = token;
  }
  const old = { name: "old", scope: "admin", repositories: ["**"], expires_at: Date.now() - 1 };
  tokens.expired = (await createToken(store, old)).token;
  const { entry, token } = await createToken(store, { name: "gone", scope: "admin", repositories: ["**"] });
  await revokeToken(store, entry.id);
  tokens.revoked = token;
  const many = { per_minute: 1e6, burst: 1e6 };
  server = await start({ rates: { principal: many, stranger: many } });
});

async function ask(path, { token, method = "GET", body, headers = {}, url = server.url } = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text ? JSON.parse(text) : undefined,
  };
}

/** A request that each route understands. */
function requestOf({ name, method, path }, repository) {
  const place = path
    .replace("{name}", encodeURIComponent(repository))
    .replace("{version}", "0".repeat(8))
    .replace("{digest}", DIGEST);
  const bodies = {
    put_index: FILE,
    put_piece: "x",
    add_version: JSON.stringify({
      n_bytes: 1,
      sections: [{ name: "head", n_bytes: 1, pieces: [{ digest: DIGEST, n_bytes: 1 }] }],
    }),
    nearest_version: '{"commits": []}',
    switch_version: '{"version": "00000000"}',
    prune_versions: '{"dry_run": true}',
  };
  return [place, { method, ...(method !== "GET" && method !== "DELETE" && { body: bodies[name] ?? "{}" }) }];
}

const RANK = { any: 0, read: 1, write: 2, admin: 3 };

test("every route with every scope", async () => {
  for (const route of SHARED_ROUTES) {
    if (route.name === "delete_repository") continue; // last
    for (const scope of ["read", "write", "admin"]) {
      const [path, init] = requestOf(route, "acme/tools");
      const { status, json } = await ask(path, { ...init, token: tokens[scope] });
      const isAllowed = RANK[scope] >= RANK[route.scope];
      assert.equal(status === 403, !isAllowed, `${route.name} with ${scope}: ${status}`);
      if (!isAllowed) assert.equal(json.code, "access.scope");
      else assert.ok(![401, 403, 500, 502].includes(status), `${route.name} with ${scope}: ${status} ${json?.message}`);
    }
    const [path, init] = requestOf(route, "acme/tools");
    for (const bad of ["expired", "revoked"])
      assert.equal((await ask(path, { ...init, token: tokens[bad] })).status, 401, `${route.name} with ${bad}`);
    const anonymous = await ask(path, init);
    assert.equal(anonymous.status, route.scope === "any" ? 200 : 401, `${route.name} without a token`);
    if (route.scope !== "any") assert.equal(anonymous.headers.get("www-authenticate"), 'Bearer realm="portolan"');
    // A repository of others: as if it were not there.
    const [other, otherInit] = requestOf(route, "acme/other");
    if (route.scope === "any") continue;
    const foreign = await ask(other, { ...otherInit, token: tokens.admin });
    assert.deepEqual([foreign.status, foreign.json?.code], [404, "repository.unknown"], route.name);
    const absent = requestOf(route, "acme/none");
    const missing = await ask(absent[0], { ...absent[1], token: tokens.admin });
    assert.equal(missing.json?.message.replace("acme/none", ""), foreign.json?.message.replace("acme/other", ""));
  }
  const [path, init] = requestOf({ name: "put_index", method: "PUT", path: "/v1/repos/{name}" }, "new/one");
  assert.equal((await ask(path, { ...init, token: tokens.write })).status, 201);
  assert.equal((await ask(path, { method: "DELETE", token: tokens.write })).status, 403);
  assert.equal((await ask(path, { method: "DELETE", token: tokens.admin })).status, 204);
  assert.equal((await ask(path, { method: "DELETE", token: tokens.admin })).status, 404);
});

test("lists and tools show what may be read, and no more", async () => {
  const names = async (token) => (await ask("/v1/repos", { token })).json.repositories.map(({ name }) => name);
  assert.deepEqual(await names(), ["open/docs"]);
  assert.deepEqual(await names(tokens.read), ["acme/tools", "open/docs"]);
  const page = async (query) => (await ask(`/v1/repos?${query}`, { token: tokens.read })).json;
  const first = await page("limit=1");
  assert.deepEqual([first.repositories.map(({ name }) => name), first.next], [["acme/tools"], "acme/tools"]);
  const second = await page(`limit=1&after=${first.next}`);
  assert.deepEqual([second.repositories.map(({ name }) => name), second.next], [["open/docs"], undefined]);
  for (const limit of ["0", "1001", "many", ""]) assert.equal((await page(`limit=${limit}`)).code, "request.parameter");
  const { json } = await ask("/v1/status", { token: tokens.read });
  assert.deepEqual(json.listed, ["acme/tools.portolan", "open/docs.portolan"]);
  assert.deepEqual(json.mayRead, ["acme/tools", "open/docs"]);
  assert.equal((await ask("/v1/status?repo=acme/tools", { token: tokens.read })).json.start, "PORTOLAN");
  assert.equal((await ask("/v1/status?repo=acme/other", { token: tokens.read })).status, 404);
  assert.equal((await ask("/v1/status?repo=acme/tools")).status, 401);
  assert.equal((await ask("/v1/status?repo=open/docs")).json.isFound, true);
  assert.equal((await ask("/mcp", { method: "POST", body: "{}", token: tokens.expired })).status, 401);
  assert.equal((await ask("/healthz")).status, 200);
});

test("an older version is asked by its name", async () => {
  const of = (name, token = tokens.read) => ask(`/v1/status?repo=acme/tools&version=${name}`, { token });
  const { json } = await of(hashOf("1").slice(0, 10));
  assert.match(json.repo, /^acme\/tools\/_v\.[0-9a-f]{64}$/);
  assert.equal(json.start, "PORTOLAN");
  const body = '{"query": "x"}';
  const posted = await ask(`/v1/search?repo=acme/tools&version=${hashOf("1")}`, {
    token: tokens.read,
    method: "POST",
    body,
  });
  assert.deepEqual([posted.json.repo, posted.json.body], [json.repo, body]);
  assert.equal((await of("none")).json.code, "version.unknown");
  assert.equal((await ask("/v1/status?version=x", { token: tokens.read })).status, 400);
  // The name in its long form gives no more rights.
  const long = json.repo.replace("acme/tools", "acme/other");
  assert.equal((await ask(`/v1/status?repo=${long}`, { token: tokens.read })).status, 404);
});

test("patterns of repositories", () => {
  const cases = [
    ["acme/tools", "acme/tools", true],
    ["acme/tools", "acme/tools2", false],
    ["acme/*", "acme/tools", true],
    ["acme/*", "acme/a/b", false],
    ["acme/**", "acme/a/b", true],
    ["*", "acme/tools", false],
    ["**", "acme/tools", true],
    ["a*c/*-x", "abc/y-x", true],
    ["a*c/*-x", "abc/y-z", false],
    ["acme/*", "acmeX/tools", false],
    ["acme.*", "acmeXtools", false],
  ];
  for (const [pattern, name, is] of cases) assert.equal(matches(pattern, name), is, `${pattern} ${name}`);
  const started = performance.now();
  assert.equal(matches("*a".repeat(80), `${"a".repeat(199)}b`), false);
  assert.ok(performance.now() - started < 500, "no pattern takes long");
});

test("tokens are stored hashed, and what is no token is refused", async () => {
  const document = new TextDecoder().decode((await store.readDocument("access/tokens")).bytes);
  for (const token of Object.values(tokens)) assert.ok(!document.includes(token.split("_").slice(2).join("_")));
  const [first] = await listTokens(store);
  assert.match(first.hash, /^[0-9a-f]{64}$/);
  const right = tokens.admin;
  const flipped = right.slice(0, -1) + (right.endsWith("A") ? "B" : "A");
  for (const token of [
    flipped,
    `${right}A`,
    right.slice(0, -1),
    right.toLowerCase(),
    "x",
    "a.b.c",
    `ptl_${first.id}_${"A".repeat(43)}`,
  ])
    assert.equal((await ask("/v1/repos", { token })).status, 401, token);
  for (const authorization of ["Basic YTpi", "Bearer", "Bearer a b", `Bearer ${"a".repeat(15_000)}`])
    assert.equal((await ask("/v1/repos", { headers: { authorization } })).status, 401, authorization.slice(0, 20));
  await assert.rejects(createToken(store, { name: "", scope: "read", repositories: ["../x"] }), /pattern/);
});

test("origins of pages", async () => {
  const of = (origin, init = {}) => ask("/v1/repos", { token: tokens.read, headers: { origin }, ...init });
  const allowed = await of("https://code.example");
  assert.equal(allowed.headers.get("access-control-allow-origin"), "https://code.example");
  for (const origin of ["https://evil.example", "null", "https://code.example.evil", "http://code.example"]) {
    const { status, headers } = await of(origin);
    assert.equal(status, 403, origin);
    assert.equal(headers.get("access-control-allow-origin"), null, origin);
  }
  const preflight = await ask("/v1/repos", { method: "OPTIONS", headers: { origin: "https://code.example" } });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get("access-control-allow-headers"), /authorization/);
  assert.equal((await ask("/v1/repos", { token: tokens.read })).headers.get("access-control-allow-origin"), null);
});

test("rates: a bucket that fills, for each token, and a smaller one for addresses whose tokens are refused", async () => {
  const rate = { per_minute: 60, burst: 2 };
  let [bucket, wait] = taken(undefined, rate, 0);
  [bucket, wait] = taken(bucket, rate, 0);
  assert.equal(wait, 0);
  assert.equal(taken(bucket, rate, 0)[1], 1);
  assert.equal(taken(bucket, rate, 1000)[1], 0);
  const limiter = new MemoryLimiter(() => 0);
  assert.deepEqual(
    [await limiter.take("a", rate), await limiter.take("a", rate), await limiter.take("a", rate)],
    [0, 0, 1],
  );
  assert.equal(await limiter.take("b", rate), 0);

  const { url } = await start();
  const statuses = [];
  for (let n = 0; n < 25; n++) statuses.push((await ask("/v1/repos", { token: tokens.revoked, url })).status);
  assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
  const refused = await ask("/v1/repos", { token: tokens.revoked, url });
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.equal((await ask("/v1/repos", { token: tokens.read, url })).status, 200, "a right token is not hindered");
});

const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const claimsOf = (iss, more) => githubClaims(iss, AUDIENCE, more);

async function issuerOf(change) {
  const issuer = await startIssuer(change);
  after(issuer.close);
  return issuer;
}

test("a job of CI pushes with the token of its issuer, as far as a rule says", async () => {
  const { url: issuer, seen } = await issuerOf();
  const ci = { issuer, repository: "acme/*", ref: "refs/heads/**" };
  await createToken(store, { name: "ci", scope: "write", repositories: ["acme/tools"], ci });
  const { url } = await start();
  const put = (token, repository = "acme/tools") =>
    ask(`/v1/repos/${encodeURIComponent(repository)}/pieces/${digestOf("x")}`, {
      method: "PUT",
      body: "x",
      token,
      url,
    });
  const before = logs.length;
  const accepted = await put(jwt(claimsOf(issuer)));
  assert.equal(accepted.status, 204, accepted.text);
  assert.equal((await put(jwt(claimsOf(issuer, { ref: "feature", ref_type: "branch" })))).status, 204);
  assert.equal((await put(jwt(claimsOf(issuer)), "acme/other")).status, 404);
  assert.deepEqual(seen, ["/.well-known/openid-configuration", "/keys"], "keys are asked for once");
  const line = JSON.parse(logs.slice(before).find((text) => text.includes("put_piece")));
  assert.equal(line.subject, "repo:acme/tools:ref:refs/heads/main");
  const refused = {
    "another audience": jwt(claimsOf(issuer, { aud: "https://other.example" })),
    "no audience": jwt(claimsOf(issuer, { aud: undefined })),
    expired: jwt(claimsOf(issuer, { exp: seconds() - 120 })),
    "no expiry": jwt(claimsOf(issuer, { exp: undefined })),
    "for a year": jwt(claimsOf(issuer, { exp: seconds() + 31_536_000 })),
    "not yet": jwt(claimsOf(issuer, { nbf: seconds() + 600 })),
    "from the future": jwt(claimsOf(issuer, { iat: seconds() + 600 })),
    "another repository": jwt(claimsOf(issuer, { repository: "evil/tools" })),
    "no repository": jwt(claimsOf(issuer, { repository: undefined })),
    "a pull request's reference": jwt(claimsOf(issuer, { ref: "refs/pull/1/merge" })),
    "another issuer": jwt(claimsOf("https://token.actions.githubusercontent.com")),
    "another key": jwt(claimsOf(issuer), { key: other.privateKey }),
    "an unknown key": jwt(claimsOf(issuer), { header: { kid: "two" } }),
    "another algorithm": jwt(claimsOf(issuer), { header: { alg: "HS256" } }),
    "no algorithm": jwt(claimsOf(issuer), { header: { alg: "none" } }),
    "an extension": jwt(claimsOf(issuer), { header: { crit: ["x"] } }),
    "a changed payload": jwt(claimsOf(issuer)).replace(
      /\.[^.]+\./,
      `.${Buffer.from(JSON.stringify(claimsOf(issuer, { sub: "x" }))).toString("base64url")}.`,
    ),
    "no signature": jwt(claimsOf(issuer)).replace(/[^.]+$/, ""),
    garbage: "a.b.c",
  };
  for (const [what, token] of Object.entries(refused).slice(0, 19)) {
    const fresh = await start();
    const { status, json } = await ask("/v1/repos", { token, url: fresh.url });
    assert.deepEqual([status, json?.code], [401, "access.token-invalid"], what);
  }
});

test("an issuer is only believed about itself", async () => {
  const verify = async (change, issuer = undefined) => {
    const { url } = await issuerOf(change);
    return new OidcVerifier().verify(jwt(claimsOf(issuer ?? url)), url, AUDIENCE);
  };
  const rejects = (change) =>
    assert.rejects(verify(change), (error) => ["access.issuer", "access.token-invalid"].includes(error.code));
  assert.equal((await verify((answer) => answer)).repository, "acme/tools");
  await rejects((answer) => ({ ...answer, issuer: "https://another.example" }));
  await rejects((answer) => ({ ...answer, jwks_uri: "http://127.0.0.1:1/keys" }));
  await rejects((answer, path) => (path === "/keys" ? { keys: [] } : answer));
  await rejects((answer, path) => (path === "/keys" ? { keys: "x".repeat(400_000) } : answer));
  await rejects((answer, path) => (path === "/keys" ? { keys: [{ kty: "oct", kid: "one", k: "AAAA" }] } : answer));
  await assert.rejects(
    new OidcVerifier().verify(jwt(claimsOf("http://evil.example")), "http://evil.example", AUDIENCE),
    { code: "access.issuer" },
  );
});

test("an issuer that leads elsewhere is not followed", async () => {
  const { url: good } = await issuerOf();
  for (const path of ["/.well-known/openid-configuration", "/keys"]) {
    const { url, seen } = await issuerOf((answer, asked) => (asked === path ? new URL(path, good) : answer));
    await assert.rejects(new OidcVerifier().verify(jwt(claimsOf(url)), url, AUDIENCE), (error) => {
      assert.deepEqual([error.code, /leads elsewhere/.test(error.message)], ["access.issuer", true], error.message);
      return true;
    });
    assert.equal(seen.at(-1), path);
  }
  // A browser hides status and address of such an answer.
  const hidden = { type: "opaqueredirect", status: 0, ok: false, body: null };
  const verifier = new OidcVerifier(async () => hidden);
  await assert.rejects(verifier.verify(jwt(claimsOf(good)), good, AUDIENCE), /leads elsewhere/);
});

test("no secret is in an answer or a line of the log", async () => {
  const text = logs.join("\n");
  assert.ok(logs.length > 100);
  for (const [name, token] of Object.entries(tokens)) {
    assert.ok(!text.includes(token), name);
    assert.ok(!text.includes(token.split("_").slice(2).join("_")), name);
  }
  assert.doesNotMatch(text, /Bearer|eyJ|authorization/i);
  const { text: answer } = await ask("/v1/repos/none/index", { token: tokens.admin });
  assert.ok(!answer.includes(tokens.admin.slice(17)));
  const by = await listTokens(store);
  assert.ok(
    logs.some((line) => line.includes(by[0].id)),
    "who asked is in the log",
  );
});

test("what happened to tokens is told by one of the servers, and by each once where the store cannot be written", async () => {
  const place = folderStore();
  const { entry } = await createToken(place, { name: "one", scope: "read", repositories: ["**"], by: "me@here" }, 0);
  await revokeToken(place, entry.id, "you@there", 1000);
  const denied = Object.assign(Object.create(place), { writeDocument: () => Promise.reject(new Error("denied")) });
  const heard = { reader: [], writer: [], next: [] };
  const reader = new TokenList(denied, 0, (event) => heard.reader.push(event));
  const writer = new TokenList(place, 0, (event) => heard.writer.push(event));
  for (let n = 0; n < 3; n++) assert.deepEqual(await reader.get(), []);
  for (let n = 0; n < 3; n++) await writer.get();
  const next = new TokenList(place, 0, (event) => heard.next.push(event));
  await next.get();
  const about = { token: entry.id, name: "one", scope: "read", repositories: ["**"] };
  const events = [
    { at: "1970-01-01T00:00:00.000Z", event: "create_token", by: "me@here", ...about },
    { at: "1970-01-01T00:00:01.000Z", event: "revoke_token", by: "you@there", ...about },
  ];
  assert.deepEqual(heard, { reader: events, writer: events, next: [] });
});
