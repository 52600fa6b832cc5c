// Git repositories made by the real git, as folders that a page is given.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { allDone } from "./harness.mjs";

export const people = { ada: "Ada Lovelace", grace: "Grace Hopper" };

/** A repository with a branch, a tag, packed and loose objects, and a change that is not committed. */
export function harbour(t) {
  const root = mkdtempSync(join(tmpdir(), "portolan-history-"));
  t.after(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
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
export function filesOf(root) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length + 1), readFileSync(path).toString("base64")];
    }),
  );
}

/** Lets the page pick these files as a folder. */
export async function pickable(page, name, files) {
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

export async function open(page, site, name) {
  await page.goto(site.url);
  await page.getByRole("button", { name: "Open a folder" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await allDone(page);
}

/** Words of the margin from the top, without those of lines that continue a run. */
export async function blamed(page) {
  await page.locator(".cm-blame-cell").first().waitFor();
  const cells = await page.locator(".cm-blame .cm-gutterElement").allTextContents();
  return cells.map((words) => words.replace(/^.* · /, "")).filter((words) => words !== "");
}
