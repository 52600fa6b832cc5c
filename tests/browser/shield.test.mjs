// Behind the shield is every request of the page and its workers, as the browser lists them: compared here with the logs of the servers that were
// asked. A request with a body changes the statement: to whom, and how many bytes.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { allDone, browse, openShield, problemsOf, serve, tarball } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

const isGuarded = (page) =>
  page.waitForFunction(() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null));

/** Another host, which notes the method, the address and the bytes of every request. */
async function listener(t) {
  const requests = [];
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on("data", (part) => (bytes += part.length));
    request.on("end", () => {
      requests.push({ method: request.method, url: request.url, bytes });
      response.writeHead(204, { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }).end();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return { base: `http://127.0.0.1:${server.address().port}`, requests };
}

/** The rows of the list, with every host opened. */
async function listed(page) {
  const closed = page.locator(".shield-host:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().click();
  // The browser opens a host at once; its rows follow with the event that tells the page.
  await page.locator(".shield-host:not(:has(.shield-requests, .shield-note))").waitFor({ state: "detached" });
  return page.locator(".shield-requests tbody tr").evaluateAll((rows) => rows.map(({ dataset }) => ({ ...dataset })));
}

test("the list has all that the server was asked for, and a page that only reads has sent nothing", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await isGuarded(page);
  await page.locator("input[name=archive]").setInputFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await allDone(page);
  await page.locator(".footer-privacy", { hasText: "0 bytes of your code sent" }).waitFor();
  const shield = await openShield(page);
  await shield.locator(".shield-statement[data-state=clean]").waitFor();
  const rows = await listed(page);
  const shown = new Set(rows.map(({ url }) => decodeURIComponent(new URL(url).pathname)));
  // The program of the service worker itself is in no timeline.
  const missing = [...new Set(site.asked)].filter((path) => !shown.has(path) && !path.endsWith("/service-worker.js"));
  assert.deepEqual(missing, [], `asked for and not shown; shown are\n${[...shown].join("\n")}`);
  assert.ok(
    [...shown].some((path) => /tree-sitter-javascript/.test(path)),
    "requests of workers are there",
  );
  assert.deepEqual([...new Set(rows.map(({ url }) => new URL(url).host))], [new URL(site.url).host]);
  assert.ok(rows.every(({ sent }) => sent === "0" || sent === ""));
  await t.test("what was left out and the index are there, too", async () => {
    await shield.getByRole("heading", { name: "Files left out" }).waitFor();
    await shield.getByRole("heading", { name: "Parts of the index" }).waitFor();
  });
  await t.test("Escape closes it, and the focus is back", async () => {
    await page.keyboard.press("Escape");
    await shield.waitFor({ state: "detached" });
    assert.match(await page.evaluate(() => document.activeElement.className), /footer-privacy/);
  });
  assert.deepEqual(problemsOf(page), []);
});

for (const colorScheme of ["light", "dark"])
  test(`a request with a body is shown with its size, and the statement says so, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const other = await listener(t);
    const page = await browse(t, { colorScheme });
    // The host is allowed as the page itself does it, so that its policy admits it.
    await page.goto(site.url);
    await isGuarded(page);
    await page.evaluate(
      async ([scope, origins]) =>
        (await caches.open(`portolan-hosts ${scope}`)).put("allowed-hosts", Response.json(origins)),
      [new URL(site.url).pathname, [other.base]],
    );
    await page.reload();
    await page.getByRole("button", { name: "Open a folder" }).waitFor();
    await isGuarded(page);
    await page.locator(".footer-privacy", { hasText: "0 bytes of your code sent" }).waitFor();
    const text = "function secret() {}";
    await page.evaluate(
      ([url, body]) => fetch(url, { method: "POST", body }).then(() => {}),
      [`${other.base}/v1/chat`, text],
    );
    assert.deepEqual(other.requests, [{ method: "POST", url: "/v1/chat", bytes: text.length }]);
    const host = new URL(other.base).host;
    await page.locator(".footer-privacy", { hasText: `${text.length} B sent to ${host}` }).waitFor();
    const shield = await openShield(page);
    await shield.locator(".shield-statement[data-state=sent]").waitFor();
    const rows = await listed(page);
    const sent = rows.filter(({ sent }) => Number(sent) > 0);
    assert.deepEqual(
      sent.map(({ url, method, sent }) => [url, method, sent]),
      [[`${other.base}/v1/chat`, "POST", String(text.length)]],
    );
    await accessible(page);
    await shot(page, `shield-${colorScheme}`);
  });

test("without a service worker the page says what it cannot know", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  await allDone(page);
  await page
    .locator(".footer-privacy", { hasText: /^\s*0 bytes seen leaving, \d+ requests? not fully seen/ })
    .waitFor();
  const shield = await openShield(page);
  await shield.getByText("the browser tells the address and not the method").waitFor();
  const rows = await listed(page);
  assert.ok(
    rows.some(({ url }) => /engine_bg/.test(url)),
    "a worker told its timeline",
  );
});
