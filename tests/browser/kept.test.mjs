// An index that is saved in the browser outlives everything: tabs that save at once, a tab or a worker that is killed at any moment.
// Afterwards one whole index is there, the old one or the new one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { newPathKey, Portolan } from "portolan";
import { allDone, browse, problemsOf, replaceSaved, resultPaths, searchFor, serve, tarOf } from "./harness.mjs";

const nFiles = 60;
const nKills = 12;

/** An archive of files that all say which round it is. */
function round(n) {
  const files = {};
  for (let at = 0; at < nFiles; at++) {
    const body = Array.from({ length: 40 }, (_, line) => `  const value${line} = "${n} ${at} ${line}";`).join("\n");
    files[`file${at}.js`] = `export function round${n}_${at}() {\n${body}\n}\n`;
  }
  return tarOf("tree", files);
}

async function give(page, n) {
  await page.locator("input[name=archive]").setInputFiles(round(n));
  await replaceSaved(page);
}

async function newTab(page, site, link = "#/") {
  const tab = await page.context().newPage();
  tab.problems = [];
  tab.on("pageerror", (error) => tab.problems.push(String(error)));
  await tab.goto(`${site.url}${link}`);
  return tab;
}

/** Opens the saved index in a new tab and returns its round: all of it must be of one. */
async function savedRound(page, site) {
  const tab = await newTab(page, site, "#/?r=tree&m=regex&q=function+round");
  await tab.locator(".results:not([aria-busy=true]) .passage").first().waitFor();
  const marked = await tab.locator(".results mark").allTextContents();
  const lines = await tab.locator(".results .passage").allTextContents();
  const rounds = new Set(lines.map((line) => /function round(\d+)_/.exec(line)?.[1]));
  assert.equal(marked.length, nFiles);
  assert.equal(rounds.size, 1, `an index of rounds ${[...rounds].join(", ")}`);
  assert.deepEqual(await tab.locator(".notice").allTextContents(), []);
  await tab.close();
  return Number([...rounds][0]);
}

/** Indexes a round to its end; how long that takes. */
async function complete(page, n) {
  const start = performance.now();
  await give(page, n);
  await page.getByRole("heading", { level: 1, name: "tree" }).waitFor();
  await allDone(page);
  await page.locator(".overview-note", { hasText: "is saved in this browser" }).waitFor();
  return performance.now() - start;
}

test("tabs that are killed while they index and save leave the index before, or the new one", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await complete(page, 0);
  const fresh = await newTab(page, site);
  const usual = await complete(fresh, 1);
  await fresh.close();
  let last = await savedRound(page, site);
  const outcomes = [];
  for (let n = 2; n < 2 + nKills; n++) {
    const tab = await newTab(page, site);
    await tab.getByRole("button", { name: "Open a folder" }).waitFor();
    const session = await tab.context().newCDPSession(tab);
    const gone = new Promise((resolve) => {
      for (const end of ["crash", "close"]) tab.once(end, resolve);
    });
    void give(tab, n).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, usual * Math.random()));
    // A tab that crashes sends no last message; one that is closed does.
    if (n % 2 === 0) void session.send("Page.crash").catch(() => {});
    else void tab.close();
    await gone;
    await tab.close().catch(() => {});
    const now = await savedRound(page, site);
    assert.ok(now === last || now === n, `round ${now} after ${last}, in round ${n}`);
    outcomes.push(now === n ? "new" : "before");
    last = now;
  }
  t.diagnostic(`${nKills} tabs killed within ${Math.round(usual)} ms: ${outcomes.join(", ")}`);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "tree" }).waitFor();
  await page.getByRole("link", { name: "Portolan" }).click();
  await complete(page, 99);
  assert.equal(await savedRound(page, site), 99);
});

test("a worker that is killed while it saves: the page says so, and the index before is whole", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  const usual = await complete(page, 1);
  let last = 1;
  for (let n = 2; n < 6; n++) {
    const tab = await newTab(page, site);
    await tab.getByRole("button", { name: "Open a folder" }).waitFor();
    await tab.evaluate(() => {
      // From here on, workers that the page starts can be ended from outside, as a browser ends it that runs out of memory.
      const Plain = window.Worker;
      window.workers = [];
      window.Worker = class extends Plain {
        constructor(...given) {
          super(...given);
          window.workers.push(this);
        }
      };
    });
    await give(tab, n);
    await tab.waitForTimeout(usual * Math.random());
    await tab.evaluate(() => {
      for (const worker of window.workers) {
        worker.terminate();
        worker.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
      }
    });
    await tab.locator(".notice, .results, .overview").first().waitFor();
    const now = await savedRound(page, site);
    assert.ok(now === last || now === n, `round ${now} after ${last}, in round ${n}`);
    last = now;
    await tab.close();
  }
});

test("two tabs that index one repository at once: one whole index is kept, and each tab comes to show it", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const first = await browse(t);
  await first.goto(site.url);
  await complete(first, 1);
  const second = await newTab(first, site, "#/?r=tree&q=round1_7");
  await second.locator(".result-path", { hasText: "file7.js" }).waitFor();

  await t.test("the second tab sees what the first one saves, without being asked", async () => {
    await first.getByRole("link", { name: "Portolan" }).click();
    await complete(first, 2);
    await second.locator(".footer", { hasText: "indexed again in another tab" }).waitFor();
    await second.getByRole("searchbox").fill("round2_7");
    await second.locator(".passage", { hasText: "round2_7" }).first().waitFor();
  });

  await t.test("both at once, again and again", async () => {
    for (let n = 3; n < 9; n += 2) {
      for (const tab of [first, second]) await tab.getByRole("link", { name: "Portolan" }).click();
      await Promise.all([give(first, n), give(second, n + 1)]);
      for (const tab of [first, second]) {
        await tab.getByRole("heading", { level: 1, name: "tree" }).waitFor();
        await allDone(tab);
      }
      const kept = await savedRound(first, site);
      assert.ok(kept === n || kept === n + 1, `round ${kept}`);
    }
  });

  await t.test("what one tab deletes is gone from the other's list", async () => {
    await first.goto(`${site.url}#/`);
    await second.goto(`${site.url}#/`);
    await second.locator(".saved-list li", { hasText: "indexed" }).first().waitFor();
    await first.getByRole("button", { name: "Delete tree" }).click();
    await first.getByRole("button", { name: "Delete", exact: true }).click();
    await second.locator(".saved-list li", { hasText: "indexed" }).waitFor({ state: "detached" });
  });
  assert.deepEqual([...problemsOf(first), ...second.problems], []);
});

test("an index that was opened from a file is kept in the browser when the reader says so", async (t) => {
  const key = newPathKey();
  const made = await Portolan.index(
    {
      files: [
        {
          path: "src/tax.js",
          bytes: new TextEncoder().encode("export function addTax(net) {\n  return net * 1.2;\n}\n"),
        },
      ],
    },
    { name: "shop", embeddings: false },
  );
  await made.complete;
  const buffer = Buffer.from(await made.save({ pathKey: key }));
  made.close();
  const site = await serve();
  t.after(site.stop);
  const page = await browse(t);
  await page.goto(site.url);
  await page
    .locator("input[name=archive]")
    .setInputFiles({ name: "shop.index", mimeType: "application/octet-stream", buffer });
  await page.getByText("lost when you close it").waitFor();
  await page.getByRole("button", { name: "Keep in this browser" }).click();
  await page.getByText("The index is saved in this browser").waitFor();
  await page.reload();
  await page.getByText("The index is saved in this browser").waitFor();
  // All of the file is there, also what only its key opens.
  await page
    .locator("input[name=path-key]")
    .setInputFiles({ name: "shop.key", mimeType: "text/plain", buffer: Buffer.from(key) });
  await page.getByText("Its paths are encrypted").waitFor({ state: "detached" });
  await searchFor(page, "addTax");
  assert.deepEqual(await resultPaths(page), ["src/tax.js"]);
  assert.deepEqual(problemsOf(page), []);
});
