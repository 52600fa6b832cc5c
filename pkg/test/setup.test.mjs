// portolan setup with a home of its own: what is added, that everything else stays, and that it can be taken back. Runs the real binary.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Portolan } from "portolan";

import { JSONC, TOML } from "../dist/setup/config-file.js";
import { toolsFor } from "../dist/mcp/tools.js";
import { SKILLS } from "../tools/skills.mjs";
import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const SKILL_NAMES = ["portolan-debugging", "portolan-exploring", "portolan-impact-analysis", "portolan-refactoring"];
const NPX =
  process.platform === "win32"
    ? { command: "cmd", args: ["/c", "npx", "-y", "portolan", "mcp"] }
    : { command: "npx", args: ["-y", "portolan", "mcp"] };

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
const FILES = {
  ".claude/settings.json": CLAUDE_SETTINGS,
  ".claude.json": CLAUDE_STATE,
  ".cursor/mcp.json": CURSOR,
  ".config/opencode/opencode.jsonc": OPENCODE,
  ".codex/config.toml": CODEX,
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

const text = (home, path) => readFileSync(join(home, path), "utf8");

test("everything is added, and everything else stays", () => {
  const home = folderWith(FILES);
  const report = done(home);
  for (const name of ["Claude Code", "Cursor", "OpenCode", "Codex"]) assert.match(report, new RegExp(`^${name}$`, "m"));

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
  assert.match(hooks.PreToolUse[0].hooks[0].command, /^node ".*\/\.claude\/hooks\/portolan\/hook\.mjs"$/);

  const state = JSON.parse(text(home, ".claude.json"));
  assert.deepEqual(state, {
    ...JSON.parse(CLAUDE_STATE),
    mcpServers: {
      other: { type: "http", url: "https://example.com/mcp" },
      portolan: { type: "stdio", ...NPX, env: {} },
    },
  });
  const cursor = text(home, ".cursor/mcp.json");
  assert.ok(cursor.includes("// first\r\n") && !/[^\r]\n/.test(cursor), "comments and line ends");
  assert.deepEqual(Object.keys(lenient(cursor).mcpServers), ["portolan", "zebra", "ant"]);
  assert.deepEqual(lenient(cursor).mcpServers.portolan, NPX);
  const opencode = text(home, ".config/opencode/opencode.jsonc");
  assert.ok(opencode.startsWith("\uFEFF") && opencode.includes("/* a\n     block */"));
  assert.deepEqual(lenient(opencode).mcp.portolan, {
    type: "local",
    command: [NPX.command, ...NPX.args],
    enabled: true,
  });
  const codex = text(home, ".codex/config.toml");
  for (const line of CODEX.split("\n")) assert.ok(codex.split("\n").includes(line), line);
  assert.match(codex, /\[mcp_servers\.portolan\]\ncommand = "npx"\nargs = \["-y", "portolan", "mcp"\]\n$/);

  for (const folder of [".claude/skills", ".cursor/skills", ".config/opencode/skill", ".codex/skills"]) {
    assert.deepEqual(readdirSync(join(home, folder)), SKILL_NAMES, folder);
    for (const name of SKILL_NAMES)
      assert.match(
        text(home, `${folder}/${name}/SKILL.md`),
        new RegExp(`^---\nname: ${name}\ndescription: .{40,}\n---\n`),
      );
  }
  assert.deepEqual([text(home, "AGENTS.md"), text(home, ".claude/CLAUDE.md")], ["# mine\n", "# mine\n"]);
});

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

test("in a bare home, for the clients that are named", () => {
  const home = folderWith({});
  assert.match(done(home), /no agent was found/);
  assert.deepEqual(tree(home), {});
  for (const client of ["claude-code", "cursor", "opencode", "codex"]) {
    done(home, `--${client}`);
    const [settings] = {
      "claude-code": [".claude.json"],
      cursor: [".cursor/mcp.json"],
      opencode: [".config/opencode/opencode.json"],
      codex: [".codex/config.toml"],
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
  assert.deepEqual([clients.length, new Set(changes.map(({ state }) => state))], [4, new Set(["unchanged"])]);
});

test("what the user changes after it stays when it is taken back", () => {
  const home = folderWith(FILES);
  done(home);
  const edit = (path, from, to) => writeFileSync(join(home, path), text(home, path).replace(from, to));
  edit(".claude/settings.json", '"opus"', '"haiku"');
  edit(".cursor/mcp.json", '"z"', '"zz"');
  edit(".codex/config.toml", '"dark"', '"light"');
  done(home, "--undo");
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
    /settings\.json: settings whose hooks\.PreToolUse is no list/,
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
  const launcher = join(home, ".claude/hooks/portolan/hook.mjs");
  const run = (file) => spawnSync(process.execPath, [file], { input: event, encoding: "utf8" });
  const answers = () => [run(launcher), run(fileURLToPath(new URL("../plugin/hooks/hook.mjs", import.meta.url)))];
  for (const { status, stdout } of answers())
    assert.deepEqual([status, /addTax \(src\/tax\.ts\)/.test(stdout)], [0, true]);
  writeFileSync(launcher, readFileSync(launcher, "utf8").replace(/installed = ".*"/, 'installed = "/gone/main.js"'));
  assert.match(run(launcher).stdout, /addTax \(src\/tax\.ts\)/);
  writeFileSync(join(home, ".claude/hooks/portolan/dist/node/hook.js"), "oops(");
  assert.deepEqual([run(launcher).status, run(launcher).stdout, run(launcher).stderr], [0, "", ""]);
});

test("settings of many shapes come back as they were", () => {
  const setting = { path: ["mcpServers", "portolan"], value: NPX };
  for (const json of [
    "",
    "{}",
    "{\n}\n",
    '{"a":1}',
    '{"a":1,}',
    '{\n  "mcpServers": {}\n}',
    "// only a comment\n{}",
    '{ "mcpServers": { "x": {}, } }',
    '{\n\t"a": [1, 2], // c\n}\n',
  ]) {
    const put = JSONC.put(json, setting);
    assert.deepEqual(lenient(put).mcpServers.portolan, NPX, json);
    assert.equal(JSONC.put(put, setting), put);
    const taken = JSONC.take(put, setting);
    assert.equal(lenient(taken)?.mcpServers?.portolan, undefined);
    for (const comment of json.match(/\/\/.*/g) ?? [])
      assert.ok(put.includes(comment) && taken.includes(comment), json);
  }
  // Others keep their form, whatever stands in their lines: taken back, it is the same text.
  for (const json of [
    '{"a":1}',
    '{"a": 3,"mcpServers":{"x":{}}}',
    '{ "mcpServers": { "x": {}, } }',
    '{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"x": { "command": "y" }, // keep\r\n\t},\r\n}\r\n',
    '\uFEFF{\n    "a": { "b": [1,2] }, "c": 3 }\n',
    '{\n  "a": 1,\n  "mcpServers":\n  {\n    /* c */ "x": {}\n  }\n}',
  ]) {
    const put = JSONC.put(json, setting);
    assert.equal(JSONC.take(put, setting), json);
    for (const line of json.split("\n").slice(1, -1)) assert.ok(put.includes(line), `${line} in ${put}`);
  }
  const inComment = JSONC.put('{\n  /* a\n  b */ "x": 1\n}\n', setting);
  assert.deepEqual([lenient(inComment).mcpServers.portolan, lenient(inComment).x], [NPX, 1]);
  const item = {
    path: ["hooks", "PreToolUse"],
    value: { matcher: "G", hooks: [1] },
    isOurs: ({ matcher }) => matcher === "G",
  };
  for (const list of [
    '[{ "matcher": "W" }]',
    '[\n    { "matcher": "W" }, // mine\n  ]',
    '[\r\n\t\t{ "matcher": "W" }, /* a */ { "matcher": "X" }\r\n]',
    "[/* , */ 1]",
  ]) {
    const before = `{ "hooks": { "PreToolUse": ${list} } }`;
    const put = JSONC.put(before, item);
    assert.deepEqual(lenient(put).hooks.PreToolUse[0], item.value, put);
    assert.equal(JSONC.put(put, item), put);
    assert.equal(JSONC.take(put, item), before);
  }
  const toml = { path: ["mcp_servers", "portolan"], value: NPX };
  for (const before of [
    "",
    "# c\n",
    "a = 1 # c\n",
    "mcp_servers = { x = { command = 'y' } } # c\n",
    "[mcp_servers.x]\ncommand = 'y'\n\n[[list]]\nn = 1 # c\n",
    'mcp_servers.x.command = "y" # c\n',
  ]) {
    const put = TOML.put(before, toml);
    assert.equal(TOML.put(put, toml), put, before);
    assert.match(put, /portolan/);
    const taken = TOML.take(put, toml);
    assert.doesNotMatch(taken, /portolan/);
    for (const comment of before.match(/#.*/g) ?? [])
      assert.ok(put.includes(comment) && taken.includes(comment), before);
  }
});

test("the skills are made from the reference, and name only what there is", () => {
  const tools = toolsFor({ structural: true, files: true });
  const types = readFileSync(new URL("../wasm/reader.d.ts", import.meta.url), "utf8");
  const answers = readFileSync(new URL("../src/mcp/answer.ts", import.meta.url), "utf8");
  const known = new Set([
    ...tools.flatMap(({ name, inputSchema, outputSchema }) => [
      name,
      ...Object.keys(inputSchema.properties),
      ...Object.keys(outputSchema.properties),
      ...enums(inputSchema),
    ]),
    ...[...types.matchAll(/^ {4}(\w+)\??: /gm)].map(([, field]) => field),
    ...[...types.matchAll(/"([\w-]+)"/g)].map(([, word]) => word),
    ...["next_cursor", "stale"].filter((field) => answers.includes(field)),
    ...["CALLS", "REFERENCES", "IMPORTS", "EXTENDS", "IMPLEMENTS", "DISPATCH", "ALIASES"],
  ]);
  const ERRORS = /^(symbol\.ambiguous|rename\.conflict)$/;
  assert.deepEqual(SKILLS.map(({ name }) => name).sort(), ["debugging", "exploring", "impact-analysis", "refactoring"]);
  for (const { name, text } of SKILLS) {
    assert.equal(
      readFileSync(new URL(`../plugin/skills/${name}/SKILL.md`, import.meta.url), "utf8"),
      text,
      "node tools/skills.mjs writes them anew",
    );
    for (const [, code] of text.matchAll(/`([^`\n]+)`/g)) {
      if (/^(npx )?portolan( |$)|^(Router\.)?add$|^src\/router|^node /.test(code) || ERRORS.test(code)) continue;
      const [, word] = /^\{? ?(\w+)/.exec(code) ?? [];
      for (const part of code.match(/(?<!")\b[a-zA-Z_]+\b(?!\.)/g) ?? [])
        if (!["true", "false"].includes(part)) assert.ok(known.has(part), `${name}: ${code}: ${part}`);
      assert.ok(word, code);
    }
    assert.ok(text.length < 6000, `${name}: ${text.length}`);
  }
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  assert.equal(
    JSON.parse(readFileSync(new URL("../plugin/.claude-plugin/plugin.json", import.meta.url), "utf8")).version,
    version,
  );
});

function enums({ enum: words = [], properties = {}, items }) {
  return [...words, ...Object.values(properties).flatMap(enums), ...(items ? enums(items) : [])];
}

/** JSON with comments and trailing commas. */
function lenient(json) {
  const plain = json
    .replace(/^\uFEFF/, "")
    .replace(/("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[\s\S]*?\*\//g, "$1")
    .replace(/,(\s*[}\]])/g, "$1");
  return plain.trim() === "" ? undefined : JSON.parse(plain);
}
