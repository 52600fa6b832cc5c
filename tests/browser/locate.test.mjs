// From an issue to the code: a text is pasted into the page, and its places are shown with reasons, code and the history of git.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { filesOf, harbour, open, pickable } from "./git-parts.mjs";
import { allDone, browse, indexFolder, problemsOf, serve } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

const trace = `Wrong status code after an error in a hook

TypeError [FST_ERR_BAD_STATUS_CODE]: Called reply with an invalid status code: undefined
    at onSendEnd (/app/node_modules/fastify/lib/reply.js:618:11)
    at onSendHook (/app/node_modules/fastify/lib/reply.js:590:5)
    at Layer.handle (/app/node_modules/express/lib/request.js:95:5)

fastify 5.6.1, started with --trace-warnings
`;

/** Pastes as a person does: the text is the clipboard's. */
async function paste(page, text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("Control+v");
}

const locate = (page) => page.getByRole("region", { name: "Locate", exact: true });
const card = (page, path) => page.getByRole("region", { name: path, exact: true });

for (const colorScheme of ["light", "dark"]) {
  test(`the places of an issue, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t, { colorScheme, permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(site.url);
    await indexFolder(page, "fastify");
    await allDone(page);
    const asked = site.asked.length;

    await t.test("a letter opens the view, with the field at hand", async () => {
      await page.keyboard.press("p");
      await page.waitForURL(/v=locate/);
      const field = page.getByRole("textbox", { name: "Issue, error message or stack trace" });
      await field.waitFor();
      await page.waitForFunction(() => document.activeElement?.id === "locate-text");
      assert.ok(await page.getByRole("button", { name: "Find its places" }).isDisabled());
      await shot(page, `locate-empty-${colorScheme}`);
      await accessible(page, "locate without a text");
    });

    await t.test("a pasted trace is the question: files, functions and reasons", async () => {
      await paste(page, trace);
      const file = card(page, "lib/reply.js");
      await file.waitFor();
      assert.equal(await locate(page).locator(".locate-file").first().getAttribute("aria-label"), "lib/reply.js");
      await file.locator(".tag", { hasText: "in the stack trace: lib/reply.js:618" }).waitFor();
      assert.equal(
        await locate(page)
          .getByText(/in the stack trace: lib\/request\.js/)
          .count(),
        0,
      );
      await locate(page)
        .getByText(/Read: 3 frames of stack traces.*fastify 5\.6\.1, --trace-warnings/)
        .waitFor();
      await locate(page)
        .getByText(/sure that the right files are among the first five/)
        .waitFor();
      await locate(page).locator(".code-line[data-chosen]", { hasText: "618" }).waitFor();
      await shot(page, `locate-${colorScheme}`);
      await accessible(page, "places");
    });

    await t.test("no link holds the text, and nothing is sent", async () => {
      assert.ok(!page.url().includes("hook"), page.url());
      assert.deepEqual(
        site.asked.slice(asked).filter((path) => /hook|reply/.test(path)),
        [],
      );
    });

    await t.test("a row opens its code, and leads to the file; the way back keeps the answer", async () => {
      const row = card(page, "lib/reply.js").locator("li", { hasText: "onSendEnd" }).first();
      await row.getByRole("button", { name: /^Code of onSendEnd/ }).click();
      await row.locator(".row-name").click();
      await page.locator(".cm-chosen").first().waitFor();
      await page.goBack();
      await card(page, "lib/reply.js").waitFor();
    });

    await t.test("the answer is copied with its code", async () => {
      await page.getByRole("button", { name: "Copy with code" }).click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(copied, /^# Wrong status code after an error in a hook\n/);
      assert.match(copied, /\n## lib\/reply\.js\n/);
      assert.match(copied, /```\nfunction /);
    });

    await t.test("the text is changed, by keyboard", async () => {
      await page.getByRole("button", { name: "Change the text" }).click();
      const field = page.getByRole("textbox", { name: "Issue, error message or stack trace" });
      assert.equal(await field.inputValue(), trace);
      await field.fill("Wrong type of the content type parser");
      await page.keyboard.press("Control+Enter");
      await card(page, "lib/contentTypeParser.js").waitFor();
      await page.getByRole("button", { name: "Change the text" }).click();
      await field.fill("qqqq zzzz");
      await page.keyboard.press("Control+Enter");
      await locate(page).getByText("No place found").or(locate(page).locator(".locate-unsure")).first().waitFor();
      await shot(page, `locate-nothing-${colorScheme}`);
      await accessible(page, "places of nothing");
    });

    await t.test(
      "several lines that are pasted into the search box are located; the palette takes a title",
      async () => {
        await page.keyboard.press("/");
        await paste(page, trace);
        await card(page, "lib/reply.js").waitFor();
        await page.keyboard.press("Control+k");
        await page.keyboard.type(">locate Wrong type of the content type parser");
        await page.keyboard.press("Enter");
        await card(page, "lib/contentTypeParser.js").waitFor();
      },
    );

    assert.deepEqual(problemsOf(page), []);
  });
}

for (const within of ["", "port/"])
  test(`files that change together count when the history of ${within || "the folder"} is asked for`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const page = await browse(t);
    const root = harbour(t);
    for (let n = 0; n < 4; n += 1) commitBoth(root, n);
    const files = Object.entries(filesOf(root)).map(([path, text]) => [within + path, text]);
    await pickable(page, "harbour", Object.fromEntries(files));
    await open(page, site, "harbour");
    await page.keyboard.press("p");
    await page.getByRole("textbox", { name: "Issue, error message or stack trace" }).fill("The tide is wrong");
    await page.getByRole("button", { name: "Find its places" }).click();
    await card(page, `${within}src/tide.py`).waitFor();
    assert.equal(
      await locate(page)
        .getByText(/changes together/)
        .count(),
      0,
    );
    await page.getByRole("button", { name: "Use the history of git" }).click();
    await locate(page).getByText("With the history of git").waitFor();
    await card(page, `${within}src/moon.py`).getByText(`changes together: ${within}src/tide.py`).waitFor();
    assert.deepEqual(problemsOf(page), []);
  });

test("a history that cannot be read leaves the answer as it is, and says why", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  const texts = { ".git/HEAD": "ref: refs/heads/main\n", "src/tide.py": "def tide():\n    return 1\n" };
  const files = Object.entries(texts).map(([path, text]) => [path, Buffer.from(text).toString("base64")]);
  await pickable(page, "harbour", Object.fromEntries(files));
  await open(page, site, "harbour");
  await page.keyboard.press("p");
  await page.getByRole("textbox", { name: "Issue, error message or stack trace" }).fill("The tide is wrong");
  await page.keyboard.press("Control+Enter");
  await card(page, "src/tide.py").waitFor();
  await page.getByRole("button", { name: "Use the history of git" }).click();
  await locate(page)
    .getByText(/^Without the history of git: ./)
    .waitFor();
  await card(page, "src/tide.py").waitFor();
  assert.deepEqual(problemsOf(page), []);
});

function commitBoth(root, n) {
  const write = `printf 'def tide():\\n    return ${n}\\n' > src/tide.py; printf 'def phase():\\n    return ${n}\\n' > src/moon.py`;
  const env = { PATH: process.env.PATH, HOME: root };
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@example.com", ...args], { cwd: root, env });
  execFileSync("sh", ["-c", write], { cwd: root });
  git("add", "-A", "src/tide.py", "src/moon.py");
  git("commit", "--quiet", "-m", `Tide ${n}`);
}
