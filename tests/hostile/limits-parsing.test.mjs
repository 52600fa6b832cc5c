// Texts on which grammars explode: each costs a small part of the time that one could take, whatever else the machine does, and the
// others are indexed.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuUsage } from "node:process";
import { after, test } from "node:test";

import { Portolan } from "../../pkg/dist/entry/node.js";
import { zipOf } from "../../pkg/test/fixture.mjs";
import { watched } from "./watch.mjs";

/** More than six minutes before steps were compared with bytes; half of this on a machine of its own. */
const MAX_CPU_SECONDS = 120;
const FILE_BYTES = 2_000_000;
/** Files of each kind that explodes. */
const N_OF_EACH = 7;

/** Pieces that double the stacks of a parser, its repairs or the text that its scanner looks through. */
const EXPLOSIVE = {
  cpp: "a<b<(c)<",
  cs: "a<b,c<(d)>(e)<",
  swift: "a<b{c?:(",
  kt: "a<b>{c?.(d)<",
  scala: "a match{case b=>(c)=>",
  dart: "a<b>(c)=>{d<",
};
/** Pieces that leave a tree that is one error: its cost grows with the bytes, 12 µs for each of Haskell. One file of each. */
const FLAT = { hs: "do{a<-(if b then\n", rb: "a do |b| <<~X unless ", php: "fn($a)=>[$b<(" };

/** A repeated piece, in lines short enough not to count as minified code. */
function lines(piece, n_bytes) {
  const line = `${piece.repeat(Math.floor(9_000 / piece.length))}\n`;
  return line.repeat(Math.floor(n_bytes / line.length));
}

const folder = mkdtempSync(join(tmpdir(), "portolan-limits-parsing-"));
after(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

test("an archive of 45 files that explode costs little more than one of code", async () => {
  const files = { "good.ts": "export function harbour() { return pilot(); }\nfunction pilot() {}\n" };
  for (const [ending, piece] of Object.entries(EXPLOSIVE))
    for (let n = 0; n < N_OF_EACH; n++) files[`${ending}/f${n}.${ending}`] = `${lines(piece, FILE_BYTES)}x${n}\n`;
  for (const [ending, piece] of Object.entries(FLAT))
    files[`flat/f.${ending}`] = `${ending === "php" ? "<?php\n" : ""}${lines(piece, FILE_BYTES)}`;
  // An archive may unpack to fifty times its size.
  files["pad.bin"] = randomBytes(2_300_000);
  const archive = zipOf(files);
  await watched(folder, async () => {
    const before = cpuUsage();
    const index = await Portolan.index({ archive }, { embeddings: false, name: "bomb" });
    await index.complete;
    const { user, system } = cpuUsage(before);
    const seconds = (user + system) / 1e6;
    assert.ok(seconds < MAX_CPU_SECONDS, `${seconds} s of CPU time`);
    const status = await index.status();
    for (const ending of Object.keys(EXPLOSIVE)) {
      const cut = status.problems.filter(
        ({ path, message }) => path.startsWith(`${ending}/`) && /steps for \d+ bytes/.test(message),
      );
      assert.equal(cut.length, N_OF_EACH, `${ending}: ${JSON.stringify(status.problems.slice(0, 3))}`);
    }
    // All the others are as in an index without them, and those are searched as text.
    const { calls } = await index.callees({ symbol: "harbour" });
    assert.deepEqual(
      calls.map(({ symbol }) => symbol.name),
      ["pilot"],
    );
    assert.equal(status.n_files, 45 + 1);
    index.close();
  });
});
