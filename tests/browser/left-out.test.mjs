// Files that the index leaves out are seen where their source is available: images, notebooks, large texts, the first bytes of others.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { allDone, browse, pickable, problemsOf, serve } from "./harness.mjs";
import { leastOf, recordTasks } from "./tasks.mjs";
import { accessible, shot } from "./looks.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const picture = join(root, "docs/explorer/overview-light.webp");
const program = join(root, "pkg/wasm/seal_bg.wasm");
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const nRows = 90_000;

const notebook = {
  nbformat: 4,
  metadata: { language_info: { name: "python" } },
  cells: [
    {
      cell_type: "markdown",
      source: [
        "# Tides of the harbour\n",
        "\n",
        "See [the crane](src/crane.py). \u202Egnihton<img src=x onerror=alert(1)>",
      ],
    },
    {
      cell_type: "code",
      execution_count: 7,
      source: ["heights = [tide(hour) for hour in range(24)]\n", "plot(heights)"],
      outputs: [
        { output_type: "stream", name: "stdout", text: ["24 heights\n"] },
        { output_type: "display_data", data: { "image/png": dot, "text/html": "<script>alert(2)</script>" } },
        { output_type: "error", ename: "ValueError", evalue: "dry", traceback: ["\u001b[31mValueError\u001b[0m: dry"] },
      ],
    },
  ],
};

/** A folder of sources with an image, two notebooks, a large table and a program. */
function harbour(t) {
  const top = mkdtempSync(join(tmpdir(), "portolan-left-out-"));
  t.after(() => rmSync(top, { recursive: true, force: true, maxRetries: 5 }));
  const folder = join(top, "harbour");
  for (const inner of ["src", "img", "data"]) mkdirSync(join(folder, inner), { recursive: true });
  writeFileSync(join(folder, "src/crane.py"), "def lift(load):\n    return load\n");
  copyFileSync(picture, join(folder, "img/chart.webp"));
  writeFileSync(join(folder, "img/broken.png"), "this is no picture");
  copyFileSync(program, join(folder, "data/seal.wasm"));
  writeFileSync(join(folder, "tides.ipynb"), JSON.stringify(notebook, null, 1));
  const large = { ...notebook, cells: [...notebook.cells, { cell_type: "raw", source: "x".repeat(2_200_000) }] };
  writeFileSync(join(folder, "large.ipynb"), JSON.stringify(large));
  const rows = Array.from({ length: nRows }, (_, at) => `${at},pier ${at % 17},${(at * 7919) % 1000},low water`);
  writeFileSync(join(folder, "data/tides.csv"), `id,pier,height,note\n${rows.join("\n")}\n`);
  return { top, folder };
}

/** The browser reports the handler in the notebook's Markdown while that is parsed, before it is cleaned. */
const problems = (page) => problemsOf(page).filter((one) => !one.startsWith("Executing inline event handler violates"));

async function look(page, site, path, name = "harbour") {
  await page.goto(`${site.url}#/f/${path}?r=${name}`);
}

async function sees(page, site, t) {
  await t.test("an image with its size", async () => {
    await look(page, site, "img/chart.webp");
    await page.getByText("1280 × 800 pixels").waitFor();
    await page.getByText(/Not in the index: .*\. Shown from the (folder|archive) that you opened/).waitFor();
    assert.equal(await page.locator(".leftout-frame img").evaluate((image) => image.naturalWidth), 1280);
    await page.getByRole("button", { name: "Actual size" }).click();
    assert.ok(await page.locator(".leftout-frame").evaluate((frame) => frame.scrollWidth > frame.clientWidth));
    await accessible(page, "image");
    await shot(page, "left-out-image");
  });

  await t.test("an image that is none as its bytes", async () => {
    await look(page, site, "img/broken.png");
    const isIndexed = page.locator(".cm-line", { hasText: "this is no picture" });
    const bytes = page.locator(".leftout-bytes", { hasText: "this is no pictu" });
    await isIndexed.or(bytes).first().waitFor();
  });

  await t.test("the first bytes of a program", async () => {
    await look(page, site, "data/seal.wasm");
    const bytes = page.locator(".leftout-bytes");
    await bytes.getByText("00 61 73 6d 01 00 00 00", { exact: false }).waitFor();
    assert.match(await bytes.textContent(), /^000000 {2}00 61 73 6d .* {2}\.asm/);
    await page.getByText("The first 4.1 kB of").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download this file" }).click();
    assert.deepEqual(readFileSync(await (await download).path()), readFileSync(program));
    await accessible(page, "bytes");
    await shot(page, "left-out-bytes");
  });

  await t.test("a large table in the code view, with find and lines", async () => {
    await look(page, site, "data/tides.csv");
    await page.locator(".cm-line", { hasText: "id,pier,height,note" }).waitFor();
    await page.getByText(/Not in the index: .*too large|Not in the index: .*limit/).waitFor();
    await page.keyboard.press("Control+f");
    // By keys: the editor takes the words of its field when one is released.
    await page.getByRole("textbox", { name: "Find in this file" }).pressSequentially("89999,pier");
    await page.keyboard.press("Enter");
    await page.locator(".cm-line", { hasText: "89999,pier" }).waitFor();
    assert.equal(await page.getByText("90,001 lines").count(), 1);
    await accessible(page, "large table");
  });

  await t.test("the cells of a notebook that is too large for the index", async () => {
    await look(page, site, "large.ipynb");
    await page.locator(".cell-text", { hasText: "plot(heights)" }).waitFor();
    await page.getByRole("heading", { name: "Tides of the harbour" }).waitFor();
  });
}

for (const colorScheme of ["light", "dark"])
  test(`from an opened folder, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    const { folder } = harbour(t);
    await page.goto(site.url);
    await page.locator("input[name=folder]").setInputFiles(folder);
    await page.getByRole("heading", { level: 1, name: "harbour", exact: true }).waitFor();
    await allDone(page);
    await sees(page, site, t);

    await t.test("an indexed notebook as cells, cleaned, and as text", async () => {
      await look(page, site, "tides.ipynb");
      await page.getByRole("heading", { name: "Tides of the harbour" }).waitFor();
      const cells = page.getByRole("region", { name: "Notebook" });
      await cells.getByText("[7]").waitFor();
      await cells.locator(".cell-output", { hasText: "24 heights" }).waitFor();
      await cells.locator(".cell-error", { hasText: /^ValueError: dry$/ }).waitFor();
      await page.waitForFunction(() => document.querySelector(".cell-image")?.naturalWidth === 1);
      assert.equal(
        await cells.getByRole("link", { name: "the crane" }).getAttribute("href"),
        "#/f/src/crane.py?r=harbour",
      );
      const words = await cells.textContent();
      assert.match(words, /\\u202egnihton/);
      assert.doesNotMatch(words, /\u202e|alert/);
      await accessible(page, "notebook");
      await shot(page, `notebook-${colorScheme}`);
      await page.getByRole("button", { name: "Show the JSON" }).click();
      await page.locator(".cm-line", { hasText: '"nbformat": 4' }).first().waitFor();
      await page.getByRole("button", { name: "Show the cells" }).click();
      await cells.waitFor();
    });

    await t.test("without its source it says so", async () => {
      await page.reload();
      await look(page, site, "img/chart.webp");
      await page.getByText("Its source is not at hand").waitFor();
      await page.getByText("Open the folder or the archive of harbour again").waitFor();
      await accessible(page, "not at hand");
    });
    assert.deepEqual(problems(page), []);
  });

test("from an archive that was opened", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  const { top } = harbour(t);
  execFileSync("tar", ["czf", "harbour.tgz", "harbour"], { cwd: top });
  await page.goto(site.url);
  await page.locator("input[name=archive]").setInputFiles(join(top, "harbour.tgz"));
  await page.getByRole("heading", { level: 1, name: "harbour", exact: true }).waitFor();
  await allDone(page);
  await sees(page, site, t);
  assert.deepEqual(problems(page), []);
});

test("from a folder of the browser's picker, also after a reload", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await pickable(page, "quay", { "a.py": "x = 1\n", "blob.bin": "\0binary of the quay" });
  await page.goto(site.url);
  await page.getByRole("button", { name: "Open a folder" }).click();
  await page.getByRole("heading", { level: 1, name: "quay", exact: true }).waitFor();
  await allDone(page);
  for (const when of ["at once", "after a reload"]) {
    if (when === "after a reload") await page.reload();
    await look(page, site, "blob.bin", "quay");
    await page.locator(".leftout-bytes", { hasText: ".binary of the q" }).waitFor();
    await look(page, site, "a.py", "quay");
    await page.locator(".cm-line", { hasText: "x = 1" }).waitFor();
  }
  assert.deepEqual(problemsOf(page), []);
});

test("a large table keeps the page answering", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  const { folder } = harbour(t);
  await page.goto(site.url);
  await page.locator("input[name=folder]").setInputFiles(folder);
  await page.getByRole("heading", { level: 1, name: "harbour", exact: true }).waitFor();
  await allDone(page);
  const limit = 50;
  const least = await leastOf(limit, async (note) => {
    await look(page, site, "src/crane.py");
    await page.locator(".cm-line", { hasText: "def lift" }).waitFor();
    const recording = await recordTasks(page);
    await look(page, site, "data/tides.csv");
    await page.locator(".cm-line", { hasText: "id,pier,height,note" }).waitFor();
    await page.waitForTimeout(500);
    note("longest task", Math.max(...(await recording.stop())));
  });
  t.diagnostic([...least].map(([name, millis]) => `${name} ${Math.round(millis)} ms`).join(", "));
  for (const [name, millis] of least) assert.ok(millis < limit, `${name}: ${millis} ms`);
});
