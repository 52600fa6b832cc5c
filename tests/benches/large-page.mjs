// Indexes a folder in a tab of headless Chromium, stores the index, reloads the page and opens it, through the package's public API
// as it is published. One JSON line on standard output; times in milliseconds from the choice of the folder, sizes in bytes.
//
//     node tests/benches/large-page.mjs FOLDER
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

import { openBrowser, servePackage } from "../browser/harness.mjs";
import { questions } from "./questions.mjs";
import { quantile, round } from "./times.mjs";

const LIMIT_MS = 30 * 60_000;
const SAMPLE_MS = 100;
const blank = '<!doctype html><meta charset="utf-8"><title>large</title><input type="file" webkitdirectory>';

const folder = process.argv[2];
const site = await servePackage(blank);
const { context, page, close } = await openBrowser();
try {
  context.setDefaultTimeout(LIMIT_MS);
  page.on("pageerror", (error) => process.stderr.write(`${error}\n`));
  await page.goto(site.url);
  const memory = watchMemory();
  await page.locator("input").setInputFiles(folder);
  const indexed = await page.evaluate(indexInPage, questions);
  const { peak, now } = memory.stop();
  // Long runs are not for nothing if what follows fails.
  process.stderr.write(`${JSON.stringify({ ...indexed, peak_memory: peak })}\n`);
  await page.reload();
  const opened = await page.evaluate(openInPage, questions);
  const row = {
    ...indexed,
    peak_memory: peak,
    rest_memory: now,
    reopened_ms: opened.reopened,
    reopened_warm_ms: opened.again,
  };
  row.search_p50_ms = quantile(opened.searches, 0.5);
  row.search_p95_ms = quantile(opened.searches, 0.95);
  for (const key in row) if (typeof row[key] === "number") row[key] = round(row[key]);
  console.log(JSON.stringify(row));
} finally {
  await close();
  await site.stop();
}

/** Runs in the page. */
async function indexInPage(questions) {
  const { Portolan } = await import("/pkg/dist/entry/browser.js");
  const files = [...document.querySelector("input").files];
  const start = performance.now();
  const since = () => performance.now() - start;
  const at = {};
  const warnings = [];
  const onUpdate = (what) => (at[what] = since());
  const onProgress = ({ phase }) => (at[phase] ??= since());
  const index = await Portolan.index(files, {
    name: "large",
    store: true,
    early: true,
    cache: { seconds: 0 },
    onUpdate,
    onProgress,
    onWarning: (warning) => warnings.push(String(warning)),
  });
  await index.search({ query: questions[0], limit: 10 });
  at.answer = since();
  const { n_files: n_first } = await index.status();
  await index.complete;
  at.complete = since();
  const { n_files, n_bytes, n_chunks, n_vectors, n_edges } = await index.status();
  const saved = (await Portolan.list()).find(({ name }) => name === "large");
  index.close();
  return {
    n_files,
    n_bytes,
    n_chunks,
    n_vectors,
    n_edges,
    warnings,
    saved_bytes: saved?.n_bytes ?? 0,
    n_first,
    first_answer_ms: at.answer,
    building_ms: at.building,
    usable_ms: at.files ?? at.answer,
    complete_ms: at.vectors ?? at.complete,
    stored_ms: at.saved ?? Number.NaN,
  };
}

/** Runs in the page after it was reloaded. */
async function openInPage(questions) {
  const { Portolan } = await import("/pkg/dist/entry/browser.js");
  const open = async (query) => {
    const start = performance.now();
    const index = await Portolan.open("large", { cache: { seconds: 0 } });
    await index.search({ query, limit: 10 });
    return { index, millis: performance.now() - start };
  };
  const first = await open(questions[0]);
  const searches = [];
  for (let round = 0; round < 3; round += 1) {
    for (const query of questions) {
      const start = performance.now();
      await first.index.search({ query, limit: 10 });
      if (round > 0) searches.push(performance.now() - start);
    }
  }
  first.index.close();
  const second = await open(questions[1]);
  second.index.close();
  return { reopened: first.millis, again: second.millis, searches };
}

/** Renderers of the browser that this process started. */
function renderers() {
  const parents = new Map();
  const lines = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(Number(pid), Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ")[1]));
      lines.set(Number(pid), readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    } catch {
      // Gone meanwhile.
    }
  }
  const isOurs = (pid) => pid === process.pid || (pid > 1 && parents.has(pid) && isOurs(parents.get(pid)));
  return [...lines].filter(([pid, line]) => line.includes("--type=renderer") && isOurs(pid)).map(([pid]) => pid);
}

function resident(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096;
  } catch {
    return 0;
  }
}

/** Looks at the memory of all renderers again and again; the one that took most is the page's. */
function watchMemory() {
  const peaks = new Map();
  const look = () => {
    for (const pid of renderers()) peaks.set(pid, Math.max(peaks.get(pid) ?? 0, resident(pid)));
  };
  const timer = setInterval(look, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      const [pid, peak] = [...peaks].sort((a, b) => b[1] - a[1])[0];
      return { peak, now: resident(pid) };
    },
  };
}
