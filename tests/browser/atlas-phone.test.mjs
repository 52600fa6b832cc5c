// The atlas on a phone: the map has most of the screen, its options are behind one button, and all of them can be pressed by a finger.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, askAtlas, browse, indexFolder, problemsOf, serve } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

for (const colorScheme of ["light", "dark"]) {
  test(`the atlas on a phone, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { ...phone, colorScheme });
    await page.goto(site.url);
    await indexFolder(page, "fastify");
    await allDone(page);
    await askAtlas(page, { as: "graph" });
    const drawing = page.locator(".atlas-drawing");
    await drawing.locator("canvas").first().waitFor();
    const options = page.getByRole("button", { name: "Options" });
    const relations = page.getByText("All relations");

    await t.test("the map begins in the first quarter and is in sight to the end of the screen", async () => {
      const { y, height } = await drawing.boundingBox();
      assert.ok(y < 844 / 4, `begins at ${y}`);
      assert.ok(height > 844 / 2 && y + height < 844, `${height} px from ${y}`);
      assert.equal(await relations.isVisible(), false);
      await shot(page, `phone-atlas-graph-${colorScheme}`);
      await accessible(page, "the atlas on a phone");
    });

    await t.test("options open and close, and each is 44 px high", async () => {
      await options.tap();
      await relations.tap();
      await page.getByLabel("calls", { exact: true }).waitFor();
      const low = await page
        .locator(".atlas-controls :is(a, button, select, summary, label:has(input[type=checkbox]))")
        .evaluateAll((all) =>
          all.flatMap((one) => {
            const { height } = one.getBoundingClientRect();
            return height >= 44 ? [] : [`${one.textContent}: ${height}`];
          }),
        );
      assert.deepEqual(low, []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} px too wide`);
      await shot(page, `phone-atlas-options-${colorScheme}`);
      await accessible(page, "the options of the atlas on a phone");
      await page.getByRole("combobox", { name: "Colour" }).selectOption("tests");
      await page.locator(".atlas-legend, .atlas-side").first().waitFor();
      assert.match(page.url(), /a\.by=tests/);
      await options.tap();
      assert.equal(await relations.isVisible(), false);
    });
    assert.deepEqual(problemsOf(page), []);
  });
}

test("on a wide screen the options are beside the forms, without a button", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await indexFolder(page, "express");
  await askAtlas(page, { as: "graph" });
  await page.getByText("All relations").waitFor();
  assert.equal(await page.getByRole("button", { name: "Options" }).isVisible(), false);
});

test("what fingers press in the work views is 44 px high, and no row is wider than the screen", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, phone);
  await page.goto(site.url);
  await indexFolder(page, "fastify");
  await allDone(page);
  const views = {
    "atlas&a.as=table": ".atlas-table thead button",
    "impact&a.of=lib/reply.js%23Reply": ".row-open",
    cypher: "summary.card-head",
    changes: ".changes-host input",
    flows: ".view .flow",
  };
  for (const [view, ready] of Object.entries(views)) {
    await page.goto(`${site.url}#/?r=fastify&v=${view}`);
    await page.locator(ready).first().waitFor();
    const options = page.locator(".view-options-button");
    if (await options.isVisible()) await options.click();
    const pressed = "button, select, summary, input:not([type=checkbox], [type=file])";
    const low = await page.locator(`main :is(${pressed})`).evaluateAll((all) =>
      all.flatMap((one) => {
        const { height } = one.getBoundingClientRect();
        return height === 0 || height >= 44 ? [] : [`${one.className} ${one.textContent}: ${height}`];
      }),
    );
    assert.deepEqual(low, [], view);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${view} is ${wide} px too wide`);
    if (view.startsWith("impact")) {
      // The name is beside its sign: rows whose name fell below looked broken.
      const [sign, name] = await page
        .locator(".row:has(.row-open)")
        .evaluateAll((rows) =>
          rows.map((row) =>
            [".kind, .row-open", ".row-name"].map((part) => row.querySelector(part).getBoundingClientRect()),
          ),
        )
        .then((rows) => rows.map((row) => row.map(({ y, height }) => y + height / 2)))
        .then((rows) =>
          rows.reduce((worst, row) => (Math.abs(row[0] - row[1]) > Math.abs(worst[0] - worst[1]) ? row : worst)),
        );
      assert.ok(Math.abs(sign - name) < 8, `sign at ${sign}, name at ${name}`);
      await shot(page, "phone-impact");
    }
  }
  assert.deepEqual(problemsOf(page), []);
});
