// The atlas: boxes, graph and table of a real repository in both themes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { allDone, browse, indexFolder, problemsOf, serve, askAtlas } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

const view = (page) => page.getByRole("region", { name: "Atlas", exact: true });
const chosen = (page) => page.getByRole("region", { name: "Chosen" });

/** Clicks places of the picture, from its middle outwards, until one has a thing. */
async function clickThing(page) {
  const box = await page.locator(".atlas-host").boundingBox();
  for (let turn = 0; turn < 120; turn += 1) {
    const away = Math.sqrt(turn) * 15;
    const [x, y] = [Math.cos(turn * 2.4) * away, Math.sin(turn * 2.4) * away];
    await page.mouse.click(box.x + box.width / 2 + x, box.y + box.height / 2 + y);
    if ((await chosen(page).count()) > 0) return;
    await page.waitForTimeout(30);
  }
  assert.fail("no thing of the picture could be clicked");
}

/** Chooses a format and returns the file that the browser saves. */
async function saved(page, format) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("combobox", { name: "Save as" }).selectOption(format),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

for (const colorScheme of ["light", "dark"]) {
  test(`the atlas of a repository, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme, acceptDownloads: true });
    await page.goto(site.url);
    await indexFolder(page, "fastify");
    await allDone(page);

    await t.test("boxes are folders and files, and lead into both", async () => {
      await page.keyboard.press("g");
      await view(page).locator(".atlas-leaf").first().waitFor();
      assert.ok((await view(page).locator(".atlas-leaf").count()) > 100);
      await shot(page, `atlas-boxes-${colorScheme}`);
      await accessible(page, "boxes");
      await view(page).getByRole("combobox", { name: "Colour" }).selectOption("complexity");
      await view(page).getByText("many branches", { exact: true }).waitFor();
      await view(page)
        .locator(".atlas-folder")
        .first()
        .click({ position: { x: 8, y: 6 } });
      await page.waitForURL(/a\.folder=/);
      await page.goBack();
    });

    await t.test("the table has the same contents, is sorted, and leads to files and their definitions", async () => {
      await askAtlas(page, { as: "table", level: "files" });
      const table = view(page).getByRole("table");
      await table.getByRole("button", { name: "Complexity" }).click();
      const [first, second] = await table.locator("tbody tr td:nth-child(6)").allInnerTexts();
      assert.ok(Number(first.replace(",", "")) >= Number(second.replace(",", "")), `${first} ${second}`);
      await accessible(page, "table");
      await shot(page, `atlas-table-${colorScheme}`);
      await table.locator("tbody a").first().focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/a\.file=/);
      await view(page).getByRole("button", { name: "Kind" }).waitFor();
    });

    await t.test("the graph begins with areas; a click leads to files, definitions and a neighbourhood", async () => {
      // Without a graphics card the page draws on a canvas; WebGL has to be asked for.
      const draw = colorScheme === "light" ? { draw: "webgl" } : {};
      await askAtlas(page, { as: "graph", ...draw });
      await page.locator(`.atlas-host[data-renderer=${draw.draw ?? "canvas"}]`).waitFor();
      await page.waitForTimeout(400);
      await shot(page, `atlas-areas-${colorScheme}`);
      await clickThing(page);
      await accessible(page, "areas");
      await chosen(page).getByRole("link", { name: "Show its files" }).click();
      await page.waitForURL(/a\.area=/);
      await chosen(page).waitFor({ state: "detached" });
      await page.waitForTimeout(400);
      await clickThing(page);
      await shot(page, `atlas-files-${colorScheme}`);
      await chosen(page).getByRole("link", { name: "Show its definitions" }).click();
      await page.waitForURL(/a\.file=/);
      await page.waitForTimeout(400);
      await shot(page, `atlas-definitions-${colorScheme}`);
    });

    await t.test("a neighbourhood grows by click, and two symbols are pinned for their paths", async () => {
      await askAtlas(page, { of: "lib/route.js#buildRouting" });
      const list = view(page).locator(".atlas-list button");
      await list.first().waitFor();
      const before = await list.count();
      await list.filter({ hasNotText: "opened" }).first().click();
      await page.waitForFunction((n) => document.querySelectorAll(".atlas-list button").length > n, before);
      await page.waitForTimeout(300);
      await shot(page, `atlas-around-${colorScheme}`);
      await accessible(page, "neighbourhood");
      await askAtlas(page, { from: "fastify.js#fastify", to: "lib/route.js#buildRouting" });
      const drawing = view(page).locator(".layered svg");
      await drawing.waitFor();
      await shot(page, `atlas-paths-${colorScheme}`);
      await accessible(page, "paths");
      await drawing.locator("a").last().focus();
      await page.keyboard.press("Enter");
      await page.locator(".cm-chosen").first().waitFor();
      await page.goBack();
    });

    await t.test("relations and confidence are filters in the link", async () => {
      await askAtlas(page, { as: "graph", level: "files" });
      const figures = view(page).locator(".atlas-figures");
      await figures.waitFor();
      await view(page).getByText("All relations").click();
      await view(page).getByRole("checkbox", { name: "imports" }).uncheck();
      await page.waitForURL(/a\.kinds=CALLS,REFERENCES,EXTENDS/);
      await view(page).getByRole("combobox", { name: "Confidence" }).selectOption("95");
      await page.waitForURL(/a\.sure=95/);
      await view(page).getByText("6 of 7 relations").waitFor();
    });

    await t.test("it is saved as pictures and for other tools", async () => {
      const svg = await saved(page, "svg");
      assert.match(svg.bytes.toString(), /^<svg xmlns[\s\S]*<circle [\s\S]*<\/svg>\n$/);
      const png = await saved(page, "png");
      assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
      assert.ok(png.bytes.length > 5_000);
      assert.match((await saved(page, "graphml")).bytes.toString(), /<graphml /);
      assert.match((await saved(page, "dot")).bytes.toString(), /^digraph /);
      assert.match((await saved(page, "json")).bytes.toString(), /"directed": true/);
    });

    assert.deepEqual(problemsOf(page), []);
  });
}
