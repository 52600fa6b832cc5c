// The history of a folder's git repository, made by the real git: who changed each line, commits of a file, churn on the map, two refs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { blamed, filesOf, harbour, open, people, pickable } from "./git-parts.mjs";
import { askAtlas, browse, problemsOf, serve } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

for (const colorScheme of ["light", "dark"]) {
  test(`the history of a folder, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    const root = harbour(t);
    await pickable(page, "harbour", filesOf(root));
    await open(page, site, "harbour");
    const history = page.getByRole("button", { name: "History of this file" });

    await t.test("nothing of it is fetched before somebody asks", async () => {
      await page.goto(`${site.url}#/f/src/quay.py?r=harbour`);
      await history.waitFor();
      assert.deepEqual(
        site.asked.filter((path) => /history_bg/.test(path)),
        [],
      );
    });

    await t.test("each line has its commit, through a rename and below a line that is not committed", async () => {
      await history.click();
      assert.deepEqual(await blamed(page), ["not committed", people.ada, people.grace, people.ada]);
      await page.getByText("3 commits").waitFor();
      await shot(page, `history-blame-${colorScheme}`);
    });

    await t.test("a click on a line shows its commit, and that its changes", async () => {
      await page.locator(".cm-blame-cell", { hasText: people.grace }).click();
      const commits = page.getByRole("region", { name: "Commits of this file" });
      const current = commits.locator("[aria-current=true]");
      await current.getByRole("button", { name: "Fasten before mooring" }).waitFor();
      await page.getByText("Earlier called").getByText("src/dock.py").waitFor();
      await shot(page, `history-commits-${colorScheme}`);
      await accessible(page, "history of a file");
      await current.getByRole("link").click();
      await page.getByText(/^Commit [0-9a-f]{8}: 1 file differs/).waitFor();
      await page.locator(".diff-new", { hasText: "return fasten(ship)" }).waitFor();
      await page.goBack();
    });

    await t.test("hunks of a diff have colours on both sides", async () => {
      await page.goto(`${site.url}#/?r=harbour&v=changes&a.from=v1&a.to=feature/knots`);
      await page.getByText("v1...feature/knots: 1 file differs").waitFor();
      await page.locator(".diff-new .hl-keyword, .diff-new .hl-keyword-control", { hasText: "return" }).waitFor();
      await page.locator(".diff-old .hl-keyword, .diff-old .hl-keyword-control", { hasText: "return" }).waitFor();
      await shot(page, `history-refs-${colorScheme}`);
      await accessible(page, "two refs");
    });

    await t.test("two refs are chosen: what a branch changed since it parted, and all that differs", async () => {
      await page.getByRole("button", { name: "Another one" }).click();
      const [from, to] = [page.getByLabel("From", { exact: true }), page.getByLabel("to", { exact: true })];
      assert.equal(await to.inputValue(), "main");
      await from.fill("main");
      await to.fill("feature/knots");
      await shot(page, `history-choose-${colorScheme}`);
      await accessible(page, "the choice of refs");
      await page.getByRole("button", { name: "Compare", exact: true }).first().click();
      await page.getByText("main...feature/knots: 1 file differs").waitFor();
      await page.getByRole("region", { name: "src/quay.py", exact: true }).waitFor();
      await page.getByRole("button", { name: "Another one" }).click();
      await page.getByRole("combobox", { name: "Show" }).selectOption("direct");
      await to.fill("feature/knots");
      await from.fill("main");
      await page.getByRole("button", { name: "Compare", exact: true }).first().click();
      await page.getByText("main..feature/knots: 2 files differ").waitFor();
      await page.goto(`${site.url}#/?r=harbour&v=changes&a.from=main&a.to=no-such-branch`);
      await page.getByRole("alert").getByText("no-such-branch names no commit").waitFor();
    });

    await t.test("churn colours the map, and the table has it as figures", async () => {
      await page.goto(`${site.url}#/?r=harbour`);
      await askAtlas(page, { by: "churn" });
      const legend = page.getByRole("region", { name: "Colours" });
      await legend.getByText("3 to 9 commits").waitFor();
      await page.locator(".atlas-leaf title", { hasText: /crane\.py.*3 to 9 commits/ }).waitFor({ state: "attached" });
      await shot(page, `history-churn-${colorScheme}`);
      await accessible(page, "churn");
      await askAtlas(page, { as: "table", level: "files", by: "churn" });
      const row = page.getByRole("row", { name: /src\/crane\.py/ });
      await row.waitFor();
      assert.equal((await row.locator("td").last().textContent())?.trim(), "5");
    });

    await t.test("a new commit is read when the files have changed", async () => {
      execFileSync(
        "git",
        ["-c", "user.name=Grace Hopper", "-c", "user.email=grace@example.com", "commit", "-qam", "Mark it"],
        {
          cwd: root,
        },
      );
      const files = filesOf(root);
      await page.evaluate((files) => window.putInFolder(files), { ...files, "src/new.py": btoa("x = 1\n") });
      await page.locator(".footer", { hasText: /1 added/ }).waitFor();
      await page.goto(`${site.url}#/f/src/quay.py?r=harbour`);
      await page.getByText("4 commits").waitFor();
      assert.deepEqual((await blamed(page))[0], people.grace);
    });
    assert.deepEqual(problemsOf(page), []);
  });
}

test("on a phone the margin is narrow and the lists are below each other", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { viewport: { width: 390, height: 780 } });
  await pickable(page, "harbour", filesOf(harbour(t)));
  await open(page, site, "harbour");
  await page.goto(`${site.url}#/f/src/quay.py?r=harbour`);
  await page.getByRole("button", { name: "History of this file" }).click();
  await page.locator(".cm-blame-cell", { hasText: people.ada }).first().click();
  await page
    .getByText("Usually changes with")
    .or(page.getByRole("heading", { name: "By" }))
    .first()
    .waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
  await shot(page, "history-phone");
});
