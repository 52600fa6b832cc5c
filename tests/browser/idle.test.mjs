// The page fetches only used parts: the shell at its start, the rest on demand, everything only if the reader chooses so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { allDone, browse, problemsOf, serve, tarball } from "./harness.mjs";

const shellLimit = 110_000;

/** Bytes of bodies that the site gives, by path; `HEAD` has none. */
async function weighed(site) {
  const bodies = new Map();
  for (const path of new Set(site.asked)) {
    const response = await fetch(new URL(path, site.url));
    if (response.ok) bodies.set(path.replace("/tools/portolan/", ""), Buffer.from(await response.arrayBuffer()));
  }
  return bodies;
}

const isWorking = (page) =>
  page.waitForFunction(() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null));

test("at rest the start page has fetched its shell and nothing else", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await page.getByRole("button", { name: "Open a folder" }).waitFor();
  await isWorking(page);
  await page.waitForTimeout(10_000);
  const asked = new Set(site.asked.map((path) => path.replace("/tools/portolan/", "")));
  asked.delete("sample/portolan.index"); // asked for by HEAD: is there one?
  assert.deepEqual(
    [...asked].filter((path) => /\.(wasm|bin|json|index)$/.test(path)),
    [],
    "no engine, grammar, model or sample",
  );
  site.asked.splice(0, site.asked.length, ...site.asked.filter((path) => !path.endsWith(".index")));
  const bodies = await weighed(site);
  const packed = [...bodies].map(([path, body]) => [path, brotliCompressSync(body).length]);
  const total = packed.reduce((sum, [, length]) => sum + length, 0);
  t.diagnostic(
    `${total} bytes with brotli: ${packed.map(([path, length]) => `${path || "page"} ${length}`).join(", ")}`,
  );
  assert.ok(total <= shellLimit, `the shell is ${total} bytes with brotli`);
  assert.deepEqual(problemsOf(page), []);
});

test("everything is kept when the reader says so, with its size and progress; used parts are kept anyway", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await isWorking(page);
  await page.locator("input[name=archive]").setInputFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await allDone(page);
  await t.test("what was used is kept", async () => {
    const kept = await page.evaluate(keptPaths);
    assert.ok(
      kept.some((path) => /tree-sitter-javascript/.test(path)),
      kept.join("\n"),
    );
    assert.ok(!kept.some((path) => /tree-sitter-(python|rust)/.test(path)), kept.join("\n"));
  });
  await t.test("the rest on demand", async () => {
    await page.getByRole("link", { name: "Portolan" }).click();
    await page.getByRole("button", { name: /^Keep everything for offline use \(\d+ MB\)/ }).click();
    await page.getByText(/Fetching for offline use: .* MB of \d+ MB/).waitFor();
    await page.getByText("Everything is kept: the page").waitFor();
    const kept = await page.evaluate(keptPaths);
    assert.ok(kept.filter((path) => /tree-sitter-/.test(path)).length >= 20, kept.join("\n"));
  });
  await t.test("and it can be given back", async () => {
    await page.getByRole("button", { name: "Keep only what is used" }).click();
    await page.getByRole("button", { name: /^Keep everything for offline use/ }).waitFor();
    assert.ok(!(await page.evaluate(keptPaths)).some((path) => /tree-sitter-/.test(path)));
  });
  await t.test("without a network the page starts", async () => {
    await site.stop();
    await page.reload();
    await page.getByRole("button", { name: "Open a folder" }).waitFor();
  });
});

/** In the page. */
async function keptPaths() {
  const names = await caches.keys();
  const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return lists.flat().map(({ url }) => new URL(url).pathname);
}

test("a choice made earlier waits while the browser asks to save data", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.addInitScript(() => {
    localStorage.setItem("portolan.settings", JSON.stringify({ keepsAll: true }));
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  await page.goto(site.url);
  await page.getByText("Your browser asks to save data: the rest waits.").waitFor();
  assert.deepEqual(
    site.asked.filter((path) => /\.wasm$/.test(path)),
    [],
  );
  await page.getByRole("button", { name: /^Keep everything for offline use/ }).waitFor();
});

/** The start page with its service worker, and what sets how many bytes the site may store; without a number the browser's own limit. */
async function limited(t) {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await isWorking(page);
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(site.url);
  return { page, limit: (quotaSize) => session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize }) };
}

test("where the browser has no space for everything, the page says so", async (t) => {
  const { page, limit } = await limited(t);
  await limit(5_000_000);
  await page.getByRole("button", { name: /^Keep everything for offline use/ }).click();
  await page.getByText("the browser gives this site no more space; what came is kept").waitFor();
  // The rest can be fetched once there is.
  await limit();
  await page.getByRole("button", { name: /^Keep everything for offline use/ }).click();
  await page.getByText("Everything is kept: the page").waitFor();
});

test("where nothing can be kept, parts are used all the same", async (t) => {
  const { page, limit } = await limited(t);
  await limit(1);
  await page.locator("input[name=archive]").setInputFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  assert.ok(!(await page.evaluate(keptPaths)).some((path) => /tree-sitter-/.test(path)));
});
