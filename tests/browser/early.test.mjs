// A large repository answers while it is still read: the first questions after seconds, about more and more files, at the end about all.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, browse, problemsOf, searchFor, serve, tarOf } from "./harness.mjs";

const nFiles = 300;

/** JavaScript, and last a file of Python. */
function repository() {
  const files = { "zone/last.py": "def weigh_anchor(ship):\n    return ship\n" };
  for (let at = 0; at < nFiles; at++) {
    const name = (line) => `berth${at}_${line}`;
    const body = Array.from(
      { length: 44 },
      (_, line) =>
        `export function ${name(line)}(ship, quay) {\n  return moor(ship, { quay, at: ${line} }) ?? ${name((line + 1) % 44)}(ship, quay);\n}`,
    ).join("\n");
    files[`part${at % 40}/file${at}.js`] = `${body}\n`;
  }
  return tarOf("harbour", files);
}

/** However fast the machine, reading takes until the grammar of Python may come. */
async function holdPython(page) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route(/python[^/]*\.wasm/, async (route) => {
    await released;
    await route.continue().catch(() => {}); // the page may be gone
  });
  return release;
}

test("questions are answered while files are still read, and about all of them in the end", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  const release = await holdPython(page);
  await page.goto(site.url);
  const archive = repository();
  const started = performance.now();
  await page.locator("input[name=archive]").setInputFiles(archive);
  await page.getByRole("heading", { level: 1, name: "harbour" }).waitFor();
  const first = performance.now() - started;
  const overview = page.locator(".overview header");

  await t.test("the first answer, with what is still to do beside it", async () => {
    await overview.getByText("Still indexing: answers cover only these files.").waitFor();
    await page.locator(".footer .progress-line-words", { hasText: /^Parsing/ }).waitFor();
    const [n] = /[\d,]+/.exec(await overview.textContent());
    assert.ok(Number(n.replaceAll(",", "")) <= nFiles, `${n} files`);
    await searchFor(page, "moor ship quay berth");
    assert.ok((await page.locator(".passage").count()) > 0);
    await page.getByRole("searchbox").fill("");
  });

  await t.test("the whole", async () => {
    release();
    await overview.getByText("Still indexing").waitFor({ state: "detached" });
    t.diagnostic(`first answers after ${(first / 1000).toFixed(1)} s`);
    await overview.getByText(`${nFiles + 1} files`).waitFor();
    await searchFor(page, "weigh_anchor");
    await page.locator(".result-path", { hasText: "last.py" }).waitFor();
    await page.getByRole("searchbox").fill("");
    await allDone(page);
    const [definitions] = await page.locator(".figures dd").allTextContents();
    assert.equal(Number(definitions.replaceAll(",", "")), nFiles * 44 + 1);
  });
  assert.deepEqual(problemsOf(page), []);
});

test("indexing that is cancelled while it answers already: what was read stays, and the page says that it is a part", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t, { serviceWorkers: "block" });
  t.after(await holdPython(page));
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles(repository());
  await page.getByText("Still indexing").waitFor();
  await page.locator(".footer").getByRole("button", { name: "Cancel" }).click();
  await page.getByText("harbour is only partly indexed").waitFor();
  await searchFor(page, "moor ship quay berth");
  assert.ok((await page.locator(".passage").count()) > 0);
  await page.reload();
  await page.getByText("The link is about “harbour”, which is not saved").waitFor();
});
