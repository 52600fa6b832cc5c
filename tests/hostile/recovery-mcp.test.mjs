// `portolan mcp` over stdin and stdout against messages that mean harm: deep, long, by the hundred thousand, cut off, and questions that stop
// the engine. Every message that has an id is answered, and the next question too.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { ours } from "./own-processes.mjs";
import { poisonedPackage } from "./poison.mjs";
import { sandbox } from "./sandbox.mjs";
import { askedAgain, watched } from "./watch.mjs";

const RECORDER = fileURLToPath(new URL("recorder.cjs", import.meta.url));
const FILES = {
  "repo/.git/HEAD": "ref: refs/heads/main\n",
  "repo/src/tax.ts": "export function addTax(net: number) { return net * 1.19; }\n",
};
const HELLO = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };

let folder;
before(() => {
  const box = sandbox();
  folder = poisonedPackage(box.root);
  process.once("exit", () => box.close());
});

/** The server over an indexed repository; `body(server)` talks to it. */
async function mcpAttacked(t, body) {
  const box = sandbox(FILES, t);
  const bin = join(folder, "bin/portolan.js");
  await watched(box, async () => {
    const made = await box.node([bin, "index", "--no-embeddings", "--quiet"]);
    assert.equal(made.code, 0, made.stderr);
    const server = await started(t, box, bin);
    await body(server);
    await askedAgain(
      () => server.tool("query", { query: "addTax" }),
      ({ result }) => result.isError !== true,
    );
    assert.equal(await server.stop(), 0);
  });
}

async function started(t, box, bin) {
  const command = ["--require", RECORDER, bin, "mcp"];
  const options = { cwd: box.path("repo"), env: box.env(), stdio: ["pipe", "pipe", "inherit"] };
  const child = ours(() => spawn(process.execPath, command, options));
  t.after(() => child.kill("SIGKILL"));
  const answers = new Answers(child.stdout);
  let n_asked = 100;
  const server = {
    pid: child.pid,
    answers,
    send: (text) => child.stdin.write(text),
    ask(method, params) {
      const id = ++n_asked;
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return answers.to(id);
    },
    tool: (name, args) => server.ask("tools/call", { name, arguments: args }),
    stop() {
      child.stdin.end();
      return new Promise((resolve) => child.once("exit", resolve));
    },
  };
  await server.ask("initialize", HELLO);
  server.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return server;
}

/** The answers that came, by their id; those without one in the order in which they came. */
class Answers {
  byId = new Map();
  withoutId = [];
  waiting = new Map();
  rest = "";

  constructor(stream) {
    stream.setEncoding("utf8").on("data", (text) => {
      const lines = (this.rest + text).split("\n");
      this.rest = lines.pop();
      for (const line of lines) this.take(JSON.parse(line));
    });
  }

  take(answer) {
    if (answer.id === null) this.withoutId.push(answer);
    this.byId.set(answer.id, answer);
    this.waiting.get(answer.id)?.(answer);
  }

  to(id) {
    const there = this.byId.get(id);
    return there ? Promise.resolve(there) : new Promise((resolve) => this.waiting.set(id, resolve));
  }
}

const call = (id, args) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"cypher","arguments":${args}}}\n`;

test("a message nested 4,000 and a million deep is answered with its id, and not parsed", (t) =>
  mcpAttacked(t, async (server) => {
    for (const [id, depth] of Object.entries({ 1: 4_000, 2: 1_000_000 })) {
      const deep = "[".repeat(depth) + "]".repeat(depth);
      server.send(call(id, `{"query":"RETURN $p","parameters":{"p":${deep}}}`));
      const { error } = await server.answers.to(Number(id));
      assert.deepEqual([error.code, error.data.code], [-32600, "request.depth"]);
    }
    // Within the depth of a message, beyond that of a request.
    const deep = "[".repeat(80) + "]".repeat(80);
    server.send(call(3, `{"query":"RETURN $p","parameters":{"p":${deep}}}`));
    assert.match((await server.answers.to(3)).result.content[0].text, /request\.depth/);
  }));

test("a line of 64 MB, one without an end, bytes that are no text, and half a message", (t) =>
  mcpAttacked(t, async (server) => {
    const before = memoryOf(server.pid);
    server.send(`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"`);
    for (let n = 0; n < 64; n++) server.send("x".repeat(1024 * 1024));
    server.send('"}}\n');
    const { error } = await server.answers.to(7);
    assert.equal(error.data.code, "request.size");
    assert.ok(memoryOf(server.pid) - before < 100e6, "a long line is not kept");
    server.send(Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x22, 0x0a]));
    server.send('{"jsonrpc":\n"2.0"\n');
    server.send("\r\n\n   \n");
    server.send("null\n7\n[]\n{}\n");
    assert.equal((await server.ask("ping", {})).error, undefined);
  }));

/** Resident bytes of a process. */
function memoryOf(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) * 1024;
}

test("a hundred thousand messages in one go are answered one and all, within bounds of memory", (t) =>
  mcpAttacked(t, async (server) => {
    const before = memoryOf(server.pid);
    const n = 100_000;
    const lines = Array.from({ length: n }, (_, at) => `{"jsonrpc":"2.0","id":${1_000_000 + at},"method":"ping"}\n`);
    server.send(lines.join(""));
    await server.answers.to(1_000_000 + n - 1);
    assert.equal([...server.answers.byId.keys()].filter((id) => id >= 1_000_000).length, n);
    assert.ok(memoryOf(server.pid) - before < 400e6, `${memoryOf(server.pid) - before} bytes more`);
  }));

test("cancellations of what there is not, in lists and by the thousand, and names of prototypes", (t) =>
  mcpAttacked(t, async (server) => {
    const cancel = (id) => `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
    server.send(`[${Array.from({ length: 5_000 }, (_, id) => cancel(id)).join(",")}]\n`);
    for (let id = 0; id < 5_000; id++) server.send(`${cancel(id)}\n`);
    server.send(`${cancel('{"a":1}')}\n${cancel("null")}\n`);
    // Cancelled in the middle of it: no answer is owed, and the next one comes.
    server.send(`${call(31, '{"query":"MATCH (a)-[*1..9]-(b) RETURN count(*)"}')}${cancel(31)}\n`);
    const strange = '{"query":"x","__proto__":{"limit":1},"constructor":{"prototype":{"isAdmin":true}}}';
    server.send(`{"jsonrpc":"2.0","id":32,"method":"tools/call","params":{"name":"query","arguments":${strange}}}\n`);
    // Such names are left out by the SDK, or refused by us; nothing has them as a prototype.
    assert.ok((await server.answers.to(32)).result);
    for (const name of ["__proto__", "constructor", "toString", "x".repeat(100_000)])
      assert.ok((await server.tool(name, {})).error, name.slice(0, 20));
    const { result } = await server.tool("status", {});
    assert.equal(result.isError, undefined);
  }));

test("questions that stop the engine cost one answer each, asked alone and all at once", (t) =>
  mcpAttacked(t, async (server) => {
    const poison = () => server.tool("detect_changes", { diff: "diff --git a/x b/x\n" });
    for (let n = 0; n < 3; n++) {
      const { result } = await poison();
      assert.match(result.content[0].text, /the engine stopped and was restarted .*\[internal\.trap\]/);
      assert.equal((await server.tool("context", { symbol: "addTax" })).result.isError, undefined);
    }
    const all = await Promise.all([
      poison(),
      server.tool("impact", { symbol: "addTax" }),
      poison(),
      server.tool("status", {}),
    ]);
    assert.deepEqual(
      all.map(({ result }) => result.isError ?? false),
      [true, false, true, false],
    );
  }));
