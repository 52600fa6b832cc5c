// Messages, cards and dialogs over the code view: none of them is below a layer of the editor, in both themes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, browse, hoverCode, indexFolder, problemsOf, serve } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

/** Whether the middle of the element shows the element itself, and nothing above it. */
const isOnTop = (page, selector) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const points = [0.1, 0.5, 0.9].flatMap((a) => [0.2, 0.5, 0.8].map((b) => [x + width * a, y + height * b]));
      const covers = points
        .filter(([left, top]) => left >= 0 && top >= 0 && left < innerWidth && top < innerHeight)
        .map(([left, top]) => document.elementFromPoint(left, top))
        .filter((found) => !element.contains(found));
      return covers.map((found) => found?.outerHTML.slice(0, 80));
    });

/** The layer that the browser draws last. A hit test does not tell: while a modal dialog is open, it finds nothing outside of the dialog. */
async function drawnLast(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.getDocument");
  const { nodeIds } = await session.send("DOM.getTopLayerElements");
  const classes = [];
  for (const nodeId of nodeIds) {
    const { attributes } = await session.send("DOM.getAttributes", { nodeId }).catch(() => ({ attributes: [] }));
    classes.push(attributes[attributes.indexOf("class") + 1] ?? "");
  }
  await session.detach();
  return classes.filter((name) => name !== "").at(-1);
}

for (const colorScheme of ["light", "dark"])
  test(`layers in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme, permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(site.url);
    await indexFolder(page, "fastify");
    await allDone(page);
    await page.goto(`${site.url}#/f/lib/error-handler.js?r=fastify&L=145&sym=lib/error-handler.js%23buildErrorHandler`);
    await page.locator(".cm-chosen").waitFor();
    await page.locator(".symbol-name").waitFor();
    await page.keyboard.press("Control+f");
    await page.locator(".cm-search").waitFor();

    await t.test("a message over find, ruler and the lines that stay", async () => {
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+\\");
      await page.locator(".pane").nth(1).waitFor();
      await page.getByRole("button", { name: "Copy a link to this place" }).last().click();
      await page.locator(".notice", { hasText: "Link copied" }).waitFor();
      assert.deepEqual(await isOnTop(page, ".notice"), []);
      await shot(page, `layers-notice-${colorScheme}`);
      await page.keyboard.press("Control+\\");
      await page.locator(".pane").nth(1).waitFor({ state: "detached" });
    });

    await t.test("a card over the panel beside the code", async () => {
      await page.setViewportSize({ width: 1000, height: 700 });
      await hoverCode(page, "function buildErrorHandler", "buildErrorHandler");
      await page.locator(".card-tip").waitFor();
      assert.deepEqual(await isOnTop(page, ".card-tip"), []);
      await accessible(page, "card");
      await shot(page, `layers-card-${colorScheme}`);
      await page.keyboard.press("Escape");
      await page.mouse.move(5, 300);
      await page.locator(".card-tip").waitFor({ state: "detached" });
      await page.setViewportSize({ width: 1360, height: 860 });
    });

    await t.test("a dialog over the code, a message over the dialog", async () => {
      await page.getByRole("button", { name: "Copy a link to this place" }).click();
      await page.locator(".notice", { hasText: "Link copied" }).waitFor();
      await page.getByRole("button", { name: "Help", exact: true }).click();
      const help = page.getByRole("dialog", { name: "Help" });
      await help.waitFor();
      assert.equal(await drawnLast(page), "notices");
      assert.deepEqual(await isOnTop(page, "dialog.help h2"), []);
      await help.getByText("Tabs and panes").waitFor();
      await shot(page, `layers-dialog-${colorScheme}`);
      await page.keyboard.press("Escape");
      await help.waitFor({ state: "detached" });
    });

    await t.test("a card over the palette's place goes when the palette opens", async () => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").first().waitFor();
      assert.deepEqual(await isOnTop(page, "dialog[open] input"), []);
      await page.keyboard.press("Escape");
    });
    assert.deepEqual(problemsOf(page), []);
  });
