// A folder that was picked stays in step: changes are followed where the browser tells of them, looked for where it does not, and the
// index that is kept is that of the files as they are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, browse, pickable, problemsOf, resultPaths, searchFor, serve, writeFile } from "./harness.mjs";

const files = {
  "src/quay.py": "def moor(ship):\n    return fasten(ship)\n\n\ndef fasten(ship):\n    return ship\n",
  "src/crane.py": "def lift(load):\n    return load\n",
};
const changed = "def moor(ship):\n    return tether(ship)\n\n\ndef tether(ship):\n    return ship\n";

async function pick(page, site) {
  await page.goto(site.url);
  await page.getByRole("button", { name: "Open a folder" }).click();
  await page.getByRole("heading", { level: 1, name: "harbour" }).waitFor();
  await allDone(page);
}

/** Returns the definitions of a name in the saved index, asked in another tab. */
async function savedHas(page, site, name) {
  const tab = await page.context().newPage();
  // Without permission to read the folder there is only the saved index.
  await tab.addInitScript(() => (FileSystemHandle.prototype.queryPermission = async () => "prompt"));
  await tab.goto(`${site.url}#/?r=harbour&q=${name}`);
  await tab
    .locator(".results:not([aria-busy=true]) .results-summary, .results:not([aria-busy=true]) .empty")
    .first()
    .waitFor();
  const found = (await tab.locator(".passage").allTextContents()).some((text) => text.includes(`def ${name}`));
  await tab.close();
  return found;
}

test("a picked folder is followed: what changes is shown, found and kept", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await pickable(page, "harbour", files);
  await pick(page, site);
  const overview = page.locator(".overview");
  await overview.getByText("Watching the folder for changes.").waitFor();

  await t.test("a file that is written", async () => {
    await writeFile(page, "src/quay.py", changed);
    const started = Date.now();
    await overview.getByRole("heading", { name: "Changed since it was opened" }).waitFor();
    t.diagnostic(`${Date.now() - started} ms after the change`);
    await overview
      .locator(".rounds > li", { hasText: "1 modified" })
      .getByRole("link", { name: "src/quay.py" })
      .waitFor();
    await searchFor(page, "tether");
    assert.equal((await resultPaths(page))[0], "src/quay.py");
  });

  await t.test("the file that is open, where the reader is in it", async () => {
    await page.goto(`${site.url}#/f/src/quay.py?r=harbour`);
    await page.locator(".cm-line", { hasText: "def tether" }).waitFor();
    await writeFile(page, "src/quay.py", files["src/quay.py"]);
    await page.locator(".cm-line", { hasText: "def fasten" }).waitFor();
    await page.locator(".footer", { hasText: "1 modified; 1 file unchanged" }).waitFor();
  });

  await t.test("files that come and go, and folders", async () => {
    await page.goto(`${site.url}#/?r=harbour`);
    await writeFile(page, "docs/berths/list.py", "def berths():\n    return []\n");
    await overview
      .locator(".rounds > li", { hasText: "1 added" })
      .getByRole("link", { name: "docs/berths/list.py" })
      .waitFor();
    await writeFile(page, "src/crane.py", null);
    await overview.locator(".rounds > li", { hasText: "1 deleted" }).getByText("src/crane.py").waitFor();
    await page.getByRole("tree", { name: "Files" }).getByText("docs").waitFor();
  });

  await t.test("it is kept when nothing has changed for a while", async () => {
    await page.waitForTimeout(4500);
    assert.equal(await savedHas(page, site, "berths"), true);
    assert.equal(await savedHas(page, site, "lift"), false);
  });

  await t.test("after a reload the folder is looked at again, and followed", async () => {
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "harbour" }).waitFor();
    await overview.getByText("Watching the folder for changes.").waitFor();
    await writeFile(page, "src/quay.py", changed);
    await overview.locator(".rounds > li", { hasText: "1 modified" }).waitFor();
  });
  assert.deepEqual(problemsOf(page), []);
});

test("where the browser cannot tell of changes, the reader looks for them", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  // Workers have no init scripts: theirs is taken away on the way.
  await page.route(/assets\/.*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `delete globalThis.FileSystemObserver;\n${await response.text()}` });
  });
  await pickable(page, "harbour", files);
  await pick(page, site);
  const look = page.getByRole("button", { name: "Look for changes" });
  await look.click();
  await page.locator(".footer", { hasText: "Nothing has changed; 2 files unchanged" }).waitFor();
  await writeFile(page, "src/quay.py", changed);
  // A user who comes back to the page sees a note, and decides.
  await page.waitForTimeout(100);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.getByText("1 file has changed since it was indexed: src/quay.py. ").waitFor();
  await page.getByRole("button", { name: "Read them again" }).click();
  await page.locator(".rounds > li", { hasText: "1 modified" }).waitFor();
  await look.waitFor();
  await searchFor(page, "tether");
  assert.equal((await resultPaths(page))[0], "src/quay.py");
  assert.equal(await savedHas(page, site, "tether"), true);
  assert.deepEqual(problemsOf(page), []);
});

test("a list of files is what it is: the folder is chosen again, and only what has changed is read", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  const listed = (texts) => Object.entries(texts).map(([path, text]) => ({ path, text }));
  await page.evaluate((texts) => {
    const input = document.querySelector("input[name=folder]");
    const transfer = new DataTransfer();
    for (const { path, text } of texts) {
      const file = new File([text], path.split("/").at(-1));
      Object.defineProperty(file, "webkitRelativePath", { value: `harbour/${path}` });
      transfer.items.add(file);
    }
    Object.defineProperty(input, "files", {
      value: [...transfer.files].map((file, at) =>
        Object.defineProperty(file, "webkitRelativePath", { value: `harbour/${texts[at].path}` }),
      ),
      configurable: true,
    });
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }, listed(files));
  await page.getByRole("heading", { level: 1, name: "harbour" }).waitFor();
  await allDone(page);
  await page.evaluate((text) => {
    window.showDirectoryPicker = async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("harbour", { create: true });
      const src = await folder.getDirectoryHandle("src", { create: true });
      for (const [name, body] of [
        ["quay.py", text],
        ["crane.py", "def lift(load):\n    return load\n"],
      ]) {
        const stream = await (await src.getFileHandle(name, { create: true })).createWritable();
        await stream.write(body);
        await stream.close();
      }
      return folder;
    };
  }, changed);
  await page.getByRole("button", { name: "Choose the folder again to look for changes" }).click();
  await page.locator(".rounds > li", { hasText: "1 modified" }).waitFor();
  await page.getByText("Watching the folder for changes.").waitFor();
});
