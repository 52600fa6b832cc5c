// Inputs that people give the page: archives, broken archives, empty folders, a browser that stores nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  allDone,
  browse,
  clickCode,
  openShield,
  pickable,
  problemsOf,
  resultPaths,
  searchFor,
  serve,
  tarball,
} from "./harness.mjs";

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
  await archive(page).setInputFiles({
    name: "cut.tgz",
    mimeType: "application/gzip",
    buffer: whole.subarray(0, whole.length >> 1),
  });
  await page.getByRole("heading", { level: 1, name: "cut" }).waitFor();
  await page.getByText(/files? of cut could not be read/).waitFor();
  await (await openShield(page)).getByText(/paths?: could not be read/).waitFor();
});

test("where nothing can be stored, the page says so and works in memory", async (t) => {
  const site = await serve();
  t.after(site.stop);
  // A service worker would fetch the workers' scripts itself, and they would keep theirs.
  const page = await browse(t, { serviceWorkers: "block" });
  // Private windows of some browsers have no IndexedDB, neither in the page nor in workers; workers have no init scripts, so theirs is taken away on the way.
  await page.addInitScript(() => delete Object.getPrototypeOf(window).indexedDB && delete window.indexedDB);
  await page.route(/assets\/.*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: `Object.defineProperty(globalThis, "indexedDB", { value: undefined, configurable: true });\n${await response.text()}`,
    });
  });
  await page.goto(site.url);
  await page.getByText("an index lasts until the tab is closed").waitFor();
  await archive(page).setInputFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await allDone(page);
  await page.getByText("only in the memory of this tab").waitFor();
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

test("the sample that ships with the page opens in one click, and by its link", async (t) => {
  const site = await serve();
  t.after(site.stop);
  // The sample is made after the page is built; here the site has an index of the page's own making in its place.
  const page = await browse(t, { serviceWorkers: "block", acceptDownloads: true });
  await page.goto(site.url);
  await archive(page).setInputFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await allDone(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save the index to a file" }).click(),
  ]);
  const body = readFileSync(await download.path());
  await page.route("**/sample/portolan.index", (route) =>
    route.fulfill({ body, contentType: "application/octet-stream" }),
  );
  await page.goto(`${site.url}?again#/`);
  await page.getByRole("button", { name: "Open the sample" }).click();
  await page.getByRole("heading", { level: 1, name: "portolan (sample)" }).waitFor();
  await searchFor(page, "createApplication");
  await page.reload();
  await page.locator(".result-path").first().waitFor();
  assert.equal((await resultPaths(page))[0], "lib/express.js");
});

test("another repository can be opened while the first one is still being finished", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await archive(page).setInputFiles(tarball("fastify"));
  await page.getByRole("heading", { level: 1, name: "fastify-5.6.1" }).waitFor();
  await page.getByRole("link", { name: "Portolan" }).click();
  await archive(page).setInputFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await allDone(page);
  await page.getByRole("link", { name: "Portolan" }).click();
  await page.locator(".saved-list li", { hasText: "fastify-5.6.1" }).getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "fastify-5.6.1" }).waitFor();
  const [, passages, , vectors] = await page.locator(".figures dd").allTextContents();
  assert.equal(vectors, passages);
});

test("a link to a repository that is not here names it", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(`${site.url}#/f/src/a.ts?r=elsewhere`);
  await page.getByText("The link is about “elsewhere”").waitFor();
});

test("a folder from the browser's own picker is read through its handle, ignore files and all", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await pickable(page, "harbour", {
    ".gitignore": "secret/\n",
    "src/quay.py": "def moor(ship):\n    return fasten(ship)\n\n\ndef fasten(ship):\n    return ship\n",
    "secret/key.py": "def never_read():\n    pass\n",
  });
  await page.goto(site.url);
  await page.getByRole("button", { name: "Open a folder" }).click();
  await page.getByRole("heading", { level: 1, name: "harbour" }).waitFor();
  await allDone(page);
  await searchFor(page, "fasten");
  const paths = await resultPaths(page);
  assert.equal(paths[0], "src/quay.py");
  assert.ok(!paths.some((path) => path.startsWith("secret/")), paths.join("\n"));
  await page.goto(`${site.url}#/f/src/quay.py?r=harbour&L=2`);
  await clickCode(page, "return fasten(ship)", "fasten", ["Control"]);
  await page.waitForURL(/L=5/);
  await page.goto(`${site.url}#/?r=harbour`);
  await (await openShield(page)).locator(".long-list", { hasText: "matched by an ignore file" }).waitFor();
  assert.deepEqual(problemsOf(page), []);
});

test("an archive can be dropped anywhere; an index saved to a file opens again", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { acceptDownloads: true });
  await page.goto(site.url);
  await page.getByRole("button", { name: "Open a folder" }).waitFor();
  const bytes = readFileSync(tarball("express")).toString("base64");
  await page.evaluate((base64) => {
    const transfer = new DataTransfer();
    transfer.items.add(
      new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], "express-5.1.0.tgz"),
    );
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, bytes);
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await allDone(page);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save the index to a file" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "express-5.1.0.index");
  const saved = readFileSync(await download.path());
  await page.getByRole("link", { name: "Portolan" }).click();
  await archive(page).setInputFiles({ name: "from-file.index", mimeType: "application/octet-stream", buffer: saved });
  await page.getByRole("heading", { level: 1, name: "from-file" }).waitFor();
  await searchFor(page, "createApplication");
  assert.equal((await resultPaths(page))[0], "lib/express.js");

  await page.getByRole("link", { name: "Portolan" }).click();
  const flipped = Buffer.from(saved);
  flipped[flipped.length >> 1] ^= 0x40;
  await archive(page).setInputFiles({ name: "damaged.index", mimeType: "application/octet-stream", buffer: flipped });
  await page.getByRole("alert").filter({ hasText: "Could not open damaged" }).waitFor();
});
