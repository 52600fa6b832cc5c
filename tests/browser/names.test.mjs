// Every name of the code leads somewhere: cards, peeks, local names and words of the text; and the code view folds, keeps scopes in sight
// and marks other uses in the file.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, browse, clickCode, hoverCode, indexFolder, problemsOf, serve, tarOf } from "./harness.mjs";
import { accessible } from "./looks.mjs";

const call = "buildErrorHandler(this[kErrorHandler]";

/** A card is placed in a frame after it is drawn. */
async function placed(page) {
  await page.waitForTimeout(300);
  await accessible(page);
}

async function open(page, site, link) {
  await page.goto(`${site.url}#/f/${link}`);
  await page.locator(".cm-content .hl-keyword").first().waitFor();
}

for (const colorScheme of ["light", "dark"]) {
  test(`names and the code view in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    await page.goto(site.url);
    await indexFolder(page, "fastify");
    await allDone(page);

    await t.test("a card says what a name is, where it is defined and how sure that is", async () => {
      await open(page, site, "lib/fourOhFour.js?r=fastify&L=153");
      await hoverCode(page, call, "buildErrorHandler");
      const card = page.locator(".card");
      await card.waitFor();
      assert.match(await card.locator(".card-code").first().textContent(), /function buildErrorHandler/);
      assert.ok((await card.locator(".card-code .hl-keyword").count()) > 0, "the signature is coloured");
      assert.match(await card.textContent(), /lib\/error-handler\.js:145/);
      assert.match(await card.locator(".card-why").textContent(), /because/);
      await placed(page);
      await page.mouse.move(5, 5);
      await card.waitFor({ state: "detached" });
    });

    await t.test("a peek shows the definition's code in place, and Escape closes it", async () => {
      await clickCode(page, call, "buildErrorHandler", ["Alt"]);
      const peek = page.locator(".peek");
      await peek.locator(".cm-chosen", { hasText: "function buildErrorHandler" }).waitFor();
      await placed(page);
      await page.keyboard.press("Escape");
      await peek.waitFor({ state: "detached" });
      assert.ok(page.url().includes("fourOhFour.js"), "the reader is where they were");
    });

    await t.test("the uses of a definition are peeked at by keyboard, product code first", async () => {
      await open(page, site, "lib/error-handler.js?r=fastify&L=145");
      await clickCode(page, "function buildErrorHandler", "buildErrorHandler");
      await page.keyboard.press("Alt+Shift+F12");
      const items = page.locator(".peek-item");
      await items.first().waitFor();
      assert.ok((await items.count()) > 1);
      await page.keyboard.press("ArrowDown");
      await page.waitForFunction(() => document.querySelectorAll(".peek-item")[1]?.ariaCurrent === "true");
      await page.keyboard.press("Escape");
      await page.locator(".peek").waitFor({ state: "detached" });
    });

    await t.test("a parameter leads to its binding and an import names its package", async () => {
      await open(page, site, "lib/error-handler.js?r=fastify&L=30");
      await clickCode(page, "function handleError", "error");
      const card = page.locator(".card");
      await card.waitFor();
      assert.match(await card.textContent(), /is a parameter of this file/);
      await page.keyboard.press("Escape");
      await open(page, site, "fastify.js?r=fastify&L=454");
      await hoverCode(page, "const avvio = Avvio(fastify", "Avvio");
      await card.waitFor();
      assert.match(await card.textContent(), /'avvio'|imported from avvio/);
      await clickCode(page, "const avvio = Avvio(fastify", "Avvio");
      // Longer than the pointer rests before a card comes.
      await page.waitForTimeout(900);
      assert.equal(await card.count(), 1, "a click shows no second card over the one of the pointer");
      await page.keyboard.press("Escape");
    });

    await t.test("a name that nothing defines offers the matches of its text, labelled as such", async () => {
      await open(page, site, "lib/error-handler.js?r=fastify&L=46");
      await clickCode(page, "reply.raw.writeHead", "writeHead");
      const card = page.locator(".card");
      await card.waitFor();
      assert.match(await card.textContent(), /writeHead could not be resolved.*matches of the text/);
      await page.keyboard.press("Escape");
    });

    await t.test("the first line of a function stays in sight, and a click returns to it", async () => {
      await open(page, site, "fastify.js?r=fastify&L=300");
      const sticky = page.locator(".cm-sticky-row");
      await sticky.filter({ hasText: "function fastify" }).waitFor();
      await sticky.filter({ hasText: "function fastify" }).click();
      await page.waitForFunction(() => document.querySelector(".cm-sticky")?.hidden);
      await page.locator(".cm-activeLine", { hasText: "function fastify" }).waitFor();
    });

    await t.test("a block folds by keyboard and unfolds by a click", async () => {
      await page.keyboard.press("Control+Shift+[");
      const folded = page.getByRole("button", { name: "Unfold the hidden lines" });
      await folded.waitFor();
      await placed(page);
      await folded.click();
      await folded.waitFor({ state: "detached" });
    });

    await t.test("the ruler marks definitions and uses, and guides show the indent", async () => {
      await page.locator(".cm-ruler-definition").first().waitFor();
      assert.ok((await page.locator(".cm-guides").count()) > 5);
    });
    assert.deepEqual(problemsOf(page), []);
  });
}

test("ten thousand lines open, fold and scroll without waiting", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  const text = Array.from(
    { length: 2_000 },
    (_, at) => `export function f${at}(a) {\n  if (a) {\n    return f${at > 0 ? at - 1 : 0}(a - 1);\n  }\n}\n`,
  ).join("");
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles(tarOf("long", { "long.js": text }));
  await page.getByRole("heading", { level: 1, name: "long" }).waitFor();
  await allDone(page);
  await open(page, site, "long.js?r=long&L=9993");
  await page.locator(".cm-sticky-row, .cm-chosen").first().waitFor();
  assert.ok((await page.locator(".cm-line").count()) < 400, "only lines in sight are drawn");
  await page.locator(".cm-ruler-definition").first().waitFor();
  assert.ok((await page.locator(".cm-ruler span").count()) < 700, "marks are as many as rows of pixels");
  assert.deepEqual(problemsOf(page), []);
});
