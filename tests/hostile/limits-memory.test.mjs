// If there is more to index than fits into memory, the files that fit are indexed, the rest is listed, and both are reported; nothing ends with another
// error than the first.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { engineInstance } from "../../pkg/dist/engine/engine-instance.js";
import { Portolan } from "../../pkg/dist/entry/node.js";
import { hostOfCommand } from "../../pkg/dist/node/tiering.js";
import { Session } from "../../pkg/dist/indexing/session.js";
import { CodeIndexBuilder } from "../../pkg/wasm/engine.js";
import { BIN } from "./sandbox.mjs";

const MEGABYTE = 2 ** 20;
const folder = mkdtempSync(join(tmpdir(), "portolan-limits-memory-"));
after(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

/** Registers of a device, as headers of drivers have them: each line is a definition, and takes three times what other code takes. */
function registers(n_files, n_lines) {
  const place = join(folder, "registers");
  mkdirSync(place);
  for (let file = 0; file < n_files; file++) {
    const line = (_, at) => `#define mmREG_${file}_${at}_BASE_IDX  0x${(file * n_lines + at).toString(16)}\n`;
    writeFileSync(join(place, `r${file}.h`), Array.from({ length: n_lines }, line).join(""));
  }
  return place;
}

/** Indexes in this thread; returns the warnings and the engine's memory. */
async function indexed(path, memory, more = {}) {
  const host = hostOfCommand();
  const { memory: heap } = engineInstance.start(await host.assets.module("engine"));
  const warnings = [];
  const session = new Session(host);
  const onEvent = (event) => event.type === "warning" && warnings.push(event.warning);
  await session.make(path, { embeddings: false, memory, ...more }, new AbortController().signal, onEvent);
  const status = await session.ask("status", {});
  return { session, status, warnings, n_bytes: heap.buffer.byteLength };
}

test("building stays within the memory, however much there is to say of a line", async () => {
  const path = registers(24, 8_000);
  const limit = 160 * MEGABYTE;
  const { session, status, warnings, n_bytes } = await indexed(path, limit);
  const left = status.skipped.filter(({ code }) => code === "memory");
  assert.ok(n_bytes <= limit, `${n_bytes} bytes of memory, ${limit} were allowed`);
  assert.ok(status.n_files > 0 && left.length > 0, `${status.n_files} files, ${left.length} left out`);
  assert.equal(status.n_files + left.length, 24);
  assert.ok(warnings.some(({ code }) => code === "index.full"));
  assert.ok(warnings.some(({ code }) => code === "index.too-large"));
  session.close();
});

test("bringing an index up to date stays within the memory, too", async () => {
  const place = join(folder, "grown");
  mkdirSync(place);
  writeFileSync(join(place, "a.js"), "export function once() {}\n");
  const small = await indexed(place, 160 * MEGABYTE, { saves: true });
  const previous = small.session.save();
  small.session.close();
  const code = "export function compute(number) { return number + other(number); }\n".repeat(8_000);
  for (let n = 0; n < 40; n++) writeFileSync(join(place, `b${n}.js`), code);
  const { session, status, warnings } = await indexed(place, 160 * MEGABYTE, { previous });
  const left = status.skipped.filter(({ code }) => code === "memory");
  assert.ok(status.n_files > 1 && left.length > 0, `${status.n_files} files, ${left.length} left out`);
  assert.equal(status.n_files + left.length, 41);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["index.full", "index.too-large"],
  );
  assert.ok(
    (await session.ask("find", { symbol: "once" })).symbols.length === 1,
    "the file from before is still there",
  );
  session.close();
});

test("an engine that runs out of memory while it builds begins again with less", async () => {
  const { build } = CodeIndexBuilder.prototype;
  const limits = [];
  CodeIndexBuilder.prototype.build = function (...given) {
    limits.push(engineInstance.number);
    if (limits.length > 1) return build.apply(this, given);
    // An allocation fails in an engine that is nearly full.
    engineInstance.start(undefined).memory.grow(6_000);
    throw new WebAssembly.RuntimeError("unreachable");
  };
  try {
    const files = [{ path: "a.js", bytes: new TextEncoder().encode("export function once() {}\n") }];
    const { session, status, warnings } = await indexed({ files }, 1024 * MEGABYTE);
    assert.equal(status.n_files, 1);
    assert.match(warnings.find(({ code }) => code === "index.too-large").message, /ran out of memory.*at most 0\.6 GB/);
    assert.equal(limits.length, 2);
    session.close();
  } finally {
    CodeIndexBuilder.prototype.build = build;
  }
});

/** A folder whose own rules leave everything out. */
function ignored(name) {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, ".gitignore"), "/*\n");
  writeFileSync(join(place, "a.js"), "export function once() {}\n");
  return place;
}

test("an index of nothing says why", async () => {
  const place = ignored("ignored");
  const warnings = [];
  const index = await Portolan.index(place, { embeddings: false, onWarning: (warning) => warnings.push(warning) });
  await index.complete;
  index.close();
  const empty = warnings.find(({ code }) => code === "index.empty");
  assert.match(empty?.message ?? "", /^no file is in the index: .*as ignored, such as .*\.gitignore/);
  assert.match(empty.help, /portolanignore/);
});

test("`portolan index` where no file is taken in fails, with the reason", () => {
  const place = ignored("ignored-by-command");
  const run = (...args) => spawnSync(process.execPath, [BIN, ...args], { cwd: place, encoding: "utf8" });
  const nothing = run("index", "--no-embeddings");
  assert.deepEqual([nothing.status, nothing.stdout], [1, ""]);
  assert.match(nothing.stderr, /no file is in the index: .*as ignored, such as .*\.gitignore.*\[index\.empty\]/);
  assert.match(nothing.stderr, /portolanignore/);
  // The advice in its help works, and the saved index is no obstacle.
  writeFileSync(join(place, ".portolanignore"), "!*.js\n");
  const again = run("index", "--no-embeddings");
  assert.equal(again.status, 0, again.stderr);
  assert.match(again.stdout, /1 file /);
});

test("an ignore file of a terabyte of nothing is not read", async () => {
  const place = join(folder, "ignored-by-a-terabyte");
  mkdirSync(place);
  writeFileSync(join(place, "a.ts"), "export const harbour = 1;\n");
  writeFileSync(join(place, ".gitignore"), "");
  truncateSync(join(place, ".gitignore"), 2 ** 40);
  const index = await Portolan.index(place, { embeddings: false });
  await index.complete;
  const { n_files, skipped } = await index.status();
  assert.equal(n_files, 1);
  const reasons = skipped.filter(({ path }) => path === ".gitignore").map(({ message }) => message);
  assert.ok(reasons.some((message) => message.includes("1099511627776 bytes")));
  index.close();
});
