// The history of a folder's git repository, made by the real git: who changed each line, commits of a file, churn on the map, two refs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { allDone, askAtlas, browse, problemsOf, serve } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

const people = { ada: "Ada Lovelace", grace: "Grace Hopper" };

/** A repository with a branch, a tag, packed and loose objects, and a change that is not committed. */
function harbour(t) {
  const root = mkdtempSync(join(tmpdir(), "portolan-history-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const git = (args, env = {}) =>
    execFileSync("git", args, { cwd: root, env: { PATH: process.env.PATH, HOME: root, ...env }, encoding: "utf8" });
  let day = 0;
  const commit = (who, subject, files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      if (text === null) rmSync(join(root, path));
      else writeFileSync(join(root, path), text);
    }
    day += 30;
    const date = `${1_700_000_000 + day * 86_400} +0000`;
    const by = { NAME: people[who], EMAIL: `${who}@example.com`, DATE: date };
    const env = Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((role) =>
        Object.entries(by).map(([key, value]) => [`GIT_${role}_${key}`, value]),
      ),
    );
    git(["add", "-A"]);
    git(["commit", "--quiet", "-m", subject], env);
  };
  const quay = (moor, fasten) => `def moor(ship):\n    return ${moor}\n\n\ndef fasten(ship):\n    return ${fasten}\n`;
  git(["init", "--quiet", "--initial-branch=main"]);
  writeFileSync(join(root, ".git/info/exclude"), ".config\n");
  commit("ada", "Moor ships", {
    "src/dock.py": quay("ship", "ship"),
    "src/crane.py": "def lift(load):\n    return load\n",
  });
  commit("grace", "Fasten before mooring", { "src/dock.py": quay("fasten(ship)", "ship") });
  commit("ada", "Call the dock a quay", { "src/dock.py": null, "src/quay.py": quay("fasten(ship)", "ship") });
  git(["tag", "v1"]);
  git(["gc", "--quiet"]);
  git(["checkout", "--quiet", "-b", "feature/knots"]);
  commit("grace", "Tie a knot", { "src/quay.py": quay("fasten(ship)", "knot(ship)") });
  git(["checkout", "--quiet", "main"]);
  commit("ada", "Lift twice", { "src/crane.py": "def lift(load):\n    return load + load\n" });
  for (let n = 0; n < 3; n += 1)
    commit("ada", `Tune ${n}`, { "src/crane.py": `def lift(load):\n    return load + ${n}\n` });
  writeFileSync(join(root, "src/quay.py"), `# not committed\n${readFileSync(join(root, "src/quay.py"), "utf8")}`);
  return root;
}

/** Every file of a folder in base64, by path. */
function filesOf(root) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length + 1), readFileSync(path).toString("base64")];
    }),
  );
}

/** Lets the page pick these files as a folder. */
async function pickable(page, name, files) {
  await page.addInitScript(
    ([name, files]) => {
      window.putInFolder = async (files) => {
        const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
        for (const [path, text] of Object.entries(files)) {
          const parts = path.split("/");
          let folder = root;
          for (const part of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(part, { create: true });
          const stream = await (await folder.getFileHandle(parts.at(-1), { create: true })).createWritable();
          await stream.write(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
          await stream.close();
        }
        return root;
      };
      window.showDirectoryPicker = () => window.putInFolder(files);
    },
    [name, files],
  );
}

async function open(page, site, name) {
  await page.goto(site.url);
  await page.getByRole("button", { name: "Open a folder" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await allDone(page);
}

/** Words of the margin from the top, without those of lines that continue a run. */
async function blamed(page) {
  await page.locator(".cm-blame-cell").first().waitFor();
  const cells = await page.locator(".cm-blame .cm-gutterElement").allTextContents();
  return cells.map((words) => words.replace(/^.* · /, "")).filter((words) => words !== "");
}

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

test("folders without a readable .git have no history", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await pickable(page, "worktree", {
    ".git": btoa("gitdir: /elsewhere/.git/worktrees/a\n"),
    "a.py": btoa("def a():\n    return 1\n"),
  });
  await open(page, site, "worktree");
  await page.goto(`${site.url}#/f/a.py?r=worktree`);
  await page.locator(".cm-line", { hasText: "def a" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "History of this file" }).count(), 0);
  await page.goto(`${site.url}#/?r=worktree&v=changes&a.from=main&a.to=next`);
  await page.getByText("open the folder again").waitFor();
  assert.deepEqual(problemsOf(page), []);
});
