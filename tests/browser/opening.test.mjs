// An opened source shows all its files at once, under a name of its own; an unreadable one says what to do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { allDone, browse, problemsOf, searchFor, serve, tarOf } from "./harness.mjs";

const archive = (page) => page.locator("input[name=archive]");

async function start(t) {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  return { site, page };
}

/** A package and its tests in two top folders, in two languages, large enough for answers before the end. */
function twoFolders() {
  const files = { "README.md": "# model\n" };
  for (let at = 0; at < 120; at += 1) {
    const body = Array.from({ length: 40 }, (_, n) => `def check_${at}_${n}(value):\n    return value == ${n}\n`).join(
      "\n",
    );
    files[`model/part${at % 7}/fields${at}.py`] = body;
    files[`tests/test_fields${at}.py`] =
      `from model import check_${at}_1\n\n${body.replaceAll("check_", "test_check_")}`;
    files[`tools/gen${at}.js`] = `export function gen${at}() { return ${at}; }\n`;
  }
  return tarOf("model-main", files);
}

test("after indexing all folders are in the tree and all files in the palette, without a reload", async (t) => {
  const { page } = await start(t);
  for (let round = 0; round < 3; round += 1) {
    await archive(page).setInputFiles({ ...twoFolders(), name: `model${round}.tar` });
    await page.getByRole("heading", { level: 1, name: `model${round}` }).waitFor();
    await allDone(page);
    await page.locator(".overview header", { hasText: "361 files" }).waitFor();
    const tree = page.getByRole("tree", { name: "Files" });
    for (const row of [/^model\s*120/, /^tests\s*120/, /^tools\s*120/, /README\.md$/])
      await tree.getByRole("treeitem", { name: row }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("test_fields119");
    await page
      .getByRole("option", { name: /test_fields119\.py/ })
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Portolan" }).click();
  }
  assert.deepEqual(problemsOf(page), []);
});

test("two archives of one name: the page asks, and keeps both, replaces, or leaves it", async (t) => {
  const { page } = await start(t);
  const named = (word) => ({ ...tarOf("x", { "a.py": `def ${word}():\n    pass\n` }), name: "main.tar" });
  const saved = () => page.locator(".saved-list .saved-name").allTextContents();
  const home = async () => {
    await allDone(page);
    await page.getByRole("link", { name: "Portolan" }).click();
    await page.locator(".saved-list li").first().waitFor();
  };
  const question = page.getByRole("dialog", { name: "An index called main is here already" });
  await archive(page).setInputFiles(named("first"));
  await page.getByRole("heading", { level: 1, name: "main", exact: true }).waitFor();
  await home();

  await t.test("keep both", async () => {
    await archive(page).setInputFiles(named("the_second"));
    await question.getByRole("button", { name: "Keep both, as “main (2)”" }).click();
    await page.getByRole("heading", { level: 1, name: "main (2)", exact: true }).waitFor();
    await home();
    assert.deepEqual((await saved()).sort(), ["main", "main (2)"]);
    await page.getByRole("link", { name: /^main \d/ }).click();
    await searchFor(page, "first");
    await page.locator(".passage", { hasText: "def first" }).waitFor();
    await home();
  });

  await t.test("leave it: Escape changes nothing", async () => {
    await archive(page).setInputFiles(named("the_third_one"));
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    assert.deepEqual((await saved()).sort(), ["main", "main (2)"]);
  });

  await t.test("replace", async () => {
    await archive(page).setInputFiles(named("the_fourth_one"));
    await question.getByRole("button", { name: "Replace it" }).click();
    await page.getByRole("heading", { level: 1, name: "main", exact: true }).waitFor();
    await searchFor(page, "the_fourth_one");
    await page.locator(".passage", { hasText: "def the_fourth_one" }).waitFor();
    await home();
    assert.deepEqual((await saved()).sort(), ["main", "main (2)"]);
  });
  assert.deepEqual(problemsOf(page), []);
});

/** A zip of one entry whose list of files, at the end, is cut off. */
function cutZip() {
  const name = Buffer.from("a.py");
  const body = deflateRawSync(Buffer.from("def a():\n    pass\n"));
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(body.length, 18);
  head.writeUInt16LE(name.length, 26);
  return { name: "cut.zip", mimeType: "application/zip", buffer: Buffer.concat([head, name, body]) };
}

test("a damaged zip: plain words, and what to do", async (t) => {
  const { page } = await start(t);
  await archive(page).setInputFiles(cutZip());
  const notice = page.getByRole("alert").filter({ hasText: "Could not index cut" });
  await notice.getByText("the list of its files, at its end, is missing or broken").waitFor();
  await notice.getByText(/download or pack it again/).waitFor();
  assert.doesNotMatch(await notice.textContent(), /EOCD/);
});

test("dialogs do not stack, and “ready” is spoken", async (t) => {
  const { page } = await start(t);
  await page.evaluate(() => {
    window.spokenTexts = [];
    const region = document.querySelector("[aria-live=polite]");
    new MutationObserver(() => window.spokenTexts.push(region.textContent)).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const named = (word) => ({ ...tarOf("x", { "a.py": `def ${word}():\n    pass\n` }), name: "quay.tar" });
  await archive(page).setInputFiles(named("a"));
  await page.getByRole("heading", { level: 1, name: "quay" }).waitFor();
  await allDone(page);
  await page.waitForFunction(() => window.spokenTexts.some((text) => /quay is ready: 1 file/.test(text)));
  await page.getByRole("link", { name: "Portolan" }).click();
  await page.getByRole("button", { name: "Help" }).click();
  await page.getByRole("dialog", { name: "Help" }).waitFor();
  await archive(page).setInputFiles(named("another"));
  await page.getByRole("dialog", { name: "An index called quay" }).waitFor();
  assert.equal(await page.locator("dialog[open]").count(), 1);
  await page.keyboard.press("Escape");
  await page.locator("dialog").first().waitFor({ state: "detached" });
});
