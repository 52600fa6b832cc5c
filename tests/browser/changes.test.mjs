// The view of changes: a diff that is pasted, chosen or dropped, and another folder to compare with; hunks, risk, tests, side by side.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { COMMIT, FILES, forgeServer } from "../../pkg/test/source-server.mjs";
import { allDone, browse, folder, indexFolder, problemsOf, serve, tarball, tarOf } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

/** A diff of express as git makes it: one function changed, one file deleted, one added. */
function diffOfExpress(t) {
  const made = mkdtempSync(join(tmpdir(), "portolan-changes-"));
  t.after(() => rmSync(made, { recursive: true, force: true, maxRetries: 5 }));
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

/** A host whose tag v1 has another text of one file. */
function twoVersions() {
  const older = COMMIT.replace("0123", "3210");
  const text = FILES["src/tax.ts"].replace("1.2", "1.1");
  return forgeServer({
    fault: ({ path }) => {
      if (path.endsWith("/commits/v1")) return { body: older };
      if (path.startsWith(`/raw/acme/shop/${older}/`))
        return { body: path.endsWith("/src/tax.ts") ? text : FILES[path.split(`${older}/`)[1]] };
      return undefined;
    },
  });
}

test("two refs of a repository on a host", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const forge = await twoVersions();
  t.after(forge.stop);
  const page = await browse(t);
  await page.addInitScript(
    (settings) => localStorage.setItem("portolan.sources", JSON.stringify(settings)),
    forge.settings,
  );
  await page.goto(site.url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByLabel("Repository, package, archive or site").fill("acme/shop");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Allow and open" }).click();
  await page.getByRole("heading", { level: 1, name: "github/acme/shop" }).waitFor();
  await allDone(page);
  page.problems.length = 0;
  await page.goto(`${site.url}#/github/acme/shop?v=changes`);
  const version = page.getByRole("textbox", { name: "Branch, tag or commit" });

  await t.test("what names no version, and a host that is not allowed, are said to", async () => {
    await version.fill("two words");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("“two words” names no version").waitFor();
    await version.fill("https://elsewhere.example/shop.zip");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("may not contact elsewhere.example").waitFor();
    await accessible(page, "compare");
  });

  await t.test("what differs, from the older to the newer", async () => {
    await page.getByLabel("The other one is").selectOption("older");
    await version.fill("v1");
    await page.keyboard.press("Enter");
    const changed = page.getByRole("region", { name: "src/tax.ts", exact: true });
    await changed.locator(".hunk-symbol a", { hasText: "addTax" }).first().waitFor();
    await page.getByText("github:acme/shop@v1: 1 file differs").waitFor();
    assert.match(await changed.textContent(), /net \* 1\.1.*net \* 1\.2/s);
    await shot(page, "changes-refs");
  });

  await t.test("a ref that is not there", async () => {
    await page.getByRole("button", { name: "Another one" }).click();
    await version.fill("no-such-branch");
    await page.keyboard.press("Enter");
    await page.locator(".notice-error", { hasText: "Could not compare" }).waitFor();
  });
});
