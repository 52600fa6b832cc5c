// Results can be narrowed, their code has colours, and a finger hits what it means.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, answered, browse, problemsOf, resultPaths, searchFor, serve, tarball } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

async function start(t, options) {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, options);
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles(tarball("fastify"));
  await page.getByRole("heading", { level: 1, name: "fastify-5.6.1" }).waitFor();
  await allDone(page);
  return { site, page };
}

for (const colorScheme of ["light", "dark"])
  test(`results narrowed by folder, kind and tests, with colours, in ${colorScheme} colours`, async (t) => {
    const { page } = await start(t, { colorScheme });
    const query = "error handler";
    await searchFor(page, query);
    const facets = page.getByRole("group", { name: "Narrow the results" });
    const all = await resultPaths(page);
    assert.ok(all.some((path) => /test/.test(path)) && all.some((path) => path.startsWith("lib/")), all.join("\n"));

    await t.test("folder", async () => {
      await facets.getByRole("button", { name: /^lib\// }).click();
      await page.waitForFunction(() =>
        [...document.querySelectorAll(".result-path a")].every(({ title }) => title.startsWith("lib/")),
      );
      assert.match(page.url(), /in=lib/);
      assert.equal(await page.getByLabel("In paths").inputValue(), "lib/**");
      await facets.getByRole("button", { name: /^lib\//, pressed: true }).click();
      await page.waitForFunction(() => document.querySelector("input[placeholder^=src]").value === "");
    });

    await t.test("without tests", async () => {
      await answered(page, query);
      await facets.getByRole("button", { name: /^Without tests/ }).click();
      await page.waitForFunction(() => {
        const links = [...document.querySelectorAll(".result-path a")];
        return links.length > 0 && links.every(({ title }) => !/test/.test(title));
      });
      await facets.getByRole("button", { name: /^Without tests/, pressed: true }).click();
    });

    await t.test("kind, and back by its button", async () => {
      await answered(page, query);
      await facets.getByRole("button", { name: /^function/ }).click();
      await page.waitForURL(/k=function/);
      await answered(page, query);
      assert.ok((await resultPaths(page)).length > 0);
    });

    await t.test("colours", async () => {
      await page.locator(".snippet .hl-keyword").first().waitFor();
      assert.ok((await page.locator(".snippet mark").count()) > 0, "marks stay");
      await accessible(page);
      await shot(page, `results-${colorScheme}`);
    });
    assert.deepEqual(problemsOf(page), []);
  });

test("on a phone all that is pressed is 44 px high", async (t) => {
  const { site, page } = await start(t, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const low = (selector) =>
    page.locator(selector).evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility())
        .map((one) => [one.getBoundingClientRect().height, one.outerHTML.slice(0, 90)])
        .filter(([height]) => height < 43.5),
    );
  await shot(page, "phone-overview");
  await page.locator(".short a").first().waitFor();
  assert.deepEqual(await low(".short a, .suggestions a, .overview-ways a, .overview .button, .footer-privacy"), []);
  await page.locator(".footer-privacy").click();
  await page.getByRole("dialog", { name: "Privacy and index" }).waitFor();
  assert.deepEqual(await low(".shield-host summary, .shield .icon-button"), []);
  await shot(page, "phone-shield");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Files" }).click();
  await page.getByRole("treeitem").first().waitFor();
  assert.deepEqual(await low(".tree-row, .tabs-list button"), []);
  await shot(page, "phone-files");
  await page.goto(`${site.url}#/?r=fastify-5.6.1&q=error+handler`);
  await answered(page, "error handler");
  assert.deepEqual(await low(".result-path a, .passage-link, .why-button, .toggle, .header .icon-button"), []);
  await shot(page, "phone-results");
  await page.goto(
    `${site.url}#/f/lib/error-handler.js?r=fastify-5.6.1&L=145&sym=lib/error-handler.js%23buildErrorHandler`,
  );
  await page.getByRole("button", { name: "Symbol" }).click();
  await page.locator(".use, .call-link").first().waitFor();
  assert.deepEqual(await low(".use, .call-link, .symbol .icon-button"), []);
  await shot(page, "phone-symbol");
  await page.goto(`${site.url}#/`);
  await page.locator(".saved-list li").first().waitFor();
  assert.deepEqual(await low(".button, .saved-link, .saved-list .icon-button"), []);
  await shot(page, "phone-start");
});
