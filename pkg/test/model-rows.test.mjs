// A query is embedded by the rows of its tokens, read from the model's file: answers are those of the whole model.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { before, test } from "node:test";

import { Portolan } from "portolan";

import { openSnapshot } from "../dist/reading/answering.js";
import { FileAssets } from "../dist/node/assets.js";
import { folderWith, SHOP } from "./fixture.mjs";

let snapshot;
before(async () => {
  const made = await Portolan.index(folderWith(SHOP));
  await made.complete;
  snapshot = await made.save();
  made.close();
});

/** With other ways to a model than the files have. */
const assets = (ways) => Object.assign(Object.create(new FileAssets()), ways);
const unread = { model: () => Promise.reject(new Error("read as a whole")) };

/** Everything that an explained answer says but its time. */
async function explained(index, query) {
  const { processing_time: millis, ...answer } = await index.ask("search", { query, explain: true });
  assert.ok(millis >= 0);
  return answer;
}

async function answers(files) {
  const index = await openSnapshot(files, snapshot);
  const found = [];
  for (const query of ["value added tax", "addTax", "getHTTPResponse2xx zzqqx", "日本語 round"])
    found.push(await explained(index, query));
  found.push(await index.ask("assemble", { query: "what a customer pays", max_tokens: 120 }));
  index.close();
  return found;
}

test("the package has what finds the rows, and answers are the same", async () => {
  assert.ok(existsSync(new URL("../model/lookup.bin", import.meta.url)));
  const rows = await answers(assets(unread));
  assert.deepEqual(rows, await answers(assets({ modelRows: undefined })));
  assert.ok(rows[0].mode === "hybrid" && rows[0].hits.some(({ explanation }) => explanation.vector_score > 0));
});

test("what finds rows of another file is left aside: the whole model is read", async () => {
  const { lookup, model } = new FileAssets().modelRows();
  for (const other of [
    { lookup, model: { ...model, n_bytes: model.n_bytes - 1 } },
    { lookup: lookup.subarray(0, 100), model },
  ]) {
    assert.deepEqual(
      await answers(assets({ modelRows: () => other })),
      await answers(assets({ modelRows: undefined })),
    );
  }
});

test("rows that cannot be read leave words and names", async () => {
  const { lookup, model } = new FileAssets().modelRows();
  const broken = {
    lookup,
    model: {
      n_bytes: model.n_bytes,
      read: () => {
        throw new Error("gone");
      },
    },
  };
  const [{ mode, hits }] = await answers(assets({ modelRows: () => broken }));
  assert.ok(mode === "lexical" && hits.length > 0);
});
