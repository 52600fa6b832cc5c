// Budgets of tokens hold for the tokenizers of language models, not only for our own count.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { encode as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { Portolan } from "portolan";

import { SHOP } from "./fixture.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Code of this repository in Rust and TypeScript, and the shop in the other languages. */
const OWN = [
  "crates/engine/src/ask/select.rs",
  "crates/engine/src/ask/trace.rs",
  "crates/search/src/signals.rs",
  "pkg/src/client.ts",
  "pkg/src/node/safe-folder.ts",
  "pkg/src/mcp/answer.ts",
  "www/src/app/app.ts",
  "docs/tools.md",
];
const tokensOf = (text) => Math.max(o200k(text).length, cl100k(text).length);

let index;
before(async () => {
  const own = OWN.flatMap((path) => {
    try {
      return [[path, readFileSync(join(ROOT, path))]];
    } catch {
      return [];
    }
  });
  assert.ok(own.length > 4);
  const shop = Object.entries(SHOP).map(([path, text]) => [path, new TextEncoder().encode(text)]);
  index = await Portolan.index(
    [...own, ...shop].map(([path, bytes]) => ({ path, bytes: new Uint8Array(bytes) })),
    { embeddings: false },
  );
});

test("a map has no more tokens than asked for", async () => {
  for (const max_tokens of [100, 300, 500, 1_000, 2_000]) {
    const { text, n_tokens, n_files } = await index.map({ max_tokens });
    assert.ok(n_tokens <= max_tokens && tokensOf(text) <= n_tokens, `${max_tokens}: ${n_tokens}, ${tokensOf(text)}`);
    assert.ok(n_files > 0 || max_tokens < 300, `${max_tokens}`);
  }
});

test("assembled code has no more tokens than asked for, and uses most of them", async () => {
  for (const query of ["which symbols a name selects", "open a folder without following links", "add tax to a cart"]) {
    for (const max_tokens of [1_000, 3_000]) {
      const { text, n_tokens } = await index.assemble({ query, max_tokens, min_share: 0 });
      const real = tokensOf(text);
      assert.ok(n_tokens <= max_tokens && real <= n_tokens, `${query}: ${n_tokens}, ${real} of ${max_tokens}`);
      assert.ok(real > max_tokens / 3, `${query}: ${real} of ${max_tokens}`);
    }
  }
});
