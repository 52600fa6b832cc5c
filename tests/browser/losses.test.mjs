// A missing part costs itself and nothing else: a grammar, the model, room to save.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { GROW, LOOP, TRAP, withBodies } from "../../pkg/test/broken-grammar.mjs";
import { allDone, browse, openShield, resultPaths, searchFor, serve, tarball, tarOf } from "./harness.mjs";

/** How long a worker may be silent over a small file. */
const PATIENCE = 30_000;

/** Runs first in every script: timers of half a minute or more take a sixth of their time, and their original time is recorded. */
function sixTimesAsFast(patience) {
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (then, millis, ...given) => {
    if (!(millis >= patience)) return wait(then, millis, ...given);
    console.debug(`patience ${Math.round(millis)}`);
    return wait(then, millis / 6, ...given);
  };
}

async function indexExpress(page, site) {
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await allDone(page);
}

test("a grammar that cannot be fetched: its files are searched as text, and the page says so", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  await page.route("**/tree-sitter-javascript*", (route) => route.abort());
  await indexExpress(page, site);
  await page
    .locator(".notice", { hasText: /javascript/i })
    .first()
    .waitFor();
  await (await openShield(page)).getByRole("heading", { name: "Partly parsed files" }).waitFor();
  await searchFor(page, "createApplication");
  assert.ok((await resultPaths(page)).includes("lib/express.js"));
});

for (const [does, body] of [
  ["traps", TRAP],
  ["takes all memory", GROW],
]) {
  test(`a grammar that ${does}: its files are searched as text and listed, the others are read`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { serviceWorkers: "block" });
    const broken = Buffer.from(
      withBodies(readFileSync(new URL("../../pkg/grammars/tree-sitter-javascript.wasm", import.meta.url)), body),
    );
    await page.route("**/tree-sitter-javascript*", (route) =>
      route.fulfill({ body: broken, contentType: "application/wasm" }),
    );
    await indexExpress(page, site);
    await (await openShield(page)).getByRole("heading", { name: "Partly parsed files" }).waitFor();
    await searchFor(page, "createApplication");
    assert.ok((await resultPaths(page)).includes("lib/express.js"));
    await searchFor(page, "Philosophy");
    assert.equal((await resultPaths(page))[0], "Readme.md", "sections of a document are read");
  });
}

test("a grammar that never ends: its file is given up after half a minute, searched as text and listed, the others are read", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  const asked = [];
  page.on("console", (message) => asked.push(Number(/^patience (\d+)$/.exec(message.text())?.[1])));
  // Workers have no init scripts: theirs is added to the response.
  await page.route(/assets\/.*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `(${sixTimesAsFast})(${PATIENCE});\n${await response.text()}` });
  });
  const endless = Buffer.from(
    withBodies(readFileSync(new URL("../../pkg/grammars/tree-sitter-javascript.wasm", import.meta.url)), LOOP),
  );
  await page.route("**/tree-sitter-javascript*", (route) =>
    route.fulfill({ body: endless, contentType: "application/wasm" }),
  );
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles(
    tarOf("shop", {
      "src/tax.js": "export function addTax(net) {\n  return net * 1.2;\n}\n",
      "src/total.py": "def total(nets):\n    return sum(nets)\n",
    }),
  );
  await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
  await allDone(page);
  await (await openShield(page)).getByRole("heading", { name: "Partly parsed files" }).waitFor();
  await page.locator(".long-list summary", { hasText: "1 place" }).click();
  await page.locator(".long-list li", { hasText: "src/tax.js" }).getByText("no answer").waitFor();
  assert.ok(
    asked.some((millis) => millis >= PATIENCE && millis < PATIENCE * 1.1),
    `asked for ${asked} ms`,
  );
  await searchFor(page, "addTax");
  assert.equal((await resultPaths(page))[0], "src/tax.js");
  await page.goto(`${site.url}#/f/src/total.py?r=shop&sym=src/total.py%23total`);
  await page.getByRole("region", { name: "Symbol" }).getByText("def total(nets)").waitFor();
});

test("a model that cannot be fetched: words and names still answer, and the page says so", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  await page.route("**/code-embed-*", (route) => route.abort());
  await indexExpress(page, site);
  await page
    .locator(".notice", { hasText: /vectors|model/i })
    .first()
    .waitFor();
  await searchFor(page, "createApplication");
  assert.equal((await resultPaths(page))[0], "lib/express.js");
  assert.match(await page.locator(".results-summary").textContent(), /by words/);
});

test("no room to save: the index works in memory, what was saved before stays, and the page says so", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  await page.goto(site.url);
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", { origin: new URL(site.url).origin, quotaSize: 700_000 });
  await indexExpress(page, site);
  await page.getByRole("link", { name: "Portolan" }).click();
  await page.locator("input[name=archive]").setInputFiles(tarball("fastify"));
  await page.getByRole("heading", { level: 1, name: "fastify-5.6.1" }).waitFor();
  await allDone(page);
  await page.getByText("There was no space left to save the index").waitFor();
  await searchFor(page, "buildErrorHandler");
  assert.equal((await resultPaths(page))[0], "lib/error-handler.js");
  await page.getByRole("link", { name: "Portolan" }).click();
  await page.locator(".saved-list li", { hasText: "express-5.1.0" }).waitFor();
  await page.locator(".saved-list li", { hasText: "open in this tab only" }).waitFor();
});
