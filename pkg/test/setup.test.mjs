// portolan setup with a home of its own: the entries added, everything else unchanged, and undo. Runs the real binary.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Portolan } from "portolan";

import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const SKILL_NAMES = ["portolan-debugging", "portolan-exploring", "portolan-impact-analysis", "portolan-refactoring"];
/** The command that starts the server: the path of the installed program. */
const START = { command: process.execPath, args: [BIN, "mcp"] };
const { version: VERSION } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
/** Places of VS Code's settings differ by system. */
const VSCODE = { darwin: "Library/Application Support/Code/User", win32: "AppData/Roaming/Code/User" }[
  process.platform
];
const VSCODE_MCP = `${VSCODE ?? ".config/Code/User"}/mcp.json`;

/** All programs call one launcher. */
const HOOKS = ".local/share/portolan/hooks/portolan";
const HOOK_COMMAND = /^node ".*\/\.local\/share\/portolan\/hooks\/portolan\/hook\.cjs"$/;

const CLAUDE_SETTINGS = `{
    // my own
    "model": "opus",   // not sonnet
    "hooks": {
        "PreToolUse": [
            { "matcher": "Write", "hooks": [{ "type": "command", "command": "./check.sh" }] }, // mine
        ],
        "Stop": []
    },
    "permissions": { "allow": ["Bash(ls:*)"] }
}
`;
const CLAUDE_STATE =
  '{"numStartups":7,"mcpServers":{"other":{"type":"http","url":"https://example.com/mcp"}},"projects":{"/a":{"x":[1,2]}}}';
const CURSOR =
  '{\r\n\t"mcpServers": {\r\n\t\t"zebra": { "command": "z" }, // first\r\n\t\t"ant": { "command": "a" }\r\n\t}\r\n}\r\n';
const OPENCODE =
  '\uFEFF{\n  "$schema": "https://opencode.ai/config.json",\n  /* a\n     block */\n  "theme": "dark",\n}\n';
const CODEX = `# my codex
model = "gpt-5" # the good one

[mcp_servers.other]   # keep
command = "other"
args = ["--x"]

# at the end
[tui]
theme = "dark"
`;
const GEMINI = '{\n  "theme": "Default", // mine\n  "mcpServers": {}\n}\n';
const SERVERS =
  '{\n\t"servers": { "other": { "type": "http", "url": "https://example.com/mcp" } },\n\t"inputs": []\n}\n';
const FILES = {
  ".claude/settings.json": CLAUDE_SETTINGS,
  ".claude.json": CLAUDE_STATE,
  ".cursor/mcp.json": CURSOR,
  ".config/opencode/opencode.jsonc": OPENCODE,
  ".codex/config.toml": CODEX,
  ".gemini/settings.json": GEMINI,
  [VSCODE_MCP]: SERVERS,
  ".copilot/mcp-config.json": "{}\n",
  ".claude/CLAUDE.md": "# mine\n",
  "AGENTS.md": "# mine\n",
};

/** Runs `portolan setup` in a home, with nothing of this machine's. */
function setup(home, ...args) {
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, SystemRoot: process.env.SystemRoot };
  return spawnSync(process.execPath, [BIN, "setup", ...args], { env, cwd: home, encoding: "utf8" });
}

function done(home, ...args) {
  const { status, stdout, stderr } = setup(home, ...args);
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Every file and folder with its contents. */
function tree(folder) {
  const entries = readdirSync(folder, { recursive: true }).sort();
  return Object.fromEntries(
    entries.map((path) => [
      path,
      statSync(join(folder, path)).isDirectory() ? "/" : readFileSync(join(folder, path), "latin1"),
    ]),
  );
}

/** A value as it is written below others. */
const indented = (value, indent) => JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);

const text = (home, path) => readFileSync(join(home, path), "utf8");

test("everything is added, and everything else stays", () => {
  const home = folderWith(FILES);
  const report = done(home);
  for (const name of ["Claude Code", "Cursor", "OpenCode", "Codex", "Gemini CLI", "VS Code", "Copilot CLI"])
    assert.match(report, new RegExp(`^${name}$`, "m"));

  const settings = text(home, ".claude/settings.json");
  const kept = settings.split("\n").map((line) => line.trim());
  for (const line of CLAUDE_SETTINGS.trim().split("\n"))
    assert.ok(kept.includes(line.trim()), `${line}\nin\n${settings}`);
  assert.match(settings, /\/\/ my own[\s\S]*\/\/ not sonnet[\s\S]*\/\/ mine/);
  const { hooks, permissions } = lenient(settings);
  assert.deepEqual(
    [hooks.PreToolUse.length, hooks.PreToolUse[1].matcher, permissions.allow],
    [2, "Write", ["Bash(ls:*)"]],
  );
  assert.equal(hooks.PreToolUse[0].matcher, "Grep|Glob|Bash");
  const events = ["PreToolUse", "SessionStart", "UserPromptSubmit", "SubagentStart", "PostToolUse"];
  for (const event of events) assert.match(hooks[event][0].hooks[0].command, HOOK_COMMAND, event);
  assert.deepEqual(
    [hooks.SessionStart[0].matcher, hooks.PostToolUse[0].matcher],
    ["startup|clear|compact", "Edit|Write"],
  );

  const state = JSON.parse(text(home, ".claude.json"));
  assert.deepEqual(state, {
    ...JSON.parse(CLAUDE_STATE),
    mcpServers: {
      other: { type: "http", url: "https://example.com/mcp" },
      portolan: { type: "stdio", ...START, env: {} },
    },
  });
  const cursor = text(home, ".cursor/mcp.json");
  assert.ok(cursor.includes("// first\r\n") && !/[^\r]\n/.test(cursor), "comments and line ends");
  assert.deepEqual(Object.keys(lenient(cursor).mcpServers), ["portolan", "zebra", "ant"]);
  assert.deepEqual(lenient(cursor).mcpServers.portolan, { type: "stdio", ...START });
  const opencode = text(home, ".config/opencode/opencode.jsonc");
  assert.ok(opencode.startsWith("\uFEFF") && opencode.includes("/* a\n     block */"));
  assert.deepEqual(lenient(opencode).mcp.portolan, {
    type: "local",
    command: [START.command, ...START.args],
    enabled: true,
  });
  const codex = text(home, ".codex/config.toml");
  for (const line of CODEX.split("\n")) assert.ok(codex.split("\n").includes(line), line);
  const [node, program] = [process.execPath, BIN].map((word) => JSON.stringify(word));
  assert.ok(codex.endsWith(`\n[mcp_servers.portolan]\ncommand = ${node}\nargs = [${program}, "mcp"]\n`), codex);
  const gemini = text(home, ".gemini/settings.json");
  for (const part of [
    '"theme": "Default", // mine\n',
    `"mcpServers": {\n    "portolan": ${indented(START, "    ")}\n  }\n}\n`,
  ])
    assert.ok(gemini.includes(part), gemini);
  hooksAre(lenient(gemini).hooks, ["AfterTool", "BeforeAgent", "SessionStart"]);
  assert.equal(
    text(home, VSCODE_MCP),
    SERVERS.replace('{ "other"', `{ "portolan": ${JSON.stringify({ type: "stdio", ...START })}, "other"`),
  );
  const copilot = { mcpServers: { portolan: { type: "local", ...START, tools: ["*"] } } };
  assert.deepEqual(JSON.parse(text(home, ".copilot/mcp-config.json")), copilot);

  hooksAre(lenient(text(home, ".codex/hooks.json")).hooks, [...events].sort());
  const cursorHooks = lenient(text(home, ".cursor/hooks.json"));
  assert.deepEqual([cursorHooks.version, Object.keys(cursorHooks.hooks).sort()], [1, ["postToolUse", "sessionStart"]]);
  for (const [{ command }] of Object.values(cursorHooks.hooks)) assert.match(command, HOOK_COMMAND);
  const { version, hooks: copilotHooks } = JSON.parse(text(home, ".copilot/hooks/portolan.json"));
  assert.deepEqual([version, Object.keys(copilotHooks)], [1, ["sessionStart", "subagentStart", "postToolUse"]]);
  for (const [event, [{ command }]] of Object.entries(copilotHooks))
    assert.match(command, new RegExp(`^node ".*/hook\\.cjs" copilot ${event}$`));
  assert.ok(text(home, ".config/opencode/plugins/portolan.js").includes(`${HOOKS}/hook.cjs`));

  for (const folder of [".claude/skills", ".cursor/skills", ".config/opencode/skills", ".agents/skills"]) {
    assert.deepEqual(readdirSync(join(home, folder)), SKILL_NAMES, folder);
    for (const name of SKILL_NAMES)
      assert.match(
        text(home, `${folder}/${name}/SKILL.md`),
        new RegExp(`^---\nname: ${name}\ndescription: .{40,}\n---\n`),
      );
  }
  assert.deepEqual([text(home, "AGENTS.md"), text(home, ".claude/CLAUDE.md")], ["# mine\n", "# mine\n"]);
});

/** The events of a file of hooks in the form of Claude Code, all with our command. */
function hooksAre(hooks, events) {
  assert.deepEqual(Object.keys(hooks).sort(), events);
  for (const [{ hooks: commands }] of Object.values(hooks)) assert.match(commands[0].command, HOOK_COMMAND);
}

test("a second time changes nothing; taking back restores every byte and every folder", () => {
  const home = folderWith(FILES);
  const original = tree(home);
  done(home);
  const first = tree(home);
  assert.equal(first[".claude/settings.json.portolan-backup"], Buffer.from(CLAUDE_SETTINGS).toString("latin1"));
  const again = done(home);
  assert.doesNotMatch(again, /\b(added|changed|failed)\b/);
  assert.deepEqual(tree(home), first);
  done(home, "--undo");
  assert.deepEqual(tree(home), original);
  done(home, "--undo");
  assert.deepEqual(tree(home), original);
});

test("an entry of an earlier version, whose launcher had another name, is replaced", () => {
  const home = folderWith({ ".claude/settings.json": "{}\n" });
  const [launcher, before] = ["hook.cjs", "hook.mjs"].map((name) => `node "${home}/${HOOKS}/${name}"`);
  const old = { matcher: "Grep|Glob|Bash", hooks: [{ type: "command", command: before, timeout: 5 }] };
  writeFileSync(join(home, ".claude/settings.json"), JSON.stringify({ hooks: { PreToolUse: [old] } }));
  done(home, "--claude-code");
  const { hooks } = lenient(text(home, ".claude/settings.json"));
  assert.deepEqual(
    hooks.PreToolUse.map(({ hooks: [{ command }] }) => command.replaceAll("\\", "/")),
    [launcher.replaceAll("\\", "/")],
  );
});

test("in a bare home, for the clients that are named", () => {
  const home = folderWith({});
  assert.match(done(home), /no agent was found/);
  assert.deepEqual(tree(home), {});
  for (const client of ["claude-code", "cursor", "opencode", "codex", "gemini", "vscode", "copilot"]) {
    done(home, `--${client}`);
    const [settings] = {
      "claude-code": [".claude.json"],
      cursor: [".cursor/mcp.json"],
      opencode: [".config/opencode/opencode.json"],
      codex: [".codex/config.toml"],
      gemini: [".gemini/settings.json"],
      vscode: [VSCODE_MCP],
      copilot: [".copilot/mcp-config.json"],
    }[client];
    assert.match(text(home, settings), /portolan/);
    done(home, `--${client}`, "--undo");
    assert.deepEqual(tree(home), {}, client);
  }
});

test("--dry-run says and does nothing", () => {
  const home = folderWith(FILES);
  const original = tree(home);
  const said = done(home, "--dry-run");
  assert.match(said, /changed +MCP server +.*\.claude\.json\n/);
  assert.match(said, /added +skill +.*portolan-exploring/);
  assert.match(said, /nothing was changed\n$/);
  assert.deepEqual(tree(home), original);
  done(home);
  const after = tree(home);
  done(home, "--undo", "--dry-run");
  assert.deepEqual(tree(home), after);
  const { changes, clients } = JSON.parse(done(home, "--json"));
  assert.deepEqual([clients.length, new Set(changes.map(({ state }) => state))], [7, new Set(["unchanged"])]);
});

test("what the user changes after it stays when it is taken back", () => {
  const home = folderWith(FILES);
  done(home);
  const edit = (path, from, to) => writeFileSync(join(home, path), text(home, path).replace(from, to));
  edit(".claude/settings.json", '"opus"', '"haiku"');
  edit(".cursor/mcp.json", '"z"', '"zz"');
  edit(".codex/config.toml", '"dark"', '"light"');
  edit(".gemini/settings.json", '"Default"', '"Dark"');
  done(home, "--undo");
  const { theme, hooks } = lenient(text(home, ".gemini/settings.json"));
  assert.deepEqual([theme, hooks], ["Dark", undefined]);
  assert.equal(text(home, ".claude/settings.json"), CLAUDE_SETTINGS.replace('"opus"', '"haiku"'));
  assert.deepEqual(lenient(text(home, ".cursor/mcp.json")), lenient(CURSOR.replace('"z"', '"zz"')));
  assert.equal(text(home, ".codex/config.toml").trim(), CODEX.replace('"dark"', '"light"').trim());
  assert.ok(!Object.keys(tree(home)).some((path) => /portolan/.test(path)), "nothing of ours is left");
});

test("settings that cannot be read are left alone, and the rest is done", () => {
  const home = folderWith({
    ...FILES,
    ".cursor/mcp.json": '{ "mcpServers": { oops',
    ".codex/config.toml": "a = = b\n",
    ".claude/settings.json": '{ "hooks": { "PreToolUse": "all" } }',
  });
  const { status, stderr } = setup(home);
  assert.equal(status, 1);
  for (const part of [
    /mcp\.json: JSON that cannot be read, line 1/,
    /config\.toml: TOML that cannot be read/,
    /settings\.json: settings whose hooks\.PreToolUse is not a list/,
    /\[setup\.failed\]/,
    /docs\/agents\.md/,
  ])
    assert.match(stderr, part);
  assert.deepEqual(
    [text(home, ".cursor/mcp.json"), text(home, ".codex/config.toml")],
    ['{ "mcpServers": { oops', "a = = b\n"],
  );
  assert.ok(JSON.parse(text(home, ".claude.json")).mcpServers.portolan);
});

test("an entry that the user had is restored, or left where set-up did not write it", () => {
  const own = { command: "my-portolan", args: [], env: { A: "1" } };
  const cursor = `{ "mcpServers": { "portolan": ${JSON.stringify(own)}, "x": {} } }\n`;
  const codex = `[mcp_servers.portolan] # mine\ncommand = "my-portolan"\n`;
  const home = folderWith({ ".cursor/mcp.json": cursor, ".codex/config.toml": codex });
  // Nothing was set up: nothing is taken back, though the names are ours.
  assert.equal(done(home, "--cursor", "--codex", "--undo"), "nothing was set up\n");
  assert.deepEqual([text(home, ".cursor/mcp.json"), text(home, ".codex/config.toml")], [cursor, codex]);
  done(home, "--cursor", "--codex");
  assert.deepEqual(lenient(text(home, ".cursor/mcp.json")).mcpServers.portolan, { type: "stdio", ...START });
  writeFileSync(join(home, ".cursor/mcp.json"), text(home, ".cursor/mcp.json").replace('"x"', '"y"'));
  done(home, "--undo");
  assert.deepEqual(lenient(text(home, ".cursor/mcp.json")).mcpServers, { portolan: own, y: {} });
  assert.equal(text(home, ".codex/config.toml"), codex);

  // The user wrote what set-up would write.
  const same = { ".cursor/mcp.json": JSON.stringify({ mcpServers: { portolan: { type: "stdio", ...START } } }) };
  const other = folderWith(same);
  done(other, "--cursor");
  done(other, "--undo");
  assert.deepEqual(tree(other)[".cursor/mcp.json"], same[".cursor/mcp.json"]);
});

test("a skill and an entry that the user changed stay, and are named", () => {
  const home = folderWith({ ".cursor/skills/portolan-debugging/SKILL.md": "mine\n" });
  done(home, "--cursor");
  const skill = ".cursor/skills/portolan-exploring/SKILL.md";
  writeFileSync(join(home, skill), `${text(home, skill)}More.\n`);
  const settings = text(home, ".cursor/mcp.json").replace('"stdio"', '"stdio", "env": { "A": "1" }');
  writeFileSync(join(home, ".cursor/mcp.json"), settings);
  const said = done(home, "--undo");
  assert.match(said, /kept +skill +.*portolan-exploring.*: changed since; delete it by hand/);
  assert.match(said, /kept +MCP server .*mcp\.json: mcpServers\.portolan was changed since/);
  assert.equal(text(home, ".cursor/mcp.json"), settings);
  assert.match(text(home, skill), /More\.\n$/);
  assert.equal(text(home, ".cursor/skills/portolan-debugging/SKILL.md"), "mine\n");
  assert.deepEqual(readdirSync(join(home, ".cursor/skills")), ["portolan-debugging", "portolan-exploring"]);
});

test("skills that several agents read go with the last of them", () => {
  const home = folderWith({});
  done(home, "--codex", "--gemini");
  done(home, "--copilot");
  const names = () => readdirSync(join(home, ".agents/skills"));
  assert.match(done(home, "--codex", "--undo"), /unchanged skill .*: Gemini CLI, Copilot CLI still uses it/);
  assert.deepEqual(names(), SKILL_NAMES);
  done(home, "--gemini", "--undo");
  assert.deepEqual(names(), SKILL_NAMES);
  done(home, "--undo");
  assert.deepEqual(tree(home), {});
});

test("OpenCode's second form is kept where the file has it", () => {
  const settings = '{\n  "mcp": {\n    "servers": {\n      "x": { "type": "local", "command": ["x"] }\n    }\n  }\n}\n';
  const home = folderWith({ ".config/opencode/opencode.json": settings });
  done(home, "--opencode");
  const { mcp } = JSON.parse(text(home, ".config/opencode/opencode.json"));
  assert.deepEqual(mcp, {
    servers: {
      portolan: { type: "local", command: [START.command, ...START.args] },
      x: { type: "local", command: ["x"] },
    },
  });
  done(home, "--undo");
  assert.equal(text(home, ".config/opencode/opencode.json"), settings);
});

test("npx stands in settings only when it is asked for, with the version and a warning", () => {
  const home = folderWith(FILES);
  const said = done(home);
  assert.doesNotMatch(said, /warning/);
  const settings = () =>
    Object.entries(tree(home)).filter(([path]) => /\.(jsonc?|toml)$/.test(path) && !/setup\.json$/.test(path));
  for (const [path, content] of settings()) assert.doesNotMatch(content, /npx|"portolan@|"portolan", "mcp"/, path);
  assert.match(done(home, "--npx"), /warning: this build of Portolan is not published: npx would fetch/);
  const { command, args } = JSON.parse(text(home, ".claude.json")).mcpServers.portolan;
  const words = ["npx", "-y", `portolan@${VERSION}`, "mcp"];
  assert.deepEqual([command, ...args], process.platform === "win32" ? ["cmd", "/c", ...words] : words);
  done(home);
  assert.deepEqual(JSON.parse(text(home, ".claude.json")).mcpServers.portolan.args, START.args);
  done(home, "--undo");
  assert.equal(text(home, ".claude.json"), CLAUDE_STATE);
});

test("without a folder for notes nothing is written", () => {
  const home = folderWith({ ".cursor/mcp.json": "{}\n" });
  const { status, stderr } = spawnSync(process.execPath, [BIN, "setup"], {
    env: { ...process.env, HOME: home, USERPROFILE: home, PORTOLAN_HOME: "" },
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(stderr, /\[setup\.no-record\]/);
  assert.deepEqual(tree(home), { ".cursor": "/", ".cursor/mcp.json": "{}\n" });
});

test("settings behind a link stay there", { skip: process.platform === "win32" }, () => {
  const home = folderWith({ "dotfiles/mcp.json": "{}\n" });
  mkdirSync(join(home, ".cursor"));
  symlinkSync("../dotfiles/mcp.json", join(home, ".cursor/mcp.json"));
  done(home, "--cursor");
  assert.ok(lstatSync(join(home, ".cursor/mcp.json")).isSymbolicLink());
  assert.match(text(home, "dotfiles/mcp.json"), /portolan/);
  done(home, "--cursor", "--undo");
  assert.equal(text(home, "dotfiles/mcp.json"), "{}\n");
});

const shop = folderWith(SHOP);
before(async () => {
  const index = await Portolan.index(shop, { store: true, embeddings: false });
  await index.complete;
  index.close();
});

test("the hook that was set up answers, and the plugin's; also where the package is gone", () => {
  const home = folderWith({});
  done(home, "--claude-code");
  const event = JSON.stringify({
    hook_event_name: "PreToolUse",
    tool_name: "Grep",
    tool_input: { pattern: "addTax" },
    cwd: shop,
  });
  const launcher = join(home, HOOKS, "hook.cjs");
  const run = (file) => spawnSync(process.execPath, [file], { input: event, encoding: "utf8" });
  const answers = () => [run(launcher), run(fileURLToPath(new URL("../plugin/hooks/hook.cjs", import.meta.url)))];
  for (const { status, stdout } of answers())
    assert.deepEqual([status, /addTax \(src\/tax\.ts:4\)/.test(stdout)], [0, true]);
  writeFileSync(launcher, readFileSync(launcher, "utf8").replace(/installed = ".*"/, 'installed = "/gone/main.js"'));
  assert.match(run(launcher).stdout, /addTax \(src\/tax\.ts:4\)/);
  writeFileSync(join(home, HOOKS, "dist/node/hook.cjs"), "oops(");
  assert.deepEqual([run(launcher).status, run(launcher).stdout, run(launcher).stderr], [0, "", ""]);
});

/** JSON with comments and trailing commas. */
function lenient(json) {
  const plain = json
    .replace(/^\uFEFF/, "")
    .replace(/("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[\s\S]*?\*\//g, "$1")
    .replace(/,(\s*[}\]])/g, "$1");
  return plain.trim() === "" ? undefined : JSON.parse(plain);
}
