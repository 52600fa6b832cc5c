// An encrypted index opens in the page with its passphrase, and with no other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Portolan } from "portolan";
import { browse, problemsOf, resultPaths, searchFor, serve } from "./harness.mjs";
import { accessible } from "./looks.mjs";

const passphrase = "correct horse battery staple";

async function sealedFile() {
  const bytes = new TextEncoder().encode("export function addTax(net) {\n  return net * 1.2;\n}\n");
  const index = await Portolan.index({ files: [{ path: "src/tax.js", bytes }] }, { name: "shop", embeddings: false });
  try {
    await index.complete;
    return {
      name: "shop.sealed",
      mimeType: "application/octet-stream",
      buffer: Buffer.from(await index.save({ passphrase })),
    };
  } finally {
    index.close();
  }
}

test("the passphrase is asked for, again where it is wrong, and nothing of it is kept", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  const file = await sealedFile();
  const dialog = page.getByRole("dialog", { name: "shop is encrypted" });
  const field = dialog.getByLabel("Passphrase");
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles(file);
  await dialog.waitFor();

  await t.test("the keyboard is in the field, and axe finds nothing", async () => {
    assert.equal(await field.evaluate((element) => element === document.activeElement), true);
    await accessible(page);
  });

  await t.test("a wrong one says so", async () => {
    await page.keyboard.type("incorrect horse");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").getByText("Wrong passphrase").waitFor();
    assert.equal(await field.inputValue(), "");
  });

  await t.test("without one it stays closed, and that is no error", async () => {
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Open a folder" }).waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  await t.test("the right one opens it", async () => {
    await page.locator("input[name=archive]").setInputFiles(file);
    await field.fill(passphrase);
    await dialog.getByRole("button", { name: "Open" }).click();
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
    await searchFor(page, "addTax");
    assert.deepEqual(await resultPaths(page), ["src/tax.js"]);
  });

  await t.test("an empty passphrase is not taken, a damaged file refused in words", async () => {
    await page.getByRole("link", { name: "Portolan" }).click();
    const damaged = Buffer.from(file.buffer);
    damaged[damaged.length - 40] ^= 1;
    await page.locator("input[name=archive]").setInputFiles({ ...file, buffer: damaged });
    await dialog.waitFor();
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await field.fill(passphrase);
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "was changed after it was written" }).waitFor();
  });

  const kept = await page.evaluate(async () => JSON.stringify([{ ...localStorage }, await indexedDB.databases()]));
  assert.ok(!kept.includes("horse"));
  assert.deepEqual(problemsOf(page), []);
});
