// Hosts of sources that lie: listings, registries and sites of any shape cost an error with a code, not time, memory or a request elsewhere.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { fetchSourceFile, openSource } from "../../pkg/dist/sources/open.js";
import { parseSource } from "../../pkg/dist/sources/parse.js";

const HASH = "0123456789abcdef0123456789abcdef01234567";
const settingsFor = (base, more = {}) => ({
  forges: [
    { id: "hub", forge: "github", web: `${base}/web`, api: `${base}/api` },
    { id: "lab", forge: "gitlab", web: `${base}/lab`, api: `${base}/api` },
    { id: "tea", forge: "gitea", web: `${base}/tea`, api: `${base}/api` },
  ],
  registries: { npm: `${base}/npm`, crate: `${base}/crates` },
  by: "file",
  ...more,
});

/** Opens a source of a host that answers as `answer` says; returns the paths that came, and how many requests there were. */
async function opened(t, text, answer, more) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const { status = 200, headers = {}, body = "" } = answer(request.url, asked.length) ?? { status: 404 };
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${server.address().port}`;
  const settings = settingsFor(base, more);
  const source = parseSource(text.replace("$BASE", base), settings.forges);
  assert.ok(source, text);
  const result = await openSource(source, settings, { signal: AbortSignal.timeout(60_000) });
  return { result, asked, settings, source };
}

test("listings of any shape are an error that says so", async (t) => {
  const entry = { path: "a.ts", type: "blob", mode: "100644", sha: HASH, id: HASH };
  const bad = [
    null,
    [],
    7,
    "x",
    { tree: 5 },
    { tree: [null] },
    { tree: [{ ...entry, path: {} }] },
    { tree: [{ ...entry, sha: "../../user", id: "../../user" }] },
  ];
  for (const body of bad)
    for (const host of ["hub", "lab", "tea"]) {
      const answer = (url) => {
        if (!/tree/.test(url)) return { body: host === "hub" ? HASH : { sha: HASH, id: HASH, default_branch: "main" } };
        return { body: host === "lab" ? (body?.tree ?? body ?? 0) : body };
      };
      if (host === "lab" && Array.isArray(body)) continue; // an empty page is one
      await assert.rejects(
        opened(t, `${host}:a/b`, answer),
        { code: "source.answer" },
        `${host} ${JSON.stringify(body)}`,
      );
    }
});

test("a commit that is a path is refused before it becomes part of an address", async (t) => {
  for (const host of ["lab", "tea"])
    for (const commit of ["../../../user", "a?b", "", 5, null])
      await assert.rejects(
        opened(t, `${host}:a/b@main`, () => ({ body: { sha: commit, id: commit } })),
        { code: "source.answer" },
        `${host} ${commit}`,
      );
});

test("a path of a hundred thousand folders, or half a letter, is left out", async (t) => {
  const tree = [`${"a/".repeat(100_000)}x.ts`, "\ud800.ts", "", "src/a.ts"].map((path) => ({
    path,
    type: "blob",
    mode: "100644",
    sha: HASH,
  }));
  const answer = (url) => ({ body: url.includes("tree") ? { tree, truncated: false } : HASH });
  const { result } = await opened(t, "hub:a/b", answer);
  const entries = await result.remote.folder.list();
  assert.deepEqual(
    entries.map(({ name }) => name),
    ["src"],
  );
});

test("registries of any shape are an error that says so", async (t) => {
  for (const body of [null, 5, [], { versions: 5 }, { "dist-tags": [], versions: {} }, { versions: { "1.0.0": 5 } }])
    await assert.rejects(
      opened(t, "npm:left-pad@1.0.0", () => ({ body })),
      ({ code }) => ["source.answer", "source.not-found"].includes(code),
      JSON.stringify(body),
    );
  for (const lines of ["no json", "null", '{"vers":1}', '{"vers":"1.0.0"}'])
    await assert.rejects(
      opened(t, "crate:serde", (url) => ({ body: url.endsWith("config.json") ? { dl: "$BASE" } : lines })),
      { code: "source.answer" },
      lines,
    );
  for (const dl of [5, null, {}])
    await assert.rejects(
      opened(t, "crate:serde", () => ({ body: { dl } })),
      { code: "source.answer" },
    );
});

test("a registry on the internet cannot lead into the client's network", async () => {
  const asked = [];
  const settings = { registries: { npm: "https://registry.example", crate: "https://crates.example" } };
  for (const host of ["127.0.0.1:9", "localhost", "169.254.169.254", "[::1]", "10.0.0.1", "2130706433"]) {
    const fetcher = async (url) => {
      asked.push(new URL(url).host);
      if (String(url).endsWith("config.json")) return Response.json({ dl: `http://${host}/dl` });
      if (String(url).startsWith("https://crates.example"))
        return new Response(JSON.stringify({ vers: "1.0.0", cksum: "0" }));
      return Response.json({ versions: { "1.0.0": { dist: { tarball: `http://${host}/a.tgz` } } } });
    };
    for (const text of ["npm:left-pad@1.0.0", "crate:serde@1.0.0"]) {
      const events = { signal: AbortSignal.timeout(10_000), fetcher };
      await assert.rejects(openSource(parseSource(text), settings, events), { code: "source.host" }, `${text} ${host}`);
    }
  }
  assert.deepEqual([...new Set(asked)].sort(), ["crates.example", "registry.example"]);
});

test("a path of a README that climbs asks nothing", async () => {
  const asked = [];
  const settings = settingsFor("http://127.0.0.1:9", { tokens: {} });
  const fetching = globalThis.fetch;
  globalThis.fetch = async (url) => {
    asked.push(String(url));
    return new Response("x");
  };
  try {
    const source = parseSource("hub:a/b", settings.forges);
    for (const path of ["../../../user", "docs/../../x", "./a"])
      await assert.rejects(fetchSourceFile(source, path, settings, AbortSignal.timeout(1_000)), {
        code: "source.path",
      });
  } finally {
    globalThis.fetch = fetching;
  }
  assert.deepEqual(asked, []);
});

test("pages without an end to their tags, rules by the million, and links without end take no time", async (t) => {
  const text = { "content-type": "text/plain" };
  const html = { "content-type": "text/html" };
  const answer = (url) => {
    if (url === "/robots.txt") {
      const rules = Array.from({ length: 150_000 }, (_, n) => `Disallow: /r${n}`);
      return { headers: text, body: `User-agent: *\n${rules.join("\n")}` };
    }
    if (url === "/docs/sitemap.xml") {
      const places = Array.from({ length: 60_000 }, (_, n) => `<loc>http://127.0.0.1/${n}</loc>`);
      return { headers: { "content-type": "text/xml" }, body: places.join("") };
    }
    if (url === "/docs/") return { headers: html, body: "<a ".repeat(1_300_000) };
    return undefined;
  };
  const started = performance.now();
  const { result } = await opened(t, "$BASE/docs/", answer);
  assert.equal(result.files.length, 1);
  assert.ok(performance.now() - started < 10_000, `${performance.now() - started} ms`);
  const links = Array.from({ length: 150_000 }, (_, n) => `<a href="/docs/${n}%zz">`).join("");
  const endless = (url) =>
    /robots|sitemap/.test(url) ? undefined : { headers: html, body: url === "/docs/" ? links : "" };
  const many = await opened(t, "$BASE/docs/", endless, { maxFiles: 20 });
  assert.equal(many.result.files.length, 20);
  assert.ok(many.result.files.some(({ path }) => path.includes("%zz")));
});

test("a site whose pages are all one page is given up", async (t) => {
  const answer = (url, n) =>
    /robots|sitemap/.test(url)
      ? undefined
      : url === "/docs/one"
        ? { headers: { "content-type": "text/html" }, body: `<a href="/docs/${n}">` }
        : { status: 302, headers: { location: "/docs/one" } };
  const { result, asked } = await opened(t, "$BASE/docs/", answer, { maxFiles: 10 });
  assert.equal(result.files.length, 1);
  assert.ok(asked.length < 400, `${asked.length} requests`);
});

test("a host that always asks for patience of no time is asked less and less often", async (t) => {
  let n_asked = 0;
  const answer = () => {
    n_asked++;
    return { status: 429, headers: { "retry-after": "0" } };
  };
  await assert.rejects(opened(t, "hub:a/b", answer, { maxWaitMillis: 4_000 }), { code: "source.rate-limit" });
  assert.ok(n_asked < 10, `${n_asked} requests`);
});
