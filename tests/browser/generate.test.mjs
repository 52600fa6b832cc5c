// Documents from the graph: every kind opens, its links open the code, it can be downloaded, and axe finds nothing in either theme.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { modelServer } from "../../pkg/test/chat-server.mjs";
import { allDone, browse, indexFolder, problemsOf, serve } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

for (const colorScheme of ["light", "dark"]) {
  test(`documents in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme });
    await page.goto(site.url);
    await indexFolder(page, "fastify");
    await allDone(page);
    await page.keyboard.press("Control+k");
    await page.keyboard.type(">Documents");
    await page.keyboard.press("Enter");
    const outline = page.getByRole("navigation", { name: "Documents" });

    await t.test("the guide is there first, with chapters", async () => {
      const guide = page.getByRole("article", { name: "fastify: guide for newcomers" });
      await guide.getByRole("heading", { name: "What this is" }).waitFor();
      assert.match(await guide.textContent(), /npm test runs the tests, as package\.json:\d+ says\./);
      await outline.getByRole("button", { name: "Words of this code" }).click();
      assert.equal(await page.evaluate(() => document.activeElement.id), "chapter-words");
      await shot(page, `generate-guide-${colorScheme}`);
      await accessible(page, "guide");
    });

    await t.test("each other document has chapters and links", async () => {
      for (const [title, name] of [
        ["Product", "product specification"],
        ["Developer", "developer specification"],
        ["User stories", "user stories"],
        ["Clean-ups", "refactoring proposals"],
      ]) {
        await outline.getByRole("link", { name: new RegExp(`^${title}`) }).click();
        const article = page.getByRole("article", { name: `fastify: ${name}` });
        await article.getByRole("heading", { level: 3 }).first().waitFor();
        assert.ok((await article.getByRole("link").count()) > 10, title);
        await shot(page, `generate-${title.toLowerCase().replace(" ", "-")}-${colorScheme}`);
        await accessible(page, title);
      }
    });

    await t.test("a document can be downloaded, and a link opens the code", async () => {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download" }).click(),
      ]);
      assert.equal(file.suggestedFilename(), "fastify-refactor.md");
      assert.match(readFileSync(await file.path(), "utf8"), /^# fastify: refactoring proposals\n/);
      const link = page.getByRole("article").getByRole("link").first();
      const [path] = (await link.getAttribute("title")).split(":");
      await link.press("Enter");
      await page.waitForURL((url) => url.hash.includes(`/f/${path}`));
      await page.locator(".cm-line").first().waitFor();
    });
    assert.deepEqual(problemsOf(page), []);
  });
}

/** Chooses a server of a model and allows its host. */
async function chooseModel(page, url) {
  await page.getByRole("link", { name: "Choose one" }).click();
  await page.getByRole("heading", { name: "Choose a model" }).waitFor();
  await page.getByRole("combobox", { name: "Provider" }).selectOption("server");
  await page.getByRole("textbox", { name: "Address" }).fill(url);
  await Promise.all([page.waitForEvent("framenavigated"), page.getByRole("button", { name: /^Allow 127/ }).click()]);
  await page.getByRole("textbox", { name: "Model" }).fill("m1");
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("textbox", { name: "Question" }).waitFor();
}

/** Prose of a model that obeys, with one sentence of its own making. */
function proseFor({ messages }) {
  const outline = messages.at(-1).content;
  const text = typeof outline === "string" ? outline : outline.map((part) => part.text).join("");
  const [link] = /\[[^\]]*\]\([^)]*\)/.exec(text) ?? [""];
  return [`In plain words, it begins at ${link}. `, "It was founded in 1999."];
}

test("a language model writes the chapters that the person sends, and no more is kept than the outline cites", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const model = await modelServer([proseFor], { cors: true });
  t.after(model.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await indexFolder(page, "fastify");
  await allDone(page);
  const view = `${page.url().split("#")[0]}#/?r=fastify&v=generate`;
  await page.goto(view);
  await chooseModel(page, model.url);
  await page.goto(view);
  const guide = page.getByRole("article", { name: "fastify: guide for newcomers" });
  await guide.getByRole("heading", { level: 3 }).first().waitFor();
  const chapters = await guide.getByRole("heading", { level: 3 }).count();

  await t.test("what is sent is shown first; a refusal leaves the outline", async () => {
    await page.getByRole("button", { name: "Have server:m1 write it" }).click();
    const review = page.getByRole("region", { name: "What is sent" });
    await review.getByText("Chapter: What this is").waitFor();
    await accessible(page, "chapters to send");
    await shot(page, "generate-review");
    await review.getByRole("button", { name: "Do not send" }).click();
    await page.getByRole("button", { name: "Have server:m1 write it" }).waitFor();
    assert.equal(model.requests.length, 0);
  });

  await t.test("a chapter that is left out stays an outline", async () => {
    await page.getByRole("button", { name: "Have server:m1 write it" }).click();
    await page.getByRole("checkbox", { name: "Send Chapter: What this is" }).uncheck();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Written by server:m1").waitFor();
    const texts = model.requests.map(({ body }) => JSON.stringify(body.messages));
    assert.ok(texts.length > 2 && texts.every((text) => !text.includes("## What this is")), `${texts.length} requests`);
    assert.equal(await guide.getByRole("heading", { level: 3 }).count(), chapters);
    const written = await guide.textContent();
    assert.ok(written.split("In plain words").length > 2);
    assert.doesNotMatch(written, /1999/);
    await guide.getByText("left out: the index does not confirm it").waitFor();
    await shot(page, "generate-written");
    await accessible(page, "a written guide");
    await page.getByRole("button", { name: "Show the outline" }).click();
    assert.doesNotMatch(await guide.textContent(), /In plain words/);
  });

  await t.test("a model that fails leaves the chapters as they are, and says so", async () => {
    await model.stop();
    await page.getByRole("button", { name: "Have server:m1 write it" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Have server:m1 write it" }).waitFor();
  });
});
