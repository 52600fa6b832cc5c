// On a machine that is six times slower the page still answers to the keyboard while it indexes, and comes to its end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, answered, browse, problemsOf, resultPaths, serve, tarball } from "./harness.mjs";

test("with a sixth of the processor: from the start page to a definition, by the keyboard alone", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  // Choosers are caught from the start: on a slow page the key would come before the order to catch them.
  page.on("filechooser", () => {});
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  await page.goto(site.url);
  const button = page.getByRole("button", { name: "Open an archive or index" });
  await button.waitFor();
  for (let tabs = 0; tabs < 12 && !(await button.evaluate((element) => element === document.activeElement)); tabs++)
    await page.keyboard.press("Tab");
  assert.equal(
    await button.evaluate((element) => element === document.activeElement),
    true,
    "the keyboard comes to the button",
  );
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser", { timeout: 20_000 }),
    page.keyboard.press("Space"),
  ]);
  await chooser.setFiles(tarball("express"));
  await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
  // While vectors are still computed.
  await page.keyboard.press("/");
  const started = performance.now();
  await page.keyboard.type("createApplication");
  assert.equal(await page.getByRole("searchbox").inputValue(), "createApplication");
  t.diagnostic(`seventeen letters in ${Math.round(performance.now() - started)} ms`);
  await answered(page, "createApplication");
  assert.equal((await resultPaths(page))[0], "lib/express.js");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/f\/lib\/express\.js/);
  await page.locator(".cm-content .hl-keyword").first().waitFor();
  await allDone(page);
  assert.deepEqual(problemsOf(page), []);
});
