// The first minute: the README soon after choosing, an overview made of the repository whose questions all have answers, a start page with a
// live picture, and a palette that knows recently opened files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, browse, indexFolder, problemsOf, serve, tarball } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

test("the README is shown while the files are still read: of an archive and of a folder", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  // However fast the machine: nothing is indexed before the engine is there.
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route(/engine_bg[^/]*\.wasm/, async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  await page.goto(site.url);
  const started = performance.now();
  await page.locator("input[name=archive]").setInputFiles(tarball("fastify"));
  const readme = page.getByRole("region", { name: "README" });
  await readme.getByText("Fastify is a web framework").first().waitFor();
  t.diagnostic(`README after ${Math.round(performance.now() - started)} ms`);
  assert.equal(await page.locator(".overview").count(), 0, "nothing is indexed yet");
  release();
  await page.getByRole("heading", { level: 1, name: "fastify-5.6.1" }).waitFor();
  await readme.getByText("Fastify is a web framework").first().waitFor();
  assert.deepEqual(problemsOf(page), []);
});

for (const colorScheme of ["light", "dark"])
  test(`the overview says what it is and where to begin, and every question has an answer, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    await page.goto(site.url);
    await indexFolder(page, "fastify");
    await allDone(page);
    const overview = page.locator(".overview");
    await overview.getByText("Fast and low overhead web framework, for Node.js").waitFor();
    await overview.getByText(/^npm package fastify 5\.6\.1 · licence MIT/).waitFor();
    for (const title of ["Entry points", "Central symbols", "Areas", "Hot files"])
      assert.ok((await overview.locator(".short", { hasText: title }).locator("li").count()) >= 3, title);
    assert.ok(
      (await overview.locator(".short", { hasText: "Hot files" }).getByText("lib/reply.js").count()) > 0,
      "the file that is most complex and used is hot",
    );
    await accessible(page);
    await shot(page, `overview-${colorScheme}`);
    if (colorScheme === "dark") return;

    const questions = await overview
      .locator(".suggestions a")
      .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute("href")]));
    assert.ok(questions.length >= 6, questions.map(([words]) => words).join("\n"));
    for (const [words, href] of questions)
      await t.test(words, async () => {
        await page.goto(`${site.url}${href}`);
        await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
        await page
          .locator(".middle")
          .locator(".row, .passage, .flow-steps li, .flows-list li, table tbody tr, canvas, svg a, .steps li")
          .first()
          .waitFor();
        assert.equal(await page.locator(".middle [role=alert]").count(), 0);
      });
    for (const title of ["Entry points", "Central symbols", "Hot files"])
      await t.test(`${title} open the code`, async () => {
        await page.goto(`${site.url}#/?r=fastify`);
        await overview.locator(".short", { hasText: title }).locator("a[href*='/f/']").first().click();
        await page.locator(".cm-content .hl-keyword").first().waitFor();
      });
    assert.deepEqual(problemsOf(page), []);
  });

test("the start page: a picture that leads into the sample, reasons, settings; all of it on a phone, too", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  // The sample is not part of every build.
  await page.route("**/sample/portolan.index", (route) =>
    route.request().method() === "HEAD"
      ? route.fulfill({ status: 200, contentType: "application/octet-stream" })
      : route.abort(),
  );
  await page.goto(site.url);
  const picture = page.locator(".picture");
  const crates = picture.getByRole("link", { name: "crates in the sample", exact: true });
  await crates.waitFor();
  assert.match(await crates.getAttribute("href"), /v=atlas&a\.folder=crates$/);
  assert.ok((await picture.getByRole("link").count()) > 12);
  await page.getByText("Private, and you can check it").waitFor();
  await page.getByRole("region", { name: "Settings" }).getByRole("button", { name: "Add a language" }).waitFor();
  for (const [name, width] of [
    ["wide", 1280],
    ["phone", 390],
  ]) {
    await page.setViewportSize({ width, height: 844 });
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    assert.ok(scroll <= client, `${name}: nothing is cut off`);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await accessible(page, `${name} ${colorScheme}`);
      await shot(page, `start-${name}-${colorScheme}`);
    }
  }
  assert.deepEqual(problemsOf(page), []);
});

test("the palette: what was opened lately, marked letters, commands with an argument; modes in sight; icons in the tree", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await indexFolder(page, "fastify");
  await allDone(page);
  for (const path of ["lib/hooks.js", "lib/reply.js"]) {
    await page.goto(`${site.url}#/f/${path}?r=fastify`);
    await page.locator(".cm-content").waitFor();
  }
  const option = page.locator(".palette-list [role=option]");

  await t.test("lately opened, without the open file", async () => {
    await page.keyboard.press("Control+k");
    await option.first().waitFor();
    assert.match(await option.first().textContent(), /hooks\.js/);
  });

  await t.test("typed letters are marked", async () => {
    await page.keyboard.type("fofour");
    await option.filter({ hasText: "fourOhFour.js" }).first().waitFor();
    const marked = await option.filter({ hasText: "fourOhFour.js" }).first().locator("mark").allTextContents();
    assert.equal(marked.join("").toLowerCase(), "fofour");
    await shot(page, "palette");
    await page.keyboard.press("Escape");
  });

  await t.test("a command offers its argument, and runs with it by the keyboard alone", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("> imp");
    await option.filter({ hasText: "> impact …" }).waitFor();
    await page.keyboard.press("Enter");
    assert.equal(await page.getByRole("combobox", { name: /Go to a file/ }).inputValue(), "> impact ");
    await page.keyboard.type("buildErrorHandler");
    await option.filter({ hasText: "lib/error-handler.js" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/v=impact&a\.of=lib\/error-handler\.js(#|%23)buildErrorHandler/);
  });

  await t.test("an argument that fits nothing says so", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("> colours pink");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
  });

  await t.test("modes are in sight above the results", async () => {
    await page.goto(`${site.url}#/?r=fastify&q=hook`);
    const modes = page.getByRole("group", { name: "Search by" });
    await modes.getByRole("button", { name: "Auto", pressed: true }).waitFor();
    await modes.getByRole("button", { name: "Regex" }).click();
    await page.waitForURL(/m=regex/);
    await modes.getByRole("button", { name: "Regex", pressed: true }).waitFor();
  });

  await t.test("files have icons of their kind", async () => {
    // Its folder is open, since it was read above.
    const row = page.getByRole("treeitem", { name: "hooks.js", exact: true });
    assert.equal(await row.locator(".file-icon").textContent(), "js");
    assert.equal(await page.getByRole("treeitem", { name: /^docs/ }).locator(".folder-icon").count(), 1);
  });
  assert.deepEqual(problemsOf(page), []);
});
