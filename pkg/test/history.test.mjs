// The history of searches: kept in the user's folder, bounded, off in CI, cleared by a command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

import { clearHistory, keepsHistory, noteSearch, pastSearches } from "../dist/node/history.js";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "portolan-history-"));
const file = join(home, "history.jsonl");
const before = { ...process.env };
process.env.PORTOLAN_HOME = home;
beforeEach(() => {
  delete process.env.CI;
  delete process.env.PORTOLAN_HISTORY;
  rmSync(file, { force: true });
});
after(() => {
  process.env = before;
  rmSync(home, { recursive: true });
});

const search = (query, root = "/somewhere/shop") => ({ root, tool: "search", query, milliseconds: 7.4 });

test("searches are kept with their time, the last one first, for their user only", () => {
  noteSearch(search("one"));
  noteSearch(search("two\nlines"));
  const [last, first] = pastSearches();
  assert.deepEqual([last.query, first.query, first.milliseconds], ["two\nlines", "one", 7]);
  assert.ok(Date.now() - last.at < 60_000);
  if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o600);
  appendFileSync(file, '{"cut off');
  assert.equal(pastSearches().length, 2);
  assert.equal(clearHistory(), 2);
  assert.equal(existsSync(file), false);
});

test("nothing is kept in CI, when it is turned off, and below the folder that is searched", () => {
  for (const [name, value] of [
    ["CI", "true"],
    ["PORTOLAN_HISTORY", "false"],
  ]) {
    process.env[name] = value;
    assert.equal(keepsHistory(), false);
    noteSearch(search("secret"));
    delete process.env[name];
  }
  noteSearch(search("inside", home));
  assert.equal(existsSync(file), false);
});

test("the file is bounded", () => {
  for (let number = 0; number < 3_000; number++) noteSearch(search(`${number} ${"x".repeat(600)}`));
  assert.ok(statSync(file).size < 600_000);
  const kept = pastSearches();
  assert.ok(kept.length >= 300 && kept.length <= 1_000, `${kept.length}`);
  assert.match(kept[0].query, /^2999 /);
  assert.equal(kept[0].query.length, 500);
});

test("the command lists and clears", () => {
  const { CI: _, ...env } = process.env;
  const portolan = (...args) => execFileSync(process.execPath, [BIN, "history", ...args], { env, encoding: "utf8" });
  noteSearch(search("where is tax added"));
  assert.match(
    portolan(),
    / {4}7 ms {2}search {2}where is tax added {2}\/somewhere\/shop\n1 search, median 7 ms; --clear/,
  );
  assert.equal(JSON.parse(portolan("--json")).searches[0].query, "where is tax added");
  assert.equal(portolan("--clear"), "forgot 1 search\n");
  assert.equal(portolan(), "no searches\n");
  assert.equal(readFileSync(join(home, "history.jsonl"), { flag: "a+", encoding: "utf8" }), "");
});
