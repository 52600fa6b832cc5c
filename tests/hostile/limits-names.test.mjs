// Sources that make names expensive to resolve: each costs time in proportion to its size, and the index answers.
import assert from "node:assert/strict";
import { cpuUsage } from "node:process";
import { test } from "node:test";

import { Portolan } from "../../pkg/dist/entry/node.js";

const MAX_CPU_SECONDS = 60;
const times = (n, text) => Array.from({ length: n }, (_, at) => text(at)).join("");

/** The index of these files, and that it took less CPU time than a person would wait. */
async function indexed(files) {
  const before = cpuUsage();
  const encoder = new TextEncoder();
  const given = Object.entries(files).map(([path, text]) => ({ path, bytes: encoder.encode(text) }));
  const index = await Portolan.index({ files: given }, { embeddings: false });
  await index.complete;
  const { user, system } = cpuUsage(before);
  const seconds = (user + system) / 1e6;
  assert.ok(seconds < MAX_CPU_SECONDS, `${seconds} s`);
  return index;
}

async function calleesOf(index, symbol) {
  const { calls } = await index.callees({ symbol });
  return calls.map(({ symbol }) => symbol.name);
}

// Twelve minutes before questions had steps: the work grew with the fourth power of the number of modules.
test("three hundred modules that re-export all names of each other", async () => {
  const n = 300;
  const files = Object.fromEntries(
    Array.from({ length: n }, (_, at) => [
      `m${at}.ts`,
      `${times(n, (other) => (other === at ? "" : `export * from "./m${other}";\n`))}export function f${at}() { return g${at}(); }\n`,
    ]),
  );
  files["main.ts"] =
    `import { f7 } from "./m7";\nimport { missing } from "./m8";\nexport function main() { f7(); missing(); return helper(); }\nfunction helper() {}\n`;
  const index = await indexed(files);
  assert.deepEqual((await calleesOf(index, "main")).sort(), ["f7", "helper"]);
  index.close();
});

test("types that double with each alias, each call and each base", async () => {
  const index = await indexed({
    "alias.ts": `type T0 = { a: string };\n${times(60, (at) => `type T${at + 1} = [T${at}, T${at}];\n`)}export function alias(x: T60) { x[0][1].a.trim(); last(); }\nfunction last() {}\n`,
    "generic.rs": `fn pair<T: Clone>(x: T) -> (T, T) { (x.clone(), x) }\nfn generic() {\n    let x0 = String::new();\n${times(200, (at) => `    let x${at + 1} = pair(x${at});\n`)}    x200.0.1.len();\n}\n`,
    "diamond.py": `class A0:\n    def m(self): pass\nclass B0: pass\n${times(400, (at) => `class A${at + 1}(A${at}, B${at}): pass\nclass B${at + 1}(B${at}, A${at}): pass\n`)}def diamond(x: A400):\n    x.m()\n    x.missing()\n`,
    "chain.py": `class C0:\n    def deep(self): pass\n${times(20_000, (at) => `class C${at + 1}(C${at}): pass\n`)}`,
    "calls.py": `def f0(): return 1\n${times(30_000, (at) => `def f${at + 1}(): return f${at}()\n`)}f30000().m()\n`,
  });
  assert.deepEqual(await calleesOf(index, "alias"), ["last"]);
  assert.deepEqual(await calleesOf(index, "generic"), ["pair"]);
  index.close();
});
