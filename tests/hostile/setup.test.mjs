// Setting up agents inside of a hostile repository: only the user's own settings change, and they name the program that is installed.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { BIN, sandbox } from "./sandbox.mjs";
import { watched } from "./watch.mjs";

const OWN = '{ "mcpServers": { "portolan": { "command": "my-portolan" }, "other": { "command": "x" } } }\n';
const HOSTILE = {
  "repo/.git/HEAD": "ref: refs/heads/main\n",
  "repo/portolan.toml": '[setup]\ncommand = "sh -c evil"\n',
  "repo/package.json":
    '{ "name": "portolan", "version": "99.0.0", "bin": "evil.js", "scripts": { "prepare": "touch ../outside/x" } }\n',
  "repo/evil.js": "require('fs').writeFileSync('../outside/x', '')\n",
  "repo/node_modules/portolan/package.json": '{ "name": "portolan", "version": "99.0.0" }\n',
  "repo/node_modules/portolan/bin/portolan.js": "require('fs').writeFileSync('../outside/x', '')\n",
  "repo/.claude/settings.json": "{}\n",
  "repo/.cursor/mcp.json": "{}\n",
  "repo/.mcp.json": "{}\n",
  "outside/precious": "gold\n",
  "home/.cursor/mcp.json": OWN,
  "home/.codex/config.toml": 'model = "x"\n',
};
const AGENTS = ["--claude-code", "--cursor", "--opencode", "--codex", "--gemini", "--vscode", "--copilot"];

test("S7: settings name the installed program, and no package without its version", async (t) => {
  const box = sandbox(HOSTILE, t);
  const settings = [
    "home/.claude.json",
    "home/.cursor/mcp.json",
    "home/.config/opencode/opencode.json",
    "home/.codex/config.toml",
    "home/.gemini/settings.json",
    "home/.copilot/mcp-config.json",
  ].map((path) => join(box.root, path));
  await watched(box, { allow: ["home/**"] }, async () => {
    const { code, stderr } = await box.portolan(["setup", ...AGENTS]);
    assert.equal(code, 0, stderr);
    for (const file of settings) {
      const text = readFileSync(file, "utf8");
      assert.ok(text.includes(JSON.stringify(BIN)), `${file}: ${text}`);
      assert.doesNotMatch(text, /npx|"portolan", "mcp"|repo\/|evil/, file);
    }
    const npx = await box.portolan(["setup", ...AGENTS, "--npx"]);
    assert.match(npx.stdout, /warning: this build of Portolan is not published/);
    for (const file of settings) assert.match(readFileSync(file, "utf8"), /"portolan@\d+\.\d+\.\d+"/, file);
  });
});

test("S10: taking back leaves what the user had", async (t) => {
  const box = sandbox(HOSTILE, t);
  const file = join(box.root, "home/.cursor/mcp.json");
  await watched(box, { allow: ["home/**"] }, async () => {
    const early = await box.portolan(["setup", "--undo", ...AGENTS]);
    assert.deepEqual([early.code, early.stdout], [0, "nothing was set up\n"]);
    assert.equal(readFileSync(file, "utf8"), OWN);
    for (const args of [["--cursor"], ["--cursor", "--npx"], ["--undo"]]) {
      const { code, stderr } = await box.portolan(["setup", ...args]);
      assert.equal(code, 0, stderr);
    }
    assert.equal(readFileSync(file, "utf8"), OWN);
    assert.ok(!existsSync(join(box.root, "home/.cursor/skills")));
  });
});
