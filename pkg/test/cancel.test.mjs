// AbortSignal: before the start, on the way, and after the index is usable.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Portolan } from "portolan";

import { codeOf, folderWith } from "./fixture.mjs";

const many = Object.fromEntries(
  Array.from({ length: 400 }, (_, n) => [
    `f${n}.ts`,
    `export function f${n}(a: number) { return g(a, ${n}); }\n`.repeat(20),
  ]),
);

test("aborted before the start", async () => {
  assert.equal(await codeOf(Portolan.index(folderWith({}), { signal: AbortSignal.abort() })), "aborted");
});

test("aborted on the way: the promise rejects soon", async () => {
  const controller = new AbortController();
  const seen = [];
  const started = Portolan.index(folderWith(many), {
    signal: controller.signal,
    onProgress: ({ phase }) => {
      seen.push(phase);
      if (phase === "parsing") controller.abort();
    },
  });
  const error = await started.catch((error) => error);
  assert.equal(error.name, "AbortError");
  assert.equal(error.code, "aborted");
  assert.ok(!seen.includes("embedding"));
});

test("aborted when it is usable: vectors are given up, the index stays", async () => {
  const controller = new AbortController();
  const index = await Portolan.index(folderWith(many), { signal: controller.signal });
  controller.abort();
  const outcome = await codeOf(index.complete);
  assert.ok(outcome === "aborted" || outcome === "none", outcome);
  assert.equal((await index.status()).n_files, 400);
  index.close();
});
