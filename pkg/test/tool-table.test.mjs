// Every tool is one row of a table; the engine, the package, the command line and the docs have the tools of that table and no others.
// UPDATE_SNAPSHOTS=1 writes the table of docs/tools.md anew.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { CodeIndex } from "portolan";

import { COMMAND_LIST } from "../dist/commands/command-list.js";
import { TOOLS } from "../dist/commands/tools/tools.js";
import { toolsFor } from "../dist/mcp/tools.js";

const DOCS = new URL("../../docs/tools.md", import.meta.url);
/** Answered by the package, not by the engine. */
const OF_THE_PACKAGE = ["structural", "edges", "list_repos"];

test("the engine has the tools of the table", () => {
  const types = readFileSync(new URL("../wasm/reader.d.ts", import.meta.url), "utf8");
  const [, body] = /^export interface Tools \{\n([\s\S]*?)^\}/m.exec(types);
  const names = [...body.matchAll(/^ {4}(\w+): \[/gm)].map(([, name]) => name);
  const rows = TOOLS.filter(({ name, asks }) => !asks && !OF_THE_PACKAGE.includes(name));
  assert.deepEqual(rows.map(({ name }) => name).sort(), names.sort());
  for (const { asks } of TOOLS) assert.ok(asks === undefined || names.includes(asks), asks);
});

test("a method of the table asks its tool, and every method that asks one is in the table", () => {
  const methods = Object.getOwnPropertyNames(CodeIndex.prototype).filter((method) => method !== "constructor");
  const asked = methods.flatMap((method) => {
    const { value } = Object.getOwnPropertyDescriptor(CodeIndex.prototype, method);
    const [, tool] = /this\.backend\.(?:ask\("(\w+)"|structural\()/.exec(String(value)) ?? [];
    const isStructural = /this\.backend\.structural\(/.test(String(value));
    return tool || isStructural ? [`${method} ${tool ?? "structural"}`] : [];
  });
  const rows = TOOLS.flatMap(({ name, method }) => (method ? [`${method} ${name}`] : []));
  assert.deepEqual(rows.sort(), asked.sort());
});

test("commands and agents' tools have names of their own, and each is offered once", () => {
  const commands = TOOLS.flatMap(({ commands = [] }) => commands.map(({ name }) => name));
  assert.equal(new Set(commands).size, commands.length);
  for (const name of commands) assert.equal(COMMAND_LIST.filter((command) => command.name === name).length, 1, name);
  const places = TOOLS.flatMap(({ mcp }) => mcp?.place ?? []).sort((a, b) => a - b);
  assert.deepEqual(
    places,
    places.map((_, at) => at + 1),
  );
  assert.equal(toolsFor({ structural: true, files: true }).length, places.length);
});

test("docs/tools.md has the table", () => {
  const code = (text) => (text ? `\`${text}\`` : "");
  const lines = TOOLS.map(({ name, method, commands = [], mcp }) =>
    [
      code(name),
      code(method && `index.${method}(…)`),
      commands.map(({ name, operands }) => code(`portolan ${name} ${operands}`.trim())).join(", "),
      code(mcp?.name),
    ].join(" | "),
  );
  const table = `| tool | JavaScript | command line | MCP |\n|---|---|---|---|\n${lines.map((line) => `| ${line} |\n`).join("")}`;
  const text = readFileSync(DOCS, "utf8");
  const [before, rest] = text.split("<!-- tools: written by pkg/test/tool-table.test.mjs -->\n");
  const after = rest.slice(rest.indexOf("<!-- end of tools -->"));
  const now = `${before}<!-- tools: written by pkg/test/tool-table.test.mjs -->\n${table}${after}`;
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(DOCS, now);
  else assert.equal(text, now, "UPDATE_SNAPSHOTS=1 writes it anew");
});
