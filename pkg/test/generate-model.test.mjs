// `portolan generate --llm` as a process, against the scripted server: the data sent and when, the sentences kept, and a model that fails.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { modelServer } from "./chat-server.mjs";
import { folderWith, SHOP } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const root = folderWith(SHOP);
const home = mkdtempSync(join(tmpdir(), "portolan-home-"));
after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

function portolan(args) {
  const names = Object.keys(process.env).filter((name) => !/_API_KEY$|^PORTOLAN_|^CI$/.test(name));
  const env = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: root,
      env: { ...env, PORTOLAN_HOME: home, HOME: home },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (text) => (stdout += text));
    child.stderr.on("data", (text) => (stderr += text));
    child.stdin.end();
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Cites the first link of the chapter, and makes a sentence up. */
function proseFor({ messages }) {
  const { content } = messages.at(-1);
  const text = typeof content === "string" ? content : content.map((part) => part.text).join("");
  const [link] = /\[[^\]]*\]\([^)]*\)/.exec(text) ?? [""];
  return [`In plain words, it begins at ${link}. `, "It was founded in 1999."];
}

async function served(t, script) {
  const server = await modelServer(script);
  t.after(server.stop);
  return { server, llm: ["--llm", "server:m1", "--base-url", server.url] };
}

before(async () => {
  const { code, stderr } = await portolan(["index", ".", "--no-embeddings", "--quiet"]);
  assert.equal(code, 0, stderr);
});

test("chapters are written by the model, and keep what they cite", async (t) => {
  const { server, llm } = await served(t, [proseFor]);
  const { code, stdout, stderr } = await portolan(["generate", "guide", ...llm, "--yes"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /In plain words/);
  assert.doesNotMatch(stdout, /1999/);
  assert.match(stderr, new RegExp(`chapter ${server.requests.length} of ${server.requests.length}`));
  assert.ok(
    server.requests.every(({ body }) => body.tools === undefined),
    "no tools",
  );
});

test("without a terminal nothing is sent unasked; --dry-run shows it", async (t) => {
  const { server, llm } = await served(t, [proseFor]);
  const unasked = await portolan(["generate", "guide", ...llm]);
  assert.equal(unasked.code, 1);
  assert.match(unasked.stderr, /\[chat\.unasked\]/);
  const dry = await portolan(["generate", "guide", ...llm, "--dry-run"]);
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /Instructions/);
  assert.match(dry.stdout, /Chapter: /);
  assert.equal(server.requests.length, 0);
  assert.equal((await portolan(["generate", "guide", "--dry-run"])).code, 2);
});

test("a model that fails leaves the outline, and the document says so", async (t) => {
  const { llm } = await served(t, [proseFor, { status: 401, body: { error: { message: "no such key" } } }]);
  const { code, stdout, stderr } = await portolan(["generate", "guide", ...llm, "--yes"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /In plain words/);
  assert.match(stdout, /The language model could not write this chapter/);
  const outline = await portolan(["generate", "guide"]);
  const titles = (text) => text.split("\n").filter((line) => line.startsWith("#"));
  assert.deepEqual(titles(stdout), titles(outline.stdout));
});
