// Every example of every help text is run as it is written, in a shell, in a repository that has what the examples name.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { COMMAND_LIST } from "../dist/commands/command-list.js";
import { folderWith, SHOP, zipOf } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const EVENT = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "Grep",
  tool_input: { pattern: "addTax" },
  cwd: ".",
});

/** Examples that do not end by themselves: they are ended once they have said this. */
const STAY = {
  "portolan watch": /watching/,
  "portolan watch --debounce 200 --json": /"watching"/,
  "portolan serve": /127\.0\.0\.1/,
  "portolan serve public --port 3000 --base-path /docs/code/": /127\.0\.0\.1/,
  "portolan serve --shared indexes": /127\.0\.0\.1/,
  "portolan mcp": undefined,
  "portolan mcp ../shop ../api": undefined,
  "portolan mcp --http --port 0": /127\.0\.0\.1:\d+\/mcp/,
};
/** Examples that ask a person on the terminal, or need a port that may be taken, and what takes the place of that. */
const INSTEAD = {
  "portolan serve": "portolan serve --port 0",
  "portolan serve --shared indexes": "portolan serve --shared indexes --port 0",
  "portolan serve public --port 3000 --base-path /docs/code/": "portolan serve public --port 0 --base-path /docs/code/",
  // It stays in shards, and other examples need one file.
  "portolan index --memory-budget 2000": "portolan index --memory-budget 2000 && portolan index --full",
  // The files are not those of the commit here.
  "portolan push": "portolan index -q && portolan push --force",
  "portolan push --repo acme/shop --tag v1.2": "portolan index -q && portolan push --repo acme/shop --tag v1.2 --force",
  "portolan push --no-switch --ref refs/pull/7/head":
    "portolan index -q && portolan push --no-switch --ref refs/pull/7/head --force",
  "portolan export --passphrase -o shop.sealed": "portolan export --passphrase-file secret.txt -o shop.sealed",
  "portolan import shop.sealed": "portolan import shop.sealed --passphrase-file secret.txt",
  "portolan trust": "portolan trust --yes",
  // A model would have to be there.
  "portolan chat 'where is tax added?' --llm ollama:qwen3":
    "portolan chat 'where is tax added?' --llm ollama:qwen3 --dry-run",
  "portolan chat 'where is tax added?' --llm anthropic:MODEL --llm groq:MODEL --yes":
    "portolan chat 'where is tax added?' --llm anthropic:MODEL --llm groq:MODEL --dry-run",
};
/** Answers that may be empty. */
const SILENT = [/^portolan (augment|hook|cycles|setup|trust)/, /^source/, /> /, /-o /];

/** Files that the examples name besides the shop's own. */
const MORE = {
  "src/retry.ts": `/** Calls again until it succeeds: the retry of every request. */
export function retry(call: () => boolean): boolean {
  // TODO: wait in between
  return call() || retry(call);
}
`,
  "src/server.ts": `import { writeFileSync } from "node:fs";
import express from "express";
import { Cart } from "./cart";
import { retry } from "./retry";

const app = express();
app.get("/total", handleTotal);

/** How an order is paid: the route of the total. */
function handleTotal(request, response) {
  retry(() => response.send(sumOf(request)));
}

function sumOf(request) {
  const sum = new Cart().total();
  record(sum);
  return sum;
}

function record(sum) {
  writeFileSync("last-order.txt", String(sum));
}
`,
};

const world = folderWith(
  Object.fromEntries(
    ["shop", "api"].flatMap((name) =>
      Object.entries({
        ...SHOP,
        ...MORE,
        "vendor.zip": zipOf(SHOP),
        "queries.jsonl": '{"query": "addTax"}\n{"query": "cart"}\n',
        "event.json": EVENT,
        "card.png": Buffer.from(
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
          "base64",
        ),
        "secret.txt": "correct horse battery staple\n",
        "issue.md": "## Wrong total\n\n`Cart.total` adds the tax twice.\n",
        "token.txt": "a-token-of-some-length\n",
      }).map(([path, text]) => [`${name}/${path}`, text]),
    ),
  ),
);
const shop = join(world, "shop");
const home = join(world, "home");
const env = {
  ...process.env,
  HOME: home,
  XDG_CONFIG_HOME: join(home, ".config"),
  XDG_DATA_HOME: join(home, ".local", "share"),
  PORTOLAN_HOME: join(home, "portolan"),
  PATH: `${join(world, "bin")}:${process.env.PATH}`,
};
// Of a CI job that runs the tests.
for (const name of ["GITHUB_REPOSITORY", "CI_PROJECT_PATH", "GITHUB_REF"]) delete env[name];

const servers = [];
after(() => {
  for (const server of servers) server.kill();
});

function shell(line, input = "") {
  return spawnSync("bash", ["-c", line], { cwd: shop, env, input, encoding: "utf8", timeout: 120_000 });
}

before(async () => {
  mkdirSync(join(world, "bin"));
  mkdirSync(join(home, ".config", "fish", "completions"), { recursive: true });
  writeFileSync(join(world, "bin", "portolan"), `#!/bin/sh\nexec ${process.execPath} ${BIN} "$@"\n`);
  chmodSync(join(world, "bin", "portolan"), 0o755);
  const git = "git -c user.name=a -c user.email=a@b.c";
  const made = shell(
    `git init -q -b main && git add -A && ${git} commit -qm a && echo >> src/cart.ts && (cd ../api && portolan index -q) && portolan index -q && ` +
      `portolan build -q -o public && portolan build -q && portolan export --obfuscate-paths --key-file shop.key -o shop.portolan -q && ` +
      `portolan export --passphrase-file secret.txt -o shop.sealed`,
  );
  assert.equal(made.status, 0, made.stderr);
  await serveIndexes();
});

/** A server of shared indexes for the examples that ask one. */
async function serveIndexes() {
  const { stdout } = shell("portolan token create --shared indexes --scope admin");
  const child = spawn("bash", ["-c", "exec portolan serve --shared indexes --port 0 -q"], {
    cwd: shop,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  servers.push(child);
  env.PORTOLAN_SHARED_TOKEN = stdout.trim();
  env.PORTOLAN_SHARED_SERVER = await new Promise((resolve, reject) => {
    child.stdout.once("data", (line) => resolve(String(line).trim()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

for (const { name, examples } of COMMAND_LIST) {
  for (const [line] of examples) {
    if (name === "reveal") continue; // its path depends on the key
    test(line, { timeout: 150_000 }, async () => {
      if (line in STAY) return staysUp(line, STAY[line]);
      // Files that an example wrote are no obstacle to the next.
      const { status, stdout, stderr } = shell(`git checkout -q src; ${INSTEAD[line] ?? line}`);
      assert.equal(status, 0, `${stdout}\n${stderr}`);
      assert.doesNotMatch(stderr, /\[[a-z]+\.[a-z-]+\]/, line);
      if (!SILENT.some((silent) => silent.test(line))) assert.notEqual(stdout, "", line);
    });
  }
}

/** Runs it until it has said that it is up; it must not have ended before. */
async function staysUp(line, says) {
  const child = spawn("bash", ["-c", `exec ${INSTEAD[line] ?? line}`], {
    cwd: shop,
    env,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  const isUp = new Promise((resolve) => {
    const hear = (piece) => {
      said += piece;
      if (says?.test(said)) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
  });
  if (says) {
    await Promise.race([isUp, ended.then(({ code }) => assert.fail(`${line} ended with ${code}: ${said}`))]);
    child.kill("SIGTERM");
  } else child.stdin.end(); // a server over stdin ends with it
  const { code, signal } = await ended;
  assert.ok(code === 0 || code === 130 || signal === "SIGTERM", `${line}: ${code} ${signal} ${said}`);
}
