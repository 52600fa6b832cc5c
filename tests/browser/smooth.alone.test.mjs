// The page's own thread is never busy for long while a repository is indexed: wall time by the browser's long task observer,
// and CPU time by its trace, which does not count the time other programs took.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allDone, browse, folder, searchFor, serve } from "./harness.mjs";
import { leastOf, recordTasks } from "./tasks.mjs";

const limitMillis = 50;

test("no task of the page's thread takes more than 50 ms while indexing and searching", async (t) => {
  const site = await serve();
  t.after(site.stop);
  const longest = await leastOf(limitMillis, (note) => walk(t, site, note));
  for (const busiest of longest.values())
    assert.ok(busiest < limitMillis, `a task took ${busiest.toFixed(1)} ms of CPU`);
});

/** Indexes, searches and opens a file in a new browser; notes the longest task. */
async function walk(t, site, note) {
  const page = await browse(t);
  await page.goto(site.url);
  await page.getByRole("button", { name: "Open a folder" }).waitFor();
  await page.waitForTimeout(500);
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) =>
      window.longTasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: "longtask" });
  });
  const trace = await recordTasks(page);
  await page.locator("input[name=folder]").setInputFiles(folder("fastify"));
  await page.getByRole("heading", { level: 1, name: "fastify", exact: true }).waitFor();
  await allDone(page);
  await searchFor(page, "how are hooks run");
  await page.locator(".passage-link").first().click();
  await page.locator(".cm-content .hl-keyword").first().waitFor();
  const tasks = await trace.stop();
  const observed = await page.evaluate(() => window.longTasks);
  const busiest = Math.max(...tasks);
  t.diagnostic(
    `${tasks.length} tasks; longest ${busiest.toFixed(1)} ms of CPU; long tasks seen by the page: ${observed.map((millis) => Math.round(millis)).join(", ") || "none"} ms`,
  );
  assert.ok(tasks.length > 100, "the trace holds the page's tasks");
  note("all", busiest);
}
