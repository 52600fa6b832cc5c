// The process that indexes is killed at random moments, while it reads, builds and saves: the index saved last stays whole.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Portolan } from "../dist/entry/node.js";
import { writeSnapshot } from "../dist/node/file-store.js";

const CLI = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const KILLS = 12;

/** A folder of files that all say which round it is. */
function write(folder, round) {
  for (let n = 0; n < 40; n++) {
    const body = Array.from({ length: 30 }, (_, line) => `  const value${line} = ${n} + ${line};`).join("\n");
    writeFileSync(join(folder, `file${n}.js`), `export function round${round}_${n}() {\n${body}\n}\n`);
  }
}

function index(folder) {
  return spawn(process.execPath, [CLI, "index", folder, "--no-embeddings"], { stdio: "ignore" });
}

const ended = (child) => new Promise((resolve) => child.on("exit", (code) => resolve(code)));

/** Opens the saved index: it has the functions of one round, and all of them. */
async function roundOf(folder) {
  const saved = await Portolan.open(folder);
  try {
    const { symbols } = await saved.find({ symbol: "round", fuzzy: true, limit: 100 });
    const rounds = new Set(symbols.map(({ name }) => name.split("_")[0]));
    assert.equal(rounds.size, 1, `an index of ${[...rounds]}`);
    assert.equal(symbols.length, 40);
    return Number([...rounds][0].slice("round".length));
  } finally {
    saved.close();
  }
}

test("an index that was killed while it was made again is the one before, or the new one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "portolan-kill-"));
  mkdirSync(join(folder, ".git"));
  write(folder, 0);
  const start = performance.now();
  assert.equal(await ended(index(folder)), 0);
  const usual = performance.now() - start;
  let last = await roundOf(folder);
  for (let round = 1; round <= KILLS; round++) {
    write(folder, round);
    const child = index(folder);
    setTimeout(() => child.kill("SIGKILL"), usual * Math.random() * 1.1);
    await ended(child);
    const now = await roundOf(folder);
    assert.ok(now === last || now === round, `round ${now} after ${last}, in round ${round}`);
    last = now;
  }
  write(folder, KILLS + 1);
  assert.equal(await ended(index(folder)), 0);
  assert.equal(await roundOf(folder), KILLS + 1);
  const left = readdirSync(join(folder, ".portolan")).filter((file) => file.endsWith(".tmp"));
  assert.deepEqual(left, [], "what a killed process left is gone");
});

test("a first index that was killed leaves nothing, or a whole one", async () => {
  let usual = 1000;
  for (let n = 0; n < 4; n++) {
    const folder = mkdtempSync(join(tmpdir(), "portolan-kill-"));
    mkdirSync(join(folder, ".git"));
    write(folder, n);
    const start = performance.now();
    const child = index(folder);
    if (n > 0) setTimeout(() => child.kill("SIGKILL"), usual * Math.random() * 1.1);
    await ended(child);
    if (n === 0) usual = performance.now() - start;
    if (existsSync(join(folder, ".portolan/index.portolan"))) assert.equal(await roundOf(folder), n);
  }
});

test("watching that was killed leaves the index before, or one with the changes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "portolan-kill-"));
  mkdirSync(join(folder, ".git"));
  write(folder, 0);
  assert.equal(await ended(index(folder)), 0);
  let last = 0;
  for (let round = 1; round <= 4; round++) {
    const child = spawn(process.execPath, [CLI, "watch", folder, "--no-embeddings", "--debounce", "50"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    // It looks at once, and saves three seconds after the last change.
    write(folder, round);
    await new Promise((resolve) =>
      setTimeout(resolve, round % 2 === 0 ? 3000 + 700 * Math.random() : 1000 * Math.random()),
    );
    child.kill("SIGKILL");
    await ended(child);
    const now = await roundOf(folder);
    assert.ok(now === last || now === round || now === round - 1, `round ${now} after ${last}, in round ${round}`);
    last = now;
  }
});

test("a process killed in the middle of writing leaves the file before", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "portolan-kill-")), "index.portolan");
  writeSnapshot(path, Buffer.from("PORTOLAN"));
  const script = `
    const whole = (n) => { const bytes = new Uint8Array(4_000_000).fill(n); bytes.set(Buffer.from("PORTOLAN")); return bytes; };
    import { writeSnapshot } from ${JSON.stringify(new URL("../dist/node/file-store.js", import.meta.url).href)};
    process.stdout.write("on");
    for (let n = 0; ; n++) writeSnapshot(${JSON.stringify(path)}, whole(n % 2 ? 7 : 9));`;
  const { readFileSync } = await import("node:fs");
  for (let n = 0; n < 5; n++) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    setTimeout(() => child.kill("SIGKILL"), 5 + Math.random() * 60);
    await ended(child);
    const bytes = readFileSync(path);
    assert.ok(bytes.length === 8 || bytes.length === 4_000_000, `${bytes.length} bytes`);
    assert.ok(
      bytes.length === 8 || bytes.every((byte, at) => at < 8 || byte === bytes[8]),
      "half of one and half of another",
    );
  }
});
