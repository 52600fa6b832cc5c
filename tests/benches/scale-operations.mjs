// Counts what requests to a server of shared indexes cost: operations of an R2 bucket (miniflare's, in this process) and processor time, over
// the handler and the wasm of the Worker.

import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { SharedClient } from "../../pkg/dist/shared/client.js";
import { Cutter } from "../../pkg/dist/shared/cutter.js";
import {
  Access,
  createToken,
  MemoryLimiter,
  R2Store,
  sharedServer,
  TokenList,
  Versions,
} from "../../pkg/dist/entry/shared.js";
import { ROOT, withBucket } from "../../tools/edge/workerd.mjs";

const REPOSITORY = "this/repository";
const N_WARM = 200;
const N_COLD = 5;
const MANY = { per_minute: 1e9, burst: 1e9 };

/** Figures for `month` of scale-model.mjs, of one version and the next one. */
export async function measureOperations(before, now, query) {
  const state = mkdtempSync(join(tmpdir(), "portolan-operations-"));
  try {
    return await withBucket(state, (bucket) => counted(bucket, before, now, query));
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

async function counted(bucket, before, now, query) {
  const count = { a: 0, b: 0, requests: 0 };
  const kinds = { put: "a", list: "a", get: "b", head: "b" };
  const counting = new Proxy(bucket, {
    get(target, name) {
      const method = target[name];
      if (typeof method !== "function") return method;
      return (...args) => {
        if (kinds[name]) count[kinds[name]]++;
        return method.apply(target, args);
      };
    },
  });
  const { handle, token, memory } = await server(counting);
  const fetcher = (url, init) => {
    count.requests++;
    return handle(new Request(url, init));
  };
  const during = async (work) => {
    const start = { ...count };
    await work();
    return Object.fromEntries(Object.entries(count).map(([name, n]) => [name, n - start[name]]));
  };
  const client = (name = REPOSITORY) => new SharedClient({ server: "http://localhost", token }, name, fetcher);
  const ask = async (name) => {
    const url = `http://localhost/v1/search?repo=${name}&q=${encodeURIComponent(query)}`;
    const response = await fetcher(url, { headers: { authorization: `Bearer ${token}` } });
    if (response.status !== 200) throw new Error(await response.text());
    await response.arrayBuffer();
  };
  await push(client(), before, "1");
  const start = process.cpuUsage();
  let sent;
  const pushed = await during(async () => (sent = await push(client(), now, "2")));
  const cpu_push = milliseconds(start) / pushed.requests;
  const { n_chunks } = await status(fetcher, token);
  const pulled = await during(() => pull(client()));
  const n_memory = memory();
  let cold = { a: 0, b: 0 };
  let cpu_cold = 0;
  for (let n = 0; n < N_COLD; n++) {
    await push(client(`cold/${n}`), now, `${n}`);
    const begun = process.cpuUsage();
    cold = await during(() => ask(`cold/${n}`));
    cpu_cold += milliseconds(begun) / N_COLD;
  }
  const needed_bytes = (memory() - n_memory) / N_COLD;
  const begun = process.cpuUsage();
  const warm = await during(async () => {
    for (let n = 0; n < N_WARM; n++) await ask("cold/0");
  });
  const list = await during(async () => {
    const response = await fetcher("http://localhost/v1/repos", { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
  });
  return {
    chunks: n_chunks,
    bytes: now.length,
    new_bytes: sent,
    needed_bytes,
    list: { each: list.b / (N_COLD + 1), pages: list.a },
    push: pushed,
    pull: pulled,
    cold,
    warm: { a: warm.a / N_WARM, b: warm.b / N_WARM },
    cpu_ms: { warm: milliseconds(begun) / N_WARM, cold: cpu_cold, other: cpu_push },
  };
}

async function server(bucket) {
  const place = (file) => pathToFileURL(join(ROOT, "pkg/edge", file)).href;
  const { initSync } = await import(place("wasm/edge.js"));
  const wasm = initSync({ module: new WebAssembly.Module(readFileSync(join(ROOT, "pkg/edge/wasm/edge_bg.wasm"))) });
  const { default: answers } = await import(place("answers.mjs"));
  const store = new R2Store(bucket);
  const { token } = await createToken(store, { name: "bench", scope: "admin", repositories: ["**"] });
  const context = { waitUntil: (work) => void work.catch(() => {}) };
  // As deployed, but nothing is closed: the memory that each further index takes is measured.
  const env = { MAX_SNAPSHOT_BYTES: String(2 ** 30), REFRESH_SECONDS: "60" };
  const handle = sharedServer({
    versions: new Versions(store),
    access: new Access({ tokens: new TokenList(store) }),
    limiter: new MemoryLimiter(),
    tools: (request, given, mayRead) => answers.fetch(request, { ...env, SNAPSHOTS: given, mayRead }, context),
    others: bucket,
    origins: [],
    audit: () => {},
    complain: (error) => console.error(error),
    rates: { principal: MANY, stranger: MANY },
  });
  return { handle, token, memory: () => wasm.memory.buffer.byteLength };
}

/** As `portolan push` does it. Returns the bytes of pieces that were sent. */
async function push(client, file, name) {
  const cutter = new Cutter(file.length);
  const pieces = [...cutter.push(new Uint8Array(file))].map(({ part, bytes }) => {
    const copy = Uint8Array.from(bytes);
    return { part, bytes: copy, digest: createHash("sha256").update(copy).digest("hex") };
  });
  const sections = cutter.layout.parts.map((own, at) => ({
    ...own,
    pieces: pieces.filter(({ part }) => part === at).map(({ digest, bytes }) => ({ digest, n_bytes: bytes.length })),
  }));
  const request = { n_bytes: file.length, sections, source: { commit: name.padStart(40, "0") } };
  const { missing } = await client.offer(request);
  const wanted = new Map(pieces.map(({ digest, bytes }) => [digest, bytes]));
  for (const digest of missing) await client.putPiece(digest, wanted.get(digest));
  if (missing.length > 0) await client.offer(request);
  return missing.reduce((sum, digest) => sum + wanted.get(digest).length, 0);
}

/** As `portolan pull` into a fresh clone does it. */
async function pull(client) {
  const manifest = await client.manifest("current");
  let offset = 0;
  const placed = manifest.sections.flatMap(({ pieces }) =>
    pieces.map((piece) => {
      const own = { ...piece, offset };
      offset += piece.n_bytes;
      return own;
    }),
  );
  await client.pieces(manifest.id, placed, async () => {});
}

async function status(fetcher, token) {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetcher(`http://localhost/v1/status?repo=${REPOSITORY}`, { headers })).json();
}

function milliseconds(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
