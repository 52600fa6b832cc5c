// The editors of other programs' settings: one value goes in and comes out, and everything else stays, whatever the text looks like.
import assert from "node:assert/strict";
import { test } from "node:test";

import { currentOf, JSONC, TOML } from "../dist/setup/config-file.js";

const START = { command: "node", args: ["/opt/portolan/bin/portolan.js", "mcp"] };

test("settings of many shapes come back as they were", () => {
  const setting = { path: ["mcpServers", "portolan"], value: START };
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
    assert.deepEqual(lenient(put).mcpServers.portolan, START, json);
    assert.equal(JSONC.put(put, setting), put);
    const taken = JSONC.take(put, setting);
    assert.equal(lenient(taken)?.mcpServers?.portolan, undefined);
    for (const comment of json.match(/\/\/.*/g) ?? [])
      assert.ok(put.includes(comment) && taken.includes(comment), json);
  }
  // Others keep their form, whatever their lines contain: undone, it is the same text.
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
  assert.deepEqual([lenient(inComment).mcpServers.portolan, lenient(inComment).x], [START, 1]);
  const item = {
    path: ["hooks", "PreToolUse"],
    value: { matcher: "G", hooks: [1] },
    mark: '"matcher":"G"',
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
  const toml = { path: ["mcp_servers", "portolan"], value: START };
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

/** Values of JSON have no prototype. */
const found = (format, text, setting) => JSON.parse(JSON.stringify(currentOf(format, text, setting)));

test("the value that is there is found, in a list by its mark", () => {
  const json = '{ "mcpServers": { "portolan": { "command": "mine" } }, "list": [1, { "run": "a/hook.mjs" }] } // c';
  assert.deepEqual(found(JSONC, json, { path: ["mcpServers", "portolan"], value: START }), { command: "mine" });
  assert.deepEqual(found(JSONC, json, { path: ["list"], value: {}, mark: "a/hook.mjs" }), { run: "a/hook.mjs" });
  assert.equal(currentOf(JSONC, json, { path: ["list"], value: {}, mark: "b/hook.mjs" }), undefined);
  assert.equal(currentOf(JSONC, "", { path: ["mcpServers", "portolan"], value: START }), undefined);
  const toml = "[mcp_servers.portolan]\ncommand = 'mine'\n";
  assert.deepEqual(found(TOML, toml, { path: ["mcp_servers", "portolan"], value: START }), { command: "mine" });
});

/** JSON with comments and trailing commas. */
function lenient(json) {
  const plain = json
    .replace(/^\uFEFF/, "")
    .replace(/("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[\s\S]*?\*\//g, "$1")
    .replace(/,(\s*[}\]])/g, "$1");
  return plain.trim() === "" ? undefined : JSON.parse(plain);
}
