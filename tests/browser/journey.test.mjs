// The whole path in a real browser: a repository that is not this one is indexed in the tab, asked, read, followed; the tab is
// reloaded, then the network goes away.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allDone,
  browse,
  chosenLines,
  clickCode,
  hoverCode,
  indexFolder,
  problemsOf,
  resultPaths,
  searchFor,
  serve,
  tarball,
} from "./harness.mjs";

test("from a folder to a call's definition, through a reload, without a network", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);

  await t.test("a folder is indexed, with its phases in words", async () => {
    await page.addInitScript(() => {
      const seen = new Set();
      window.seenWords = seen;
      new MutationObserver(() => {
        const words = document.querySelector(".progress-words, .progress-line-words")?.textContent;
        if (words) seen.add(words);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.goto(site.url);
    await indexFolder(page, "fastify");
    await allDone(page);
    const words = await page.evaluate(() => [...window.seenWords].join("\n"));
    for (const phase of [/Reading \d+/, /Parsing [\d,]+ of [\d,]+ files/, /Computing vectors/])
      assert.match(words, phase);
    await page.locator(".overview header p", { hasText: /\d+ files, [\d,]+ lines/ }).waitFor();
    const figures = (await page.locator(".figures dd").allTextContents()).map((text) =>
      Number(text.replaceAll(",", "")),
    );
    const [definitions, passages, , vectors] = figures;
    assert.ok(definitions > 300, `${definitions} definitions`);
    assert.equal(vectors, passages, "every passage has its vector");
    assert.deepEqual(await page.locator(".notice").allTextContents(), []);
  });

  await t.test("a question in words finds the code that answers it", async () => {
    await searchFor(page, "validate the request body against its schema");
    const paths = await resultPaths(page);
    assert.ok(paths.slice(0, 5).includes("lib/validation.js"), paths.join("\n"));
    assert.ok(
      (await page.locator(".badge").allTextContents()).some((badge) => badge === "meaning" || badge === "words"),
    );
    // Words answer first; the passages of the whole answer may be others.
    await page.locator(".results-summary", { hasText: "by words and meaning" }).waitFor();
    await page.getByRole("button", { name: "Explain" }).first().click();
    await page.locator(".score-total").first().waitFor();
  });

  await t.test("an identifier finds its definition", async () => {
    await searchFor(page, "buildErrorHandler");
    assert.equal((await resultPaths(page))[0], "lib/error-handler.js");
    assert.ok((await page.locator("mark").count()) > 0, "matches are marked");
    assert.match(await page.locator("mark").first().textContent(), /build|error|handler/i);
  });

  await t.test("a regular expression finds the lines it matches", async () => {
    await page.getByRole("combobox", { name: "How to search" }).selectOption("regex");
    await searchFor(page, "function build\\w+Handler");
    const marked = await page.locator(".results mark").allTextContents();
    assert.deepEqual(marked, ["function buildErrorHandler"]);
    await page.getByRole("searchbox", { name: "Search the repository" }).fill("function build(");
    await page.getByText("This regular expression cannot be used").waitFor();
    await page.getByRole("combobox", { name: "How to search" }).selectOption("auto");
  });

  await t.test("a click on a call shows the symbol, Ctrl and click goes to its definition, back returns", async () => {
    await page.goto(`${site.url}#/f/lib/fourOhFour.js?r=fastify&L=153`);
    await clickCode(page, "buildErrorHandler(this[kErrorHandler]", "buildErrorHandler");
    const panel = page.getByRole("region", { name: "Symbol" });
    await panel.getByText("lib/error-handler.js:145").waitFor();
    await panel.getByText("function buildErrorHandler").waitFor();

    await page.keyboard.down("Control");
    await page.mouse.move(600, 300);
    await hoverCode(page, "buildErrorHandler(this[kErrorHandler]", "buildErrorHandler");
    await page.locator(".cm-followable", { hasText: "buildErrorHandler" }).waitFor();
    await page.keyboard.up("Control");
    await page.locator(".cm-followable").waitFor({ state: "detached" });

    await clickCode(page, "buildErrorHandler(this[kErrorHandler]", "buildErrorHandler", ["Control"]);
    await page.waitForURL(/#\/f\/lib\/error-handler\.js\?.*L=145/);
    await page.locator(".breadcrumb-name", { hasText: "error-handler.js" }).waitFor();
    await page.waitForFunction(() =>
      document.querySelector(".cm-chosen")?.textContent.includes("function buildErrorHandler"),
    );
    assert.match((await chosenLines(page))[0], /function buildErrorHandler/);
    assert.ok((await page.locator(".cm-content .hl-keyword").count()) > 3, "the code is coloured");

    await page.goBack();
    await page.waitForURL(/fourOhFour\.js/);
    await page.locator(".breadcrumb-name", { hasText: "fourOhFour.js" }).waitFor();
    await page.waitForFunction((line) => {
      const found = [...document.querySelectorAll(".cm-line")].find((element) => element.textContent.includes(line));
      const { top = 0, bottom = 0 } = found?.getBoundingClientRect() ?? {};
      return top > 86 && bottom < innerHeight - 28;
    }, "buildErrorHandler(this[kErrorHandler]");
    await page.goForward();
    await page.waitForURL(/error-handler\.js/);
  });

  await t.test("callers and references of a symbol", async () => {
    await page.getByRole("tab", { name: /Callers/ }).click();
    const callers = page.locator(".call-link");
    await callers.first().waitFor();
    const titles = await callers.evaluateAll((links) => links.map((link) => link.title));
    assert.ok(
      titles.some((title) => title.startsWith("lib/route.js")),
      titles.join("\n"),
    );
    const before = titles.length;
    await page.getByRole("button", { name: "More steps" }).click();
    await page.waitForFunction((n) => document.querySelectorAll(".call-link").length > n, before);
    await page.getByRole("tab", { name: /References/ }).click();
    await page.locator(".use", { hasText: "buildErrorHandler" }).first().waitFor();
  });

  await t.test("after a reload the index is there, and the link still shows the same place", async () => {
    const address = page.url();
    await page.reload();
    await page.locator(".breadcrumb-name", { hasText: "error-handler.js" }).waitFor();
    assert.equal(page.url(), address);
    await searchFor(page, "reply send stream");
    assert.ok((await resultPaths(page)).includes("lib/reply.js"));
  });

  await t.test("without a network the page starts, opens its index and answers", async () => {
    await page.waitForFunction(async () => {
      const registration = await navigator.serviceWorker.ready;
      return registration.active?.state === "activated" && navigator.serviceWorker.controller !== null;
    });
    // The rest comes when the reader says so: all grammars and the model.
    await page.goto(`${site.url}#/`);
    await page.getByRole("button", { name: /^Keep everything for offline use \(\d+ MB\)/ }).click();
    await page.getByText("Everything is kept: the page").waitFor();
    await site.stop();
    const asked = site.asked.length;
    await page.goto(`${site.url}#/?r=fastify`);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "fastify", exact: true }).waitFor();
    await searchFor(page, "where are hooks run");
    assert.ok((await resultPaths(page)).includes("lib/hooks.js"));
    await page.goto(`${site.url}#/f/lib/hooks.js?r=fastify`);
    await page.locator(".cm-content .hl-keyword").first().waitFor();
    await page.goto(`${site.url}#/`);
    await page.locator("input[name=archive]").setInputFiles(tarball("express"));
    await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
    await allDone(page);
    const [, passages, , vectors] = await page.locator(".figures dd").allTextContents();
    assert.equal(vectors, passages, "indexing works without a network, meaning included");
    assert.equal(site.asked.length, asked);
  });

  await t.test("nothing was asked of the site but its own parts, and nothing of anyone else", () => {
    assert.deepEqual(
      // A part of the page may be called like a file of the repository.
      site.asked.filter((path) => /fastify|hooks|error-handler/.test(path) && !path.includes("/assets/")),
      [],
    );
    assert.deepEqual(
      problemsOf(page).filter((problem) => !/ERR_CONNECTION_REFUSED|ERR_FAILED/.test(problem)),
      [],
    );
  });
});
