// The worker that reads git histories, with the files of a real .git: names of commits, churn, blame, two commits, and updates.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Caller } from "../dist/rpc/rpc.js";
import { serveHistory } from "../dist/workers/history-worker.js";

const assets = {
  module: async (name) => WebAssembly.compile(readFileSync(new URL(`../wasm/${name}_bg.wasm`, import.meta.url))),
};

/** The files of a `.git` in a folder; those of a page are listed in the same way. */
function filesIn(root) {
  const git = join(root, ".git");
  return {
    size: (name) => (existsSync(join(git, name)) ? readFileSync(join(git, name)).length : undefined),
    read: (name, start, end) => new Uint8Array(readFileSync(join(git, name)).subarray(start, end)),
    list: (folder) =>
      existsSync(join(git, folder))
        ? readdirSync(join(git, folder), { withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []))
        : [],
    below: (folder) =>
      readdirSync(join(git, folder), { recursive: true, withFileTypes: true }).flatMap((one) =>
        one.isFile() ? [join(one.parentPath, one.name).slice(git.length + 1)] : [],
      ),
  };
}

/** The calling end of a worker in this thread. */
function workerOf(open) {
  const listeners = { here: [], there: [] };
  const end = (own, other) => ({
    post: (message) => queueMicrotask(() => listeners[other].forEach((hear) => void hear(structuredClone(message)))),
    listen: (hear) => void listeners[own].push(hear),
    onFailure: () => {},
    awaiting: () => {},
    close: () => {},
  });
  serveHistory(end("there", "here"), assets, open);
  return new Caller(end("here", "there"));
}

function repository(t) {
  const root = mkdtempSync(join(tmpdir(), "portolan-git-"));
  t.after(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  const git = (...args) => execFileSync("git", [...who, ...args], { cwd: root, encoding: "utf8" }).trim();
  const commit = (subject, files) => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
    git("add", "-A");
    git("commit", "--quiet", "-m", subject);
    return git("rev-parse", "HEAD");
  };
  git("init", "--quiet", "--initial-branch=main");
  return { root, git, commit };
}

test("a history is read, asked and brought up to date", async (t) => {
  const { root, git, commit } = repository(t);
  const first = commit("One", { "a.js": "one\ntwo\n", "b.bin": Buffer.from([0, 1, 2]) });
  git("tag", "v1");
  git("gc", "--quiet");
  git("checkout", "--quiet", "-b", "feature/x");
  const second = commit("Two", { "a.js": "one\n2\n", "b.bin": Buffer.from([0, 9]) });
  const worker = workerOf(async () => filesIn(root));
  await assert.rejects(worker.call("churn", null), { code: "history.not-read" });

  const summary = await worker.call("read", []);
  assert.deepEqual([summary.n_commits, summary.n_files, summary.head], [2, 2, second]);
  assert.deepEqual(summary.references, {
    head: "feature/x",
    branches: ["feature/x", "main"],
    tags: ["v1"],
    remotes: [],
  });
  assert.deepEqual(
    (await worker.call("churn", null)).map(({ path, n_commits }) => [path, n_commits]),
    [
      ["a.js", 2],
      ["b.bin", 2],
    ],
  );
  const blamed = await worker.call("blame", { path: "a.js", at: "HEAD" });
  assert.deepEqual(
    blamed.lines.map((at) => blamed.commits[at].id),
    [first, second],
  );
  assert.equal(blamed.text, "one\n2\n");
  assert.equal((await worker.call("file", { path: "a.js", limit: 1 })).commits[0].subject, "Two");
  assert.equal(await worker.call("file", { path: "gone.js", limit: 1 }), undefined);

  const compared = await worker.call("compare", { old: "v1", new: "feature/x" });
  assert.deepEqual(compared.files, [{ path: "a.js", before: "one\ntwo\n", after: "one\n2\n" }]);
  assert.deepEqual(compared.left_out, ["b.bin"]);
  const alone = await worker.call("compare", { new: first });
  assert.deepEqual([alone.old, alone.files], [undefined, [{ path: "a.js", after: "one\ntwo\n" }]]);
  await assert.rejects(worker.call("compare", { old: "v1", new: "../../config" }), { code: "history.no-commit" });
  await assert.rejects(worker.call("blame", { path: "gone.js", at: "HEAD" }), { code: "history.no-file" });

  commit("Three", { "c.js": "c\n" });
  assert.equal((await worker.call("read", [])).n_commits, 3);
});

test("what a branch changed since it parted is not what the other one changed", async (t) => {
  const { root, git, commit } = repository(t);
  commit("One", { "a.js": "a\n", "b.js": "b\n" });
  git("checkout", "--quiet", "-b", "branch");
  commit("On the branch", { "a.js": "A\n" });
  git("checkout", "--quiet", "main");
  commit("On main", { "b.js": "B\n" });
  const worker = workerOf(async () => filesIn(root));
  await worker.call("read", []);
  const pathsOf = async (sinceParted) => {
    const { files } = await worker.call("compare", { old: "main", new: "branch", sinceParted });
    return files.map(({ path }) => path);
  };
  assert.deepEqual(await pathsOf(true), ["a.js"]);
  assert.deepEqual(await pathsOf(false), ["a.js", "b.js"]);
});

test("a folder without a repository is refused in words", async () => {
  const worker = workerOf(async () => ({
    size: () => undefined,
    read: () => new Uint8Array(),
    list: () => [],
    below: () => [],
  }));
  await assert.rejects(worker.call("read", []), {
    code: "history.no-repository",
    help: "give the folder that contains .git",
  });
});
