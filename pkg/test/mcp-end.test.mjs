// The MCP server ends when its client goes, however it goes: a host that is closed must leave no process behind.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { folderWith } from "./fixture.mjs";

const BIN = fileURLToPath(new URL("../bin/portolan.js", import.meta.url));

async function started() {
  const home = folderWith({});
  const child = spawn(process.execPath, [BIN, "mcp", home], {
    env: { ...process.env, HOME: home, PORTOLAN_HOME: "" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await once(child.stdout, "data");
  return child;
}

for (const [how, end] of [
  ["a signal, with stdin open", (child) => child.kill("SIGTERM")],
  ["the end of stdin", (child) => child.stdin.end()],
])
  test(`the server ends after ${how}`, { skip: process.platform === "win32" && how.includes("signal") }, async () => {
    const child = await started();
    const ended = once(child, "exit");
    const late = setTimeout(() => child.kill("SIGKILL"), 30_000);
    end(child);
    const [code, signal] = await ended;
    clearTimeout(late);
    assert.deepEqual([code, signal], [0, null]);
  });
