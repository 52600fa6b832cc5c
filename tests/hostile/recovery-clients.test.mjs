// `portolan serve` against clients that mean harm: slow ones, greedy ones, requests within requests. None of them takes the server from
// the others.
import assert from "node:assert/strict";
import { truncateSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";

import { get, raw, serveAttacked, status, statuses } from "./recovery-http.mjs";

test("clients that send slowly, or nothing, are cut off; others are answered meanwhile", (t) =>
  serveAttacked(t, async (server) => {
    const started = Date.now();
    const slow = Array.from({ length: 50 }, (_, n) => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => {});
      if (n > 0) socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n");
      const timer = setInterval(() => n > 1 && socket.writable && socket.write("X-A: b\r\n"), 500);
      socket.resume().on("close", () => clearInterval(timer));
      return new Promise((resolve) => socket.on("close", () => resolve(Date.now())));
    });
    assert.equal(await status(server, "/"), 200);
    assert.ok(Math.max(...(await Promise.all(slow))) - started < 30_000);
  }));

test("a file that gets shorter while it is sent does not make the next answer its rest", (t) => {
  const prepare = (box) => box.put({ "repo/site/large.bin": Buffer.alloc(32 * 1024 * 1024, "a") });
  const body = async (server, box) => {
    const socket = connect(server.port, "127.0.0.1");
    const first = "GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.on("error", () => {}).write(first + get("/", "localhost"));
    await setTimeout(500);
    truncateSync(box.path("repo/site/large.bin"), 0);
    let end = "";
    socket.on("data", (piece) => (end = (end + piece.toString("latin1")).slice(-2000)));
    await new Promise((resolve) => socket.on("close", resolve));
    assert.doesNotMatch(end, /<p>page/);
  };
  return serveAttacked(t, body, { prepare, allow: ["repo/site/large.bin"] });
});

test("requests within requests, bodies of GET, upgrades, tunnels: one answer, and the connection is closed", (t) =>
  serveAttacked(t, async (server) => {
    const inner = "GET /assets/worker.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const head = "GET / HTTP/1.1\r\nHost: localhost\r\n";
    const key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    const smuggled = {
      "length and chunks": `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
      "two lengths": `${head}Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      "a body": `${head}Content-Length: ${inner.length}\r\n\r\n${inner}`,
      chunks: `${head}Transfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
      "a space before the colon": `${head}Content-Length : ${inner.length}\r\n\r\n${inner}`,
      "a folded header": `${head}X-A: b\r\n c: d\r\nTransfer-Encoding: xchunked\r\n\r\n${inner}`,
      "a header ended by a bare CR": `${head}X-A: b\rTransfer-Encoding: chunked\r\n\r\n${inner}`,
      upgrade: `${head}Connection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n${inner}`,
      "http/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      connect: `CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: localhost\r\n\r\n${inner}`,
      "many headers": `${head}${"A: b\r\n".repeat(1000)}\r\n${inner}`,
    };
    for (const [name, bytes] of Object.entries(smuggled)) {
      const answer = await raw(server.port, bytes, 12_000);
      assert.doesNotMatch(answer, /\/\/ worker/, name);
      assert.ok(statuses(answer).length <= 1, `${name}: ${statuses(answer)}`);
      assert.doesNotMatch(answer, /^HTTP\/1\.1 (101|200 Connection)/, name);
    }
  }));

test("ranges without end, of nothing, and by the thousand are answered with one file at most", (t) =>
  serveAttacked(t, async (server) => {
    const many = `bytes=${Array.from({ length: 1000 }, (_, n) => `${n}-`).join(",")}`;
    const ranges = {
      [many]: 200,
      "bytes=-0": 416,
      [`bytes=${"9".repeat(400)}-`]: 416,
      [`bytes=0-${"9".repeat(400)}`]: 206,
      "bytes=5-1": 416,
      "bytes=0-0": 206,
      "bytes=-99999999": 206,
      "chars=0-1": 200,
      "bytes=--1": 200,
    };
    for (const [range, wanted] of Object.entries(ranges)) {
      const answer = await raw(server.port, get("/", "localhost", `Range: ${range}\r\n`));
      assert.equal(statuses(answer)[0], wanted, range.slice(0, 40));
      assert.ok(answer.length < 2_000, range.slice(0, 40));
    }
  }));

test("a hundred thousand requests in one go are answered in order or cut off", (t) =>
  serveAttacked(t, async (server) => {
    const one = "HEAD /gone HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const answer = await raw(server.port, one.repeat(100_000), 8_000);
    assert.ok(statuses(answer).length > 0 && statuses(answer).every((status) => status === 404));
  }));
