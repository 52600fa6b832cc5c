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

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Controls that a finger may miss, each with its height. */
const lowOf = (page, selector) =>
  page.locator(selector).evaluateAll((all) =>
    all
      .filter((one) => one.checkVisibility())
      .map((one) => [one.getBoundingClientRect().height, one.outerHTML.slice(0, 90)])
      .filter(([height]) => height < 43.5),
  );

test("on a phone all that is pressed is 44 px high", async (t) => {
  const { site, page } = await start(t, phone);
  const low = (selector) => lowOf(page, selector);
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

/** View, its arguments, a field of its question, an option with its role, and the rows of 44 px that the question may take. */
const questions = [
  ["impact", "a.of=lib/error-handler.js%23buildErrorHandler", "Of", ["combobox", "Confidence"], 1],
  ["rename", "a.of=lib/error-handler.js%23buildErrorHandler&a.to=makeHandler", "to", ["textbox", "In paths"], 2],
  ["replace", "a.q=Object.create($A)&a.to=Object.create($A,+null)", "Find", ["combobox", "Language"], 2],
  ["flows", "", "Filter", ["combobox", "Begins with"], 1],
];
const rowHeight = 44;
const gap = 8;

for (const colorScheme of ["light", "dark"])
  test(`on a phone the options share the line of the question, in ${colorScheme} colours`, async (t) => {
    const { site, page } = await start(t, { ...phone, colorScheme });
    for (const [view, args, field, [role, name], nRows] of questions)
      await t.test(view, async () => {
        await page.goto(`${site.url}#/?r=fastify-5.6.1&v=${view}&${args}`);
        const options = page.getByRole("button", { name: /^Options/ });
        const option = page.getByRole(role, { name, exact: true });
        await page.locator(".view[aria-busy=false]").waitFor();
        await page.getByLabel(field, { exact: true }).waitFor();
        const { height } = await page.locator(".view-controls").boundingBox();
        assert.ok(height <= nRows * rowHeight + (nRows - 1) * gap + 1, `${height} px before the answer`);
        assert.equal(await option.isVisible(), false);
        await shot(page, `phone-${view}-${colorScheme}`);
        assert.equal(await options.getAttribute("aria-expanded"), "false");
        await options.press("Enter");
        await option.waitFor();
        assert.deepEqual(await lowOf(page, ".view-controls :is(input, select, textarea, button)"), []);
        await accessible(page, view);
        await shot(page, `phone-${view}-options-${colorScheme}`);
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth),
          390,
          "nothing is wider than the page",
        );
      });
    await t.test("a closed line says how many options are set", async () => {
      await page.goto(`${site.url}#/?r=fastify-5.6.1&v=impact&a.of=lib/error-handler.js%23buildErrorHandler&a.depth=2`);
      await page.getByRole("button", { name: "Options (1 set)" }).click();
      await page.getByRole("combobox", { name: "Confidence" }).selectOption("0.8");
      await page.getByRole("button", { name: "Options (2 set)" }).waitFor();
    });
    assert.deepEqual(problemsOf(page), []);
  });

test("where there is room the options are in sight, without a button", async (t) => {
  const { site, page } = await start(t);
  await page.goto(`${site.url}#/?r=fastify-5.6.1&v=impact&a.of=lib/error-handler.js%23buildErrorHandler`);
  await page.getByRole("combobox", { name: "Confidence" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Options/ }).isVisible(), false);
});
