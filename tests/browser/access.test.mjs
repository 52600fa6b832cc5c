// Everyone can use the page: axe finds nothing in either theme, and the keyboard alone is enough.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, answered, browse, indexFolder, searchFor, serve, tarball } from "./harness.mjs";
import { accessible } from "./looks.mjs";

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    await page.goto(site.url);
    await page.getByRole("button", { name: "Open a folder" }).waitFor();
    await accessible(page, "start");
    await page.locator("input[name=archive]").setInputFiles(tarball("express"));
    await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
    await allDone(page);
    await accessible(page, "overview");
    await searchFor(page, "parse the query string");
    // Words answer first; the passages of the whole answer may be others.
    await page.locator(".results-summary", { hasText: "by words and meaning" }).waitFor();
    await page.getByRole("button", { name: "Explain" }).first().click();
    await page.locator(".score-total").first().waitFor();
    await accessible(page, "results");
    await page.goto(
      `${site.url}#/f/lib/express.js?r=express-5.1.0&L=36&sym=lib/express.js%23createApplication&q=application`,
    );
    await page.locator(".cm-content .hl-keyword").first().waitFor();
    await page.locator(".symbol-name").waitFor();
    await accessible(page, "code and symbol");
    await page.keyboard.press("Control+k");
    await page.locator(".palette-list [role=option]").first().waitFor();
    await accessible(page, "palette");
    await page.keyboard.press("Escape");
    await page.locator(".brand").focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Help" }).waitFor();
    await accessible(page, "help");
    await page.keyboard.press("Escape");
    for (const [view, link] of [
      ["map", "v=map"],
      ["form guide", "m=form"],
      ["form", "m=form&q=if+($COND)+{+return+$A+}"],
      ["faulty pattern", "m=regex&q=("],
      ["nothing found", "m=regex&q=zzqqxx"],
      ["regex", "m=regex&q=function"],
    ]) {
      await page.goto(`${site.url}#/?r=express-5.1.0&${link}`);
      await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
      await page.waitForTimeout(400);
      await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
      await accessible(page, view);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${site.url}#/f/lib/express.js?r=express-5.1.0&L=36`);
    await page.locator(".cm-content .hl-keyword").first().waitFor();
    await page.getByRole("button", { name: "Files" }).click();
    await page.getByRole("tree", { name: "Files" }).waitFor();
    await accessible(page, "files on a phone");
    await page.getByRole("button", { name: "Close the panel" }).click({ position: { x: 380, y: 400 } });
    await page.getByRole("button", { name: "Command palette" }).click();
    await page.locator(".palette-help button", { hasText: "commands" }).click();
    await page.getByRole("option", { name: /Wrap long lines/ }).waitFor();
    await accessible(page, "palette on a phone");
  });
}

test("the keyboard alone: search, open, palette, tree, definition", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await indexFolder(page, "fastify");

  await page.keyboard.press("/");
  await page.keyboard.type("buildErrorHandler");
  await answered(page, "buildErrorHandler");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/f\/lib\/error-handler\.js/);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("fourOh");
  await page
    .getByRole("option", { name: /fourOhFour\.js/ })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/f\//);

  await page.goto(`${site.url}#/f/lib/fourOhFour.js?r=fastify&L=153`);
  await page.locator(".cm-chosen").first().waitFor();
  await page.getByRole("tab", { name: "Files" }).click();
  const tree = page.getByRole("tree", { name: "Files" });
  await tree.focus();
  await page.keyboard.press("Home");
  await typeTo(page, tree, "lib", /^lib/);
  await page.keyboard.press("ArrowRight");
  await typeTo(page, tree, "hooks", /hooks\.js/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/lib\/hooks\.js/);

  await page.goto(`${site.url}#/f/lib/fourOhFour.js?r=fastify&L=17`);
  await page.locator(".cm-chosen", { hasText: "buildErrorHandler" }).waitFor();
  await page.locator(".cm-content").focus();
  // The cursor is at the start of the chosen line; three words on is the end of the name.
  for (let words = 0; words < 3; words += 1) await page.keyboard.press("Control+ArrowRight");
  await page.keyboard.press("F12");
  await page.waitForURL(/lib\/error-handler\.js/);

  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Help" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Help" }).waitFor({ state: "detached" });
});

/** Types ahead to a row of the tree. Letters that a busy machine brings too slowly count as new words, so this tries again. */
async function typeTo(page, tree, letters, row) {
  let active;
  for (let tries = 0; tries < 10; tries += 1) {
    await tree.focus(); // a file that finishes opening may have taken it
    await page.keyboard.type(letters);
    // Longer than the tree waits for the next letter.
    await page.waitForTimeout(1000);
    active = await tree.evaluate(
      (element) => document.getElementById(element.getAttribute("aria-activedescendant"))?.textContent,
    );
    if (row.test(active)) return;
  }
  assert.match(active, row);
}
