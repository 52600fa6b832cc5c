// Sources on other hosts, against a server that plays their APIs: limits, redirects, errors, slow and endless bodies, wrong lengths.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Portolan } from "../dist/entry/node.js";
import { crateRegistry, npmRegistry } from "../dist/config/registries.js";
import { listSources, openInput } from "../dist/indexing/sources.js";
import { isPath } from "../dist/node/files.js";
import { waitOf } from "../dist/sources/client.js";
import { openSource } from "../dist/sources/open.js";
import { parseSource } from "../dist/sources/parse.js";
import { tellingOf } from "../dist/sources/remote-files.js";
import { COMMIT, forgeServer } from "./source-server.mjs";

const PATHS = [".gitignore", "README.md", "package.json", "src/cart.ts", "src/tax.ts"];

/** Rules as `.gitignore` and the kinds of files of this repository ask for. */
const rules = (skipped) => ({
  addIgnoreFile: () => {},
  enterFolder: (path) => path !== "dist",
  wantsFile: (path) => !path.endsWith(".png"),
  skipUnreadable: (path, message) => skipped.push({ path, message }),
  skipLink: () => {},
});

/** Opens a source of the server without the engine, and reads what came as an index does. */
async function indexed(
  t,
  text,
  { fault, remote = {}, onReadme, by = "archive", signal = new AbortController().signal } = {},
) {
  const server = await forgeServer({ fault });
  t.after(server.stop);
  const waits = [];
  const settings = { ...server.settings, ...(typeof remote === "function" ? remote(server) : remote) };
  const events = { signal, onWait: (wait) => waits.push(wait), onReadme };
  const opened = await openInput({ fetchesBy: by, isPath }, text.replace("$BASE", server.base), { settings, events });
  const skipped = [];
  const sources = await listSources(opened, rules(skipped), signal, () => {});
  const paths = [];
  for (const { path, file } of sources.files ?? []) {
    try {
      await file.read();
      paths.push(path);
    } catch (error) {
      skipped.push({ path, message: error.message });
    }
  }
  if (sources.bytes) paths.push(...tarPaths(sources.bytes));
  return { server, waits, name: opened.name, include: opened.include, paths: paths.sort(), skipped };
}

/** Paths of an archive below its top folder, as the engine takes them in. */
function tarPaths(bytes) {
  const list = execFileSync("tar", ["tzf", "-"], { input: bytes, encoding: "utf8" }).trim().split("\n");
  return list.map((path) => path.replace(/^[^/]+\//, "")).filter((path) => !/^dist|png$/.test(path));
}

const refused = (promise, code) =>
  assert.rejects(promise, (error) => {
    assert.equal(error.code, code, error.message);
    return true;
  });

const open = (_server, settings, events = {}) =>
  openSource(parseSource("acme/shop"), settings, { signal: new AbortController().signal, ...events });

for (const by of ["archive", "files"])
  for (const [text, name] of [
    ["acme/shop", "github/acme/shop"],
    ["gitlab:acme/team/shop", "gitlab/acme/team/shop"],
    ["codeberg:acme/shop", "codeberg/acme/shop"],
  ])
    test(`${text} is indexed by ${by}`, async (t) => {
      const { paths, name: given } = await indexed(t, text, { remote: { by } });
      assert.deepEqual(paths, PATHS);
      assert.equal(given, name);
    });

test("packages, archives and documentation sites are indexed", async (t) => {
  for (const text of ["npm:shop", "npm:@acme/shop@1.0.0", "crate:shop", "crate:shop@0.2.0", "$BASE/files/shop.tar.gz"])
    assert.deepEqual((await indexed(t, text)).paths, PATHS, text);
  const { server, paths } = await indexed(t, "$BASE/docs/");
  assert.deepEqual(paths, ["index.html", "tax.html"]);
  const asked = server.requests.map(({ path }) => path);
  assert.ok(!asked.includes("/private/"), "a page outside the address");
  assert.ok(!asked.includes("/docs/secret/a.html"), "a page that robots.txt forbids");
});

test("a ref may have slashes, and the folder after it limits the index", async (t) => {
  const { server, paths } = await indexed(t, "acme/shop@feature/vat/src", { remote: { by: "files" } });
  assert.deepEqual(paths, ["src/cart.ts", "src/tax.ts"]);
  assert.deepEqual(
    server.requests.slice(0, 2).map(({ path }) => path),
    ["/api/repos/acme/shop/commits/feature", "/api/repos/acme/shop/commits/feature/vat"],
  );
  assert.deepEqual((await indexed(t, "acme/shop/src")).include, ["src"]);
});

test("the tree is listed once, ignored files are not fetched, and the README comes first", async (t) => {
  const readmes = [];
  const { server } = await indexed(t, "acme/shop", {
    by: "files",
    remote: {},
    onReadme: (readme) => readmes.push(readme),
  });
  const asked = server.requests.map(({ path }) => path);
  assert.equal(asked.filter((path) => path.includes("/git/trees/")).length, 1);
  assert.ok(!asked.some((path) => path.includes("bundle.js")), asked.join("\n"));
  assert.ok(!asked.some((path) => path.includes("logo.png")), "a file that is no text");
  assert.deepEqual(asked.slice(0, 3), [
    "/api/repos/acme/shop/commits/HEAD",
    `/api/repos/acme/shop/git/trees/${COMMIT}?recursive=1`,
    `/raw/acme/shop/${COMMIT}/README.md`,
  ]);
  assert.match(readmes[0].text, /^# Shop/);
  const order = ["test/a.ts", "src/deep/x.ts", "src/index.ts", "package.json", "README.md"];
  assert.deepEqual(
    [...order].sort((a, b) => tellingOf(a) - tellingOf(b)),
    order.toReversed(),
  );
});

test("a limit is obeyed, told, and then it goes on", async (t) => {
  const began = Date.now();
  const once = new Set();
  const limits = {
    "/api/repos/acme/shop/commits/HEAD": { status: 429, headers: { "retry-after": "1" } },
    "/raw/acme/shop/": {
      status: 403,
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Math.floor(began / 1000) + 1) },
    },
  };
  const fault = ({ path }) => {
    const hit = Object.keys(limits).find((start) => path.startsWith(start));
    if (hit === undefined || once.has(hit)) return undefined;
    once.add(hit);
    return limits[hit];
  };
  const { paths, waits, server } = await indexed(t, "acme/shop", { fault, remote: { by: "files", parallel: 1 } });
  assert.deepEqual(paths, PATHS);
  assert.ok(Date.now() - began >= 1900, "two pauses of a second");
  assert.ok(waits.length >= 1 && waits.every(({ host, until }) => server.base.endsWith(host) && until > began));
});

test("a limit that lasts too long ends with what to do; nothing more is asked", async (t) => {
  const fault = ({ path }) =>
    path.startsWith("/api/") ? { status: 429, headers: { "retry-after": "3600" } } : undefined;
  const server = await forgeServer({ fault });
  t.after(server.stop);
  const remote = { ...server.settings, maxWaitMillis: 1000 };
  await refused(open(server, remote), "source.rate-limit");
  assert.equal(server.requests.length, 1);
});

test("limits are read from the headers of each host", () => {
  const of = (status, headers) => waitOf({ status, headers: new Headers(headers) });
  const date = "Thu, 01 Jan 2026 00:00:00 GMT";
  assert.equal(of(429, { "retry-after": "7" }), 7000);
  assert.equal(of(503, { date, "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" }), 9000);
  assert.equal(
    of(403, { date, "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Date.parse(date) / 1000 + 5) }),
    6000,
  );
  assert.equal(
    of(429, { date, "ratelimit-remaining": "0", "ratelimit-reset": String(Date.parse(date) / 1000 + 5) }),
    6000,
  );
  assert.equal(of(429, {}), -1);
  assert.equal(of(403, {}), undefined);
  assert.equal(of(403, { "x-ratelimit-remaining": "12", "x-ratelimit-reset": "1" }), undefined);
  assert.equal(of(404, { "retry-after": "1" }), undefined);
});

test("a token goes to its own origin only, not where a redirect leads", async (t) => {
  const seen = [];
  const other = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end(Buffer.from(tar));
  });
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  t.after(() => other.close());
  const { tarOf, FILES } = await import("./source-server.mjs");
  const tar = tarOf("shop", FILES);
  const location = `http://127.0.0.1:${other.address().port}/elsewhere.tar.gz`;
  const fault = ({ path }) => (path.includes("/tarball/") ? { status: 302, headers: { location } } : undefined);
  const { server, paths } = await indexed(t, "acme/shop", {
    fault,
    remote: ({ base }) => ({ tokens: { [base]: "secret" } }),
  });
  assert.deepEqual(paths, PATHS);
  assert.ok(server.requests.every(({ headers }) => headers.authorization === "Bearer secret"));
  assert.deepEqual(seen, [undefined]);
});

test("with a token files come from the API, which alone takes it", async (t) => {
  const { server, paths } = await indexed(t, "acme/shop", {
    remote: ({ base }) => ({ by: "files", tokens: { [base]: "secret" } }),
  });
  assert.deepEqual(paths, PATHS);
  assert.ok(server.requests.every(({ path }) => !path.startsWith("/raw/")));
});

test("only allowed hosts are asked, redirects included", async (t) => {
  const elsewhere = createServer((_, response) => response.end("no"));
  await new Promise((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  t.after(() => elsewhere.close());
  const location = `http://127.0.0.1:${elsewhere.address().port}/`;
  let n_asked = 0;
  elsewhere.on("request", () => n_asked++);
  const fault = ({ path }) => (path.includes("/tarball/") ? { status: 302, headers: { location } } : undefined);
  await refused(indexed(t, "acme/shop", { fault, remote: ({ base }) => ({ hosts: [base] }) }), "source.host");
  assert.equal(n_asked, 0);
  const server = await forgeServer();
  t.after(server.stop);
  await refused(open(server, { ...server.settings, hosts: [] }), "source.host");
  assert.deepEqual(server.requests, []);
});

test("a failing server is asked again, and then the error says which", async (t) => {
  let n = 0;
  const fault = ({ path }) => (path.includes("/commits/") && n++ < 2 ? { status: 502 } : undefined);
  assert.deepEqual((await indexed(t, "acme/shop", { fault })).paths, PATHS);
  await refused(indexed(t, "acme/shop", { fault: () => ({ status: 500 }) }), "remote.failed");
  await refused(indexed(t, "acme/none"), "source.not-found");
  await refused(indexed(t, "acme/shop", { fault: () => ({ status: 401 }) }), "source.refused");
  await refused(indexed(t, "acme/shop", { fault: () => ({ body: "<html>" }) }), "source.answer");
  await refused(indexed(t, "npm:shop@9.9.9"), "source.not-found");
  await refused(indexed(t, "npm:shop", { remote: { registries: {} } }), "source.registry");
});

test("slow, endless and altered bodies cost an error, not the time or the memory of the client", async (t) => {
  const slow = ({ path, response }) =>
    path.includes("/tarball/") && response.writeHead(200).write("x") ? "taken" : undefined;
  await refused(indexed(t, "acme/shop", { fault: slow, remote: { stallMillis: 300 } }), "remote.stalled");
  const endless = ({ path, response }) => {
    if (!path.includes("/tarball/")) return undefined;
    const more = () =>
      !response.destroyed && response.write(Buffer.alloc(65_536), (error) => error || setImmediate(more));
    response.writeHead(200);
    more();
    return "taken";
  };
  await refused(indexed(t, "acme/shop", { fault: endless, remote: { maxBytes: 1_000_000 } }), "remote.too-large");
  const altered = ({ path }) => (path.startsWith("/npm/-/") ? { body: "not the archive" } : undefined);
  await refused(indexed(t, "npm:shop", { fault: altered }), "source.digest");
  const short = ({ path }) => (path.endsWith("/src/tax.ts") ? { body: "export" } : undefined);
  const { paths, skipped } = await indexed(t, "acme/shop", { fault: short, remote: { by: "files" } });
  assert.ok(!paths.includes("src/tax.ts"));
  assert.match(skipped.find(({ path }) => path === "src/tax.ts").message, /57 bytes, and 6 came|bytes, and 6 came/);
});

test("a budget of files leaves out the less telling ones, with the reason", async (t) => {
  const { paths, skipped } = await indexed(t, "acme/shop", { remote: { by: "files", maxFiles: 3 } });
  assert.ok(paths.includes("README.md") && paths.includes("package.json"), paths.join());
  assert.ok(skipped.some(({ message }) => message.includes("more than 3 files")));
});

test("it can be cancelled while it waits", async (t) => {
  const server = await forgeServer({ fault: () => ({ status: 429, headers: { "retry-after": "600" } }) });
  t.after(server.stop);
  const stop = new AbortController();
  const run = open(server, server.settings, { signal: stop.signal, onWait: () => stop.abort() });
  await assert.rejects(run, { name: "AbortError" });
  assert.equal(server.requests.length, 1);
});

test("Portolan.index takes the same texts, and answers about what it fetched", async (t) => {
  const server = await forgeServer();
  t.after(server.stop);
  const readmes = [];
  const index = await Portolan.index("acme/shop/src", {
    embeddings: false,
    workers: 1,
    remote: { ...server.settings, by: "files" },
    onReadme: ({ path }) => readmes.push(path),
  });
  t.after(() => index.close());
  await index.complete;
  const { files } = await index.files();
  assert.deepEqual(
    files.map(({ path }) => path),
    ["src/cart.ts", "src/tax.ts"],
  );
  assert.equal(index.name, "github/acme/shop/src");
  assert.equal((await index.callers("addTax")).calls.length, 1);
  assert.deepEqual(readmes, []);
});

test("a path that is misspelt is asked of no host", (t) => {
  const before = process.cwd();
  t.after(() => process.chdir(before));
  process.chdir(fileURLToPath(new URL("..", import.meta.url)));
  for (const path of ["test/sorces", "./acme/shop", "../acme/shop", "/acme/shop", "~/shop", "test"])
    assert.equal(isPath(path), true, path);
  for (const source of ["acme/shop", "github:acme/shop", "https://example.org/a.zip", "npm:shop"])
    assert.equal(isPath(source), false, source);
});

test("registries come from the person's settings for npm and cargo, not from a repository", async () => {
  const npmrc =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: npm's own placeholder
    "registry=https://mirror.example/npm/\n@acme:registry=https://acme.example/npm/\n//acme.example/npm/:_authToken=${TOKEN}\n";
  assert.deepEqual(npmRegistry(npmrc, undefined, {}), { registry: "https://mirror.example/npm/", tokens: {} });
  assert.deepEqual(npmRegistry(npmrc, "@acme", { TOKEN: "t" }), {
    registry: "https://acme.example/npm/",
    tokens: { "https://acme.example": "t" },
  });
  assert.equal(
    npmRegistry(npmrc, undefined, { npm_config_registry: "https://env.example/" }).registry,
    "https://env.example/",
  );
  assert.deepEqual(npmRegistry("", undefined, {}), { tokens: {} });
  const replaced =
    '[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\nregistry = "sparse+https://mirror.example/index/"\n';
  assert.equal(await crateRegistry(replaced, {}), "sparse+https://mirror.example/index/");
  const own = '[registry]\ndefault = "own"\n[registries.own]\nindex = "sparse+https://own.example/"\n';
  assert.equal(await crateRegistry(own, {}), "sparse+https://own.example/");
  assert.equal(
    await crateRegistry("", { CARGO_REGISTRY_DEFAULT: "a-b", CARGO_REGISTRIES_A_B_INDEX: "sparse+https://e.example/" }),
    "sparse+https://e.example/",
  );
  assert.equal(
    await crateRegistry('[registries.own]\nindex = "https://git.example/"\n', { CARGO_REGISTRY_DEFAULT: "own" }),
    undefined,
  );
  assert.equal(await crateRegistry("[[", {}), undefined);
});
