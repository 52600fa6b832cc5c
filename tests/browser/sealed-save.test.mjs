// The page saves an index protected: the command line opens it, and the page what the command line protects.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { allDone, browse, problemsOf, resultPaths, searchFor, serve, tarOf } from "./harness.mjs";
import { accessible } from "./looks.mjs";

const cli = fileURLToPath(new URL("../../pkg/bin/portolan.js", import.meta.url));
const passphrase = "correct horse battery staple ü";
const shop = tarOf("shop", {
  "src/tax.js": "/** Adds the tax. */\nexport function addTax(net) {\n  return net * 1.2;\n}\n",
  "src/cart.js": 'import { addTax } from "./tax.js";\nexport const total = (net) => addTax(net);\n',
});

function portolan(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: "utf8",
    input: "",
    env: { ...process.env, PORTOLAN_PASSPHRASE: passphrase },
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

async function opened(t) {
  const site = await serve();
  t.after(site.stop);
  const place = mkdtempSync(join(tmpdir(), "portolan-sealed-"));
  t.after(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
  const page = await browse(t, { acceptDownloads: true });
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles(shop);
  await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
  await allDone(page);
  const dialog = page.getByRole("dialog", { name: "Save an encrypted copy of shop" });
  const taken = async (click) => {
    const [download] = await Promise.all([page.waitForEvent("download"), click()]);
    const path = join(place, download.suggestedFilename());
    await download.saveAs(path);
    return path;
  };
  return {
    page,
    dialog,
    taken,
    place,
    first: dialog.getByLabel("Passphrase", { exact: true }),
    second: dialog.getByLabel("Repeat it"),
  };
}

/** A dialog that was closed has no role any more, but hears of it a moment later: until then what opens it does nothing. */
const gone = (page) => page.locator(".sealed-save").waitFor({ state: "detached" });

test("under a passphrase, typed twice, by the keyboard alone; the command line opens it", async (t) => {
  const { page, dialog, taken, first, second } = await opened(t);
  await page.keyboard.press("Control+k");
  await page.keyboard.type(">encrypted");
  await page.getByRole("option", { name: /Save an encrypted copy/ }).waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  assert.equal(await first.evaluate((element) => element === document.activeElement), true);
  await page.keyboard.type("correct horse");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("correct cow");
  await dialog.getByText("The passphrases differ.").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Save", exact: true }).isDisabled(), true);
  await accessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await accessible(page, "dark");

  await first.fill(passphrase);
  await second.fill(passphrase);
  await dialog.getByRole("button", { name: "Show the passphrase" }).click();
  assert.equal(await first.getAttribute("type"), "text");
  await second.focus();
  const file = await taken(() => page.keyboard.press("Enter"));
  await dialog.getByText("in the browser's downloads").waitFor();
  assert.match(file, /shop\.sealed$/);
  assert.equal(readFileSync(file, "latin1").includes("addTax"), false);
  assert.match(portolan(["find", "addTax", "--index", file]), /^src\/tax\.js:2/);
  await page.keyboard.press("Escape");
  await gone(page);
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  assert.ok(!kept.includes("horse"));
  assert.deepEqual(problemsOf(page), []);
});

test("without its paths, with the key as a second file; the command line gives them back, and so does the page", async (t) => {
  const { page, dialog, taken, place, first, second } = await opened(t);
  await page.getByRole("button", { name: "Save an encrypted copy…" }).click();
  await dialog.getByRole("checkbox", { name: /Encrypt the paths/ }).check();
  await first.fill(passphrase);
  await second.fill(passphrase);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  const file = await taken(() => dialog.getByRole("button", { name: "Save shop.sealed" }).click());
  const key = await taken(() => dialog.getByRole("button", { name: "Save shop.key" }).click());
  await dialog.getByRole("button", { name: "Close" }).click();
  const plain = join(place, "plain.index");
  portolan(["import", file, "--key-file", key, "-o", plain]);
  assert.match(portolan(["find", "addTax", "--index", plain]), /^src\/tax\.js:2/);
  assert.doesNotMatch(portolan(["find", "addTax", "--index", file]), /tax\.js/);

  await t.test("what the command line protects opens here, and shows its paths with the key", async () => {
    const theirs = join(place, "theirs.sealed");
    portolan(["export", "--index", plain, "--obfuscate-paths", "--key-file", key, "--passphrase", "-o", theirs]);
    await page.getByRole("link", { name: "Portolan" }).click();
    await page.locator("input[name=archive]").setInputFiles(theirs);
    await page.getByRole("dialog", { name: "theirs is encrypted" }).getByLabel("Passphrase").fill(passphrase);
    await page.keyboard.press("Enter");
    await page.getByText("Its paths are encrypted.").waitFor();
    const wrong = join(place, "wrong.key");
    writeFileSync(wrong, `portolan-path-key-1 ${"0".repeat(64)}\n`);
    await page.locator("input[name=path-key]").setInputFiles(wrong);
    await page.getByRole("alert").filter({ hasText: "key" }).getByRole("button", { name: "Dismiss" }).click();
    await page.locator("input[name=path-key]").setInputFiles(key);
    await page.getByText("Its paths are encrypted.").waitFor({ state: "detached" });
    await searchFor(page, "addTax");
    assert.ok((await resultPaths(page)).includes("src/tax.js"));
  });
  assert.deepEqual(problemsOf(page), []);
});

test("saving can be cancelled, is never in the way of a question, and never of the page", async (t) => {
  const { page, dialog, first, second } = await opened(t);
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) =>
      window.longTasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: "longtask" });
  });
  await page.getByRole("button", { name: "Save an encrypted copy…" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await gone(page);
  assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), "Save an encrypted copy…");
  await page.keyboard.press("Enter");
  await first.fill(passphrase);
  await second.fill(passphrase);
  let downloads = 0;
  page.on("download", () => (downloads += 1));
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByRole("progressbar").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await gone(page);
  assert.equal(
    await page.evaluate(() => document.activeElement.textContent.trim()),
    "Save an encrypted copy…",
    "the focus is where it was",
  );
  await searchFor(page, "addTax");
  assert.ok((await resultPaths(page)).includes("src/tax.js"));
  await page.waitForTimeout(2_000);
  assert.equal(downloads, 0);
  assert.deepEqual(problemsOf(page), []);
  t.diagnostic(`long tasks: ${(await page.evaluate(() => window.longTasks)).map(Math.round).join(", ") || "none"}`);
});
