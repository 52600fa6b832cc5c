// `close()`: harmless however often it is called, and whatever is asked afterwards is refused with a code.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Portolan, PortolanError } from "portolan";

import { SHOP } from "./fixture.mjs";

const FILES = Object.entries(SHOP)
  .filter(([path]) => path.startsWith("src/"))
  .map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));

async function built() {
  const index = await Portolan.index({ files: FILES }, { name: "shop", workers: 1 });
  await index.complete;
  return index;
}

/** Every way to use an index. */
const USES = {
  search: (index) => index.search("value added tax"),
  similar: (index) => index.ask("find_similar_code", { symbol: "addTax" }),
  highlights: (index) => index.highlights("src/tax.ts"),
  locals: (index) => index.locals("src/tax.ts"),
  structural: (index) => index.structural("addTax($A)"),
  edges: (index) => index.edges(),
  save: (index) => index.save(),
  keep: (index) => index.keep("shop"),
  update: (index) => index.update({ files: FILES }),
  watch: (index) => index.watch(),
};

async function refusesAll(index) {
  for (const [name, use] of Object.entries(USES)) {
    const error = await use(index).then(
      () => assert.fail(`${name} was answered`),
      (error) => error,
    );
    assert.ok(error instanceof PortolanError, `${name}: ${error}`);
    assert.equal(error.code, "index.closed", name);
    assert.notEqual(error.help, "", name);
  }
}

test("an index that was made, and one that was opened in this thread: closed twice, then asked", async () => {
  const index = await built();
  const opened = await Portolan.open(await index.save());
  for (const one of [index, opened]) {
    one.close();
    one.close();
    one[Symbol.dispose]();
    await refusesAll(one);
  }
});

test("closing while a question waits for the model refuses that question", async () => {
  const index = await built();
  const opened = await Portolan.open(await index.save());
  index.close();
  const asked = Promise.allSettled([opened.search({ query: "tax", mode: "vector" }), opened.search("tax")]);
  opened.close();
  for (const { status, reason } of await asked) {
    if (status === "rejected") assert.equal(reason.code, "index.closed", String(reason));
  }
  assert.ok((await asked).some(({ status }) => status === "rejected"));
});

test("of two open indexes one can be closed without the other", async () => {
  const index = await built();
  const bytes = await index.save();
  index.close();
  const [first, second] = await Promise.all([Portolan.open(bytes), Portolan.open(bytes)]);
  first.close();
  first.close();
  assert.equal((await second.find("addTax")).symbols[0].path, "src/tax.ts");
  second.close();
});
