// The state of one run ends with the run: the next one starts fresh, and the earlier index answers until then.
import assert from "node:assert/strict";
import { test } from "node:test";

import { IndexingJob } from "../dist/indexing/indexing-job.js";
import { Session } from "../dist/indexing/session.js";
import { nodeSessionHost } from "../dist/node/session-host.js";
import { folderWith, SHOP } from "./fixture.mjs";

const OTHER = { "src/other.ts": "export function other() { return 1; }\n" };
const options = { embeddings: false };
const never = () => new AbortController().signal;

test("a cancelled run leaves the index before it; the next run replaces it", async () => {
  const session = new Session(nodeSessionHost());
  await session.make(folderWith(SHOP), options, never(), () => {});
  const names = async (symbol) => (await session.ask("find", { symbol })).symbols.map(({ name }) => name);
  assert.deepEqual(await names("addTax"), ["addTax"]);

  const end = new AbortController();
  const other = folderWith(OTHER);
  await assert.rejects(
    session.make(other, options, end.signal, () => end.abort()),
    { name: "AbortError" },
  );
  assert.deepEqual(await names("addTax"), ["addTax"]);

  await session.make(other, options, never(), () => {});
  assert.deepEqual(await names("other"), ["other"]);
  assert.deepEqual(await names("addTax"), []);
  session.close();
});

test("a run that ran out of memory takes less, and the run after it all of it again", async () => {
  const shares = [];
  const target = { recovery: { leavesVectorsOut: false } };
  class Full extends IndexingJob {
    async attempt() {
      shares.push(this.memoryShare);
      this.budget = { isLikelyOut: true, again: () => new Error("less") };
      if (shares.length < 3) throw new WebAssembly.RuntimeError("unreachable");
    }
  }
  const warnings = [];
  const emit = (event) => warnings.push(event.type);
  const job = () => new Full(target, "/nowhere", options, never(), emit);
  await job().run();
  await job().run();
  assert.deepEqual(shares, [1, 0.6, 0.36, 1]);
  assert.deepEqual(warnings, ["warning", "warning"]);
});
