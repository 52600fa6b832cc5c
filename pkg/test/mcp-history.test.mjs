// Files that usually change together, in the answers of portolan mcp, and the reader of .git under Node that they come from.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { CoChanges } from "../dist/node/co-change.js";
import { openGitFiles } from "../dist/node/git-files.js";
import { folderWith, SHOP } from "./fixture.mjs";
import { answer, connect } from "./mcp-shop.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const who = ["-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.com"];

/** A repository in which the cart and its tax changed together four times, and the document once. */
function repository() {
  const root = folderWith({
    "src/cart.ts": SHOP["src/cart.ts"],
    "src/tax.ts": SHOP["src/tax.ts"],
    "notes.md": "# Notes\n",
  });
  const git = (...args) => execFileSync("git", [...who, ...args], { cwd: root, encoding: "utf8" }).trim();
  const commit = (subject, files) => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
    git("add", "-A");
    git("commit", "--quiet", "-m", subject);
  };
  const both = (n) => ({
    "src/cart.ts": `${SHOP["src/cart.ts"]}// ${n}\n`,
    "src/tax.ts": `${SHOP["src/tax.ts"]}// ${n}\n`,
  });
  git("init", "--quiet", "--initial-branch=main");
  commit("All", {});
  for (const n of [1, 2, 3]) commit(`Both ${n}`, both(n));
  commit("Notes", { "notes.md": "# More\n", "src/cart.ts": `${SHOP["src/cart.ts"]}// own\n` });
  return { root, git, commit, both };
}

/** Asks until the history has been read: an answer waits half a second for it. */
async function untilRead(ask, isRead) {
  for (let n = 0; n < 100; n++) {
    const found = await ask();
    if (isRead(found)) return found;
    await pause(50);
  }
  return ask();
}

test("context and impact name the files that usually change with the symbol's, without names of people", async () => {
  const { root } = repository();
  const client = await connect(root);
  after(() => client.close());
  const found = await untilRead(
    () => answer("context", { symbol: "Cart" }, client),
    ({ changes_with }) => changes_with !== undefined,
  );
  assert.deepEqual(found.changes_with, [{ path: "src/tax.ts", support: 4, confidence: 0.8 }]);
  assert.match(found.text, /\nits file usually changes with\n {2}src\/tax\.ts: 4 commits, 80 %$/);
  const impact = await answer("impact", { symbol: "addTax" }, client);
  assert.deepEqual(impact.changes_with, [{ path: "src/cart.ts", support: 4, confidence: 1 }]);
  assert.match(impact.text, /its file usually changes with\n {2}src\/cart\.ts: 4 commits, 100 %/);
  assert.ok(!/Ada|example\.com/.test(JSON.stringify([found, impact])));
});

test("locate counts what changes together with the likeliest files, and says that it did", async () => {
  const { root } = repository();
  const client = await connect(root);
  after(() => client.close());
  const found = await untilRead(
    () => answer("locate", { text: "the lines are lost in src/cart.ts" }, client),
    ({ with_history }) => with_history === true,
  );
  assert.equal(found.with_history, true);
  assert.match(found.files.find(({ path }) => path === "src/tax.ts").why.join(), /together: src\/cart\.ts/);
  assert.ok(!/Ada|example\.com/.test(JSON.stringify(found)));
});

test("the command line names what changes together, and counts it", async () => {
  const { root } = repository();
  const run = (...args) => execFileSync(process.execPath, [BIN, ...args], { cwd: root, encoding: "utf8" });
  run("index", "--quiet");
  // A process of its own each time: on a busy machine its half second may end before the history is read.
  const { changes_with } = await untilRead(
    () => JSON.parse(run("impact", "addTax", "--json")),
    (found) => found.changes_with !== undefined,
  );
  assert.deepEqual(changes_with, [{ path: "src/cart.ts", support: 4, confidence: 1 }]);
  const shown = await untilRead(
    () => run("impact", "addTax"),
    (text) => text.includes("usually changes"),
  );
  assert.match(shown, /\nits file usually changes with\n {2}src\/cart\.ts: 4 commits, 100 %\n$/);
  const located = await untilRead(
    () => JSON.parse(run("locate", "the lines are lost in src/cart.ts", "--json")),
    ({ with_history }) => with_history === true,
  );
  assert.equal(located.with_history, true);
  renameSync(join(root, ".git"), join(root, "git"));
  assert.equal(JSON.parse(run("locate", "the lines are lost in src/cart.ts", "--json")).with_history, undefined);
});

test("a new commit counts at once; a folder without a repository has no such files", async (t) => {
  const { root, commit, both } = repository();
  const changes = new CoChanges(root);
  t.after(() => changes.close());
  const read = await untilRead(
    () => changes.with("src/tax.ts"),
    (found) => found !== undefined,
  );
  assert.deepEqual(read, [{ path: "src/cart.ts", support: 4, confidence: 1 }]);
  commit("Once more", both(4));
  const again = await untilRead(
    () => changes.with("src/tax.ts"),
    (found) => found?.[0]?.support === 5,
  );
  assert.equal(again[0].support, 5);
  const brief = new CoChanges(root, 1_000);
  t.after(() => brief.close());
  await untilRead(
    () => brief.with("src/tax.ts"),
    (found) => found !== undefined,
  );
  await pause(1_500);
  const afresh = await untilRead(
    () => brief.with("src/tax.ts"),
    (found) => found !== undefined,
  );
  assert.equal(afresh[0].support, 5, "read again after it was idle");
  assert.deepEqual(await changes.with("nowhere.ts"), undefined);
  const none = new CoChanges(folderWith({ "a.js": "" }));
  assert.equal(await none.with("a.js"), undefined);
});

test("only files of git's history are read, and no link is followed", () => {
  const { root, git } = repository();
  git("gc", "--quiet");
  const files = openGitFiles(root);
  const [pack] = files.list("objects/pack").filter((name) => name.endsWith(".pack"));
  assert.ok(files.size(`objects/pack/${pack}`) > 100);
  assert.equal(Buffer.from(files.read(`objects/pack/${pack}`, 0, 4)).toString(), "PACK");
  assert.equal(files.read(`objects/pack/${pack}`, files.size(`objects/pack/${pack}`) - 3, 1e9).length, 3);
  for (const name of [
    "../src/cart.ts",
    "hooks/post-checkout",
    "logs/HEAD",
    "refs/../../src/cart.ts",
    "objects/pack/../../../notes.md",
  ])
    assert.equal(files.size(name), undefined, name);
  assert.deepEqual(files.list(".."), []);
  mkdirSync(join(root, ".git/refs/heads/deep"), { recursive: true });
  writeFileSync(join(root, ".git/refs/heads/deep/one"), `${"a".repeat(40)}\n`);
  symlinkSync("/etc/hostname", join(root, ".git/refs/heads/stolen"));
  symlinkSync("/etc", join(root, ".git/refs/etc"));
  assert.deepEqual(
    files.below("refs").filter((name) => /deep|stolen|etc/.test(name)),
    ["refs/heads/deep/one"],
  );
  assert.equal(files.size("refs/heads/stolen"), undefined);
  files.close();
  renameSync(join(root, ".git"), join(root, "elsewhere"));
  symlinkSync("elsewhere", join(root, ".git"));
  assert.throws(() => openGitFiles(root), { code: "history.outside" });
  rmSync(join(root, ".git"));
  assert.throws(() => openGitFiles(root), { code: "history.no-repository" });
});
