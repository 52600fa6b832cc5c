// An index is used where it was made. One that came with an archive, or was changed since, is found by nothing that looks for it.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { sandbox } from "./sandbox.mjs";
import { watched } from "./watch.mjs";

const HONEST = "def add_tax(net):\n    return net * 1.19\n";
/** As long as the other. */
const HOSTILE = "def add_tax(net):\n    return net * 9.99\n";
const SOURCES = { "repo/.git/": "", "repo/a.py": HONEST };
const INDEX = "repo/.portolan/index.portolan";
const EVENT = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Grep", tool_input: { pattern: "add_tax" } });

const made = async (box, options) => {
  const { code, stderr } = await box.portolan(["index", "--no-embeddings", ...(options?.args ?? [])], options);
  assert.equal(code, 0, stderr);
  return stderr;
};

/** A repository with the index that another user made of it. */
async function shipped(t, files = SOURCES) {
  const box = sandbox(files, t);
  const other = { HOME: box.path("other"), USERPROFILE: box.path("other") };
  mkdirSync(box.path("other"));
  await made(box, { env: other });
  return box;
}

/** All that looks for an index says that there is none of its own. */
async function checkUnused(box, options = {}) {
  for (const args of [
    ["find", "add_tax"],
    ["status"],
    ["export", "--format", "dot"],
    ["search", "tax", "--index", "."],
  ]) {
    const { code, stdout, stderr } = await box.portolan(args, options);
    assert.deepEqual([code, stdout], [1, ""], args.join(" "));
    assert.match(stderr, /was not made here.*\[index\.untrusted\]\n.*--index /);
  }
  const hook = await box.portolan(["hook"], { ...options, input: EVENT });
  assert.deepEqual([hook.code, hook.stdout, hook.stderr], [0, "", ""], "the hook is silent");
  const mcp = await box.node(["--input-type=module", "-e", MCP], options);
  assert.equal(mcp.stdout, "index.untrusted\n", mcp.stderr);
}

const MCP = `
  import { NodeHost } from ${JSON.stringify(new URL("../../pkg/dist/mcp/node-host.js", import.meta.url).href)};
  const host = new NodeHost({ version: "1", cwd: process.cwd() });
  await host.open().then(() => console.log("opened"), ({ code }) => console.log(code));
  host.close();`;

async function checkUsed(box, options = {}) {
  const { code, stdout, stderr } = await box.portolan(["find", "add_tax"], options);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /a\.py:1 {2}function add_tax/);
  const hook = await box.portolan(["hook"], { ...options, input: EVENT });
  assert.match(hook.stdout, /add_tax \(a\.py:1\)/);
}

test("an index that came with an archive is not used; made anew, it says what the files say", async (t) => {
  const box = await shipped(t);
  // As the archive has it: other sources of the same size and time.
  const { atime, mtime } = statSync(box.path("repo/a.py"));
  box.put({ "repo/a.py": HOSTILE });
  utimesSync(box.path("repo/a.py"), atime, mtime);
  await watched(box, async () => {
    await checkUnused(box);
    const named = await box.portolan(["text", "a.py", "--index", box.path(INDEX)]);
    assert.equal(named.stdout, HONEST, "who names it, has it");
    assert.match(await made(box), /was not built on this machine.*indexing every file again \[index\.untrusted\]/);
    assert.equal((await box.portolan(["text", "a.py"])).stdout, HOSTILE);
    await checkUsed(box);
  });
});

test("a code of authentication that came with it, or that says nothing, helps nothing", async (t) => {
  const box = await shipped(t);
  const code = readFileSync(box.path(`${INDEX}.mac`), "utf8");
  for (const text of [code, "", "0".repeat(64), "x".repeat(1e6), code.toUpperCase()]) {
    box.put({ [`${INDEX}.mac`]: text });
    await watched(box, () => checkUnused(box));
  }
});

test("one's own index is one's own after it was moved and copied, and not after it was changed", async (t) => {
  const box = sandbox(SOURCES, t);
  await watched(box, { allow: ["repo/**", "moved/**", ...box.allow] }, async () => {
    await made(box);
    await checkUsed(box);
    renameSync(box.path("repo"), box.path("moved"));
    await checkUsed(box, { cwd: "moved" });
    cpSync(box.path("moved"), box.path("repo"), { recursive: true });
    await checkUsed(box);
    rmSync(box.path("home/.config/portolan/indexes"), { recursive: true });
    await checkUsed(box);

    const bytes = readFileSync(box.path(INDEX));
    const { atime, mtime } = statSync(box.path(INDEX));
    bytes[bytes.length - 1] ^= 1;
    writeFileSync(box.path(INDEX), bytes);
    utimesSync(box.path(INDEX), atime, mtime);
    await checkUnused(box);
    bytes[bytes.length - 1] ^= 1;
    writeFileSync(box.path(INDEX), bytes);
    await checkUsed(box);
  });
});

test("sources that an archive puts over one's own, of the same size and time, are read again", async (t) => {
  const box = sandbox(SOURCES, t);
  const then = new Date(Date.now() - 3_600_000);
  utimesSync(box.path("repo/a.py"), then, then);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  await watched(box, { allow: ["repo/a.py", ...box.allow] }, async () => {
    await made(box);
    box.put({ "repo/a.py": HOSTILE });
    utimesSync(box.path("repo/a.py"), then, then);
    const { changes } = await box.json(["index", "--no-embeddings"]);
    assert.equal(changes.modified, 1);
    assert.equal((await box.portolan(["text", "a.py"])).stdout, HOSTILE);
  });
});

test("the index of another repository, through a link, is not this one's", async (t) => {
  const box = sandbox({ ...SOURCES, "outside/b.py": "def other(): pass\n" }, t);
  await made(box, { cwd: "outside" });
  box.link("repo/.portolan", "outside/.portolan");
  await watched(box, { allow: ["outside/.portolan/**", ...box.allow] }, () => checkUnused(box));
  rmSync(box.path("repo/.portolan"));
  mkdirSync(box.path("repo/.portolan"));
  for (const file of ["index.portolan", "index.portolan.mac"])
    box.link(join("repo/.portolan", file), join("outside/.portolan", file));
  await watched(box, { allow: ["outside/.portolan/**", ...box.allow] }, () => checkUnused(box));
});

test("a key in the environment goes along from one machine to the next", async (t) => {
  const box = sandbox(SOURCES, t);
  const key = { PORTOLAN_INDEX_KEY: "0123456789abcdef0123456789abcdef" };
  const nowhere = { HOME: "/dev/null", USERPROFILE: "/dev/null", XDG_CONFIG_HOME: "/dev/null" };
  await made(box, { env: { ...key, HOME: box.path("other"), XDG_CONFIG_HOME: box.path("other") } });
  await watched(box, async () => {
    await checkUsed(box, { env: { ...nowhere, ...key } });
    await checkUnused(box, { env: nowhere });
    await checkUnused(box, { env: { ...nowhere, PORTOLAN_INDEX_KEY: "another key, long enough" } });
    const { code, stderr } = await box.portolan(["find", "x"], { env: { ...nowhere, PORTOLAN_INDEX_KEY: "short" } });
    assert.equal(code, 1);
    assert.match(stderr, /PORTOLAN_INDEX_KEY has 5 characters.*\[options\.invalid\]/);
    const unbound = await box.portolan(["index", "--no-embeddings", "--full"], { env: nowhere });
    assert.match(unbound.stderr, /\[index\.unbound\]/);
  });
});

test("a home inside of the repository, with a key and records of its own, vouches for nothing", async (t) => {
  const box = sandbox(SOURCES, t);
  await made(box);
  // All that the user's folder says, as an archive could bring it.
  cpSync(box.path("home/.config"), box.path("repo/.config"), { recursive: true });
  rmSync(box.path("home/.config"), { recursive: true });
  const env = { HOME: box.path("repo"), USERPROFILE: box.path("repo"), PORTOLAN_HOME: "" };
  await watched(box, async () => {
    await checkUnused(box, { env });
    await checkUnused(box, { env: { ...env, XDG_CONFIG_HOME: box.path("repo/.config") } });
    await checkUnused(box, { env: { ...env, XDG_CONFIG_HOME: ".config" } });
  });
});

test("from the JavaScript API, what is stored in a repository is a start only where it was made here", async (t) => {
  const box = await shipped(t);
  const code = `
    import { Portolan } from ${JSON.stringify(new URL("../../pkg/dist/entry/node.js", import.meta.url).href)};
    const warnings = [];
    const index = await Portolan.index(".", { previous: "stored", store: true, embeddings: false, onWarning: (one) => warnings.push(one.code) });
    await index.complete;
    console.log(JSON.stringify([warnings, (await index.status()).n_files]));
    index.close();`;
  box.put({ "tmp/attack.mjs": code });
  const run = async () => {
    const { stdout, stderr } = await box.node([box.path("tmp/attack.mjs")]);
    return stdout + stderr;
  };
  await watched(box, async () => {
    assert.equal(await run(), '[["previous.unusable"],1]\n');
    assert.equal(await run(), "[[],1]\n", "and then it was");
  });
});
