// Snapshots as files: replaced by renaming, but never a pipe or a device.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { writeSnapshot } from "../dist/node/file-store.js";

const folder = () => mkdtempSync(join(tmpdir(), "portolan-files-"));

test("a file is replaced, and nothing is left beside it", () => {
  const path = join(folder(), "index.portolan");
  writeSnapshot(path, Buffer.from("PORTOLAN 1"));
  writeSnapshot(path, Buffer.from("PORTSEAL"));
  assert.equal(readFileSync(path, "latin1"), "PORTSEAL");
  assert.deepEqual(readdirSync(join(path, "..")), ["index.portolan"]);
});

test("a pipe is written to and stays a pipe", { skip: process.platform === "win32" }, () => {
  const path = join(folder(), "pipe");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDWR);
  writeSnapshot(path, new Uint8Array([7, 8]));
  const bytes = new Uint8Array(2);
  readSync(reader, bytes);
  closeSync(reader);
  assert.deepEqual([...bytes], [7, 8]);
  assert.ok(statSync(path).isFIFO());
});
