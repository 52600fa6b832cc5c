// Texts on their way to become vectors: each once, and no more under way than messages should hold.
import assert from "node:assert/strict";
import { test } from "node:test";

import { EmbedWorker } from "../dist/indexing/embedding.js";

const N_BATCH = 256;
const NEVER = new AbortController().signal;

/** A builder with texts that have no vector yet. */
function builderOf(n_texts) {
  const vectors = new Map();
  return {
    vectors,
    useEmbedder() {},
    setRows(keys, rows) {
      assert.equal(rows.length, keys.length);
      for (const key of keys) {
        assert.ok(!vectors.has(key), `text ${key} was embedded twice`);
        vectors.set(key, true);
      }
    },
    pendingEmbeddings(limit) {
      const keys = Array.from({ length: n_texts }, (_, n) => n).filter((n) => !vectors.has(n));
      const taken = keys.slice(0, limit);
      const batch = (n) => taken.slice(n * N_BATCH, (n + 1) * N_BATCH);
      return {
        nBatches: Math.ceil(taken.length / N_BATCH),
        keys: batch,
        texts: (n) => ({ bytes: new Uint8Array(1), ends: new Uint32Array(batch(n).length), free() {} }),
        free() {},
      };
    },
  };
}

test("all texts are embedded once, a few thousand at a time", async () => {
  const state = { now: 0, most: 0 };
  const embedding = {
    started: Promise.resolve({ name: "test", dimensions: 1 }),
    async embed({ ends }) {
      state.now += ends.length;
      state.most = Math.max(state.most, state.now);
      await new Promise((resolve) => setImmediate(resolve));
      state.now -= ends.length;
      return new Int8Array(ends.length);
    },
    close() {},
  };
  const builder = builderOf(40_000);
  const worker = new EmbedWorker({}, undefined, embedding);
  worker.ahead(builder);
  let [n_done, n_beside] = [0, 0];
  const step = () =>
    worker.step(
      builder,
      NEVER,
      (n) => (n_done += n),
      () => n_beside++,
    );
  while (await step());
  assert.equal(builder.vectors.size, 40_000);
  assert.equal(n_done, 40_000);
  assert.ok(n_beside > 0);
  assert.ok(state.most <= 8192 + N_BATCH, `${state.most} texts were under way`);
});
