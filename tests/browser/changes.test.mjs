// The view of changes: a diff that is pasted, chosen or dropped, and another folder to compare with; hunks, risk, tests, side by side.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { allDone, browse, folder, indexFolder, problemsOf, serve, tarball, tarOf } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

/** A diff of express as git makes it: one function changed, one file deleted, one added. */
function diffOfExpress(t) {
  const made = mkdtempSync(join(tmpdir(), "portolan-changes-"));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  for (const version of ["a", "b"]) execFileSync("cp", ["-r", folder("express"), join(made, version)]);
  const path = join(made, "b/lib/express.js");
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace("mixin(app, proto, false);", "mixin(app, proto, true);\n  app.made = 1;"),
  );
  rmSync(join(made, "b/index.js"));
  writeFileSync(join(made, "b/lib/extra.js"), "module.exports = 1;\n");
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--no-prefix", "a", "b"], { cwd: made, encoding: "utf8" });
  return stdout;
}

for (const colorScheme of ["light", "dark"]) {
  test(`a diff and its effects, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    await page.goto(site.url);
    await indexFolder(page, "express");
    await allDone(page);
    const diff = diffOfExpress(t);

    await t.test("pasted: each hunk says what it touches and how risky that is", async () => {
      await page.goto(`${site.url}#/?r=express&v=changes`);
      await page.getByRole("textbox", { name: "Diff" }).fill(diff);
      await accessible(page, "no diff yet");
      await shot(page, `changes-empty-${colorScheme}`);
      await page.getByRole("button", { name: "Show its effects" }).click();
      const changed = page.getByRole("region", { name: "lib/express.js", exact: true });
      await changed.locator(".hunk-symbol .risk").first().waitFor();
      assert.match(await changed.locator(".hunk-symbol a").first().textContent(), /createApplication/);
      assert.match(await page.getByRole("region", { name: "Risk" }).textContent(), /3 files/);
      await page.getByRole("region", { name: "index.js", exact: true }).getByText("deleted").waitFor();
      await page.getByRole("region", { name: "lib/extra.js", exact: true }).getByText("added").waitFor();
      await shot(page, `changes-${colorScheme}`);
      await accessible(page, "changes");
    });

    await t.test("side by side", async () => {
      const changed = page.getByRole("region", { name: "lib/express.js", exact: true });
      await changed.getByRole("button", { name: "Side by side" }).click();
      await changed.locator(".cm-merge-b .cm-changedLine", { hasText: "app.made = 1;" }).waitFor();
      await shot(page, `changes-merge-${colorScheme}`);
      await accessible(page, "side by side");
      await changed.getByRole("button", { name: "Hunks" }).click();
      await changed.locator(".hunk-symbol a").first().click();
      await page.waitForURL(/v=impact/);
      await page.goBack();
    });

    await t.test("chosen as a file; a text that is no diff is refused in words", async () => {
      await page.getByRole("button", { name: "Another one" }).click();
      await page
        .locator("input[name=diff]")
        .setInputFiles({ name: "mine.patch", mimeType: "text/plain", buffer: Buffer.from(diff) });
      await page.getByText("mine.patch").waitFor();
      await page.locator(".hunk").first().waitFor();
      await page.getByRole("button", { name: "Another one" }).click();
      await page.getByRole("textbox", { name: "Diff" }).fill("this is no diff");
      await page.getByRole("button", { name: "Show its effects" }).click();
      await page.getByRole("alert").getByText("changes.unreadable").waitFor();
      await page.getByRole("button", { name: "Another one" }).click();
    });

    await t.test("compared with an archive: the same, and another one", async () => {
      await page.locator("input[name=compare]").setInputFiles(tarball("express"));
      await page.getByText("Both sides are the same").waitFor();
      await page.getByRole("button", { name: "Another one" }).click();
      const text = readFileSync(join(folder("express"), "lib/express.js"), "utf8");
      const other = tarOf("express", {
        "lib/express.js": text.replace("function createApplication", "function create"),
      });
      await page.locator("input[name=compare]").setInputFiles(other);
      const changed = page.getByRole("region", { name: "lib/express.js", exact: true });
      await changed.locator(".diff-new", { hasText: "function create()" }).waitFor();
      await page.getByRole("region", { name: "lib/request.js", exact: true }).getByText("deleted").first().waitFor();
    });

    await t.test("dropped on the page; on a phone nothing is too wide", async () => {
      await page.goto(`${site.url}#/?r=express`);
      await page.evaluate((text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "dropped.diff"));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }, diff);
      await page.getByText("dropped.diff").waitFor();
      await page.locator(".hunk-symbol").first().waitFor();
      await page.setViewportSize({ width: 390, height: 780 });
      const wide = await page.evaluate(() => {
        const view = document.querySelector(".view");
        return view.scrollWidth - view.clientWidth;
      });
      assert.ok(wide <= 0, `${wide} px too wide`);
      await shot(page, `changes-phone-${colorScheme}`);
    });

    assert.deepEqual(problemsOf(page), []);
  });
}
