// Views that change code: a rename and a replacement, seen before they are made, as a patch that git applies, and written into the folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { allDone, browse, folder, indexFolder, pickable, problemsOf, serve, writeFile } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

/** The bytes of what a click downloads. */
async function downloaded(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return readFileSync(await download.path(), "utf8");
}

const files = {
  "src/quay.py": "def moor(ship):\n    return fasten(ship)\n\n\ndef fasten(ship):\n    return ship\n",
  "src/crane.py": "from quay import fasten\n\n\ndef lift(load):\n    # fasten it first\n    return fasten(load)\n",
};

const many = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [`barges/n${String(at).padStart(2, "0")}.py`, `barge = ${at}\n`]),
);

/** Text of a file of the folder that can be picked. */
const textOf = (page, path) =>
  page.evaluate(async (path) => {
    let folder = await window.folderOfTest();
    const parts = path.split("/");
    for (const part of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(part);
    return (await (await folder.getFileHandle(parts.at(-1))).getFile()).text();
  }, path);

test("a rename of a published package is a patch that git applies", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await indexFolder(page, "express");
  await allDone(page);
  await page.goto(`${site.url}#/?r=express&v=rename`);
  await page.locator(".central .row").first().waitFor();
  await page.getByRole("combobox", { name: "Rename" }).fill("createApplication");
  await page.locator(".symbol-field [role=option]").first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "to", exact: true }).fill("makeApplication");
  await page.locator(".plan .diff-new").first().waitFor();
  await accessible(page, "rename");
  await shot(page, "rename-light");
  const before = await page.locator(".write-count").textContent();
  await page.locator(".plan-place[data-off] input").first().check();
  await page.waitForFunction((text) => document.querySelector(".write-count")?.textContent !== text, before);
  const patch = await downloaded(page, () => page.getByRole("button", { name: "Save patch" }).click());
  const made = mkdtempSync(join(tmpdir(), "portolan-rename-"));
  t.after(() => rmSync(made, { recursive: true, force: true, maxRetries: 5 }));
  execFileSync("cp", ["-r", `${folder("express")}/.`, made]);
  writeFileSync(join(made, "it.patch"), patch);
  execFileSync("git", ["apply", "--check", "it.patch"], {
    cwd: made,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: made },
  });
  assert.match(patch, /^\+function makeApplication\(\) \{$/m);
  assert.match(patch, /^\+ \* .*makeApplication/m);

  await t.test("names that are none, and names that are taken", async () => {
    await page.getByRole("textbox", { name: "to", exact: true }).fill("1st");
    await page.getByRole("alert").getByText("not a name").waitFor();
    await page.getByRole("textbox", { name: "to", exact: true }).fill("app");
    await page.locator(".rename-conflicts, .plan").first().waitFor();
  });
  assert.deepEqual(problemsOf(page), []);
});

for (const colorScheme of ["light", "dark"]) {
  test(`changes are written into the folder after asking, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    await pickable(page, "harbour", { ...files, ...many });
    await page.goto(site.url);
    await page.getByRole("button", { name: "Open a folder" }).click();
    await page.getByRole("heading", { level: 1, name: "harbour" }).waitFor();
    await allDone(page);

    await t.test("in a long list a choice leaves the list where it is", async () => {
      await page.goto(`${site.url}#/?r=harbour&v=replace&a.how=regex&a.q=barge&a.to=raft`);
      const last = page.getByRole("checkbox", { name: "All places of barges/n59.py" });
      await page.locator(".plan").nth(59).waitFor();
      await last.scrollIntoViewIfNeeded();
      const top = () => page.evaluate(() => document.querySelector(".view").scrollTop);
      // Cards take their real height when they come into sight: wait until that has settled.
      let before = -1;
      for (let now = await top(); now !== before; now = await top()) {
        before = now;
        await page.waitForTimeout(500);
      }
      assert.ok(before > 500, String(before));
      // Every moment after the click counts: the list must not shrink and grow again.
      await page.evaluate(() => {
        const view = document.querySelector(".view");
        window.lowest = view.scrollHeight;
        const watch = () => {
          window.lowest = Math.min(window.lowest, view.querySelectorAll(".plan").length === 60 ? window.lowest : 0);
          requestAnimationFrame(watch);
        };
        watch();
      });
      await last.uncheck();
      await page.locator(".write-count", { hasText: "59 places in 59 files" }).waitFor();
      assert.equal(await top(), before);
      assert.ok((await page.evaluate(() => window.lowest)) > 0, "cards were taken away");
    });

    await t.test(
      "a rename: the confirmation lists files and counts, then they are written and the index follows",
      async () => {
        await page.goto(`${site.url}#/?r=harbour&v=rename&a.of=src/quay.py%23fasten&a.to=tether`);
        await page.locator(".plan").nth(1).waitFor();
        await page.getByRole("button", { name: "Write to the folder…" }).click();
        const dialog = page.getByRole("dialog", { name: /Write 2 files of “harbour”/ });
        await dialog.getByText("src/quay.py").waitFor();
        await accessible(page, "confirmation");
        await shot(page, `write-${colorScheme}`);
        await dialog.getByRole("button", { name: "Cancel" }).click();
        assert.equal(await textOf(page, "src/quay.py"), files["src/quay.py"]);
        await page.getByRole("button", { name: "Write to the folder…" }).click();
        await dialog.getByRole("button", { name: "Write 2 files" }).click();
        await dialog.waitFor({ state: "detached" });
        assert.equal(await textOf(page, "src/quay.py"), files["src/quay.py"].replaceAll("fasten", "tether"));
        assert.equal(
          await textOf(page, "src/crane.py"),
          files["src/crane.py"].replaceAll("fasten", "tether").replace("# tether it", "# fasten it"),
        );
        await page.goto(`${site.url}#/?r=harbour&v=impact&a.of=tether`);
        await page.getByRole("region", { name: "Step 1" }).locator(".row").first().waitFor();
      },
    );

    await t.test("a file that changed since it was indexed is refused, and none is written", async () => {
      await page.goto(`${site.url}#/?r=harbour&v=replace&a.how=regex&a.q=ship&a.to=boat`);
      await page.locator(".plan .diff-new").first().waitFor();
      await page.getByRole("button", { name: "Write to the folder…" }).click();
      const dialog = page.getByRole("dialog", { name: /Write 1 file/ });
      await dialog.getByRole("button", { name: "Write 1 file" }).waitFor();
      const changed = `${await textOf(page, "src/quay.py")}# by somebody else\n`;
      await writeFile(page, "src/quay.py", changed);
      await dialog.getByRole("button", { name: "Write 1 file" }).click();
      await dialog.getByRole("alert").getByText("write.changed").waitFor();
      await shot(page, `write-refused-${colorScheme}`);
      assert.equal(await textOf(page, "src/quay.py"), changed);
      await page.keyboard.press("Escape");
    });

    await t.test("a structural replacement keeps what its holes hold; single places can be left out", async () => {
      await page.goto(`${site.url}#/?r=harbour&v=replace`);
      await page.getByText("Write what to find").waitFor();
      await accessible(page, "replace without a pattern");
      await page.getByRole("textbox", { name: "Find" }).fill("tether($A)");
      await page.getByRole("textbox", { name: "Replace with" }).fill("tether($A, 2)");
      await page.locator(".plan .diff-new", { hasText: "tether(load, 2)" }).waitFor();
      await shot(page, `replace-${colorScheme}`);
      await accessible(page, "replace");
      await page.getByRole("checkbox", { name: "All places of src/quay.py" }).uncheck();
      await page.locator(".write-count", { hasText: "1 place in 1 file" }).waitFor();
      const patch = await downloaded(page, () => page.getByRole("button", { name: "Save patch" }).click());
      assert.match(patch, /^\+ {4}return tether\(load, 2\)$/m);
      assert.ok(!patch.includes("quay.py"), patch);
      await page.getByRole("textbox", { name: "Replace with" }).fill("$NOPE");
      await page.getByRole("alert").getByText("has no $NOPE").waitFor();
      await page.getByRole("combobox", { name: "By" }).selectOption("regex");
      await page.getByRole("textbox", { name: "Find" }).fill("(");
      await page.getByRole("alert").getByText("This pattern cannot be used").waitFor();
      await page.setViewportSize({ width: 390, height: 780 });
      await page.getByRole("textbox", { name: "Find" }).fill("return (\\w+)");
      await page.getByRole("textbox", { name: "Replace with" }).fill("return not $1");
      await page.locator(".plan .diff-new").first().waitFor();
      const wide = await page.evaluate(() => {
        const view = document.querySelector(".view");
        return view.scrollWidth - view.clientWidth;
      });
      assert.ok(wide <= 0, `${wide} px too wide`);
      await shot(page, `replace-phone-${colorScheme}`);
    });

    assert.deepEqual(problemsOf(page), []);
  });
}
