// The server builds the index of the work tree that it is started in, and keeps it current; `index` and `list_files`.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { awaitIndex } from "../dist/mcp/keeper.js";
import { answer, call, connect, empty, shop, textOf, work } from "./mcp-shop.mjs";

const index = (root) => join(root, ".portolan/index.portolan");

/** A work tree without an index. */
function workTree(name) {
  const root = join(work, name);
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.ts"), "export function first() {\n  return 1;\n}\n");
  return root;
}

/** Waits until `holds` does. */
async function until(holds) {
  for (let waited = 0; waited < 60_000; waited += 250) {
    if (await holds()) return;
    await pause(250);
  }
  assert.fail("it never came");
}

test("the first call waits for the index that is built at the start, and changes are followed", async () => {
  const root = workTree("fresh");
  const client = await connect(root);
  const { files, total } = await answer("list_files", {}, client);
  assert.deepEqual([files.map(({ path }) => path), total], [["src/a.ts"], 1]);
  await until(() => existsSync(index(root)));
  writeFileSync(join(root, "src/b.ts"), "export function second() {\n  return 2;\n}\n");
  await until(async () => (await answer("list_files", {}, client)).total === 2);
  await client.close();
});

test("index brings an index up to date at once", async () => {
  const root = workTree("asked");
  const client = await connect(root);
  await answer("status", {}, client);
  writeFileSync(join(root, "src/b.ts"), "export function second() {\n  return 2;\n}\n");
  const done = await answer("index", {}, client);
  assert.deepEqual([done.root, done.n_files], [root, 2]);
  assert.match(done.text, /2 files, \d+ symbols, [\d.]+ s/);
  assert.equal((await answer("search", { query: "second" }, client)).hits[0].path, "src/b.ts");
  const elsewhere = await call("index", { repo: "/" }, client);
  assert.ok(elsewhere.isError && /neither an indexed repository nor a folder in/.test(textOf(elsewhere)));
  await client.close();
});

test("nothing is built in a folder that is no work tree, and with --no-watch", async () => {
  const none = await connect(empty);
  assert.match(textOf(await call("status", {}, none)), /is not indexed/);
  await none.close();
  const root = workTree("still");
  const client = await connect(root, "--no-watch");
  assert.ok((await call("status", {}, client)).isError);
  await assert.rejects(call("index", {}, client), /there is no tool "index"/);
  await client.close();
  assert.equal(existsSync(index(root)), false);
});

test("list_files: a folder, a language, pages", async () => {
  const all = await answer("list_files", { repo: shop });
  assert.ok(all.total > 200 && all.files.length < all.total, "16 KB are a page");
  const next = await answer("list_files", { repo: shop, cursor: all.next_cursor });
  assert.notEqual(next.files[0].path, all.files[0].path);
  const some = await answer("list_files", { repo: shop, path: "./src/", languages: ["tsx"] });
  assert.deepEqual(
    some.files.map(({ path }) => path),
    ["src/checkout.tsx"],
  );
  assert.match(some.text, /^1 file\nsrc\/checkout\.tsx {2}tsx, \d+ lines, \d+ symbols?$/);
});

test("a first index that takes long is told with how far it is", async () => {
  const pending = { done: new Promise(() => {}), progress: () => ({ done: 3, total: 9 }) };
  await assert.rejects(awaitIndex(pending, "/repo", 5), ({ code, message }) =>
    Boolean(code === "index.building" && /3 of 9/.test(message)),
  );
  await awaitIndex({ done: Promise.resolve(), progress: () => undefined }, "/repo");
  await assert.rejects(
    awaitIndex({ done: Promise.reject(new Error("full disk")), progress: () => undefined }, "/"),
    /full disk/,
  );
});
