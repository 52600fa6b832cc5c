// `portolan serve` against paths, links and names that mean harm: every request is answered, nothing outside the folder is given, and
// the next request is answered. Clients that mean harm: recovery-clients.test.mjs.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";

import { ours } from "./own-processes.mjs";
import { get, raw, serveAttacked, status, statuses } from "./recovery-http.mjs";
import { sandbox } from "./sandbox.mjs";

/** It holds for the page and for its workers. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

test("every path is answered, and the server goes on", (t) =>
  serveAttacked(t, async (server, box) => {
    const long = "n".repeat(300);
    const missing = [
      "/index.html/",
      "/index.html/x",
      `/${long}`,
      `/${long}/${long}/`,
      `/${"d/".repeat(1500)}`,
      "/assets",
      "/assets/",
      "//",
      "//index.html",
      "/./index.html",
      "/%",
      "/%zz",
      "/%c0%ae%c0%ae/secret.txt",
      "/%ff",
      "/%00",
      "/index.html%00.js",
      "/..%2f..%2foutside%2fsecret.txt",
      "/%2e%2e/%2e%2e/outside/secret.txt",
      "/assets/../../../outside/secret.txt",
      "/..%5c..%5coutside%5csecret.txt",
      "/%2fetc%2fpasswd",
      `/${encodeURIComponent(box.path("outside/secret.txt"))}`,
    ];
    for (const path of missing) {
      assert.equal(await status(server, path), 404, path.slice(0, 60));
      assert.equal(await status(server, path, { method: "HEAD" }), 404, path.slice(0, 60));
    }
    assert.equal(await status(server, `/${"x".repeat(5000)}`), 414);
    assert.equal(await status(server, `/${"x".repeat(60_000)}`), 431);
    assert.equal(await status(server, `http://127.0.0.1:${server.port}/`), 400);
  }));

test("links, folders and devices: only regular files whose real path is in the folder", (t) => {
  const links = {
    "link.txt": "outside/secret.txt",
    folder: "outside",
    loop: "repo/site/loop",
    "zero.js": "/dev/zero",
    environ: "/proc/self/environ",
    "inside.js": "./assets/worker.js",
    "dir/index.html": "outside/secret.txt",
  };
  const prepare = (box) => {
    for (const [name, target] of Object.entries(links)) box.link(`repo/site/${name}`, target);
    execFileSync("mkfifo", [box.path("repo/site/fifo.js")]);
  };
  const body = async (server) => {
    const outside = [
      "link.txt",
      "folder/secret.txt",
      "loop",
      "zero.js",
      "environ",
      "dir/",
      "dir/index.html",
      "fifo.js",
    ];
    for (const path of outside) assert.equal(await status(server, `/${path}`), 404, path);
    assert.equal(await status(server, "/inside.js"), 200);
  };
  return serveAttacked(t, body, { prepare });
});

test("a folder that is exchanged for a link again and again gives nothing from outside", (t) => {
  const prepare = (box) =>
    box.put({ "repo/site/a/x.txt": "inside", "outside/x.txt": "secret" }).link("repo/site/link", "outside");
  const body = async (server, box) => {
    const swap = swapping(box.path("repo/site"));
    t.after(() => swap.kill("SIGKILL"));
    const seen = new Set();
    for (let n = 0; n < 1500; n++) {
      const response = await fetch(new URL("a/x.txt", server.url));
      const text = await response.text();
      seen.add(response.status === 200 ? text : response.status);
    }
    swap.kill("SIGKILL");
    assert.equal(seen.has("secret"), false);
    assert.equal(seen.has("inside"), true);
  };
  return serveAttacked(t, body, { prepare, allow: ["repo/site/**"] });
});

/** Exchanges `a` for a link that leads out and back, as fast as it goes. */
function swapping(folder) {
  const script = `const { renameSync } = require("fs"); process.chdir(${JSON.stringify(folder)});
    const end = Date.now() + 120_000;
    while (Date.now() < end) for (const [a, b] of [["a", "b"], ["link", "a"], ["a", "link"], ["b", "a"]]) renameSync(a, b);`;
  return ours(() => spawn(process.execPath, ["-e", script], { stdio: "ignore" }));
}

test("a file that may not be read, and a process without descriptors, are answers", (t) => {
  const prepare = (box) => {
    box.put({ "repo/site/closed.js": "x", "repo/site/large.bin": Buffer.alloc(8 * 1024 * 1024) });
    chmodSync(box.path("repo/site/closed.js"), 0);
  };
  const body = async (server) => {
    // To root nothing is closed.
    assert.equal(await status(server, "/closed.js"), process.getuid() === 0 ? 200 : 403);
    // As many connections as descriptors: each of those that read nothing holds a socket and a file.
    ours(() => spawnSync("prlimit", [`--pid=${server.pid}`, "--nofile=64:64"]));
    const greedy = Array.from({ length: 100 }, () => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => {}).write(get("/large.bin", "localhost"));
      return socket.pause();
    });
    await setTimeout(1_000);
    for (const socket of greedy) socket.destroy();
    await setTimeout(500);
  };
  return serveAttacked(t, body, { prepare });
});

test("only hosts and origins on the list are answered", (t) =>
  serveAttacked(t, async (server) => {
    const { port } = server;
    for (const host of [`localhost:${port}`, "localhost", "LOCALHOST.", `[::1]:${port}`, "127.0.0.1:1"])
      assert.equal(await status(server, "/", { host }), 200, host);
    const others = [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "evil.example@127.0.0.1",
      "192.168.0.1",
      "[::1",
      "",
      "127.0.0.1:port",
    ];
    for (const host of others) assert.equal(await status(server, "/", { host }), 421, host);
    const two = "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert.notEqual(statuses(await raw(port, two))[0], 200);
    assert.equal(statuses(await raw(port, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"))[0], 400);
    assert.equal(statuses(await raw(port, "GET / HTTP/1.0\r\n\r\n"))[0], 421);
    const from = (origin) => status(server, "/", { headers: `Origin: ${origin}\r\n` });
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`])
      assert.equal(await from(origin), 200, origin);
    const strange = [
      "http://evil.example",
      "null",
      "file://",
      "http://localhost@evil.example",
      "http://localhost.evil.example",
    ];
    for (const origin of strange) assert.equal(await from(origin), 403, origin);
    // Behind that number of headers Node drops the rest, an origin too.
    const behind = `${"A: b\r\n".repeat(2500)}Origin: http://evil.example\r\n`;
    assert.equal(await status(server, "/", { headers: behind }), 431);
  }));

test("--host and --allow-host: addresses where it listens on all, names that are given", (t) => {
  const body = async (server) => {
    for (const host of ["docs.example", "DOCS.example:80", "192.168.7.7:8080", "localhost"])
      assert.equal(await status(server, "/", { host }), 200, host);
    for (const host of ["evil.example", "x.docs.example"]) assert.equal(await status(server, "/", { host }), 421, host);
  };
  return serveAttacked(t, body, { args: ["--host", "0.0.0.0", "--allow-host", "docs.example"] });
});

test("--allow-host takes names, not addresses of pages", async (t) => {
  const box = sandbox({ "repo/site/index.html": "" }, t);
  for (const name of ["http://x/", "x/", "x:80", "", "*"]) {
    const { code, stderr } = await box.portolan(["serve", "site", "--allow-host", name]);
    assert.equal(code, 2, name);
    assert.match(stderr, /--allow-host expects a name or an address/);
  }
});

test("every answer has the policy, scripts of workers too; other methods are refused", (t) =>
  serveAttacked(t, async (server) => {
    const fixed = {
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
      "cross-origin-resource-policy": "same-origin",
      "access-control-allow-origin": null,
    };
    for (const path of ["", "assets/worker.js", "gone.js"]) {
      const { headers } = await fetch(new URL(path, server.url));
      const given = Object.keys(fixed).map((name) => [name, headers.get(name)]);
      assert.deepEqual(Object.fromEntries(given), fixed, path);
    }
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]) {
      const answer = await raw(server.port, get("/", "localhost", "", method));
      assert.match(answer, /^HTTP\/1\.1 405 [\s\S]*\r\nallow: GET, HEAD\r\n/i, method);
    }
  }));
