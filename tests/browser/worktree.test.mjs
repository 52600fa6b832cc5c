// Worktrees and submodules keep their history in another folder: the page uses it if it was opened along, and says plainly if not.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { blamed, filesOf, harbour, open, people, pickable } from "./git-parts.mjs";
import { allDone, askAtlas, browse, problemsOf, serve } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

const git = (cwd, ...args) => execFileSync("git", args, { cwd, env: { PATH: process.env.PATH, HOME: cwd } });

/** A folder `both` with the repository `main` and its worktree `knots`, on a branch with one more commit. */
function bothFolders(t) {
  const work = mkdtempSync(join(tmpdir(), "portolan-worktree-"));
  t.after(() => rmSync(work, { recursive: true, force: true, maxRetries: 5 }));
  const both = join(work, "both");
  mkdirSync(both);
  cpSync(harbour(t), join(both, "main"), { recursive: true });
  git(join(both, "main"), "worktree", "add", "--quiet", "../knots", "feature/knots");
  return both;
}

const historyOf = (page) => page.getByRole("button", { name: "History of this file" });

for (const colorScheme of ["light", "dark"]) {
  test(`a worktree alone says where its history is and what to do, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    const both = bothFolders(t);
    await pickable(page, "knots", filesOf(join(both, "knots")));
    await open(page, site, "knots");
    await page.goto(`${site.url}#/f/src/quay.py?r=knots`);
    await historyOf(page).click();
    const said = page.getByText(`is a worktree of git, whose history is kept in ${join(both, "main")}`);
    await said.waitFor();
    await page.getByText("Open a folder that holds both the repository and this worktree").waitFor();
    await shot(page, `history-worktree-${colorScheme}`);
    await accessible(page, "a worktree");
    await page.goto(`${site.url}#/?r=knots&v=changes`);
    await said.waitFor();
    await page.goto(`${site.url}#/?r=knots`);
    await askAtlas(page, { by: "churn" });
    await said.waitFor();
    await page.goto(`${site.url}#/?r=knots&v=changes&a.from=main&a.to=next`);
    await page.getByRole("alert").getByText("Open a folder that holds both").waitFor();
    assert.deepEqual(problemsOf(page), []);
  });
}

/** Reads blame in both folders, and what the last commit of the worktree changed. */
async function readsBoth(page, site) {
  await page.goto(`${site.url}#/f/knots/src/quay.py?r=both`);
  await historyOf(page).click();
  await page.getByText("4 commits", { exact: true }).waitFor();
  assert.deepEqual(await blamed(page), [people.ada, people.grace, people.ada, people.grace]);
  await page.locator(".cm-blame-cell", { hasText: people.grace }).last().click();
  const commits = page.getByRole("region", { name: "Commits of this file" });
  await commits.locator("[aria-current=true]").getByRole("link").click();
  await page.getByText(/^Commit [0-9a-f]{8}: 1 file differs/).waitFor();
  await page.getByRole("region", { name: "knots/src/quay.py", exact: true }).waitFor();
  await page.goto(`${site.url}#/f/main/src/quay.py?r=both`);
  await page.getByText("3 commits", { exact: true }).waitFor();
  assert.deepEqual(await blamed(page), ["not committed", people.ada, people.grace, people.ada]);
}

test("a folder that holds both the repository and its worktree has the history of each", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await pickable(page, "both", filesOf(bothFolders(t)));
  await open(page, site, "both");
  await readsBoth(page, site);
  await page.goto(`${site.url}#/?r=both`);
  await askAtlas(page, { as: "table", level: "files", by: "churn" });
  const row = page.getByRole("row", { name: /main\/src\/crane\.py/ });
  await row.waitFor();
  assert.equal((await row.locator("td").last().textContent())?.trim(), "5");
  assert.deepEqual(problemsOf(page), []);
});

test("the same for a folder that the browser gives as a list of files", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await page.locator("input[name=folder]").setInputFiles(bothFolders(t));
  await page.getByRole("heading", { level: 1, name: "both" }).waitFor();
  await allDone(page);
  await readsBoth(page, site);
  assert.deepEqual(problemsOf(page), []);
});

test("a worktree within the repository and a submodule have their own history", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  const root = harbour(t);
  const inner = harbour(t);
  git(root, "worktree", "add", "--quiet", "trees/knots", "feature/knots");
  git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "parts/inner");
  assert.ok(existsSync(join(root, "parts/inner/.git")));
  await pickable(page, "harbour", filesOf(root));
  await open(page, site, "harbour");
  for (const [path, n] of [
    ["src/quay.py", 3],
    ["trees/knots/src/quay.py", 4],
    ["parts/inner/src/crane.py", 5],
  ]) {
    await page.goto(`${site.url}#/f/${path}?r=harbour`);
    await page.locator(".cm-line").first().waitFor();
    if ((await historyOf(page).getAttribute("aria-pressed")) !== "true") await historyOf(page).click();
    await page.getByText(`${n} commits`, { exact: true }).waitFor();
  }
  assert.deepEqual(problemsOf(page), []);
});

test("a .git that names a folder which does not name it in turn is not followed", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  const both = bothFolders(t);
  const back = join(both, "main/.git/worktrees/knots/gitdir");
  assert.equal(readFileSync(back, "utf8").trim(), join(both, "knots/.git"));
  writeFileSync(back, "/elsewhere/.git\n");
  await pickable(page, "both", filesOf(both));
  await open(page, site, "both");
  await page.goto(`${site.url}#/f/knots/src/quay.py?r=both`);
  await historyOf(page).click();
  await page.getByText("is a worktree of git, whose history is kept in").waitFor();
  assert.deepEqual(problemsOf(page), []);
});
