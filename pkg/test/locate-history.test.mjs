// Places of a text with the history of the repository: asked twice where it is read, told where it is not.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Portolan } from "portolan";

import { locateWithHistory } from "../dist/reading/locate-history.js";
import { folderWith, SHOP } from "./fixture.mjs";

/** As a history lists a partner. */
const TAX = { path: "src/tax.ts", support: 4, confidence: 0.8, reverse: 0.5 };
const REQUEST = { text: "the cart is empty", limit: 3, max_tokens: 900 };

/** Asks with a history in this state; gives the answer and the requests that the engine got. */
async function asked(state) {
  const requests = [];
  const locate = async (request) => {
    requests.push(request);
    return { files: [{ path: "src/cart.ts" }, { path: "src/new.ts" }], n_tokens: 1 };
  };
  const changes = {
    state: async () => state,
    partners: async (path) => (path === "src/cart.ts" ? [TAX] : undefined),
  };
  return { answer: await locateWithHistory(locate, changes, REQUEST), requests };
}

test("the partners of the first answer's files go into the second question", async () => {
  const { answer, requests } = await asked("read");
  assert.equal(answer.with_history, true);
  const [first, second] = requests;
  assert.deepEqual([first.code, first.function_limit, first.together], [false, 0, undefined]);
  assert.deepEqual(second, {
    ...REQUEST,
    together: [
      { path: "src/cart.ts", files: [TAX] },
      { path: "src/new.ts", files: [] },
    ],
  });
});

test("a history that is late is told; one that is not there is not", async () => {
  const late = await asked("late");
  assert.deepEqual([late.answer.with_history, late.requests], [false, [REQUEST]]);
  const none = await asked("none");
  assert.deepEqual(["with_history" in none.answer, none.requests], [false, [REQUEST]]);
});

test("the index takes partners as a clue, and only so many", async (t) => {
  const made = await Portolan.index(folderWith(SHOP), { embeddings: false });
  const index = await Portolan.open(await made.save());
  made.close();
  t.after(() => index.close());
  const located = async (files) => {
    const request = { text: "rounding is wrong in src/tax.ts", together: [{ path: "src/tax.ts", files }] };
    return (await index.locate(request)).files;
  };
  const partner = (path) => ({ path, support: 4, confidence: 0.9 });
  const scoreOf = (files, wanted) => files.find(({ path }) => path === wanted)?.score ?? 0;
  const [without, found] = [await located([]), await located([partner("README.md"), partner("gone.ts")])];
  assert.equal(scoreOf(found, "src/tax.ts"), scoreOf(without, "src/tax.ts"));
  assert.ok(scoreOf(found, "README.md") > scoreOf(without, "README.md"), JSON.stringify(found));
  assert.match(found.find(({ path }) => path === "README.md").why.join(), /together: src\/tax\.ts/);
  const many = Array.from({ length: 101 }, (_, n) => partner(`${n}.ts`));
  await assert.rejects(located(many), { code: "query.invalid" });
});
