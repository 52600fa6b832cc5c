// Git is asked for changes, and nothing that the repository's configuration names is run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { ours } from "./own-processes.mjs";
import { programAt, sandbox } from "./sandbox.mjs";
import { askedAgain, watched } from "./watch.mjs";

const TEXT = "def alpha():\n    return beta()\n\n\ndef beta():\n    return 1\n";
const CHANGED = TEXT.replace("return 1", "return 2");
const skip = programAt("git").includes("there-is-no") && "there is no git here";

/** A repository with one commit, indexed, in which `beta` was changed since, and a program that must not run. */
async function tracked(t, files = {}) {
  const box = sandbox({ "repo/a.py": TEXT, "repo/.gitignore": ".portolan/\n", ...files }, t);
  box.git(["init", "-q"]);
  box.git(["add", "-A"]);
  box.git(["commit", "-q", "-m", "one"]);
  const { code, stderr } = await box.portolan(["index", "--no-embeddings"]);
  assert.equal(code, 0, stderr);
  writeFileSync(box.path("repo/a.py"), CHANGED);
  box.evil = box.path("outside/evil");
  writeFileSync(box.evil, `#!/bin/sh\necho run >> '${box.path("outside/was-run")}'\ncat\n`);
  chmodSync(box.evil, 0o755);
  return box;
}

/** Git may be called, and its folder of ours may be made in the folder for temporary files, where nothing is left. */
const options = (box, processes = ["git"]) => ({ allow: [...box.allow, "tmp/portolan-git-*/**"], processes });

async function changed(box, args = []) {
  const { changed_symbols } = await box.json(["changes", ...args]);
  return changed_symbols.map(({ symbol, change_type }) => `${symbol.name} ${change_type}`);
}

const WAYS = [[], ["--base", "HEAD"], ["--staged"]];

async function harmless(box, expected = ["beta modified"]) {
  await watched(box, options(box), async () => {
    assert.deepEqual(await changed(box), expected);
    for (const args of WAYS) await changed(box, args);
    await askedAgain(
      () => box.json(["find", "alpha"]),
      ({ symbols }) => symbols.length >= 1,
    );
  });
}

test("configuration that names programs", { skip }, async (t) => {
  const box = await tracked(t, { "repo/.gitattributes": "* filter=evil diff=evil merge=evil text eol=lf\n" });
  box.git(["config", "core.autocrlf", "true"]);
  const keys = [
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "core.sshCommand",
    "core.gitProxy",
    "core.askPass",
    "core.alternateRefsCommand",
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "diff.external",
    "diff.evil.command",
    "diff.evil.textconv",
    "merge.evil.driver",
    "gpg.program",
    "credential.helper",
    "pager.diff",
    "pager.ls-files",
    "pager.rev-parse",
    "alias.diff",
    "alias.rev-parse",
    "uploadpack.packObjectsHook",
    "sequence.editor",
    "interactive.diffFilter",
    "trace2.eventTarget",
    "fsmonitor.allowRemote",
  ];
  for (const key of keys) box.git(["config", key, /alias/.test(key) ? `!${box.evil}` : box.evil]);
  for (const key of [
    "filter.evil.required",
    "core.untrackedCache",
    "core.splitIndex",
    "diff.autoRefreshIndex",
    "log.showSignature",
  ])
    box.git(["config", key, "true"]);
  await harmless(box);
});

test("configuration that is elsewhere: included, of the work tree, under a condition", { skip }, async (t) => {
  const box = await tracked(t, { "repo/.gitattributes": "* filter=evil\n" });
  box.put({
    "repo/evil.config": `[core]\n\tfsmonitor = ${box.evil}\n[filter "evil"]\n\tclean = ${box.evil}\n\trequired = true\n`,
  });
  box.git(["config", "include.path", "../evil.config"]);
  box.git(["config", "includeIf.gitdir:/.path", box.path("repo/evil.config")]);
  box.git(["config", "extensions.worktreeConfig", "true"]);
  box.git(["config", "--worktree", "core.fsmonitor", box.evil]);
  await harmless(box);
});

test("hooks, where git looks for them and where it is told to", { skip }, async (t) => {
  const box = await tracked(t);
  for (const hook of [
    "post-index-change",
    "fsmonitor-watchman",
    "post-checkout",
    "pre-auto-gc",
    "reference-transaction",
  ])
    for (const folder of [".git/hooks", "hooks"]) {
      box.put({ [`repo/${folder}/${hook}`]: `#!/bin/sh\n${box.evil}\n` });
      chmodSync(box.path("repo", folder, hook), 0o755);
    }
  await harmless(box);
  box.git(["config", "core.hooksPath", box.path("repo/hooks")]);
  await harmless(box);
});

test("repositories inside: as a submodule, as a folder, and one that is bare", { skip }, async (t) => {
  const box = await tracked(t, { "repo/inner/b.py": TEXT });
  mkdirSync(box.path("repo/sub"));
  for (const folder of ["repo/sub", "repo/inner"]) {
    box.git(["init", "-q"], folder);
    box.git(["commit", "-q", "--allow-empty", "-m", "inner"], folder);
    box.git(["config", "core.fsmonitor", box.evil], folder);
    box.git(["config", "diff.external", box.evil], folder);
  }
  box.git(["update-index", "--add", "--cacheinfo", `160000,${box.git(["rev-parse", "HEAD"], "repo/sub").trim()},sub`]);
  box.put({ "repo/.gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n', "repo/sub/new.py": TEXT });
  box.git(["config", "diff.submodule", "diff"]);
  box.git(["config", "status.submoduleSummary", "true"]);
  await harmless(box);
});

test("a bare repository as the folder itself is not taken for one", { skip }, async (t) => {
  const box = sandbox({ "repo/a.py": TEXT, "repo/portolan.toml": "" }, t);
  box.put({ "outside/evil": "#!/bin/sh\n" });
  box.git(["init", "-q", "--bare"]);
  box.git(["config", "core.fsmonitor", box.path("outside/evil")]);
  box.git(["config", "core.bare", "false"]);
  box.git(["config", "core.worktree", box.path("repo")]);
  assert.equal((await box.portolan(["index", "--no-embeddings"])).code, 0);
  await watched(box, options(box), async () => {
    const { code, stderr } = await box.portolan(["changes"]);
    assert.equal(code, 1);
    assert.match(stderr, /\[git\.failed\]/);
  });
});

test("a work tree that is elsewhere, a `.git` that names another repository", { skip }, async (t) => {
  const box = await tracked(t, { "outside/secret/key.py": "def secret_key():\n    pass\n" });
  box.git(["init", "-q"], "outside/secret");
  box.git(["add", "-A"], "outside/secret");
  box.git(["commit", "-q", "-m", "secret"], "outside/secret");
  const refused = () =>
    watched(box, options(box), async () => {
      for (const args of WAYS) {
        const { code, stdout, stderr } = await box.portolan(["changes", "--json", ...args]);
        assert.equal(code, 1);
        assert.match(stderr, /\[git\.failed\]/);
        assert.ok(!stdout.includes("secret_key"));
      }
      await askedAgain(
        () => box.json(["find", "alpha"]),
        ({ symbols }) => symbols.length >= 1,
      );
    });
  box.git(["config", "core.worktree", box.path("outside/secret")]);
  await refused();
  box.git(["config", "--unset", "core.worktree"], "repo/.git");
  await harmless(box);
  box.put({ "repo/.git/commondir": `${box.path("outside/secret/.git")}\n` });
  await refused();
  renameSync(box.path("repo/.git"), box.path("outside/own"));
  box.put({ "repo/.git": `gitdir: ${box.path("outside/secret/.git")}\n` });
  await refused();
});

test("a second work tree and a submodule, as git makes them, are asked as before", { skip }, async (t) => {
  const box = await tracked(t);
  box.git(["stash", "-q"]);
  box.git(["worktree", "add", "-q", "../outside/second"]);
  box.git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", box.path("repo/.git"), "sub"]);
  for (const folder of ["outside/second", "repo/sub"]) {
    assert.equal((await box.portolan(["index", "--no-embeddings"], { cwd: folder })).code, 0);
    writeFileSync(box.path(folder, "a.py"), CHANGED);
    await watched(box, { ...options(box), allow: [...options(box).allow, `${folder}/.portolan/**`] }, async () => {
      const { changed_symbols } = await box.json(["changes"], { cwd: folder });
      assert.deepEqual(
        changed_symbols.map(({ symbol }) => symbol.name),
        ["beta"],
      );
    });
  }
});

test("objects that are missing are not fetched", { skip }, async (t) => {
  const box = await tracked(t);
  box.git(["config", "extensions.partialClone", "origin"]);
  box.git(["config", "remote.origin.promisor", "true"]);
  box.git(["config", "remote.origin.url", `ext::${box.evil}`]);
  box.git(["config", "protocol.ext.allow", "always"]);
  const blob = box.git(["rev-parse", "HEAD:a.py"]).trim();
  await box.node(["-e", `fs.rmSync('.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}', { force: true })`]);
  await watched(box, options(box), async () => {
    assert.equal((await box.portolan(["changes"])).code, 1);
    await askedAgain(
      () => box.json(["find", "alpha"]),
      ({ symbols }) => symbols.length >= 1,
    );
  });
});

test("a git that the repository brings is not run: on the PATH, and in the folder one is in", { skip }, async (t) => {
  const box = await tracked(t);
  const script = `#!/bin/sh\necho run >> '${box.path("outside/was-run")}'\n`;
  for (const file of ["repo/node_modules/.bin/git", "repo/git"]) {
    box.put({ [file]: script });
    chmodSync(box.path(file), 0o755);
  }
  box.link("repo/tools", "repo/node_modules/.bin");
  const PATH = [
    box.path("repo/node_modules/.bin"),
    ".",
    "node_modules/.bin",
    box.path("repo/tools"),
    "",
    box.traps,
  ].join(":");
  await watched(box, options(box), async () => {
    const { code, stdout, stderr } = await box.portolan(["changes"], { env: { PATH } });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /beta/);
  });
});

test("the environment of whoever calls is not git's", { skip }, async (t) => {
  const box = await tracked(t, { "outside/other/b.py": TEXT });
  box.git(["init", "-q"], "outside/other");
  const env = {
    GIT_DIR: box.path("outside/other/.git"),
    GIT_WORK_TREE: box.path("outside/other"),
    GIT_EXTERNAL_DIFF: box.evil,
    GIT_PAGER: box.evil,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: box.evil,
    GIT_INDEX_FILE: box.path("outside/index"),
  };
  await watched(box, options(box), async () => {
    const { code, stdout, stderr } = await box.portolan(["changes"], { env });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /beta/);
  });
});

test("new files: a link, a pipe and a file elsewhere are not read", { skip }, async (t) => {
  const box = await tracked(t, { "outside/secret.py": "def secret_function():\n    pass\n" });
  box.link("repo/link.py", "outside/secret.py").link("repo/zero.py", "/dev/zero");
  box.put({ 'repo/odd "name"\n+++ b/a.py\n.py': TEXT, "repo/new.py": "def fresh():\n    pass\n" });
  ours(() => execFileSync("mkfifo", [box.path("repo/pipe.py")]));
  await harmless(box);
  const { stdout } = await box.portolan(["changes", "--json"]);
  assert.ok(!stdout.includes("secret_function"));
});

test("MCP: detect_changes, and the next call", { skip }, async (t) => {
  const box = await tracked(t, { "repo/.gitattributes": "* filter=evil\n" });
  box.git(["config", "filter.evil.clean", box.evil]);
  box.git(["config", "core.fsmonitor", box.evil]);
  const call = (id, name, args) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
  const start = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const lines = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: start },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    call(2, "detect_changes", {}),
    call(3, "search", { query: "alpha" }),
  ];
  await watched(box, options(box), async () => {
    const { stdout } = await box.portolan(["mcp"], {
      input: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
      until: (stdout) => stdout.split("\n").length > 3,
    });
    const answers = new Map(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .map((answer) => [answer.id, answer]),
    );
    assert.match(JSON.stringify(answers.get(2).result), /beta/);
    assert.match(JSON.stringify(answers.get(3).result), /alpha/);
  });
});

test("these attacks are real: plain git runs the program", { skip }, async (t) => {
  const box = await tracked(t, { "repo/.gitattributes": "* filter=evil\n" });
  box.git(["config", "filter.evil.clean", box.evil]);
  box.git(["diff", "--stat"]);
  assert.match(box.read("outside/was-run"), /run/);
});
