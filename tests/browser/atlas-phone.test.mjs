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
