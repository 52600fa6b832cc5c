// A repository on another host, from the box and from a link: nothing is asked before the person allows it, the policy admits exactly those hosts,
// the README is there before the index, and a hostile README does nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { forgeServer } from "../../pkg/test/source-server.mjs";
import { browse, problemsOf, resultPaths, searchFor, serve } from "./harness.mjs";
import { shot } from "./looks.mjs";

test("owner/repo is asked for, fetched and shown", async (t) => {
  const site = await serve();
  t.after(site.stop);
  // Files come late, so that the README has to come before the index.
  let isHeld = true;
  const forge = await forgeServer({
    fault: ({ path }) => {
      if (!isHeld || !/^\/raw\/.*\/src\//.test(path)) return undefined;
      return { status: 429, headers: { "retry-after": "1" } };
    },
  });
  t.after(forge.stop);
  const page = await browse(t);
  await page.addInitScript(
    (settings) => localStorage.setItem("portolan.sources", JSON.stringify(settings)),
    forge.settings,
  );
  await page.goto(site.url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const box = page.getByLabel("Repository, package, archive or site");

  await t.test("what names nothing is said to", async () => {
    await box.fill("no source");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("names no source").waitFor();
  });

  await t.test("nothing is asked before the host is allowed", async () => {
    await box.fill("acme/shop");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Allow and open" }).waitFor();
    assert.deepEqual(forge.requests, []);
    const refused = await page.evaluate(
      (url) =>
        fetch(url).then(
          () => "sent",
          () => "refused",
        ),
      `${forge.base}/api/x`,
    );
    assert.equal(refused, "refused");
    assert.deepEqual(forge.requests, []);
    page.problems.length = 0;
  });

  await t.test("the README is shown before the files are there", async () => {
    await page.getByRole("button", { name: "Allow and open" }).click();
    await page.getByRole("region", { name: "README" }).getByRole("heading", { name: "Shop" }).waitFor();
    assert.equal(
      await page.getByRole("heading", { level: 1, name: "github/acme/shop" }).count(),
      0,
      "nothing is indexed yet",
    );
    isHeld = false;
  });

  await t.test("then it answers, under a link that names it", async () => {
    await page.getByRole("heading", { level: 1, name: "github/acme/shop" }).waitFor();
    assert.match(page.url(), /#\/github\/acme\/shop$/);
    await page.getByRole("region", { name: "README" }).getByRole("link", { name: "tax", exact: true }).click();
    await page.locator(".cm-line", { hasText: "addTax" }).first().waitFor();
    assert.match(page.url(), /#\/github\/acme\/shop\/f\/src\/tax\.ts$/);
    await page.goBack();
  });

  await t.test("the README runs nothing and loads nothing from elsewhere", async () => {
    const readme = page.getByRole("region", { name: "README" });
    await readme.getByRole("img", { name: "logo" }).waitFor({ state: "attached" });
    await readme.getByRole("button", { name: /load from elsewhere\.example/ }).waitFor();
    assert.equal(await page.evaluate(() => window.stolen), undefined);
    assert.equal(await readme.locator("script, iframe, [onerror]").count(), 0);
    assert.match(await readme.getByRole("img", { name: "logo" }).getAttribute("src"), /^data:image\/png;base64,/);
  });

  await t.test("the policy admits this host and no other, in the page and in workers", async () => {
    const other = await forgeServer();
    t.after(other.stop);
    const sent = (url) =>
      page.evaluate(
        (url) =>
          fetch(url).then(
            () => "sent",
            () => "refused",
          ),
        url,
      );
    assert.equal(await sent(`${forge.base}/robots.txt`), "sent");
    assert.equal(await sent(`${other.base}/robots.txt`), "refused");
    assert.deepEqual(other.requests, []);
    assert.ok(forge.requests.every(({ headers }) => headers.authorization === undefined));
    page.problems.length = 0;
  });

  await t.test("a link fetches by itself", async () => {
    const second = await page.context().newPage();
    second.problems = [];
    second.on("pageerror", (error) => second.problems.push(String(error)));
    await second.addInitScript(
      (settings) => localStorage.setItem("portolan.sources", JSON.stringify(settings)),
      forge.settings,
    );
    await second.goto(`${site.url}#/github/acme/shop@v1/f/src/tax.ts?L=2`);
    await second.locator(".cm-chosen", { hasText: "net * 1.2" }).waitFor();
    assert.deepEqual(second.problems, []);
  });
  assert.deepEqual(problemsOf(page), []);
});

for (const [text, name] of [
  ["gitlab:acme/team/shop", "gitlab/acme/team/shop"],
  ["BASE/lab/acme/team/shop", "gitlab/acme/team/shop"],
  ["codeberg:acme/shop@v1", "codeberg/acme/shop@v1"],
  ["BASE/berg/acme/shop", "codeberg/acme/shop"],
])
  test(`${text} is asked for, fetched and shown`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const forge = await forgeServer();
    t.after(forge.stop);
    const page = await browse(t);
    await page.addInitScript(
      (settings) => localStorage.setItem("portolan.sources", JSON.stringify(settings)),
      forge.settings,
    );
    await page.goto(site.url);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.getByLabel("Repository, package, archive or site").fill(text.replace("BASE", forge.base));
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Allow and open" }).click();
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    assert.ok(decodeURIComponent(page.url()).endsWith(`#/${name}`), page.url());
    await searchFor(page, "addTax");
    assert.equal((await resultPaths(page))[0], "src/tax.ts");
    const api = name.startsWith("gitlab") ? "/gitlab/" : "/gitea/";
    assert.ok(
      forge.requests.every(({ path }) => path.startsWith(api)),
      forge.requests.map(({ path }) => path).join("\n"),
    );
    await shot(page, `away-${name.replaceAll(/\W/g, "-")}`);
    // The server's README is hostile: the policy refuses its handlers, and says so.
    assert.deepEqual(
      problemsOf(page).filter((problem) => !problem.startsWith("Executing inline event handler violates")),
      [],
    );
  });
