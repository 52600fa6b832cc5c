// Indexing goes on without space in the store, without the store, without the model, and after a cancelled walk.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Portolan } from "portolan";

import { channel } from "../dist/rpc/channel.js";
import { PortolanError } from "../dist/errors.js";
import { nodeSessionHost } from "../dist/node/session-host.js";
import { serve } from "../dist/rpc/rpc.js";
import { Session } from "../dist/indexing/session.js";
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
  const outcome = await made((host) => Object.assign(host, { store: failing("storage.quota") }), {
    store: true,
    embeddings: false,
  });
  assert.deepEqual(outcome, { warnings: ["storage.quota"], stored: ["saving", "quota"] });
});

test("no store at all", async () => {
  const outcome = await made((host) => Object.assign(host, { store: failing("storage.unavailable") }), {
    store: true,
    embeddings: false,
  });
  assert.deepEqual(outcome, { warnings: ["storage.unavailable"], stored: ["saving", "unavailable"] });
});

test("every chunk gets its own vector, however many batches there are", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 600 }, (_, n) => [
      `f${n}.ts`,
      `/** Step ${n} of the ${n % 2 ? "journey" : "recipe"}. */\nexport function step${n}() { return ${n}; }\n`,
    ]),
  );
  const index = await Portolan.index(folderWith(files));
  await index.complete;
  const { n_chunks, n_vectors } = await index.status();
  assert.ok(n_chunks >= 600);
  assert.equal(n_vectors, n_chunks);
  const { hits } = await index.search({ query: "step 431 of the journey", mode: "vector", limit: 5 });
  assert.ok(
    hits.some(({ path }) => path === "f431.ts"),
    hits.map(({ path }) => path).join(" "),
  );
  index.close();
});

test("no model", async () => {
  const noModel = (host) => {
    const { spawn } = host;
    host.spawn = (role) =>
      role === "parse" ? spawn(role) : failingWorker(new PortolanError("asset.unavailable", "status 404"));
  };
  const alone = (host) => void noModel(Object.assign(host, { parallelism: 4 }));
  assert.deepEqual(await made(alone, {}), { warnings: ["embedding.failed"], stored: [] });
});

test("no model for a parsing worker that is to embed", async () => {
  const withoutModel = (port) => {
    let receive;
    return {
      ...port,
      listen(onMessage) {
        receive = onMessage;
        port.listen(onMessage);
      },
      post: (message, transfer) =>
        message.method === "startModel"
          ? receive({
              kind: "error",
              id: message.id,
              error: { code: "asset.unavailable", message: "status 404", help: "" },
            })
          : port.post(message, transfer),
    };
  };
  const noModel = (host) => {
    const { spawn } = host;
    Object.assign(host, { parallelism: 2, spawn: (role) => withoutModel(spawn(role)) });
  };
  assert.deepEqual(await made(noModel, {}), { warnings: ["embedding.failed"], stored: [] });
});

/** Checksums of the sections of a snapshot, without the time at which it was built. */
function sectionsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = Array.from({ length: view.getUint32(12, true) }, (_, n) => {
    const at = 64 + 40 * n;
    const name = new TextDecoder().decode(bytes.subarray(at, at + 16)).replaceAll("\0", "");
    return [name, `${view.getBigUint64(at + 24, true)} ${view.getBigUint64(at + 32, true)}`];
  });
  return Object.fromEntries(entries.filter(([name]) => name !== "info"));
}

test("what a worker packs while the index is built is what is packed when it is saved", async () => {
  const line = (n) => `export function step${n}(cart: Cart) { return total(cart, ${n}); }\n`;
  const files = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`src/f${n}.ts`, line(n).repeat(60)]));
  const folder = folderWith(files);
  const saved = async (options, change = () => {}) => {
    const host = nodeSessionHost();
    const methods = [];
    change(host, methods);
    const session = new Session(host);
    await session.make(folder, options, new AbortController().signal, () => {});
    const sections = sectionsOf(session.save());
    session.close();
    return { sections, methods };
  };
  const watched = (host, methods) => {
    const { spawn } = host;
    const spy = (port) => ({
      ...port,
      post(message, transfer) {
        methods.push(message.method);
        port.post(message, transfer);
      },
    });
    Object.assign(host, { parallelism: 2, spawn: (role) => spy(spawn(role)) });
  };
  const [here, ahead] = [await saved({ workers: 1 }), await saved({ workers: 2, saves: true }, watched)];
  assert.ok(ahead.methods.includes("packSection") && ahead.methods.includes("packTexts"), ahead.methods.join(" "));
  assert.deepEqual(ahead.sections, here.sections);
  const lost = (host) => {
    const { spawn } = host;
    const refuse = (port) => {
      let receive;
      const isPacking = ({ method }) => method === "packSection" || method === "packTexts";
      const error = { code: "worker.crashed", message: "out of memory", help: "" };
      return {
        ...port,
        listen(onMessage) {
          receive = onMessage;
          port.listen(onMessage);
        },
        post: (message, transfer) =>
          isPacking(message) ? receive({ kind: "error", id: message.id, error }) : port.post(message, transfer),
      };
    };
    Object.assign(host, { spawn: (role) => refuse(spawn(role)) });
  };
  assert.deepEqual(
    (await saved({ saves: true }, lost)).sections,
    here.sections,
    "what nobody packs is packed when it is saved",
  );
});

test("the parser itself missing is an error that says so", async () => {
  const host = nodeSessionHost();
  host.assets.module = () =>
    Promise.reject(new PortolanError("asset.unavailable", "engine_bg.wasm could not be fetched"));
  const session = new Session(host);
  assert.equal(
    await codeOf(session.make(folderWith(SHOP), {}, new AbortController().signal, () => {})),
    "asset.unavailable",
  );
  assert.equal(await codeOf((async () => session.ask("status", null))()), "index.closed");
  session.close();
});
