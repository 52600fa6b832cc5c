// Opened files are tabs, and two of them are shown side by side: by keyboard and mouse, in the link, and on the next visit of the session.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, browse, clickCode, indexFolder, problemsOf, searchFor, serve } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

const files = ["fastify.js", "lib/error-handler.js", "lib/route.js", "lib/reply.js"];

async function start(t, options) {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, options);
  await page.goto(site.url);
  await indexFolder(page, "fastify");
  await allDone(page);
  return { site, page };
}

const go = (page, site, hash) => page.goto(`${site.url}#/${hash}`);
const openAll = async (page, site, paths = files) => {
  for (const path of paths) {
    await go(page, site, `f/${path}?r=fastify`);
    await page.locator(`.file-tab[data-active] a[title="${path}"]`).waitFor();
    await page.locator(`.cm-content[aria-label="${path}"]`).waitFor();
  }
};
const tabs = (page) => page.locator(".file-tab a").evaluateAll((links) => links.map(({ title }) => title));
const active = (page) => page.locator(".file-tab[data-active] a").getAttribute("title");
const shown = (page) => page.locator(".pane .cm-content").evaluateAll((all) => all.map((one) => one.ariaLabel));
const pane = (page, name) => page.getByRole("group", { name: `${name} pane` });
const scrollOf = (page, path) =>
  page.locator(`.cm-editor:has(.cm-content[aria-label="${path}"]) .cm-scroller`).evaluate((box) => box.scrollTop);

test("tabs", async (t) => {
  const { site, page } = await start(t);
  await openAll(page, site);

  await t.test("in the order of opening, with one active", async () => {
    assert.deepEqual(await tabs(page), files);
    assert.equal(await active(page), "lib/reply.js");
    await accessible(page, "tabs");
    await shot(page, "tabs");
  });

  await t.test("each keeps its place", async () => {
    await page.locator(".cm-scroller").evaluate((box) => (box.scrollTop = 4000));
    await page.locator('.file-tab a[title="lib/route.js"]').click();
    await page.locator('.cm-content[aria-label="lib/route.js"]').waitFor();
    assert.equal(await scrollOf(page, "lib/route.js"), 0);
    await page.locator('.file-tab a[title="lib/reply.js"]').click();
    await page.locator('.cm-content[aria-label="lib/reply.js"]').waitFor();
    await page.waitForFunction(() => Math.abs(document.querySelector(".cm-scroller").scrollTop - 4000) < 30);
  });

  await t.test("next, previous, close and open again by keyboard", async () => {
    await page.keyboard.press("Alt+PageDown");
    assert.equal(await active(page), "fastify.js");
    await page.keyboard.press("Alt+PageUp");
    assert.equal(await active(page), "lib/reply.js");
    await page.keyboard.press("Alt+w");
    await page.locator(".file-tab").nth(2).waitFor();
    assert.deepEqual(await tabs(page), files.slice(0, 3));
    assert.equal(await active(page), "lib/route.js");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("> open the closed");
    await page.getByRole("option", { name: /Open the closed tab again/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator('.file-tab[data-active] a[title="lib/reply.js"]').waitFor();
    assert.deepEqual(await tabs(page), files);
  });

  await t.test("arrows and Delete on the tabs themselves", async () => {
    await page.locator(".file-tab[data-active] a").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.title), "lib/error-handler.js");
    await page.keyboard.press("Delete");
    await page.waitForFunction(() => document.activeElement.title === "lib/route.js");
    assert.deepEqual(await tabs(page), ["fastify.js", "lib/route.js", "lib/reply.js"]);
    assert.equal(await active(page), "lib/reply.js", "the file that is read stays");
  });

  await t.test("middle click closes, and the session remembers", async () => {
    await page.locator('.file-tab a[title="fastify.js"]').click({ button: "middle" });
    assert.deepEqual(await tabs(page), ["lib/route.js", "lib/reply.js"]);
    assert.equal(page.context().pages().length, 1);
    await page.reload();
    await page.locator(".file-tab").nth(1).waitFor();
    assert.deepEqual(await tabs(page), ["lib/route.js", "lib/reply.js"]);
  });

  await t.test("more than there is room for", async () => {
    const names =
      "context contentTypeParser decorate errors fourOhFour handleRequest hooks initialConfigValidation logger-factory";
    await openAll(
      page,
      site,
      names
        .split(" ")
        .map((name) => `lib/${name}.js`)
        .slice(0, 9),
    );
    const all = page.getByRole("combobox", { name: "All open files" });
    await all.selectOption("lib/route.js");
    await page.locator('.cm-content[aria-label="lib/route.js"]').waitFor();
    const tab = page.locator('.file-tab a[title="lib/route.js"]');
    await page.waitForFunction(
      (element) => {
        const { left, right } = element.getBoundingClientRect();
        const room = element.closest("ul").getBoundingClientRect();
        return left >= room.left - 1 && right <= room.right + 1;
      },
      await tab.elementHandle(),
    );
    await accessible(page, "many tabs");
    await shot(page, "tabs-many");
  });

  await t.test("the last one leads to the overview", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("> close the other tabs");
    await page.getByRole("option", { name: /Close the other tabs/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".file-tab").nth(1).waitFor({ state: "detached" });
    await page.keyboard.press("Alt+w");
    await page.getByRole("heading", { level: 1, name: "fastify", exact: true }).waitFor();
  });
  assert.deepEqual(problemsOf(page), []);
});

for (const colorScheme of ["light", "dark"])
  test(`two panes, in ${colorScheme} colours`, async (t) => {
    const { site, page } = await start(t, { colorScheme, viewport: { width: 1600, height: 900 } });
    await go(page, site, "f/lib/error-handler.js?r=fastify&L=100");
    await page.locator('.cm-content[aria-label="lib/error-handler.js"]').waitFor();

    await t.test("a key splits, each pane has its own place", async () => {
      await page.keyboard.press("Control+\\");
      await pane(page, "Right").locator(".cm-content").waitFor();
      assert.deepEqual(await shown(page), ["lib/error-handler.js", "lib/error-handler.js"]);
      await page.waitForURL(/b=lib\/error-handler\.js&bL=100&p=2/);
      await pane(page, "Right")
        .locator(".cm-scroller")
        .evaluate((box) => (box.scrollTop = 0));
      assert.ok(
        (await pane(page, "Left")
          .locator(".cm-scroller")
          .evaluate((box) => box.scrollTop)) > 500,
      );
      await accessible(page, "two panes");
    });

    await t.test("files open in the active pane", async () => {
      await page.keyboard.press("Control+p");
      await page.keyboard.type("lib/errors.js");
      await page
        .getByRole("option", { name: /errors\.js/ })
        .first()
        .waitFor();
      await page.keyboard.press("Enter");
      await pane(page, "Right").locator('.cm-content[aria-label="lib/errors.js"]').waitFor();
      assert.deepEqual(await shown(page), ["lib/error-handler.js", "lib/errors.js"]);
    });

    await t.test("a key goes to the other pane, and its definition opens beside", async () => {
      await page.keyboard.press("Control+F6");
      await page.waitForFunction(() => document.activeElement.closest(".pane")?.ariaLabel === "Left pane");
      await clickCode(page, "serializerFn = getSchemaSerializer", "getSchemaSerializer");
      await page.keyboard.press("Control+F12");
      await pane(page, "Right").locator('.cm-content[aria-label="lib/schemas.js"]').waitFor();
      assert.deepEqual(await shown(page), ["lib/error-handler.js", "lib/schemas.js"]);
      await page.waitForFunction(() => document.activeElement.closest(".pane")?.ariaLabel === "Right pane");
    });

    await t.test("back and forward within a pane leave the other alone", async () => {
      await go(page, site, "f/fastify.js?r=fastify&b=lib/route.js");
      await pane(page, "Left").locator('.cm-content[aria-label="fastify.js"]').waitFor();
      await pane(page, "Right").locator('.cm-content[aria-label="lib/route.js"]').click();
      await page.waitForURL(/f\/lib\/route\.js.*b=fastify\.js&p=2/);
      await page.keyboard.press("Control+p");
      await page.keyboard.type("lib/hooks.js");
      await page
        .getByRole("option", { name: /hooks\.js/ })
        .first()
        .waitFor();
      await page.keyboard.press("Enter");
      await pane(page, "Right").locator('.cm-content[aria-label="lib/hooks.js"]').waitFor();
      await page.keyboard.press("Alt+Shift+ArrowLeft");
      await pane(page, "Right").locator('.cm-content[aria-label="lib/route.js"]').waitFor();
      assert.deepEqual(await shown(page), ["fastify.js", "lib/route.js"]);
      await page.keyboard.press("Alt+Shift+ArrowRight");
      await pane(page, "Right").locator('.cm-content[aria-label="lib/hooks.js"]').waitFor();
      await page.goBack();
      await pane(page, "Right").locator('.cm-content[aria-label="lib/route.js"]').waitFor();
    });

    await t.test("a result and a reference open in the other pane", async () => {
      await searchFor(page, "buildErrorHandler");
      await page.locator(".passage-link").first().click();
      await page.locator(".results-dense .passage").nth(1).waitFor();
      const first = (await shown(page))[0];
      await page
        .locator(".results-dense .passage-link")
        .nth(1)
        .click({ modifiers: ["Control"] });
      await pane(page, "Right").locator(".cm-content").waitFor();
      assert.equal((await shown(page))[0], first);
      assert.equal(page.context().pages().length, 1, "in this page");
      await go(page, site, "f/lib/error-handler.js?r=fastify&L=145&sym=lib/error-handler.js%23buildErrorHandler");
      await page
        .locator(".use")
        .first()
        .click({ modifiers: ["Control"] });
      await pane(page, "Right").locator(".cm-content").waitFor();
      assert.equal((await shown(page))[0], "lib/error-handler.js");
      await accessible(page, "reference beside");
      await shot(page, `panes-${colorScheme}`);
    });

    await t.test("the link holds both, and a pane closes", async () => {
      const both = await shown(page);
      await page.reload();
      await pane(page, "Right").locator(".cm-content").waitFor();
      await pane(page, "Left").locator(".cm-content").waitFor();
      assert.deepEqual(await shown(page), both);
      await pane(page, "Left").getByRole("button", { name: "Close this pane" }).click();
      await page.locator(".pane").nth(1).waitFor({ state: "detached" });
      await page.waitForURL((url) => !/[?&]b=/.test(url.hash));
      assert.deepEqual(await shown(page), [both[1]]);
    });
    assert.deepEqual(problemsOf(page), []);
  });

test("a phone has one pane", async (t) => {
  const { site, page } = await start(t, { viewport: { width: 390, height: 780 } });
  await go(page, site, "f/fastify.js?r=fastify&b=lib/route.js");
  await page.locator('.cm-content[aria-label="fastify.js"]').waitFor();
  assert.deepEqual(await shown(page), ["fastify.js"]);
  assert.equal(await page.getByRole("button", { name: "Split into two panes" }).count(), 0);
  const tab = page.locator('.file-tab a[title="lib/route.js"]');
  assert.ok((await tab.boundingBox()).height >= 43);
  await accessible(page, "phone");
  await shot(page, "tabs-phone");
});
