// Shared indexes in a bucket of SeaweedFS, a server of S3 that is not ours: the tests of every store, and what a team does with
// `portolan serve --shared s3://…`.

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { s3Store } from "../../pkg/dist/shared/s3-store.js";
import { ROOT } from "../../tools/edge/workerd.mjs";
import { startSeaweed, weedProgram } from "./seaweed.mjs";

const program = weedProgram();
const skip = program ? false : "there is no SeaweedFS: python3 is missing, or this is not Linux";
const server = program && (await startSeaweed(program));

test("its conditions are enough, and another secret is refused", { skip }, async () => {
  await s3Store(server.address, server.env).checkConditions();
  const stranger = s3Store(server.address, { ...server.env, AWS_SECRET_ACCESS_KEY: "another-secret" });
  await assert.rejects(stranger.put("a", new Uint8Array(3)), /SignatureDoesNotMatch/);
});

describe("serve --shared s3://…", { skip }, () => {
  const BIN = join(ROOT, "pkg/bin/portolan.js");
  const SHARED = `${server?.address}/indexes`;
  const world = mkdtempSync(join(tmpdir(), "portolan-s3-"));
  const shop = join(world, "shop");
  const children = [];
  const tokens = {};
  let url;
  after(() => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(world, { recursive: true, force: true });
  });

  const environment = () => ({ PATH: process.env.PATH, HOME: world, PORTOLAN_NATIVE: "no", ...server.env });

  function portolan(args, { cwd = shop, token = tokens.admin } = {}) {
    const env = { ...environment(), ...(url && { PORTOLAN_SHARED_SERVER: url, PORTOLAN_SHARED_TOKEN: token }) };
    return new Promise((resolve, reject) =>
      execFile(process.execPath, [BIN, ...args], { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
        error ? reject(new Error(`${args.join(" ")}: ${stderr}`)) : resolve(stdout.trim()),
      ),
    );
  }

  const json = async (args, options) => JSON.parse(await portolan([...args, "--json"], options));

  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: shop,
      env: environment(),
      stdio: "pipe",
    });

  async function started() {
    const args = [BIN, "serve", "--shared", SHARED, "--port", "0", "--repo", "acme/shop"];
    const child = spawn(process.execPath, args, { cwd: world, env: environment(), stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    let log = "";
    child.stderr.on("data", (piece) => (log += piece));
    return new Promise((resolve, reject) => {
      child.stdout.once("data", (line) => resolve(String(line).trim()));
      child.once("exit", (code) => reject(new Error(`ended with ${code}: ${log}`)));
    });
  }

  function write(path, text) {
    mkdirSync(join(shop, "src"), { recursive: true });
    writeFileSync(join(shop, path), text);
  }

  async function commit(message) {
    git("add", "-A");
    git("commit", "-qm", message);
    await portolan(["index", "-q"]);
  }

  const found = async (more = "") => {
    const headers = { authorization: `Bearer ${tokens.read}` };
    const response = await fetch(`${url}/v1/search?repo=acme/shop&q=value+added+tax${more}`, { headers });
    assert.equal(response.status, 200);
    return (await response.json()).hits.map(({ path }) => path);
  };

  /** Servers look for a new current version once a second. */
  async function answersFrom(paths) {
    for (const deadline = Date.now() + 10_000; ; await pause(100)) {
      const now = (await found()).sort();
      if (isDeepStrictEqual(now, paths) || Date.now() > deadline) return assert.deepEqual(now, paths);
    }
  }

  before(async () => {
    write(
      "src/tax.ts",
      "/** Adds value added tax. */\nexport function addTax(net: number) {\n  return net * 1.19;\n}\n",
    );
    git("init", "-q", "-b", "main");
    await commit("one");
    for (const scope of ["read", "admin"])
      tokens[scope] = await portolan(["token", "create", "--shared", SHARED, "--scope", scope]);
    url = await started();
  });

  test("a push is asked, switched back and pulled, byte for byte", async () => {
    const first = await json(["push", "--repo", "acme/shop", "--tag", "v1"]);
    assert.deepEqual([first.is_current, first.sent.n_pieces], [true, first.n_pieces]);
    assert.deepEqual(await found(), ["src/tax.ts"]);
    const pushed = readFileSync(join(shop, ".portolan/index.portolan"));

    write(
      "src/vat.ts",
      "/** Value added tax of books. */\nexport function vat(net: number) {\n  return net * 0.07;\n}\n",
    );
    await commit("two");
    const second = await json(["push", "--repo", "acme/shop"]);
    assert.deepEqual([second.is_current, second.sent.n_pieces > 0], [true, true]);
    await answersFrom(["src/tax.ts", "src/vat.ts"]);
    assert.deepEqual(await found("&version=v1"), ["src/tax.ts"]);

    const switched = await json(["versions", "--repo", "acme/shop", "--to", "previous"]);
    assert.equal(switched.id, first.version.id);
    await answersFrom(["src/tax.ts"]);

    const clone = join(world, "clone");
    git("clone", "-q", shop, clone);
    const pulled = await json(["pull", "--repo", "acme/shop", "--no-update"], { cwd: clone, token: tokens.read });
    assert.equal(pulled.version.id, second.version.id, "the commit decides, not the current version");
    const old = join(world, "old.portolan");
    await portolan(["pull", "--repo", "acme/shop", "--at", "v1", "-o", old], { cwd: clone, token: tokens.read });
    assert.deepEqual(readFileSync(old), pushed);
  });

  test("two servers of one bucket take pushes at once, and lose none", async () => {
    const other = await started();
    const body = readFileSync(join(shop, ".portolan/index.portolan"));
    const headers = { authorization: `Bearer ${tokens.admin}` };
    const put = (address, n) =>
      fetch(`${address}/v1/repos/acme%2Fmany?tag=n${n}&commit=${String(n).repeat(40)}`, {
        method: "PUT",
        body,
        headers,
      });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => put(n % 2 ? url : other, n)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(8).fill(201),
    );
    const list = await (await fetch(`${other}/v1/repos/acme%2Fmany/versions`, { headers })).json();
    assert.deepEqual(
      list.versions.flatMap(({ source }) => source.tags).sort(),
      Array.from({ length: 8 }, (_, n) => `n${n}`),
    );
  });

  test("deleting a repository deletes its pieces from the bucket", async () => {
    const n_objects = async () => {
      const store = s3Store(SHARED, server.env);
      let [n, cursor] = [0, undefined];
      do {
        const page = await store.list("", cursor);
        n += page.objects.length;
        ({ cursor } = page);
      } while (cursor !== undefined);
      return n;
    };
    const n_before = await n_objects();
    const headers = { authorization: `Bearer ${tokens.admin}` };
    const deleted = await fetch(`${url}/v1/repos/acme%2Fshop`, { method: "DELETE", headers });
    assert.equal(deleted.status, 204);
    assert.ok((await n_objects()) < n_before);
  });
});

if (server) {
  Object.assign(process.env, server.env, { PORTOLAN_TEST_S3: server.address });
  await import("../../pkg/test/shared-store.test.mjs");
}
// The last: where a filter leaves out all tests so far, Node takes them for all there are, and hooks are run.
after(() => server?.stop());
