// Shared by the hostile tests of `portolan serve`: the process of a server over a small site, and requests as bytes, which no HTTP client
// would send.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, realpathSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

import { ours } from "./own-processes.mjs";
import { BIN, sandbox } from "./sandbox.mjs";
import { askedAgain, watched } from "./watch.mjs";

const RECORDER = fileURLToPath(new URL("recorder.cjs", import.meta.url));
const FILES = {
  "repo/site/index.html": "<p>page</p>",
  "repo/site/assets/worker.js": "// worker\n",
  "outside/secret.txt": "secret",
};

/**
 * Runs `portolan serve` over a page, then `body(server, box)`. Asserts that nothing changed but what `allow` names, that no process was
 * started, and that the page is answered afterwards. `prepare(box)` comes before the server starts.
 */
export async function serveAttacked(t, body, { args = [], allow = [], prepare = () => {} } = {}) {
  const box = sandbox(FILES, t);
  prepare(box);
  await watched(box, { allow }, async () => {
    const server = await served(t, box, args);
    await body(server, box);
    await askedAgain(
      () => status(server, "/"),
      (answer) => answer === 200,
    );
    assert.equal(server.isAlive(), true, server.complaints());
    assert.equal(server.nOpen(box.root), 0, "files are closed again");
    await server.stop();
  });
}

async function served(t, box, args) {
  const command = ["--require", RECORDER, BIN, "serve", box.path("repo/site"), "--port", "0", ...args];
  const child = ours(() => spawn(process.execPath, command, { env: box.env(), stdio: ["ignore", "pipe", "pipe"] }));
  t.after(() => child.kill("SIGKILL"));
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (complaints += text));
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  const url = new URL(line.trim());
  return {
    url,
    port: Number(url.port),
    pid: child.pid,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    complaints: () => complaints,
    /** How many descriptors the process has open on files below a folder. */
    nOpen: (below) => openFiles(child.pid).filter((path) => path.startsWith(below) && !path.endsWith("-log")).length,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      assert.equal((await ended)[0], 0);
    },
  };
}

/** The status of one request for a path that is sent as it is. */
export async function status(server, path, { host = `127.0.0.1:${server.port}`, headers = "", method = "GET" } = {}) {
  return statuses(await raw(server.port, get(path, host, headers, method)))[0];
}

function openFiles(pid) {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [realpathSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

/** Sends bytes on a connection of their own and gives all that comes until it is closed, or for `millis`. */
export function raw(port, bytes, millis = 5_000) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    const timer = setTimeout(() => socket.destroy(), millis);
    socket.setEncoding("latin1").on("data", (piece) => (text += piece));
    socket.on("error", () => {}); // what it sent shows in the text
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.write(bytes);
  });
}

/** The request of a path that closes the connection. */
export function get(path, host, headers = "", method = "GET") {
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`;
}

/** The statuses in what came over a connection. */
export function statuses(text) {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}
