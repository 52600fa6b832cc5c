// Several saved repositories asked together; each updated, renamed and deleted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, browse, pickable, problemsOf, serve, tarball, tarOf, writeFile } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

const quay = "def moor(ship):\n    return fasten(ship)\n\n\ndef fasten(ship):\n    return ship\n";
const docks = {
  "docks/crane.py": "def lift(load):\n    return load\n\n\ndef createApplication():\n    return lift(1)\n",
};

for (const colorScheme of ["light", "dark"]) {
  test(`several repositories, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    await pickable(page, "harbour", { "src/quay.py": quay });
    await page.goto(`${site.url}#/?v=together`);
    await page.getByText("No repository is saved yet").waitFor();
    await accessible(page, "nothing saved");
    await page.goto(site.url);
    await page.locator("input[name=archive]").setInputFiles(tarball("express"));
    await page.getByRole("heading", { level: 1, name: "express-5.1.0" }).waitFor();
    await allDone(page);
    await page.goto(`${site.url}#/`);
    await page.locator("input[name=archive]").setInputFiles(tarOf("docks", docks));
    await page.getByRole("heading", { level: 1, name: "docks" }).waitFor();
    await allDone(page);
    await page.goto(`${site.url}#/`);
    await page.getByRole("button", { name: "Open a folder" }).click();
    await page.getByRole("heading", { level: 1, name: "harbour" }).waitFor();
    await allDone(page);
    await page.goto(`${site.url}#/`);
    await page.getByRole("link", { name: "Ask them together, update or rename them" }).click();
    const answer = (name) => page.getByRole("region", { name, exact: true });

    await t.test("one question, an answer of each; those with nothing come last", async () => {
      await page.getByRole("combobox", { name: "For" }).selectOption("names");
      await page.getByRole("searchbox", { name: "Ask" }).fill("createApplication");
      await answer("docks").locator(".row").first().waitFor();
      await answer("express-5.1.0").locator(".row", { hasText: "lib/express.js" }).first().waitFor();
      await answer("harbour").getByText("nothing found").waitFor();
      assert.equal(await page.locator(".view-main .together-name").last().textContent(), "harbour");
      await shot(page, `together-${colorScheme}`);
      await accessible(page, "answers");
      await page.getByRole("combobox", { name: "For" }).selectOption("auto");
      await answer("harbour").locator(".passage-link, .card-count").first().waitFor();
      await answer("express-5.1.0").locator(".passage-link").first().waitFor();
      await shot(page, `together-words-${colorScheme}`);
    });

    await t.test("a repository that is left out is not asked; the link keeps that", async () => {
      await page.getByRole("checkbox", { name: "harbour" }).uncheck();
      await answer("harbour").waitFor({ state: "detached" });
      await page.reload();
      await answer("docks").locator(".passage-link").first().waitFor();
      assert.equal(await answer("harbour").count(), 0);
    });

    await t.test("a name that is taken is refused; another one moves the index", async () => {
      await page.getByRole("button", { name: "Rename docks" }).click();
      const field = page.getByRole("textbox", { name: "New name of docks" });
      await field.fill("harbour");
      await page.getByRole("alert").getByText("called harbour already").waitFor();
      await field.fill("piers");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Rename piers" }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Rename docks" }).count(), 0);
      await page.goto(`${site.url}#/f/docks/crane.py?r=piers`);
      await page.locator(".cm-line", { hasText: "def lift" }).waitFor();
      await page.goto(`${site.url}#/?v=together&a.q=gantry&a.how=names`);
    });

    await t.test("an update reads the folder again", async () => {
      await answer("harbour").getByText("nothing found").waitFor();
      await writeFile(page, "src/quay.py", `${quay}\n\ndef gantry(ship):\n    return ship\n`);
      await page.getByRole("button", { name: "Update harbour" }).click();
      await page.locator(".footer", { hasText: "harbour: 1 modified" }).waitFor();
      await page.getByRole("searchbox", { name: "Ask" }).fill("gantr");
      await answer("harbour").locator(".row", { hasText: "gantry" }).waitFor();
    });

    await t.test("deleting asks first", async () => {
      await page.getByRole("button", { name: "Delete piers" }).click();
      await page.getByRole("button", { name: "Keep" }).click();
      await page.getByRole("button", { name: "Delete piers" }).click();
      await page.getByRole("button", { name: "Delete piers" }).click();
      await page.getByRole("button", { name: "Rename piers" }).waitFor({ state: "detached" });
      await page.setViewportSize({ width: 390, height: 780 });
      const wide = await page.evaluate(() => {
        const view = document.querySelector(".view");
        return view.scrollWidth - view.clientWidth;
      });
      assert.ok(wide <= 0, `${wide} px too wide`);
      await shot(page, `together-phone-${colorScheme}`);
    });

    assert.deepEqual(problemsOf(page), []);
  });
}
