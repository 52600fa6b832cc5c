// Documents from the graph: their statements are in the index, hostile texts stay text, and proposals are sound.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Portolan } from "portolan";
import { citationsOf, generate, KINDS, markdownOf, reparseWith } from "portolan/generate";

const shop = {
  "README.md": "# shop\n\nThe shop adds tax to orders and prints receipts for customers.\n",
  "package.json":
    '{\n  "name": "shop",\n  "description": "A shop for tests",\n  "scripts": {\n    "test": "node --test"\n  }\n}\n',
  "src/tax.ts": `/** Adds tax to an amount. */
export function addTax(amount: number): number {
  return round(amount * rate());
}

/** Rounds to cents. */
export function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** Returns the rate of tax. */
export function rate(): number {
  return 1.19;
}

// Was needed by the old receipts.
function formerRate(): number {
  return 1.16;
}

function add_discount(amount: number): number {
  return amount - 1;
}
`,
  "src/order.ts": `import { addTax } from "./tax.js";

const handlers: Record<string, unknown> = {};

/** Prints an [order](javascript:alert(1)) with tax. */
export function printOrder(amount: number): string {
  return "add_" in handlers ? "" : String(addTax(amount));
}

/** Sums up all orders. */
export function sumOrders(amounts: number[]): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount > 0) {
      sum += amount;
    }
  }
  return sum;
}
`,
  "src/bill.ts": `/** Sums up all bills. */
export function sumBills(amounts: number[]): number {
  let sum = 0;
  for (const amount of amounts) {
    if (amount > 0) {
      sum += amount;
    }
  }
  return sum;
}
`,
  "test/tax.test.ts": `import { addTax } from "../src/tax.js";

test("addTax rounds to cents", () => addTax(1));
test("a [link](javascript:alert(1)) to <img src=x> | *bold*", () => addTax(0));
`,
};

const bytes = (files) => Object.entries(files).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) }));

async function indexed(t, files = shop) {
  const index = await Portolan.index({ files: bytes(files) }, { name: "shop", embeddings: false });
  await index.complete;
  t.after(() => index.close());
  return index;
}

const statements = ({ sections }) =>
  sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => block.sentences ?? block.items ?? block.rows?.map((row) => row.flat()) ?? []);

test("every statement of every document cites a place that is in the index", async (t) => {
  const index = await indexed(t);
  for (const kind of KINDS) {
    const document = await generate(index, kind);
    assert.ok(document.sections.length > 0, kind);
    assert.equal(document.n_dropped, 0, kind);
    for (const statement of statements(document)) {
      const cited = citationsOf(statement);
      assert.ok(cited.length > 0, `${kind}: ${JSON.stringify(statement)}`);
      for (const { path, line } of cited) assert.ok(shop[path].split("\n").length >= line, `${path}:${line}`);
    }
  }
});

test("a statement whose citation the index does not confirm is left out", async (t) => {
  const index = await indexed(t);
  const lying = new Proxy(index, {
    get(target, name) {
      if (name === "outline") return async (path) => ({ path, symbols: [] });
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const document = await generate(lying, "stories");
  assert.ok(document.n_dropped > 0);
  assert.deepEqual(
    statements(document)
      .flatMap(citationsOf)
      .filter(({ holds }) => "symbol" in holds),
    [],
  );
});

test("texts of a repository never become markup", async (t) => {
  const index = await indexed(t);
  const text = markdownOf(await generate(index, "product"));
  assert.ok(text.includes(String.raw`“a \[link\](javascript:alert(1)) to \<img src=x\> \| \*bold\*”`), text);
  assert.match(text, /`printOrder`\]\([^)]*\): Prints an order with tax\./);
});

test("stories say who can do what, with the tests named after it", async (t) => {
  const text = markdownOf(await generate(await indexed(t), "stories"));
  assert.match(text, /As a developer, I can call \[`addTax`\]\(\.\/src\/tax\.ts#L2\), which adds tax to an amount\./);
  assert.match(text, /\[“addTax rounds to cents”\]\(\.\/test\/tax\.test\.ts#L3\)/);
});

test("a removal is proposed for what nothing uses, with a diff that parses", async (t) => {
  const document = await generate(await indexed(t), "refactor", { reparse: reparseWith(Portolan) });
  const diffs = document.sections.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === "diff");
  assert.deepEqual(
    diffs.map(({ path, checked }) => [path, checked]),
    [["src/tax.ts", true]],
  );
  assert.match(diffs[0].text, /^-\/\/ Was needed by the old receipts\.\n-function formerRate\(\): number \{/m);
  // `"add_"` in another file could be the beginning of its name.
  assert.doesNotMatch(diffs[0].text, /^-.*add_discount/m);
});

test("an edit that would not parse is not proposed", async (t) => {
  const reparse = async (edited) => new Set(edited.map(({ path }) => path));
  const document = await generate(await indexed(t), "refactor", { reparse });
  assert.deepEqual(
    document.sections.filter(({ id }) => id === "unused"),
    [],
  );
});

test("functions with the same code are found, whatever their names", async (t) => {
  const text = markdownOf(await generate(await indexed(t), "refactor"));
  assert.match(
    text,
    /`sumBills in src\/bill\.ts`.* and .*`sumOrders in src\/order\.ts`.* have the same nine lines of code/,
  );
});

test("a language model's sentences stay where they cite what the outline cites", async (t) => {
  const index = await indexed(t);
  const asked = [];
  const writer = {
    async *complete(messages) {
      asked.push(messages);
      yield "Tax is added by [`addTax`](./src/tax.ts#L2). The shop was founded in 1999. ";
      yield "It is stored in [a database](./src/database.ts#L1).\n\n- Read [this](https://example.org/).";
    },
  };
  const document = await generate(index, "stories", { writer });
  const chapter = document.sections.find(({ blocks }) => blocks.some(({ kind }) => kind === "paragraph"));
  assert.deepEqual(statements({ sections: [chapter] }).length, 1);
  const text = markdownOf(document);
  assert.match(text, /Tax is added by/);
  assert.doesNotMatch(text, /1999|database|example\.org/);
  assert.ok(document.n_dropped >= 3);
  assert.equal(asked[0][0].role, "system");
});

test("an aborted signal ends the work", async (t) => {
  const index = await indexed(t);
  await assert.rejects(generate(index, "guide", { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("an empty repository gives an empty document, not a failure", async (t) => {
  const index = await indexed(t, { "a.txt": "" });
  for (const kind of KINDS) assert.deepEqual(statements(await generate(index, kind)), [], kind);
});
