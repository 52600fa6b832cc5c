// `portolan chat` as a process, against the scripted server: off without a model, data sent and kept, keys, errors.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { modelsOf } from "../dist/cli/chat-settings.js";
import { modelServer, textsOf } from "./chat-server.mjs";
import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const root = folderWith(SHOP);
const home = mkdtempSync(join(tmpdir(), "portolan-home-"));
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

/** Without the keys of whoever runs the tests, and with a home of its own. */
function environment(more) {
  const names = Object.keys(process.env).filter((name) => !/_API_KEY$|^PORTOLAN_|^CI$/.test(name));
  const kept = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  return { ...kept, PORTOLAN_HOME: join(home, "data"), XDG_CONFIG_HOME: join(home, "config"), HOME: home, ...more };
}

function portolan(args, { env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args], { cwd: root, env: environment(env) });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (text) => (stdout += text));
    child.stderr.on("data", (text) => (stderr += text));
    child.stdin.end();
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

async function served(t, script) {
  const server = await modelServer(script);
  t.after(server.stop);
  return server;
}

const at = (server) => ["--llm", "server:m1", "--base-url", server.url];

before(async () => {
  const { code, stderr } = await portolan(["index", ".", "--no-embeddings", "--quiet"]);
  assert.equal(code, 0, stderr);
});

test("it is off until a model is named", async () => {
  const { code, stderr } = await portolan(["chat", "why?"]);
  assert.equal(code, 1);
  assert.match(stderr, /\[chat\.off\]/);
});

test("a question: steps on stderr, the checked answer on stdout", async (t) => {
  const server = await served(t, [
    [{ tool: "search_codebase", input: { query: "value added tax" } }],
    [{ tool: "find_callers", input: { symbol: "addTax" } }],
    ["Here [src/tax.ts:4-6], not [src/tax.ts:4000]."],
  ]);
  const { code, stdout, stderr } = await portolan(["chat", "Where is tax added?", ...at(server), "--yes"], {
    env: { PORTOLAN_CHAT_KEY: "k-1", OPENAI_API_KEY: "k-2" },
  });
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "Here [src/tax.ts:4-6], not [src/tax.ts:4000 (not in the index)].\n");
  assert.match(stderr, /search_codebase .*\n.*find_callers/);
  assert.match(stderr, /server:m1: 2 steps, 300 \+ 60 tokens/);
  assert.match(textsOf(server.requests[2], "tool")[1], /Cart\.total/);
  assert.ok(server.requests.every(({ headers }) => headers.authorization === "Bearer k-1"));
});

test("--json gives the whole turn, with the cost at the given price", async (t) => {
  const server = await served(t, [["Short."]]);
  const { stdout } = await portolan(["chat", "Hi", ...at(server), "--yes", "--json", "--price", "3,15"]);
  const turn = JSON.parse(stdout);
  assert.deepEqual([turn.answer, turn.model, turn.usage.input], ["Short.", "server:m1", 100]);
  assert.ok(Math.abs(turn.cost - 0.0006) < 1e-9);
});

test("without a terminal nothing is sent unless --yes says so", async (t) => {
  const server = await served(t, [["Hello."]]);
  const { code, stdout, stderr } = await portolan(["chat", "Hi", ...at(server)]);
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /Your question/);
  assert.match(stderr, /\[chat\.unasked\]/);
  assert.equal(server.requests.length, 0);
});

test("--dry-run shows every piece and sends nothing", async (t) => {
  const server = await served(t, [["Hello."]]);
  const { code, stdout } = await portolan(["chat", "Where is tax?", ...at(server), "--linear", "--dry-run"]);
  assert.equal(code, 0);
  assert.match(stdout, /src\/tax\.ts:\d+-\d+/);
  assert.match(stdout, /export function addTax/);
  assert.equal(server.requests.length, 0);
});

test("a model that follows takes over, and 429 is waited for", async (t) => {
  const server = await served(t, [
    { status: 429, headers: { "retry-after": "1" } },
    (body) => (body.model === "m1" ? { status: 404 } : ["no"]),
    (body) => [`From ${body.model}.`],
  ]);
  const { code, stdout, stderr } = await portolan(["chat", "Hi", ...at(server), "--llm", "server:m2", "--yes"]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "From m2.\n");
  assert.match(stderr, /waiting 1 s/);
  assert.match(stderr, /server:m1 gives up .*asking server:m2/);
});

test("the last conversation is kept outside the repository, and continued", async (t) => {
  const server = await served(t, [["It is 19 percent."], ["Yes."]]);
  await portolan(["chat", "What is the rate?", ...at(server), "--yes"]);
  await portolan(["chat", "Sure?", ...at(server), "--yes", "--continue"]);
  assert.deepEqual(textsOf(server.requests[1], "user"), ["What is the rate?", "Sure?"]);
  assert.equal(readdirSync(join(home, "data/chats")).length, 1);
  assert.ok(!readdirSync(join(root, ".portolan")).some((name) => name.includes("chat")));
  await portolan(["chat", "Again?", ...at(server), "--yes"], { env: { PORTOLAN_HISTORY: "false" } });
  await portolan(["chat", "Still?", ...at(server), "--yes", "--continue"]);
  assert.deepEqual(textsOf(server.requests.at(-1), "user"), ["What is the rate?", "Sure?", "Still?"]);
});

test("control characters of an answer do not reach the terminal", async (t) => {
  const server = await served(t, [["\u001b]0;owned\u0007\u202eevil"]]);
  const { stdout } = await portolan(["chat", "Hi", ...at(server), "--yes"]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  assert.doesNotMatch(stdout, /[\u001b\u0007\u202e]/);
});

test("a refused key fails with its code", async (t) => {
  const server = await served(t, [{ status: 401 }]);
  const { code, stderr } = await portolan(["chat", "Hi", ...at(server), "--yes"]);
  assert.equal(code, 1);
  assert.match(stderr, /\[chat\.refused\]/);
});

test("a key goes to its own host only", () => {
  const env = { OPENAI_API_KEY: "own", GROQ_API_KEY: "groq", PORTOLAN_CHAT_KEY: "other" };
  const keys = (options) => modelsOf({ name: "chat", operands: [], options }, env).map(({ key }) => key);
  assert.deepEqual(keys({ llm: ["openai:a", "groq:b", "ollama:c"] }), ["own", "groq", undefined]);
  assert.deepEqual(keys({ llm: ["openai:a", "groq:b"], "base-url": "https://proxy.example/v1" }), ["other", "groq"]);
  assert.deepEqual(keys({ llm: ["server:a"], "base-url": "http://localhost:1/v1" }), ["other"]);
});

test("a wrong name of a model is a wrong command line", async () => {
  for (const llm of ["gpt", "nobody:m", "browser:x"]) {
    const { code, stderr } = await portolan(["chat", "Hi", "--llm", llm]);
    assert.equal(code, 2, llm);
    assert.match(stderr, /PROVIDER:MODEL/);
  }
});
