// push, pull, versions and token as processes, over a server that is one, too: what a team does, and what it must not be able to do.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import { Portolan } from "../dist/entry/node.js";
import { WORKER_LIMIT } from "../dist/shared/worker-limit.js";
import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const world = folderWith(Object.fromEntries(Object.entries(SHOP).map(([path, text]) => [`shop/${path}`, text])));
const shop = join(world, "shop");
const indexes = join(world, "indexes");
/** Of three people: who pushes, who pulls, and a stranger to the server. */
const homes = { ci: join(world, "ci"), laptop: join(world, "laptop"), nobody: join(world, "nobody") };
const children = [];
after(() => {
  for (const child of children) child.kill("SIGKILL");
});
let url;
let log = "";
const tokens = {};

function run(program, args, { cwd = shop, who = "ci", env = {}, input = "" } = {}) {
  const home = homes[who];
  const own = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    PORTOLAN_HOME: join(home, "data"),
    PORTOLAN_NATIVE: "no",
    ...env,
  };
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd, env: own, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
    child.stdin.on("error", () => {}); // not everybody reads it
    child.stdin.end(input);
  });
}

const portolan = (args, options) => run(process.execPath, [BIN, ...args], options);

async function json(args, options) {
  const { code, stdout, stderr } = await portolan([...args, "--json"], options);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

async function git(...args) {
  const { code, stdout, stderr } = await run("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args]);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

/** A line that a server prints. */
async function started(...args) {
  const child = spawn(process.execPath, [BIN, "serve", "--shared", indexes, "--port", "0", ...args], {
    cwd: world,
    env: { PATH: process.env.PATH, HOME: homes.ci },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  child.stderr.on("data", (piece) => (log += piece));
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (line) => resolve(String(line).trim()));
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${log}`)));
  });
}

before(async () => {
  for (const home of Object.values(homes)) mkdirSync(home);
  await git("init", "-q", "-b", "main");
  await git("add", "-A");
  await git("commit", "-qm", "one");
  for (const [who, scope] of [
    ["ci", "write"],
    ["laptop", "read"],
    ["boss", "admin"],
  ]) {
    const args = ["token", "create", "--shared", indexes, "--name", who, "--scope", scope, "--repo", "acme/*"];
    const { stdout, stderr, code } = await portolan(args);
    assert.equal(code, 0, stderr);
    tokens[who] = stdout.trim();
  }
  url = await started("--repo", "acme/shop", "--public", "acme/open");
  for (const who of ["ci", "laptop"]) {
    const { code, stderr } = await portolan(["token", "keep", "--server", url], { who, input: `${tokens[who]}\n` });
    assert.equal(code, 0, stderr);
  }
  assert.equal((await portolan(["index", "-q"])).code, 0);
});

const SHOP_REPO = ["--repo", "acme/shop"];

test("a token that is kept can be read by its owner alone", () => {
  const file = join(homes.laptop, ".config/portolan/shared.json");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(JSON.parse(readFileSync(file, "utf8")).servers[0].server, url);
});

test("push sends the index, and a second time nothing", async () => {
  const first = await json(["push", ...SHOP_REPO, "--tag", "v1"]);
  assert.equal(first.is_current && first.is_new, true);
  assert.equal(first.sent.n_pieces, first.n_pieces);
  assert.equal(first.version.source.commit, await git("rev-parse", "HEAD"));
  assert.equal(first.version.source.tree, await git("rev-parse", "HEAD^{tree}"));
  const again = await json(["push", ...SHOP_REPO]);
  assert.deepEqual([again.sent.n_pieces, again.is_new, again.version.id], [0, false, first.version.id]);
});

test("the server answers queries from it, over REST and MCP, and the file opens by its address", async () => {
  const headers = { authorization: `Bearer ${tokens.laptop}` };
  const search = await fetch(`${url}/v1/search?repo=acme/shop&q=value+added+tax`, { headers });
  const { hits } = await search.json();
  assert.equal(hits[0].path, "src/tax.ts");
  assert.equal((await fetch(`${url}/v1/search?q=tax`, { headers })).status, 200, "the default repository");
  assert.equal((await fetch(`${url}/v1/search?repo=acme/shop&q=tax`)).status, 401);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const answer = await client.callTool({ name: "search", arguments: { query: "value added tax", repo: "acme/shop" } });
  assert.match(JSON.stringify(answer.content), /src\/tax\.ts/);
  await client.close();
  await json(["push", "--repo", "acme/open"]);
  const index = await Portolan.openRemote(`${url}/v1/repos/acme%2Fopen/index`);
  const found = await index.search({ query: "value added tax" });
  assert.equal(found.hits[0].path, "src/tax.ts");
  index.close();
});

test("pull brings a fresh clone the nearest version, and reads only what differs", async () => {
  writeFileSync(join(shop, "src/vat.ts"), "export function vat(net: number): number {\n  return net * 0.19;\n}\n");
  await git("add", "-A");
  await git("commit", "-qm", "two");
  const clone = join(world, "clone");
  await git("clone", "-q", shop, clone);
  const pulled = await json(["pull", ...SHOP_REPO], { cwd: clone, who: "laptop" });
  assert.equal(pulled.n_commits, 1);
  assert.equal(pulled.fetched.n_pieces, pulled.version.n_pieces);
  assert.deepEqual(
    { ...pulled.update.changes, unchanged: 0 },
    { added: 1, modified: 0, deleted: 0, renamed: 0, unchanged: 0 },
  );
  const { stdout } = await portolan(["find", "vat"], { cwd: clone, who: "laptop" });
  assert.match(stdout, /src\/vat\.ts/);
  const again = await json(["pull", ...SHOP_REPO, "--no-update"], { cwd: clone, who: "laptop" });
  assert.ok(again.fetched.n_pieces <= again.version.n_pieces);
  const third = await json(["pull", ...SHOP_REPO, "--no-update"], { cwd: clone, who: "laptop" });
  assert.equal(third.fetched.n_pieces, 0, "all of it was here");
  const file = join(world, "old.portolan");
  await json(["pull", ...SHOP_REPO, "--at", "v1", "-o", file], { who: "laptop" });
  rmSync(join(clone, ".portolan"), { recursive: true });
  await json(["pull", ...SHOP_REPO, "--no-update"], { cwd: clone, who: "laptop" });
  assert.deepEqual(readFileSync(join(clone, ".portolan/index.portolan")), readFileSync(file));
});

test("a shallow clone is pulled for, too", async () => {
  const clone = join(world, "shallow");
  await git("clone", "-q", "--depth", "2", `file://${shop}`, clone);
  const { n_commits } = await json(["pull", ...SHOP_REPO, "--no-update"], { cwd: clone, who: "laptop" });
  assert.equal(n_commits, 1);
});

test("files that are not those of the commit are not pushed as such", async () => {
  const stale = await portolan(["push", ...SHOP_REPO]);
  assert.equal(stale.code, 1);
  assert.match(stale.stderr, /push\.stale/);
  await portolan(["index", "-q"]);
  writeFileSync(join(shop, "src/tax.ts"), `${readFileSync(join(shop, "src/tax.ts"), "utf8")}// changed\n`);
  const changed = await portolan(["push", ...SHOP_REPO]);
  assert.equal(changed.code, 1);
  assert.match(changed.stderr, /src\/tax\.ts[\s\S]*push\.changed/);
  await portolan(["index", "-q"]);
  const forced = await json(["push", ...SHOP_REPO, "--force", "--no-switch"]);
  assert.equal(forced.version.source.commit, undefined);
  assert.equal(forced.is_current, false);
  assert.ok(forced.sent.n_pieces > 0);
  await git("checkout", "-q", "src/tax.ts");
  await portolan(["index", "-q"]);
  assert.equal((await json(["push", ...SHOP_REPO])).is_current, true);
});

test("versions are listed, switched and pruned by those who may", async () => {
  const list = await json(["versions", ...SHOP_REPO], { who: "laptop" });
  assert.equal(list.total, 3);
  const { stdout } = await portolan(["versions", ...SHOP_REPO], { who: "laptop" });
  assert.match(stdout, /^\* [0-9a-f]{12} {2}[0-9a-f]{10} .* MB/m);
  assert.match(stdout, / v1$/m);
  const refused = await portolan(["versions", ...SHOP_REPO, "--to", "v1"], { who: "laptop" });
  assert.match(refused.stderr, /access\.scope/);
  const env = { PORTOLAN_SHARED_SERVER: url, PORTOLAN_SHARED_TOKEN: tokens.boss };
  const switched = await json(["versions", ...SHOP_REPO, "--to", "v1"], { who: "nobody", env });
  assert.deepEqual(switched.source.tags, ["v1"]);
  const back = await portolan(["versions", ...SHOP_REPO, "--to", "previous"], { who: "nobody", env });
  assert.match(back.stdout, /^acme\/shop answers from \* /);
  const dry = await portolan(["versions", ...SHOP_REPO, "--prune", "--keep", "1", "--days", "0", "--dry-run"], {
    who: "nobody",
    env,
  });
  assert.match(dry.stdout, /^would delete 1 version and \d+ pieces? /);
  const pruned = await json(["versions", ...SHOP_REPO, "--prune", "--keep", "1", "--days", "0"], {
    who: "nobody",
    env,
  });
  assert.deepEqual([pruned.versions.length, pruned.n_kept], [1, 2], "the current one, and the one with a tag");
});

test("a repository names neither the server nor the token", async () => {
  const asked = [];
  const evil = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.end("{}");
  });
  await new Promise((resolve) => evil.listen(0, "127.0.0.1", resolve));
  after(() => evil.close());
  const address = `http://127.0.0.1:${evil.address().port}`;
  const clone = join(world, "evil");
  await git("clone", "-q", shop, clone);
  mkdirSync(join(clone, ".config/portolan"), { recursive: true });
  const text = JSON.stringify({ servers: [{ server: address, token: "a-token-of-some-length" }] });
  writeFileSync(join(clone, ".config/portolan/shared.json"), text, { mode: 0o600 });
  writeFileSync(join(clone, "shared.json"), text);
  writeFileSync(join(clone, ".env"), `PORTOLAN_SHARED_SERVER=${address}\n`);
  const pulled = await json(["pull", ...SHOP_REPO, "--no-update"], { cwd: clone, who: "laptop" });
  assert.ok(pulled.version.id);
  // Even where it is the home itself.
  const env = { HOME: clone, XDG_CONFIG_HOME: join(clone, ".config") };
  const { code, stderr } = await portolan(["pull", ...SHOP_REPO], { cwd: clone, who: "nobody", env });
  assert.equal(code, 1);
  assert.match(stderr, /no server of shared indexes is known/);
  assert.deepEqual(asked, []);
});

test("a token goes to its server alone, and never in clear text over the internet", async () => {
  const seen = [];
  const other = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(302, { location: `${url}${request.url}` }).end();
  });
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  after(() => other.close());
  const address = `http://127.0.0.1:${other.address().port}`;
  const redirected = await portolan(["versions", ...SHOP_REPO, "--server", address], { who: "laptop" });
  assert.equal(redirected.code, 1);
  assert.ok(
    seen.every((header) => header === undefined),
    "no token was kept for it",
  );
  const clear = await portolan(["versions", "--server", "http://portolan.example.com"], { who: "laptop" });
  assert.deepEqual([clear.code, /clear text/.test(clear.stderr)], [2, true]);
});

test("push warns of a root that the Worker refuses, and sends it", async () => {
  const [fitting, large] = [16 * 1024 * 1024, 16 * 1024 * 1024 + 1].map((n_bytes) => {
    const path = join(world, `root-${n_bytes}.portolan`);
    const root = Buffer.alloc(n_bytes);
    root.write("PTLNROOT");
    writeFileSync(path, root);
    return path;
  });
  const push = (index) => portolan(["push", "--repo", "acme/large", "--force", "--index", index]);
  const silent = await push(fitting);
  assert.deepEqual([silent.code, silent.stderr], [0, ""]);
  const told = await push(large);
  assert.equal(told.code, 0, told.stderr);
  assert.match(told.stderr, /root needs 65 MiB of memory, and the limit is 64 MiB unless .* \[push\.large\]\n$/);
});

test("the limit that push knows is the Worker's own", () => {
  const text = readFileSync(new URL("../../crates/edge/worker/indexes.mjs", import.meta.url), "utf8");
  for (const [name, value] of Object.entries(WORKER_LIMIT)) {
    const [, written] = new RegExp(`^(?:export )?const ${name} = ([\\d *]+);$`, "m").exec(text) ?? [];
    assert.equal(
      written.split("*").reduce((product, factor) => product * Number(factor), 1),
      value,
      name,
    );
  }
});

test("an encrypted version is a file to the server; pull decrypts it", async () => {
  writeFileSync(join(world, "secret"), "correct horse battery staple\n");
  const sealed = join(world, "shop.sealed");
  const exported = await portolan(["export", "--passphrase-file", join(world, "secret"), "-o", sealed]);
  assert.equal(exported.code, 0, exported.stderr);
  const { version } = await json(["push", "--repo", "acme/sealed", "--index", sealed]);
  assert.equal(version.is_sealed, true);
  const clone = join(world, "sealed");
  await git("clone", "-q", shop, clone);
  const options = { cwd: clone, who: "laptop" };
  const without = await portolan(["pull", "--repo", "acme/sealed"], options);
  assert.match(without.stderr, /passphrase/);
  const pulled = await json(["pull", "--repo", "acme/sealed", "--passphrase-file", join(world, "secret")], options);
  assert.equal(pulled.update, undefined, "the version of exactly these files needs no update");
  const { stdout } = await portolan(["find", "addTax"], options);
  assert.match(stdout, /src\/tax\.ts/);
  const headers = { authorization: `Bearer ${tokens.laptop}` };
  const asked = await fetch(`${url}/v1/status?repo=acme/sealed`, { headers });
  assert.equal((await asked.json()).code, "seal.passphrase-missing", "the server cannot read it");
});

test("tokens are listed without secrets, and a revoked one ends", async () => {
  const { tokens: list } = await json(["token", "list", "--shared", indexes]);
  assert.deepEqual(
    list.map(({ name, scope }) => [name, scope]),
    [
      ["ci", "write"],
      ["laptop", "read"],
      ["boss", "admin"],
    ],
  );
  assert.ok(!JSON.stringify(list).includes("hash"));
  const { stdout } = await portolan([
    "token",
    "create",
    "--shared",
    indexes,
    "--ci",
    "github:acme/*",
    "--scope",
    "write",
    "--ref",
    "refs/heads/main",
  ]);
  assert.match(
    stdout,
    /write {2}acme\/\* .* CI https:\/\/token\.actions\.githubusercontent\.com acme\/\* refs\/heads\/main/,
  );
  const own = list.find(({ name }) => name === "ci").id;
  assert.equal((await portolan(["token", "revoke", own, "--shared", indexes])).code, 0);
  assert.match((await portolan(["token", "revoke", own, "--shared", indexes])).stderr, /access\.unknown-token/);
  const deadline = Date.now() + 10_000;
  for (;;) {
    const { code, stderr } = await portolan(["versions", ...SHOP_REPO]);
    if (code === 1 && /access\.token-invalid/.test(stderr)) break;
    assert.ok(Date.now() < deadline, "a revoked token works for some seconds only");
  }
});

test("a server that is killed while it is pushed to goes on, and so does the push", async () => {
  const folder = join(world, "killed");
  const { stdout } = await portolan(["token", "create", "--shared", folder, "--scope", "write"]);
  const token = stdout.trim();
  const env = { PORTOLAN_SHARED_TOKEN: token };
  for (const milliseconds of [20, 120, 300]) {
    const child = spawn(process.execPath, [BIN, "serve", "--shared", folder, "--port", "0", "-q"], {
      env: { PATH: process.env.PATH, HOME: homes.ci },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const address = await new Promise((resolve) => child.stdout.once("data", (line) => resolve(String(line).trim())));
    const pushing = portolan(["push", ...SHOP_REPO, "--server", address], {
      who: "nobody",
      env: { ...env, XDG_CONFIG_HOME: join(homes.ci, ".config") },
    });
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    child.kill("SIGKILL");
    await pushing;
  }
  const child = spawn(process.execPath, [BIN, "serve", "--shared", folder, "--port", "0", "-q"], {
    env: { PATH: process.env.PATH, HOME: homes.ci },
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  const address = await new Promise((resolve) => child.stdout.once("data", (line) => resolve(String(line).trim())));
  const { version } = await json(["push", ...SHOP_REPO, "--server", address], { env });
  const answer = await fetch(`${address}/v1/repos/acme%2Fshop/index`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.deepEqual(bytes, readFileSync(join(shop, ".portolan/index.portolan")));
  assert.equal(answer.headers.get("x-portolan-version"), version.id);
});

test("the audit log says who did what, and no secret", () => {
  const lines = log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  const [pushed] = lines.filter(({ event, status }) => event === "add_version" && status === 201);
  assert.equal(pushed.repository, "acme/shop");
  assert.match(pushed.by, /^[A-Za-z0-9]{12}$/);
  const made = lines.filter(({ event }) => event === "create_token");
  assert.deepEqual(
    made.map(({ name, scope, repositories }) => [name, scope, repositories]).slice(0, 3),
    [
      ["ci", "write", ["acme/*"]],
      ["laptop", "read", ["acme/*"]],
      ["boss", "admin", ["acme/*"]],
    ],
    "made before the server was there",
  );
  const [gone] = lines.filter(({ event }) => event === "revoke_token");
  assert.deepEqual([gone.token, gone.name], [made[0].token, "ci"]);
  assert.match(gone.by, /^.+@.+$/);
  assert.equal(new Set(made.map(({ token }) => token)).size, made.length, "each once");
  assert.equal(made[3].ci.repository, "acme/*", "a rule for CI, too");
  for (const token of Object.values(tokens)) assert.ok(!log.includes(token.slice(17)));
  assert.ok(existsSync(indexes));
});
