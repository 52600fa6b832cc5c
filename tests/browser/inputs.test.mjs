// What people give the page: archives, broken archives, empty folders, a browser that stores nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { allDone, browse, clickCode, problemsOf, resultPaths, searchFor, serve, tarball } from "./harness.mjs";

const archive = (page) => page.locator("input[name=archive]");

test("an archive is indexed, listed and deleted", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await archive(page).setInputFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await allDone(page);
  await searchFor(page, "createApplication");
  assert.equal((await resultPaths(page))[0], "lib/express.js");

  await page.getByRole("link", { name: "Portolan" }).click();
  const row = page.locator(".saved-list li", { hasText: "express-5.1.0" });
  await row.getByText(/\d+ files · .* · indexed just now/).waitFor();
  await row.getByRole("button", { name: "Delete express-5.1.0" }).click();
  await row.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("open in this tab only").waitFor();
  await page.reload();
  await page.getByText("Nothing yet.").waitFor();
  assert.deepEqual(problemsOf(page), []);
});

test("what cannot be indexed is refused in words, and the page goes on", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  const whole = readFileSync(tarball("express"));
  const broken = [
    { name: "text.zip", mimeType: "application/zip", buffer: Buffer.from("this is not an archive at all, only words") },
    { name: "empty.zip", mimeType: "application/zip", buffer: Buffer.alloc(0) },
  ];
  for (const file of broken) {
    await archive(page).setInputFiles(file);
    const name = file.name.replace(/\..*/, "");
    const notice = page.getByRole("alert").filter({ hasText: `Could not index ${name}` });
    await notice.waitFor();
    assert.ok((await notice.textContent()).length > `Could not index ${name}: `.length + 15, "the reason is in words");
    await notice.getByRole("button", { name: "Dismiss" }).click();
  }
  // Half an archive still holds half the files: they are indexed, and the loss is said.
  await archive(page).setInputFiles({ name: "cut.tgz", mimeType: "application/gzip", buffer: whole.subarray(0, whole.length >> 1) });
  await page.getByRole("heading", { level: 1, name: "cut" }).waitFor();
  await page.getByText(/files? of cut could not be read/).waitFor();
  await page.getByText(/paths? could not be read/).waitFor();
});

test("where nothing can be stored, the page says so and works in memory", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  // Private windows of some browsers have no IndexedDB, neither in the page nor in workers; workers have no init scripts, so theirs is taken away on the way.
  await page.addInitScript(() => delete Object.getPrototypeOf(window).indexedDB && delete window.indexedDB);
  await page.route(/assets\/.*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `Object.defineProperty(globalThis, "indexedDB", { value: undefined, configurable: true });\n${await response.text()}` });
  });
  await page.goto(site.url);
  await page.getByText("an index lasts until the tab is closed").waitFor();
  await archive(page).setInputFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await allDone(page);
  await page.getByText("the memory of this tab only").waitFor();
  await searchFor(page, "createApplication");
  await page.locator(".passage-link").first().click();
  await clickCode(page, "function createApplication", "createApplication");
  await page.getByRole("region", { name: "Symbol" }).getByText("lib/express.js").first().waitFor();
});

test("indexing can be cancelled and leaves nothing behind", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await archive(page).setInputFiles(tarball("fastify"));
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Open a folder" }).waitFor();
  await page.reload();
  await page.getByText("Nothing yet.").waitFor();
  assert.deepEqual(problemsOf(page), []);
});

test("a link to a repository that is not here names it", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(`${site.url}#/f/src/a.ts?r=elsewhere`);
  await page.getByText("The link is about “elsewhere”").waitFor();
});
