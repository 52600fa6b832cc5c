// What an index goes on without: space in the store, the store, the model, a cancelled walk.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Portolan } from "portolan";

import { channel } from "../dist/channel.js";
import { PortolanError } from "../dist/errors.js";
import { nodeSessionHost } from "../dist/node/session-host.js";
import { serve } from "../dist/rpc.js";
import { Session } from "../dist/session.js";
import { codeOf, folderWith, SHOP } from "./fixture.mjs";

async function made(change, options) {
  const host = nodeSessionHost();
  change(host);
  const session = new Session(host);
  const events = [];
  await session.make(folderWith(SHOP), options, new AbortController().signal, (event) => events.push(event));
  const { hits } = await session.ask("search", { query: "value added tax" });
  assert.equal(hits[0].path, "src/tax.ts");
  session.close();
  return {
    warnings: events.filter(({ type }) => type === "warning").map(({ warning }) => warning.code),
    stored: events.filter(({ type }) => type === "stored").map(({ stored }) => stored.state),
  };
}

/** A worker that answers every call with this error. */
function failingWorker(error) {
  const [near, far] = channel();
  serve(far, { start: () => Promise.reject(error) });
  return near;
}

const failing = (code) => () => ({ put: () => Promise.reject(new PortolanError(code, "no")) });

test("a full store", async () => {
  const outcome = await made((host) => void (host.store = failing("storage.quota")), { store: true, embeddings: false });
  assert.deepEqual(outcome, { warnings: ["storage.quota"], stored: ["saving", "quota"] });
});

test("no store at all", async () => {
  const outcome = await made((host) => void (host.store = failing("storage.unavailable")), { store: true, embeddings: false });
  assert.deepEqual(outcome, { warnings: ["storage.unavailable"], stored: ["saving", "unavailable"] });
});

test("every chunk gets its own vector, however many batches there are", async () => {
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`f${n}.ts`, `/** Step ${n} of the ${n % 2 ? "journey" : "recipe"}. */\nexport function step${n}() { return ${n}; }\n`]));
  const index = await Portolan.index(folderWith(files));
  await index.complete;
  const { n_chunks, n_vectors } = await index.status();
  assert.ok(n_chunks >= 600);
  assert.equal(n_vectors, n_chunks);
  const { hits } = await index.search({ query: "step 431 of the journey", mode: "vector", limit: 5 });
  assert.ok(hits.some(({ path }) => path === "f431.ts"), hits.map(({ path }) => path).join(" "));
  index.close();
});

test("no model", async () => {
  const noModel = (host) => {
    const { spawn } = host;
    host.spawn = (role) => (role === "parse" ? spawn(role) : failingWorker(new PortolanError("asset.unavailable", "status 404")));
  };
  const outcome = await made(noModel, {});
  assert.deepEqual(outcome, { warnings: ["embedding.failed"], stored: [] });
});

test("the parser itself missing is an error that says so", async () => {
  const host = nodeSessionHost();
  host.assets.module = () => Promise.reject(new PortolanError("asset.unavailable", "engine_bg.wasm could not be fetched"));
  const session = new Session(host);
  assert.equal(await codeOf(session.make(folderWith(SHOP), {}, new AbortController().signal, () => {})), "asset.unavailable");
  assert.equal(await codeOf((async () => session.ask("status", null))()), "index.closed");
  session.close();
});
