// An overlay is told by its difference from another index. One that came with a repository names an index of somebody else's choice: it opens nothing.
import assert from "node:assert/strict";
import { readdirSync, symlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { test } from "node:test";

import { overlayBytes, readOverlay } from "../../pkg/dist/node/overlay-file.js";
import { sandbox } from "./sandbox.mjs";
import { watched } from "./watch.mjs";

const SECRET = "def launch_code():\n    return 4711\n";
const INDEX = ".portolan/index.portolan";
const CACHE = "home/.cache/portolan/indexes";
const EVENT = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "Grep",
  tool_input: { pattern: "launch_code" },
});

/** A repository of the user, indexed, whose index is kept; and another one that came from somebody. */
async function together(t) {
  const box = sandbox({ "repo/a.py": "def add_tax(net):\n    return net\n", "outside/mine/secret.py": SECRET }, t);
  for (const cwd of ["outside/mine", "repo"]) {
    box.git(["init", "-q"], cwd);
    box.git(["add", "-A"], cwd);
    box.git(["commit", "-qm", "one"], cwd);
  }
  const { code, stderr } = await box.portolan(["index", "--no-embeddings"], { cwd: "outside/mine" });
  assert.equal(code, 0, stderr);
  const [kept] = readdirSync(box.path(CACHE)).filter((name) => name.endsWith(".portolan"));
  return { box, base: kept.replace(".portolan", "") };
}

const lie = (base, more = {}) =>
  overlayBytes({
    base,
    n_files: 1,
    name: "repo",
    embeddings: false,
    source: {},
    deleted: [],
    skipped: [],
    files: [],
    ...more,
  });

/** Everything that looks for an index, and who names this one. */
async function checkUnused(box, cwd = "repo") {
  for (const args of [
    ["find", "launch_code"],
    ["text", "secret.py", "--index", INDEX],
    ["status"],
    ["export", "--format", "dot"],
    ["search", "code", "--index", "."],
  ]) {
    const { code, stdout, stderr } = await box.portolan(args, { cwd });
    assert.deepEqual([code, stdout], [1, ""], args.join(" "));
    assert.match(stderr, /\[(index\.untrusted|overlay\.base)\]/, args.join(" "));
    assert.doesNotMatch(stderr, /4711/);
  }
  const hook = await box.portolan(["hook"], { cwd, input: EVENT });
  assert.deepEqual([hook.code, hook.stdout, hook.stderr], [0, "", ""], "the hook is silent");
}

test("an overlay that came with a repository opens no index of its user", async (t) => {
  const { box, base } = await together(t);
  box.put({ [`repo/${INDEX}`]: lie(base) });
  await watched(box, async () => {
    await checkUnused(box);
    const { code, stderr } = await box.portolan(["index", "--no-embeddings"]);
    assert.equal(code, 0, stderr);
    assert.match((await box.portolan(["find", "add_tax"])).stdout, /a\.py:1/);
  });
});

test("a link in its place is not followed", async (t) => {
  const { box, base } = await together(t);
  box.put({ "outside/lie.portolan": lie(base), "repo/.portolan/": "" });
  symlinkSync(box.path("outside/lie.portolan"), box.path(`repo/${INDEX}`));
  await watched(box, async () => {
    const { code, stdout, stderr } = await box.portolan(["find", "launch_code"]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /\[index\.untrusted\]/);
  });
});

test("one that its user's key vouches for still opens the index of its own clone only", async (t) => {
  const { box, base } = await together(t);
  box.put({ [`repo/${INDEX}`]: lie(base) });
  const bind = new URL("../../pkg/dist/node/bind-index.js", import.meta.url).href;
  const script = `const { bindIndex } = await import(${JSON.stringify(bind)}); bindIndex(${JSON.stringify(box.path("repo", INDEX))});`;
  assert.equal((await box.node(["--input-type=module", "-e", script])).stderr, "");
  await watched(box, async () => {
    const { stdout, stderr } = await box.portolan(["find", "launch_code"]);
    assert.doesNotMatch(stdout, /launch_code/);
    assert.match(stderr, /\[overlay\.base\]/);
    const hook = await box.portolan(["hook"], { input: EVENT });
    assert.deepEqual([hook.code, hook.stdout], [0, ""]);
  });
});

test("a .git file that claims another clone makes no worktree of it", async (t) => {
  const { box } = await together(t);
  rmSync(box.path("repo/.git"), { recursive: true });
  box.git(["worktree", "add", "-q", "--detach", box.path("outside/two")], "outside/mine");
  writeFileSync(box.path("repo/.git"), `gitdir: ${box.path("outside/mine/.git/worktrees/two")}\n`);
  await watched(box, async () => {
    const made = await box.json(["index", "--no-embeddings"]);
    assert.equal(made.overlay, undefined);
    const { stdout } = await box.portolan(["find", "launch_code"]);
    assert.doesNotMatch(stdout, /secret/);
  });
});

test("an overlay that inflates without end, or lies about lengths, is refused", (t) => {
  const box = sandbox({}, t);
  const path = box.path("outside/overlay");
  const head = (length) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(length);
    return bytes;
  };
  const contents = [
    Buffer.alloc(300 * 1024 * 1024),
    Buffer.concat([head(0xffffffff), Buffer.from("{}")]),
    Buffer.concat([head(2), Buffer.from("{}")]),
    Buffer.alloc(2),
  ];
  for (const content of contents) {
    writeFileSync(path, Buffer.concat([Buffer.from("PORTOVL1"), deflateRawSync(content)]));
    assert.throws(() => readOverlay(path), { code: "overlay.damaged" });
  }
  const base = "0".repeat(64);
  const cut = lie(base, { files: [{ path: "a", bytes: Buffer.from("abc") }] });
  for (const bytes of [cut.subarray(0, 20), lie("../../index"), lie(base, { deleted: "all" })]) {
    writeFileSync(join(box.root, "outside/overlay"), bytes);
    assert.throws(() => readOverlay(path), { code: "overlay.damaged" });
  }
});
