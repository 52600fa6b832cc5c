// Small things that people meet every day: a click is answered, a message goes, the keyboard goes on where the query ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, browse, indexFolder, problemsOf, searchFor, serve, tarball, tarOf } from "./harness.mjs";

const archive = (page) => page.locator("input[name=archive]");

async function start(t, options) {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, options);
  await page.goto(site.url);
  return { site, page };
}

test("express: what was not resolved is offered as text matches, and said to be no more", async (t) => {
  const { site, page } = await start(t);
  await archive(page).setInputFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await allDone(page);
  const panel = page.getByRole("region", { name: "Symbol" });

  await t.test("uses of a method that nothing resolves to", async () => {
    await page.goto(`${site.url}#/f/lib/application.js?r=express-5.1.0&L=152&sym=lib/application.js%23app.handle`);
    await panel.getByText("app.handle").first().waitFor();
    await page.getByRole("tab", { name: /References/ }).click();
    const rows = panel.locator(".use");
    await rows.first().waitFor();
    const n = Number((await page.getByRole("tab", { name: /References/ }).textContent()).replace(/\D/g, ""));
    if (n === 0) {
      await panel.getByText(/text match(es)?( and more)? of the same name, not resolved/).waitFor();
      await panel.locator(".text-match", { hasText: "app.handle(req, res, next)" }).waitFor();
    } else assert.ok((await rows.count()) > 0, "the uses are there");
  });

  await t.test("calls in createApplication", async () => {
    await page.goto(`${site.url}#/f/lib/express.js?r=express-5.1.0&L=36&sym=lib/express.js%23createApplication`);
    await panel.getByText("createApplication").first().waitFor();
    const tab = page.getByRole("tab", { name: /^Calls/ });
    await tab.click();
    if (/0$/.test(await tab.textContent())) {
      await panel.getByText("that look like calls, not resolved.").waitFor();
      for (const name of ["mixin", "init", "handle"]) await panel.locator(".text-match", { hasText: name }).waitFor();
    } else await panel.locator(".call").first().waitFor();
  });
  assert.deepEqual(problemsOf(page), []);
});

test("a file name with a mark of direction is shown with the mark written out", async (t) => {
  const { page } = await start(t);
  await archive(page).setInputFiles(
    tarOf("tricks", { "gpj.\u202Esj": "function hidden() {}\n", "b.js": "hidden();\n" }),
  );
  await page.getByRole("heading", { level: 1, name: "tricks" }).waitFor();
  await page.getByRole("treeitem", { name: "gpj.\\u202esj" }).click();
  await page.locator(".breadcrumb-name", { hasText: "gpj.\\u202esj" }).waitFor();
  const shown = await page.evaluate(() => `${document.title}\n${document.body.textContent}`);
  assert.doesNotMatch(shown, /[\u202a-\u202e\u2066-\u2069]/);
});

test("a query ends with Enter: j, k and o are shortcuts again, the opened result is marked in list and code", async (t) => {
  const { page } = await start(t);
  await indexFolder(page, "fastify");
  await page.keyboard.press("/");
  await page.keyboard.type("buildErrorHandler");
  await page.locator(".results:not([aria-busy=true]) .passage").first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".passage[data-current]").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  assert.equal(await page.getByRole("searchbox").inputValue(), "buildErrorHandler");
  assert.equal(await page.locator(".passage[data-current]").count(), 1, "j and k went there and back");
  await page.keyboard.press("o");
  await page.waitForURL(/#\/f\//);
  await page.locator(".results-dense .passage[data-opened]").waitFor();
  await page
    .locator(".cm-found", { hasText: /build|error|handler/i })
    .first()
    .waitFor();
  // By its link: an answer that also counts meaning may come meanwhile, and has another order.
  const link = page.locator(".results-dense .passage[data-opened] .passage-link");
  const before = await link.getAttribute("href");
  await page.keyboard.press("j");
  await page.waitForFunction((link) => {
    const opened = document.querySelector(".results-dense .passage[data-opened][data-current] .passage-link");
    return opened !== null && opened.getAttribute("href") !== link;
  }, before);
  assert.equal(await page.getByRole("searchbox").inputValue(), "buildErrorHandler");
  // The same with the mouse: j continues from the clicked row.
  await page.locator(".results-dense .passage-link").nth(2).click();
  await page.locator(".results-dense .passage").nth(2).and(page.locator("[data-opened]")).waitFor();
  await page.locator(".results-dense .passage").nth(2).and(page.locator("[data-current]")).waitFor();
});

test("“Link copied” goes by itself; “Explain” is large enough to hit", async (t) => {
  const { site, page } = await start(t, { permissions: ["clipboard-read", "clipboard-write"] });
  await indexFolder(page, "fastify");
  await searchFor(page, "how are hooks run");
  // The hits by meaning replace those by words.
  await page.waitForFunction(() => document.querySelector(".why-button")?.getBoundingClientRect().height >= 24);
  await page.goto(`${site.url}#/f/lib/hooks.js?r=fastify&L=10`);
  await page.locator(".cm-content .hl-keyword").first().waitFor();
  await page.getByRole("button", { name: "Copy a link to this place" }).click();
  await page.getByText("Link copied").waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#\/f\/lib\/hooks\.js/);
  await page.getByText("Link copied").waitFor({ state: "detached", timeout: 15_000 });
});

test("the bar goes from its start to its end and is not at its end all the time", async (t) => {
  const { page } = await start(t);
  await page.evaluate(() => {
    window.shares = [];
    new MutationObserver(() => {
      const bar = document.querySelector("progress[aria-label=Progress]");
      const words = document.querySelector(".progress-words, .progress-line-words")?.textContent ?? "";
      if (bar?.position >= 0) window.shares.push([bar.position, words]);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await indexFolder(page, "fastify");
  await allDone(page);
  const shares = await page.evaluate(() => window.shares);
  const numbers = shares.map(([share]) => share);
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => a - b),
    "it never goes back",
  );
  assert.ok(shares.filter(([, words]) => /^(Reading|Parsing)/.test(words)).every(([share]) => share <= 0.7));
  assert.ok(numbers.some((share) => share < 0.3) && numbers.at(-1) > 0.8, numbers.join(" "));
});
