// A server that stalls, floods, answers falsely or leads elsewhere costs an error with a code, not the client's memory or time.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { fetchWithin, isPrivate } from "../../pkg/dist/reading/fetching.js";
import { RangeFile } from "../../pkg/dist/reading/remote.js";

const LIMITS = { stallMs: 300, maxBytes: 1_000_000 };

async function served(answer, use) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${server.address().port}/index.portolan`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const opened = (url) => new RangeFile(url, fetch, LIMITS).open(1_000);

test("a server that says nothing, or nothing more, is given up", async () => {
  await served(
    () => {},
    (url) => assert.rejects(opened(url), { code: "remote.stalled" }),
  );
  await served(
    (_, response) => {
      response.writeHead(200, { "content-length": "5000" });
      response.write("x".repeat(100));
    },
    (url) => assert.rejects(opened(url), { code: "remote.stalled" }),
  );
});

test("a server that is slow and goes on is waited for", async () => {
  const bytes = Buffer.from("0123456789".repeat(10));
  const slowly = async (_, response) => {
    response.writeHead(200, { "content-length": bytes.length });
    for (const byte of bytes) {
      response.write(Buffer.of(byte));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  await served(slowly, async (url) => assert.deepEqual(Buffer.from(await opened(url)), bytes));
});

test("a flood is cut off, announced or not", async () => {
  let n_sent = 0;
  const flood = (head) => (_, response) => {
    response.writeHead(head.status, head.headers);
    const more = () => {
      while (!response.destroyed && n_sent < 1e9 && response.write(Buffer.alloc(65_536))) n_sent += 65_536;
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  };
  for (const head of [
    { status: 200, headers: {} },
    { status: 206, headers: { "content-range": "bytes 0-999/5000" } },
    { status: 200, headers: { "content-length": "4000000000" } },
  ]) {
    n_sent = 0;
    await served(flood(head), (url) => assert.rejects(opened(url), { code: "remote.too-large" }));
    assert.ok(n_sent < 100e6, `${n_sent} bytes were taken`);
  }
});

test("an answer to another question than the one that was put is refused", async () => {
  const ranges = [];
  const lies = (request, response) => {
    ranges.push(request.headers.range);
    const first = ranges.length === 1;
    response.writeHead(206, { "content-range": first ? "bytes 0-999/5000" : "bytes 7-106/5000" });
    response.end(Buffer.alloc(first ? 1_000 : 100));
  };
  await served(lies, async (url) => {
    const file = new RangeFile(url, fetch, LIMITS);
    await file.open(1_000);
    await assert.rejects(file.read([[2_000, 2_100]]), { code: "remote.failed" });
  });
  const huge = (_, response) => {
    response.writeHead(206, { "content-range": "bytes 0-999/9007199254740991" });
    response.end(Buffer.alloc(1_000));
  };
  await served(huge, (url) => assert.rejects(opened(url), { code: "remote.failed" }));
});

/** Answers as servers on the internet would give them. */
const answering = (answers) => async (address) => {
  const answer = answers[String(address)];
  assert.ok(answer, `${address} was asked`);
  return typeof answer === "string"
    ? new Response(null, { status: 302, headers: { location: answer } })
    : new Response(answer);
};

const end = (answers) =>
  fetchWithin(answering(answers), "https://a.example/i", {}, LIMITS).then((answer) => answer.bytes(100));

test("redirects lead on, but not from https to http, into a private network, or for ever", async () => {
  const bytes = new TextEncoder().encode("index");
  assert.deepEqual(
    await end({ "https://a.example/i": "https://cdn.example/x", "https://cdn.example/x": bytes }),
    bytes,
  );
  for (const location of [
    "http://a.example/i",
    "https://127.0.0.1/i",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/i",
    "https://[::ffff:10.0.0.1]/i",
    "https://2130706433/i",
    "https://db.internal/i",
    "file:///etc/passwd",
    "https://a.example/i",
  ])
    await assert.rejects(end({ "https://a.example/i": location }), { code: "remote.redirect" }, location);
});

test("names and numbers of private networks are known", () => {
  const inside = [
    "localhost",
    "a.localhost",
    "10.1.2.3",
    "192.168.0.1",
    "172.31.0.1",
    "100.64.0.1",
    "[fd00::1]",
    "[fe80::1]",
    "[::]",
  ];
  const outside = ["example.com", "11.0.0.1", "172.32.0.1", "192.169.0.1", "[2001:db8::1]", "local.example", "1.1.1.1"];
  assert.deepEqual(
    inside.filter((host) => !isPrivate(host)),
    [],
  );
  assert.deepEqual(outside.filter(isPrivate), []);
});
