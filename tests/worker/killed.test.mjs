// workerd is killed in the middle of an upload, a switch and a query, and started again over the same bucket: nothing that was answered is
// lost, the current version is a whole one, and the client goes on.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { makeTokens, startWorkerd } from "../../tools/edge/workerd.mjs";
import { makeIndex } from "../contract/servers.mjs";

const REPO = "/v1/repos/acme%2Fshop";
const COMMITS = ["1", "2"].map((digit) => digit.repeat(40));
const state = mkdtempSync(join(tmpdir(), "portolan-killed-"));
let worker;
let token;
let index;

before(async () => {
  index = makeIndex();
  token = (await makeTokens(state, ["admin"])).admin;
  await start();
  for (const commit of COMMITS) assert.equal((await ask(`${REPO}?commit=${commit}`, put(index))).status, 201);
});
after(async () => {
  await worker?.stop();
  rmSync(state, { recursive: true, force: true });
});

async function start() {
  worker = await startWorkerd({ state, vars: { ACCESS: "tokens", RATE_PER_MINUTE: "1000000" } });
}

const put = (body) => ({ method: "PUT", body });
const headers = () => ({ authorization: `Bearer ${token}` });

/** Node's fetch may wait for ever for a server that was killed: requests end a moment after that. */
let gone = new AbortController();

async function killed() {
  await worker.kill();
  await pause(500);
  gone.abort();
  gone = new AbortController();
}

async function ask(path, init = {}) {
  const response = await fetch(`${worker.url}${path}`, { ...init, signal: gone.signal, headers: headers() });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, bytes, json: () => JSON.parse(new TextDecoder().decode(bytes)) };
}

/** The versions are those of `commits`, and the current one of them is whole. */
async function isWhole(commits) {
  const list = (await ask(`${REPO}/versions`)).json();
  assert.deepEqual(list.versions.map(({ source }) => source.commit).sort(), [...commits].sort());
  assert.ok(list.versions.some(({ id }) => id === list.current));
  assert.deepEqual((await ask(`${REPO}/index`)).bytes, new Uint8Array(index));
  return list.versions.find(({ id }) => id === list.current).source.commit;
}

test("in the middle of an upload: the old versions are whole, and the upload is repeated", async () => {
  for (const share of [0.1, 0.6, 0.99]) {
    const { hostname, port } = new URL(worker.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    const head = `PUT ${REPO}?commit=${"3".repeat(40)} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n`;
    socket.write(`${head}Content-Length: ${index.length}\r\n\r\n`);
    await new Promise((resolve) => socket.write(index.subarray(0, Math.floor(index.length * share)), resolve));
    await pause(100);
    await killed();
    socket.destroy();
    await start();
    await isWhole(COMMITS);
  }
  assert.equal((await ask(`${REPO}?commit=${"3".repeat(40)}&switch=false`, put(index))).status, 201);
  const { versions } = (await ask(`${REPO}/versions`)).json();
  const added = versions.find(({ source }) => source.commit.startsWith("3"));
  assert.equal((await ask(`${REPO}/versions/${added.id}`, { method: "DELETE" })).status, 200);
});

test("in the middle of switches: the last one that was answered holds, or the one that was under way", async () => {
  for (const wait of [40, 150, 400]) {
    let answered = await isWhole(COMMITS);
    let asked = answered;
    const switching = (async () => {
      for (let n = 0; ; n++) {
        asked = COMMITS[n % 2];
        const { status, json } = await ask(`${REPO}/current`, {
          method: "POST",
          body: JSON.stringify({ version: asked }),
        });
        assert.equal(status, 200);
        answered = json().source.commit;
      }
    })().catch((error) => {
      if (error instanceof assert.AssertionError) throw error;
    });
    await pause(wait);
    await killed();
    await switching;
    await start();
    assert.ok([answered, asked].includes(await isWhole(COMMITS)));
  }
});

test("in the middle of queries: they fail, and have the same answers afterwards", async () => {
  const query = "/v1/search?repo=acme/shop&q=value+added+tax&mode=lexical";
  const { hits } = (await ask(query)).json();
  assert.equal(hits[0].path, "src/tax.ts");
  const clients = Array.from({ length: 8 }, async () => {
    for (;;) assert.deepEqual((await ask(query)).json().hits, hits);
  });
  const ended = Promise.all(
    clients.map((client) =>
      client.catch((error) => {
        if (error instanceof assert.AssertionError) throw error;
      }),
    ),
  );
  await pause(300);
  await killed();
  await ended;
  await start();
  assert.deepEqual((await ask(query)).json().hits, hits);
  await isWhole(COMMITS);
});
