// Answers of the MCP server are about the files as they are now: an edit and a new file show at the next question, and code is read from the
// disk where the index is older.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { movedLines, shownFile, shownHit } from "../dist/mcp/shown-code.js";
import { editsOf } from "../dist/hook/edits.js";
import { headOf } from "../dist/node/head.js";
import { watchFolder } from "../dist/node/watch.js";
import { folderWith } from "./fixture.mjs";
import { answer, connect, work } from "./mcp-shop.mjs";

const TELLS_AT_ONCE = process.platform === "linux";

const lines = (text) => text.split("");

test("lines of the index are found again in the file as it is", () => {
  const check = (before, after, [start_line, end_line], expected) => {
    const moved = movedLines(lines(before), lines(after), { start_line, end_line });
    assert.deepEqual([moved.start_line, moved.end_line], expected, `${before} → ${after} ${start_line}-${end_line}`);
  };
  check("abcdef", "abcdef", [2, 3], [2, 3]);
  check("abcdef", "xxabcdef", [2, 3], [4, 5]);
  check("abcdef", "abXYcdef", [5, 6], [7, 8]);
  check("abcdef", "adef", [1, 1], [1, 1]);
  check("abcdef", "abXdef", [2, 4], [2, 4]);
  check("abcdef", "abXYZdef", [3, 3], [3, 5]);
  check("abcdef", "", [3, 4], [1, 1]);
  check("abab", "ababab", [3, 4], [3, 4]);
});

test("files of equal lines take bounded time", () => {
  const n = 400_000;
  const before = [...new Array(n).fill("a"), "b"];
  const after = new Array(2 * n).fill("a");
  const started = process.cpuUsage();
  movedLines(before, after, { start_line: 1, end_line: n + 1 });
  const hunk = `@@\n${" a\n".repeat(20_000)}+b\n`;
  const patch = `*** Begin Patch\n*** Update File: x\n${hunk}*** End Patch\n`;
  const text = "a\n".repeat(n);
  assert.deepEqual(
    editsOf({ input: { command: patch }, response: undefined }, () => text),
    [{ path: "x", lines: undefined }],
  );
  assert.ok(process.cpuUsage(started).user < 5e6);
});

test("a link in the place of git's files is not followed", () => {
  const secret = "0123456789abcdef0123456789abcdef01234567";
  const root = folderWith({ "a.txt": "a", "secret/token": secret });
  mkdirSync(join(root, ".git/refs"), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/token\n");
  symlinkSync(join(root, "secret"), join(root, ".git/refs/heads"));
  assert.equal(headOf(root), undefined);
  rmSync(join(root, ".git/HEAD"));
  symlinkSync(join(root, "secret/token"), join(root, ".git/HEAD"));
  assert.equal(headOf(root), undefined);
  writeFileSync(join(root, "secret/HEAD"), secret);
  rmSync(join(root, ".git"), { recursive: true });
  symlinkSync(join(root, "secret"), join(root, ".git"));
  assert.equal(headOf(root), undefined);
});

test("a file that differs is shown as it is on the disk, and a hit in it, too", async () => {
  const indexed = "one\ntwo\nthree\n";
  const repository = (now) => ({
    name: "r",
    ask: async () => ({ path: "a.ts", language: "typescript", text: indexed }),
    textNow: () => now,
  });
  const same = await shownFile(repository(undefined), "a.ts");
  assert.deepEqual([same.isChanged, same.text], [false, indexed]);
  const moved = await shownFile(repository(`zero\n${indexed}`), "a.ts");
  assert.deepEqual(
    [moved.isChanged, moved.moved({ start_line: 2, end_line: 3 })],
    [true, { start_line: 3, end_line: 4 }],
  );
  const hit = { path: "a.ts", start_line: 1, end_line: 3, snippet: { start_line: 2, text: "two", marks: [[0, 3]] } };
  assert.equal(await shownHit(repository(undefined), hit), hit);
  assert.deepEqual(await shownHit(repository("zero\none\nTWO\nthree\n"), hit), {
    path: "a.ts",
    start_line: 1,
    end_line: 4,
    snippet: { start_line: 1, text: "zero\none\nTWO", marks: [] },
  });
});

test("an edit and a new file show at the next question", async () => {
  const root = join(work, "edited");
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, "a.ts"), "export function first() {\n  return 1;\n}\n");
  const client = await connect(root);
  await answer("status", {}, client);
  await answer("index", {}, client);
  writeFileSync(join(root, "a.ts"), "// a new line\nexport function first() {\n  return second();\n}\n");
  writeFileSync(join(root, "b.ts"), "export function second() {\n  return 2;\n}\n");
  const { hits } = await answer("search", { query: "second" }, client);
  assert.deepEqual(hits.map(({ path }) => path).sort(), ["a.ts", "b.ts"]);
  const code = await answer("read_code", { symbol: "first" }, client);
  assert.deepEqual([code.start_line, code.text.includes("return second()")], [2, true]);
  await client.close();
});

test("every question has the edit just before it, and in folders that were replaced, too", {
  skip: !TELLS_AT_ONCE,
}, async (t) => {
  const root = join(work, "edited-often");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "src/deep"), { recursive: true });
  const write = (number) =>
    writeFileSync(join(root, "src/deep/a.ts"), `export function value() {\n  return ${number};\n}\n`);
  write(0);
  const client = await connect(root);
  t.after(() => client.close());
  await answer("index", {}, client);
  const shown = async () => (await answer("search", { query: "value" }, client)).hits[0]?.snippet.text;
  await shown();
  for (let number = 1; number <= 20; number++) {
    if (number % 5 === 0) {
      rmSync(join(root, "src"), { recursive: true });
      assert.equal(await shown(), undefined);
      mkdirSync(join(root, "src/deep"), { recursive: true });
    }
    write(number);
    assert.match(await shown(), new RegExp(`return ${number};`));
  }
});

test("files are not looked at where the system says that nothing has changed", { skip: !TELLS_AT_ONCE }, async () => {
  const root = folderWith({ "src/a.ts": "a" });
  let n_changes = 0;
  const watcher = watchFolder(root, () => n_changes++, assert.fail);
  assert.equal(watcher.folders(["", "src/"]), true);
  assert.equal(watcher.folders(["", "src/"]), false);
  assert.deepEqual([await watcher.settled(), n_changes], [true, 0]);
  writeFileSync(join(root, "src/a.ts"), "b");
  await watcher.settled();
  assert.ok(n_changes > 0);
  rmSync(join(root, "src"), { recursive: true });
  mkdirSync(join(root, "src"));
  assert.equal(watcher.folders(["", "src/"]), true);
  await watcher.settled();
  n_changes = 0;
  writeFileSync(join(root, "src/b.ts"), "b");
  await watcher.settled();
  assert.ok(n_changes > 0);
  watcher.close();
});

test("without a watch, code is that of the disk, and says so", async () => {
  const root = join(work, "unwatched");
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, "a.ts"), "export function first() {\n  return 1;\n}\n");
  const maker = await connect(root);
  await answer("index", {}, maker);
  await maker.close();
  const client = await connect(root, "--no-watch");
  const before = await answer("read_code", { symbol: "first" }, client);
  assert.deepEqual([before.start_line, before.changed_since_indexed], [1, undefined]);
  await pause(50);
  writeFileSync(join(root, "a.ts"), "// moved\n// down\nexport function first() {\n  return 10;\n}\n");
  const after = await answer("read_code", { symbol: "first" }, client);
  assert.deepEqual([after.start_line, after.end_line, after.changed_since_indexed], [1, 5, true]);
  assert.match(after.text, /^a\.ts:1-5 of 5 \(changed since it was indexed; this is the file now\)\n[\s\S]*return 10;/);
  const { hits } = await answer("search", { query: "first" }, client);
  assert.match(hits[0].snippet.text, /return 10;/);
  await client.close();
});

test("the commit of a work tree, without running git", () => {
  const root = folderWith({ "a.txt": "a" });
  assert.equal(headOf(root), undefined);
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: root,
      encoding: "utf8",
    });
  git("init", "-q");
  assert.equal(headOf(root), undefined);
  git("add", ".");
  git("commit", "-qm", "first");
  const commit = git("rev-parse", "HEAD").slice(0, 12);
  assert.equal(headOf(root), commit);
  git("pack-refs", "--all");
  assert.equal(headOf(root), commit);
  git("checkout", "-q", "--detach");
  assert.equal(headOf(root), commit);
  git("worktree", "add", "-q", "-b", "other", join(root, "second"));
  assert.equal(headOf(join(root, "second")), commit);
});
