// Every tool is one row of a table; the engine, the package, the command line and the docs have the tools of that table and no others.
// UPDATE_SNAPSHOTS=1 writes the files made from it: the tables of docs/tools.md and docs/edge.md, docs/openapi.json, and the
// Worker's routes in crates/edge/src/route/table.rs.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { CodeIndex } from "portolan";

import { COMMAND_LIST } from "../dist/commands/command-list.js";
import { TOOLS } from "../dist/commands/tools/tools.js";
import { SHARED_ROUTES } from "../dist/shared/routes.js";
import { toolsFor } from "../dist/mcp/tools.js";
import { nativeTools } from "./native-tools.mjs";
import { openapi } from "./openapi.mjs";
import { docsTable, rustTable } from "./rest.mjs";

const ROOT = new URL("../../", import.meta.url);
const WIRE = readFileSync(new URL("../wasm/reader.d.ts", import.meta.url), "utf8");
/** Answered by the package, not by the engine. */
const OF_THE_PACKAGE = ["structural", "edges", "list_repos", "index"];

test("the engine has the tools of the table", () => {
  const [, body] = /^export interface Tools \{\n([\s\S]*?)^\}/m.exec(WIRE);
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
  assert.equal(toolsFor({ structural: true, files: true, index: true }).length, places.length);
});

test("a route asks one tool, and the routes of a path begin alike", () => {
  const routes = TOOLS.flatMap(({ rest }) => rest ?? []);
  const places = routes.map(({ path, view = "" }) => `${path} ${view}`);
  assert.equal(new Set(places).size, places.length);
  for (const { path, parameters } of routes) {
    const sharing = routes.filter((route) => route.path === path);
    const n_common = parameters.findIndex(({ kind }) => kind.is === "view") + 1;
    assert.ok(sharing.length === 1 || n_common > 0, `${path} has a parameter that chooses`);
    for (const other of sharing)
      assert.deepEqual(other.parameters.slice(0, n_common), parameters.slice(0, n_common), path);
  }
});

/** Compares a checked-in file with what the table makes of it, or writes it. */
function compare(path, make) {
  const url = new URL(path, ROOT);
  const text = process.env.UPDATE_SNAPSHOTS && !existsSync(url) ? "" : readFileSync(url, "utf8");
  const now = make(text);
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(url, now);
  else assert.equal(text, now, "UPDATE_SNAPSHOTS=1 writes it anew");
}

/** Replaces the table between the marks of a page. */
function withTable(text, table) {
  const begin = "<!-- tools: written by pkg/test/tool-table.test.mjs -->\n";
  const [before, rest] = text.split(begin);
  return `${before}${begin}${table}${rest.slice(rest.indexOf("<!-- end of tools -->"))}`;
}

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
  compare("docs/tools.md", (text) => withTable(text, table));
});

test("docs/edge.md has the routes", () => {
  compare("docs/edge.md", (text) => withTable(text, docsTable(TOOLS)));
});

test("the Worker has the routes", () => {
  compare("crates/edge/src/route/table.rs", () => rustTable(TOOLS));
});

test("docs/openapi.json has every tool that the Worker answers", () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const declared = (name) => readFileSync(new URL(`../dist/${name}.d.ts`, import.meta.url), "utf8");
  const declarations = declared("shared/types") + declared("reading/several");
  const shared = { routes: SHARED_ROUTES, declarations };
  compare("docs/openapi.json", () => `${JSON.stringify(openapi(TOOLS, WIRE, version, shared), null, 1)}\n`);
});

test("the native program has every tool of the engine", () => {
  compare("crates/portolan/src/program/tools.json", () => nativeTools(TOOLS, WIRE));
});
