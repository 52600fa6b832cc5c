// The git history in sites: in the page that `portolan build` writes, and in a page of one's own over the files of `portolan assets`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { blamed, filesOf, harbour, people, pickable } from "../browser/git-parts.mjs";
import { browse, types } from "../browser/harness.mjs";

const BIN = fileURLToPath(new URL("../../pkg/bin/portolan.js", import.meta.url));
const PAGE = `import { folderWithGit, History } from "portolan/history";
window.read = async (files) => {
  const list = Object.entries(files).map(([path, text]) => ({
    path,
    file: new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], path),
  }));
  const history = await History.read(list, { assets: "./portolan" });
  const { commits, lines } = await history.blame("src/quay.py");
  const { n_commits } = await history.file("src/quay.py");
  history.close();
  return { n_commits, authors: lines.map((line) => commits[line].author), above: await folderWithGit(list, "src/quay.py") };
};
`;

function folderOf(t) {
  const folder = mkdtempSync(join(tmpdir(), "portolan-site-history-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

const portolan = (cwd, ...args) =>
  execFileSync(process.execPath, [BIN, ...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Files of a folder, with the policy that they bring, if any. */
async function host(t, folder) {
  const missing = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://page").pathname);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!existsSync(file)) {
      if (path !== "/favicon.ico") missing.push(path);
      return response.writeHead(404).end();
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${server.address().port}/`, missing };
}

test("a page without the package's bundler reads a history with the files of portolan assets", async (t) => {
  const folder = folderOf(t);
  portolan(folder, "assets", "--languages", "python", "--no-embeddings", "-o", "portolan");
  const made = readdirSync(join(folder, "portolan"), { recursive: true }).map((path) => path.replaceAll("\\", "/"));
  for (const file of ["workers/history.js", "wasm/history_bg.wasm"]) assert.ok(made.includes(file), file);
  const stdin = { contents: PAGE, resolveDir: fileURLToPath(new URL("../../www", import.meta.url)) };
  await build({ stdin, bundle: true, format: "esm", outfile: join(folder, "page.js"), logLevel: "error" });
  writeFileSync(join(folder, "index.html"), '<!doctype html><script type="module" src="page.js"></script>\n');
  const { url, missing } = await host(t, folder);
  const page = await browse(t);
  await page.goto(url);
  await page.waitForFunction(() => "read" in window);
  const found = await page.evaluate((files) => window.read(files), filesOf(harbour(t)));
  const { ada, grace } = people;
  assert.deepEqual(found, { n_commits: 3, authors: [ada, grace, ada, ada, ada, ada], above: "" });
  assert.deepEqual(missing, []);
});

test("the page of portolan build reads the history of a folder that is opened in it", async (t) => {
  const work = folderOf(t);
  mkdirSync(join(work, "shop/.git"), { recursive: true });
  writeFileSync(join(work, "shop/tax.py"), "def add_tax(net):\n    return net * 1.19\n");
  portolan(join(work, "shop"), "build", "-o", join(work, "site"));
  const { url, missing } = await host(t, join(work, "site"));
  const page = await browse(t, { serviceWorkers: "block" });
  await pickable(page, "harbour", filesOf(harbour(t)));
  await page.goto(url);
  await page.getByRole("heading", { level: 1, name: "shop", exact: true }).waitFor();
  await page
    .getByRole("link", { name: /Portolan/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Open a folder" }).click();
  await page.getByRole("heading", { level: 1, name: "harbour" }).waitFor();
  await page.goto(`${url}#/f/src/quay.py?r=harbour`);
  await page.getByRole("button", { name: "History of this file" }).click();
  assert.deepEqual(await blamed(page), ["not committed", people.ada, people.grace, people.ada]);
  assert.deepEqual(page.problems, []);
  assert.deepEqual(missing, []);
});
