// The protocol of the MCP server: clients of two generations, the inspector, resources and prompts, garbage between messages.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { BIN, empty, home, modern, NAMES, params, shop, work } from "./mcp-shop.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const INSPECTOR = join(ROOT, "node_modules/@modelcontextprotocol/inspector-cli/build");

test("resources and prompts", async () => {
  const { resources } = await modern.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ["portolan://shop/map", "portolan://shop/schema", "portolan://library/map", "portolan://library/schema"],
  );
  const { resourceTemplates } = await modern.listResourceTemplates();
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    [
      "portolan://{repo}/symbol/{selector}",
      "portolan://{repo}/process/{process}",
      "portolan://{repo}/file/{+path}{?lines}",
    ],
  );
  const read = async (uri) => (await modern.readResource({ uri })).contents[0].text;
  assert.match(await read("portolan://shop/map"), /src\/cart\.ts/);
  assert.match(await read("portolan://shop/schema"), /\| CALLS \| \d+ \|/);
  assert.match(await read("portolan://shop/symbol/Cart.total"), /method Cart\.total/);
  assert.match(
    await read(`portolan://shop/process/${encodeURIComponent("0")}`),
    /^.+, begins as \w+\n1\. src\/\S+:\d+ \w+ /,
  );
  assert.match(await read(`portolan://shop/symbol/${encodeURIComponent("src/tax.ts#addTax")}`), /function addTax/);
  assert.match(
    await read("portolan://shop/file/src/tax.ts?lines=4-5"),
    /^src\/tax\.ts:4-5 of 10\n4\texport function addTax/,
  );
  for (const uri of [
    "portolan://shop/none",
    "portolan://none/map",
    "portolan://shop/file/",
    "portolan://shop/file/a.ts?x",
    "portolan://shop/symbol/%zz",
    "file:///etc/passwd",
  ])
    await assert.rejects(read(uri), (error) => error.code === -32602, uri);
  const { prompts } = await modern.listPrompts();
  const guides = ["exploring", "debugging", "impact-analysis", "refactoring"];
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ["orient", "where-is", "stack-trace", "changed", "review", "task", "definition", ...guides],
  );
  for (const {
    name,
    arguments: [{ name: argument, required }],
  } of prompts.filter(({ name }) => guides.includes(name))) {
    const { messages } = await modern.getPrompt({ name, arguments: { [argument]: "the tax of a cart" } });
    assert.ok(
      required && messages[0].content.text.includes("the tax of a cart") && messages[0].content.text.includes("1. `"),
      name,
    );
  }
  await assert.rejects(modern.getPrompt({ name: "none" }), /there is no prompt "none"/);
});

test("prompts that are answers: one call, one size, what is left out", async () => {
  const ask = async (name, args = {}) => (await modern.getPrompt({ name, arguments: args })).messages[0].content.text;
  const diff =
    "--- a/src/tax.ts\n+++ b/src/tax.ts\n@@ -4,3 +4,3 @@\n export function addTax(net: number): number {\n-  return round(net * (1 + RATE));\n+  return net;\n }\n";
  const trace = "Error: NaN\n    at addTax (src/tax.ts:5:10)\n    at Cart.total (src/cart.ts:17:12)\n";
  for (const [name, args, expected] of [
    ["orient", {}, [/shop: \d+ files/, /src\/tax\.ts/, /## Execution flows\n\nflow \| begins \| steps\n/]],
    ["where-is", { question: "addTax" }, [/src\/tax\.ts:4-6/, /## Around the first\n[\s\S]*← CALLS \(8 of \d+\)/]],
    ["stack-trace", { text: trace }, [/right files among the first five/, /src\/tax\.ts/, /← CALLS/]],
    ["review", { diff }, [/function addTax/, /## Tests\n/]],
    ["task", { text: "addTax in src/tax.ts must round half to even" }, [/src\/tax\.ts/, /## Its tests\n/]],
    ["definition", { symbol: "Cart.total" }, [/16\t {2}total\(\): number/, /→ CALLS/]],
  ]) {
    const text = await ask(name, args);
    for (const part of expected) assert.match(text, part, name);
    assert.ok(Buffer.byteLength(text) <= 18 * 1024, `${name}: ${Buffer.byteLength(text)} bytes`);
  }
  assert.match(await ask("definition", { symbol: "none" }), /there is no symbol "none"/);
  assert.match(await ask("definition", { symbol: "add_tax", repo: "library" }), /pub fn add_tax/);
  await assert.rejects(modern.getPrompt({ name: "definition", arguments: {} }), /`symbol` is missing/);
});

test("completion of repositories, paths and symbols", async () => {
  const complete = async (ref, name, value, args) =>
    (await modern.complete({ ref, argument: { name, value }, ...(args && { context: { arguments: args } }) }))
      .completion;
  const file = { type: "ref/resource", uri: "portolan://{repo}/file/{+path}{?lines}" };
  const definition = { type: "ref/prompt", name: "definition" };
  assert.deepEqual((await complete(file, "repo", "li")).values, ["library"]);
  assert.deepEqual((await complete(file, "path", "tax", { repo: "shop" })).values, ["src/tax.ts"]);
  assert.deepEqual((await complete(file, "path", "", { repo: "library" })).values, ["src/lib.rs"]);
  const many = await complete(file, "path", "many", { repo: "shop" });
  assert.deepEqual([many.values.length, many.total, many.hasMore], [100, 200, true]);
  assert.ok((await complete(definition, "symbol", "addT")).values.includes("addTax"));
  assert.deepEqual((await complete(definition, "symbol", "")).values, []);
  assert.deepEqual((await complete(file, "path", "x", { repo: "none" })).values, []);
});

test("every protocol: the newest, and the client of the generation before", async () => {
  assert.equal(modern.getNegotiatedProtocolVersion(), "2026-07-28");
  const old = new OldClient({ name: "old", version: "1.0.0" });
  await old.connect(new OldTransport(params(shop)));
  assert.equal(old.getServerVersion().name, "portolan");
  assert.match(old.getInstructions(), /list_repos/);
  assert.equal((await old.listTools()).tools.length, NAMES.length);
  const { content, structuredContent } = await old.callTool({ name: "impact", arguments: { symbol: "round" } });
  assert.ok(content[0].text.startsWith("src/tax.ts:8") && structuredContent.by_depth.length > 0);
  await old.close();
});

test("the inspector", { skip: !existsSync(INSPECTOR) && "not installed" }, async () => {
  // It looks for its name and version where its own package would have it.
  cpSync(INSPECTOR, join(work, "inspector/cli/build"), { recursive: true });
  writeFileSync(join(work, "inspector/package.json"), '{ "name": "inspector", "version": "1.0.0", "type": "module" }');
  symlinkSync(join(ROOT, "node_modules"), join(work, "inspector/node_modules"), "junction");
  const index = join(work, "inspector/cli/build/index.js");
  const inspect = async (...args) =>
    JSON.parse(
      (
        await promisify(execFile)(process.execPath, [index, process.execPath, BIN, "mcp", shop, ...args], {
          cwd: empty,
          env: { PATH: process.env.PATH, HOME: home, PORTOLAN_HOME: home },
        })
      ).stdout,
    );
  assert.equal((await inspect("--method", "tools/list")).tools.length, NAMES.length);
  assert.match(
    (await inspect("--method", "tools/call", "--tool-name", "context", "--tool-arg", "symbol=addTax", "limit=2"))
      .content[0].text,
    /function addTax/,
  );
  assert.equal((await inspect("--method", "resources/list")).resources.length, 2);
  assert.match((await inspect("--method", "resources/read", "--uri", "portolan://shop/map")).contents[0].text, /cart/);
  assert.equal((await inspect("--method", "prompts/list")).prompts.length, 11);
});

test("garbage between messages, and the end of stdin", async () => {
  const child = execFile(process.execPath, [BIN, "mcp", shop], { cwd: empty });
  let out = "";
  child.stdout.on("data", (data) => (out += data));
  child.stdin.write('not json\n{"jsonrpc":"2.0","id":1}\n\n[]\n');
  child.stdin.write(
    '{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n',
  );
  await until(() => out.includes('"id":2'));
  for (const line of out.trim().split("\n")) assert.equal(JSON.parse(line).jsonrpc, "2.0");
  child.stdin.end();
  const [code] = await new Promise((resolve) => child.once("exit", (...how) => resolve(how)));
  assert.equal(code, 0);
});

test("the command line does not load the SDK for anything else", () => {
  const loaded = execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `await import(${JSON.stringify(new URL("../dist/cli/main.js", import.meta.url).href)}); await import(${JSON.stringify(new URL("../dist/hook/main.js", import.meta.url).href)}); console.log(process.moduleLoadList.length)`,
    ],
    { encoding: "utf8" },
  );
  assert.ok(Number(loaded) > 0);
  for (const file of ["cli/main.js", "hook/main.js", "cli/ask.js"])
    assert.doesNotMatch(readFileSync(new URL(`../dist/${file}`, import.meta.url), "utf8"), /^import .*(mcp|setup)\//m);
});

async function until(is) {
  for (let waited = 0; !is(); waited += 20) {
    if (waited > 20_000) throw new Error("nothing came");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
