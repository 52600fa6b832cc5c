// An index in shards opens in the page from its files, which are read where a question needs them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { allDone, browse, problemsOf, resultPaths, searchFor, serve } from "./harness.mjs";

const BIN = new URL("../../pkg/bin/portolan.js", import.meta.url).pathname;

/** Files of an index in shards of a shop whose two folders call each other. */
function shards(t) {
  const world = mkdtempSync(join(tmpdir(), "portolan-in-shards-"));
  t.after(() => rmSync(world, { recursive: true, force: true, maxRetries: 5 }));
  for (const area of ["cart", "tax", "stock"]) {
    mkdirSync(join(world, "shop", area), { recursive: true });
    const text = `import { rate } from "../tax/rate.js";\nexport function ${area}Total(net) {\n  return rate(net);\n}\n`;
    writeFileSync(join(world, "shop", area, `${area}.js`), text);
  }
  writeFileSync(
    join(world, "shop/tax/rate.js"),
    "/** The value added tax of a net price. */\nexport const rate = (net) => net * 1.2;\n",
  );
  const out = join(world, "out");
  mkdirSync(out);
  const args = [
    "index",
    join(world, "shop"),
    "-o",
    join(out, "shop.portolan"),
    "--shards",
    "3",
    "--engine",
    "wasm",
    "-q",
  ];
  execFileSync(process.execPath, [BIN, ...args]);
  return readdirSync(out)
    .filter((name) => name.endsWith(".portolan"))
    .map((name) => join(out, name));
}

test("root and shards are chosen together, and answer as one index", async (t) => {
  const files = shards(t);
  assert.ok(files.length > 2, "several shards");
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles(files);
  await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
  await allDone(page);
  await page.getByText("beside its root on your disk").waitFor();
  await searchFor(page, "value added tax");
  assert.equal((await resultPaths(page))[0], "tax/rate.js");
  await page.evaluate(() => (location.hash = "#/f/tax/rate.js?r=shop&sym=tax/rate.js%23rate"));
  for (const area of ["cart", "stock"]) await page.getByText(`${area}.js`).first().waitFor();
  assert.deepEqual(problemsOf(page), []);
});

test("shards that were not given are counted, and nothing is opened", async (t) => {
  const files = shards(t);
  const root = files.find((file) => file.endsWith("shop.portolan"));
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles([root]);
  await page.getByRole("alert").filter({ hasText: "of which 0 were given" }).waitFor();
});
