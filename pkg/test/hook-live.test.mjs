// Hooks that a server answers: the same text as a hook makes by itself, through a socket that only the user can reach; and what happens where the
// server is gone, slow, or sees other files.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { Portolan } from "portolan";

import { addressesOf, addressFor, hasHooks } from "../dist/hook/live.js";
import { answeredThere } from "../dist/hook/live-client.js";
import { serveHooks } from "../dist/hook/live-server.js";
import { foundFor } from "../dist/hook/said.js";
import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const isWindows = process.platform === "win32";
const skip = isWindows && "Windows has no such sockets";
const config = folderWith({});
const shop = folderWith(SHOP);
process.env.XDG_CONFIG_HOME = config;
const live = join(config, "portolan", "live");

before(async () => {
  const index = await Portolan.index(shop, { store: true, embeddings: false });
  await index.complete;
  index.close();
});

const EVENT = { hook_event_name: "PreToolUse", tool_name: "Grep", tool_input: { pattern: "addTax" } };
const request = (event = EVENT) => ({ text: JSON.stringify(event), operands: [], cwd: shop });
const hook = (event, cwd = shop) =>
  spawnSync(process.execPath, [BIN, "hook"], { input: JSON.stringify(event), encoding: "utf8", cwd });

async function serving(t, onLost = () => {}) {
  const { index, root } = foundFor(shop);
  const served = await serveHooks(index, root, onLost);
  t.after(() => served.close());
}

test("a server says what the hook says, at every moment", { skip }, async (t) => {
  const events = [
    EVENT,
    { hook_event_name: "UserPromptSubmit", prompt: "Cart.total is wrong: addTax in src/tax.ts rounds before it adds" },
    { hook_event_name: "UserPromptSubmit", prompt: "go on with it" },
    { hook_event_name: "SessionStart" },
    {
      hook_event_name: "PostToolUse",
      tool_name: "Edit",
      tool_input: { file_path: "src/tax.ts", old_string: "none", new_string: "such" },
    },
  ];
  const alone = events.map((event) => hook(event).stdout);
  await serving(t);
  for (const [at, event] of events.entries()) {
    const said = await answeredThere(foundFor(shop), request(event));
    const expected = alone[at] === "" ? "" : JSON.parse(alone[at]).hookSpecificOutput.additionalContext;
    assert.equal(said, expected, JSON.stringify(event));
  }
  assert.ok(alone.filter((text) => text !== "").length >= 4, "nothing is compared with nothing");
});

test("the socket is in a folder that only its owner enters", { skip }, async (t) => {
  await serving(t);
  const [address] = addressesOf(foundFor(shop).index);
  assert.ok(lstatSync(address).isSocket());
  assert.equal(lstatSync(live).mode & 0o777, 0o700);
  chmodSync(live, 0o755);
  t.after(() => chmodSync(live, 0o700));
  assert.deepEqual(addressesOf(foundFor(shop).index), [], "others could have put it there");
  assert.equal(await answeredThere(foundFor(shop), request()), undefined);
});

test("a server that sees another index does not answer", { skip }, async (t) => {
  await serving(t);
  const found = foundFor(shop);
  assert.equal(await answeredThere({ ...found, file: join(shop, "README.md") }, request()), undefined);
  // Its folder has no index there: what the hook sees and it does not is nobody's.
  assert.equal(await answeredThere(found, { ...request(), cwd: config }), undefined);
});

test("who ended without a word is forgotten; who is silent is not waited for", { skip }, async (t) => {
  const found = foundFor(shop);
  const address = addressFor(found.index, found.root);
  const child = spawnSync(process.execPath, [
    "-e",
    `require("node:net").createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, "SIGKILL"))`,
  ]);
  assert.equal(child.signal, "SIGKILL");
  assert.ok(existsSync(address));
  assert.equal(await answeredThere(found, request()), undefined);
  assert.ok(!existsSync(address), "the next hook does not try again");
  const silent = createServer(() => {}).listen(address);
  t.after(() => silent.close());
  await pause(50);
  const started = performance.now();
  assert.match(hook(EVENT).stdout, /addTax \(src\/tax\.ts:4\)/);
  assert.equal(await answeredThere(found, request()), undefined);
  assert.ok(performance.now() - started < 5_000);
});

test("an answer that is too long, or none, is not taken", { skip }, async (t) => {
  const found = foundFor(shop);
  for (const answer of [JSON.stringify({ said: "x".repeat(100_000) }), '{ "said": 1 }', '{ "said": "cut o', ""]) {
    const server = createServer((socket) =>
      socket
        .on("error", () => {})
        .resume()
        .end(answer),
    );
    server.listen(addressFor(found.index, found.root));
    t.after(() => server.close());
    await pause(50);
    assert.equal(await answeredThere(found, request()), undefined, answer.slice(0, 20));
    await new Promise((resolve) => server.close(resolve));
  }
});

test("strange requests get no answer and end nothing", { skip }, async (t) => {
  let n_lost = 0;
  await serving(t, () => n_lost++);
  const found = foundFor(shop);
  for (const text of ["", "{", "[".repeat(100_000), JSON.stringify({ ...EVENT, cwd: "/nowhere\0" }), "null"])
    assert.equal(await answeredThere(found, { ...request(), text }), undefined, text.slice(0, 40));
  assert.match((await answeredThere(found, request())) ?? "", /addTax/);
  assert.equal(n_lost, 0);
});

test("a new index is answered from as soon as it is there", { skip }, async (t) => {
  const folder = folderWith({ "a.ts": "export function first() {}\nexport function second() {\n  first();\n}\n" });
  const indexed = () => spawnSync(process.execPath, [BIN, "index", folder, "--quiet"], { encoding: "utf8" });
  assert.equal(indexed().status, 0);
  const { index, root } = foundFor(folder);
  const served = await serveHooks(index, root, () => {});
  t.after(() => served.close());
  const ask = (pattern) =>
    answeredThere(foundFor(folder), { ...request({ ...EVENT, tool_input: { pattern } }), cwd: folder });
  assert.match((await ask("first")) ?? "", /Called by: second/);
  writeFileSync(join(folder, "b.ts"), 'import { first } from "./a";\nexport function third() {\n  first();\n}\n');
  assert.equal(indexed().status, 0);
  assert.match((await ask("first")) ?? "", /Called by: second, third/);
});

test("portolan mcp answers hooks where there are some, and leaves nothing behind", { skip }, async () => {
  rmSync(live, { recursive: true, force: true });
  assert.equal(hasHooks(shop), false);
  const found = foundFor(shop);
  const served = async (isExpected) => {
    const server = spawn(process.execPath, [BIN, "mcp", "--no-watch"], {
      cwd: shop,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => server.once("exit", resolve));
    let said;
    for (let n = 0; n < (isExpected ? 100 : 20) && said === undefined; n++) {
      await pause(100);
      if (existsSync(live)) said = await answeredThere(found, request());
    }
    server.stdin.end();
    await ended;
    return said;
  };
  assert.equal(await served(false), undefined, "nobody has hooks");
  assert.match(hook(EVENT).stdout, /addTax/);
  assert.equal(hasHooks(shop), true, "a hook has looked for a server");
  assert.match((await served(true)) ?? "", /addTax \(src\/tax\.ts:4\)/);
  assert.deepEqual(readdirSync(live), []);
});

after(() => mkdirSync(live, { recursive: true }));
