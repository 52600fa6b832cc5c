// The chunks of a file: their sizes and properties.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Portolan } from "portolan";

import { codeOf, folderWith, SHOP } from "./fixture.mjs";

const FILES = { "src/cart.ts": SHOP["src/cart.ts"], "src/tax.ts": SHOP["src/tax.ts"] };

const indexed = (chunks) => Portolan.index(folderWith(FILES), { embeddings: false, ...(chunks && { chunks }) });

test("a chunk tells where it stands, what it defines and what it uses", async () => {
  const index = await indexed({ target: 60, max: 120, min: 10 });
  const { path, language, chunks } = await index.chunks({ path: "src/cart.ts", embedding_text: true });
  assert.deepEqual([path, language], ["src/cart.ts", "typescript"]);
  const lines = SHOP["src/cart.ts"].split("\n").length - 1;
  const covered = chunks.flatMap(({ start_line, end_line }) =>
    Array.from({ length: end_line - start_line + 1 }, (_, idx) => start_line + idx),
  );
  assert.deepEqual(
    covered,
    Array.from({ length: lines }, (_, idx) => idx + 1),
    "every line once, in order",
  );
  const total = chunks.find(({ symbol }) => symbol?.qualified_name === "Cart.total");
  assert.deepEqual(total.scope, ["Cart", "total"]);
  assert.deepEqual(total.imports, [{ module: "./tax", name: "addTax", local: "addTax" }]);
  assert.ok(total.defines.some(({ name }) => name === "total"));
  assert.ok(total.complexity >= 1 && total.n_chars > 0 && /^[0-9a-f]{64}$/.test(total.hash) && total.node_kind !== "");
  assert.match(total.embedding_text, /^cart cart src\n[\s\S]*Cart total\ntypescript\n\.\/tax\n[\s\S]*return addTax/);
  assert.equal(await codeOf(index.chunks("nowhere.ts")), "file.not-found");
  index.close();
});

test("sizes of chunks are an option; sizes that contradict each other are refused", async () => {
  const [usual, small] = await Promise.all([indexed(), indexed({ target: 40 })]);
  const [few, many] = await Promise.all([usual, small].map(async (index) => (await index.status()).n_chunks));
  assert.ok(many > few, `${many} > ${few}`);
  usual.close();
  small.close();
  await assert.rejects(indexed({ target: 100, max: 50 }), {
    code: "options.invalid",
    message: /^chunk sizes 16 \(min\), 100 \(target\), 50 \(max\)/,
  });
});
