// Commands that fill a folder, inside of a repository that prepared it: `create-worker`, `assets`, `build`, and set-up with an
// environment whose folders are relative.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { test } from "node:test";

import { sandbox } from "./sandbox.mjs";
import { watched } from "./watch.mjs";

const SOURCES = {
  "repo/.git/HEAD": "ref: refs/heads/main\n",
  "repo/a.py": "def alpha():\n    return 1\n",
  "outside/precious": "gold\n",
};
const fresh = (t, more = {}) => sandbox({ ...SOURCES, ...more }, t);
const refused = ({ code, stderr }, error) => {
  assert.equal(code, 1, stderr);
  assert.match(stderr, new RegExp(`\\[${error.replace(".", "\\.")}\\]\n  \\w`), stderr);
};

test("create-worker: its folder is a link, lies behind one, or has a file of ours as a link", async (t) => {
  const box = fresh(t, { "repo/taken/": "" })
    .link("repo/worker", "outside")
    .link("repo/far", "outside")
    .link("repo/taken/package.json", "outside/precious")
    .link("repo/dangling/wrangler.jsonc", "outside/new");
  await watched(box, async () => {
    refused(await box.portolan(["create-worker", "worker"]), "output.link");
    refused(await box.portolan(["create-worker", "far/worker"]), "output.link");
    refused(await box.portolan(["create-worker", "taken"]), "output.exists");
    refused(await box.portolan(["create-worker", "dangling"]), "output.exists");
  });
  assert.ok(!existsSync(box.path("repo/taken/index.mjs")), "all files or none");
});

test("create-worker: a name that would end a string, a command or a path", async (t) => {
  const box = fresh(t);
  for (const name of ['x", "main": "evil.mjs', "a b && touch ..", "$(touch x)", "{{MODEL}}", "`id`"]) {
    await watched(box, { allow: ["repo/**"] }, async () => {
      const { code, stdout, stderr } = await box.portolan(["create-worker", name, "--json"]);
      assert.equal(code, 0, stderr);
      const { name: chosen } = JSON.parse(stdout);
      assert.match(chosen, /^[a-z0-9][a-z0-9-]*[a-z0-9]$/);
      const manifest = JSON.parse(readFileSync(box.path("repo", name, "package.json"), "utf8"));
      assert.equal(manifest.name, chosen);
      assert.match(manifest.scripts.bucket, /^wrangler r2 bucket create [a-z0-9-]+$/);
    });
  }
});

test("assets: the folder is a link, lies behind one, or carries a mark that the repository brought", async (t) => {
  const mark = JSON.stringify({ version: "0", grammars: [] });
  const box = fresh(t, {
    "outside/portolan/portolan-assets.json": mark,
    "outside/portolan/precious": "gold",
    "repo/portolan-assets.json": mark,
    "repo/src/portolan-assets.json": mark,
    "repo/src/main.py": "print()\n",
  }).link("repo/public", "outside");
  await watched(box, async () => {
    refused(await box.portolan(["assets", "--languages", "python"]), "output.link");
    refused(await box.portolan(["assets", "--languages", "python", "-o", "."]), "output.unwritable");
    refused(await box.portolan(["assets", "--languages", "python", "-o", "src"]), "output.unwritable");
  });
});

test("assets: links in a folder that was written here before are replaced, not followed", async (t) => {
  const box = fresh(t);
  const args = ["assets", "--languages", "python", "--no-embeddings", "-o", "out"];
  await watched(box, { allow: ["repo/out/**"] }, async () => assert.equal((await box.portolan(args)).code, 0));
  rmSync(box.path("repo/out/workers"), { recursive: true });
  box.link("repo/out/workers", "outside").link("repo/out/model", "outside/precious");
  await watched(box, { allow: ["repo/out/**"] }, async () => {
    const { code, stderr } = await box.portolan(args);
    assert.equal(code, 0, stderr);
  });
  assert.ok(existsSync(box.path("repo/out/wasm/engine_bg.wasm")));
});

test("assets: languages named like members of every object", async (t) => {
  const box = fresh(t);
  await watched(box, async () => {
    for (const language of ["constructor", "__proto__", "toString", "../../../outside/precious"]) {
      const { code, stderr } = await box.portolan(["assets", "--languages", language, "-o", "out"]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /there is no language/);
    }
  });
});

test("build: a mark at the root of the repository does not make it a page to replace", async (t) => {
  const box = fresh(t, { "repo/portolan-site.json": JSON.stringify({ name: "x", digest: "0" }) });
  await watched(box, async () => {
    refused(await box.portolan(["build", "--no-embeddings", "-o", "."]), "output.unwritable");
  });
  assert.ok(existsSync(box.path("repo/a.py")));
});

test("set-up: folders of the environment that are relative lead to no file of the repository", async (t) => {
  const relative = {
    XDG_CONFIG_HOME: "conf",
    XDG_DATA_HOME: "data",
    CODEX_HOME: "codex",
    CLAUDE_CONFIG_DIR: ".",
    GEMINI_CLI_HOME: ".",
    COPILOT_HOME: "./copilot",
  };
  const box = fresh(t, { "repo/conf/opencode/opencode.json": "{}\n", "repo/.claude.json": "{}\n" });
  await watched(box, { allow: ["home/**"] }, async () => {
    const agents = ["--claude-code", "--opencode", "--codex", "--gemini", "--vscode", "--copilot"];
    const { code, stderr } = await box.portolan(["setup", ...agents], { env: relative });
    assert.equal(code, 0, stderr);
    assert.equal((await box.portolan(["setup", "--undo"], { env: relative })).code, 0);
  });
});
