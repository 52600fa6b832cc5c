// Reads the git history of a made repository in WebAssembly, in Node and in a tab of headless Chromium, and brings it up to date after each
// of some further commits. One JSON line on standard output; times are in milliseconds.
//
//     node tests/benches/history.mjs [N_COMMITS]
import { execFileSync } from "node:child_process";
import { closeSync, fstatSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";

import { GitHistory, initSync } from "../../pkg/wasm/history.js";
import { openBrowser, servePackage } from "../browser/harness.mjs";
import { quantile, round } from "./times.mjs";

const N_COMMITS = Number(process.argv[2] ?? 20_000);
const N_FILES = 3_000;
const N_UPDATES = 7;
/** Rounds of which the median is told. */
const N_ROUNDS = 5;
const START = 1_500_000_000;
const LIMIT_MS = 10 * 60_000;
const blank = '<!doctype html><meta charset="utf-8"><title>history</title><input type="file" webkitdirectory>';

const root = mkdtempSync(join(tmpdir(), "portolan-history-bench-"));
const git = (args, input) =>
  execFileSync("git", args, {
    cwd: root,
    input,
    env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
    maxBuffer: 1 << 28,
  });
try {
  const making = makeRepository();
  const node = inNode(making.next);
  const page = await inPage(making.next);
  const packed = readdirSync(join(root, ".git/objects/pack")).filter((name) => name.endsWith(".pack"));
  const bytes = packed.reduce((sum, name) => sum + readFileSync(join(root, ".git/objects/pack", name)).length, 0);
  console.log(JSON.stringify({ n_commits: N_COMMITS, n_files: N_FILES, pack_bytes: bytes, node, page }));
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Numbers that look random and are the same each time. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/**
 * A repository of texts in nested folders: a first commit with all files, then commits that change one to five of them, every 40th on a
 * branch that is merged, every 100th a rename. `next` makes one more.
 */
function makeRepository() {
  const random = numbers(7);
  const paths = Array.from({ length: N_FILES }, (_, n) => `src/part${n % 12}/area${n % 97}/file${n}.ts`);
  const texts = paths.map((_, n) => Array.from({ length: 40 }, (_, line) => `export const f${n}_${line} = ${line};`));
  const data = (text) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const file = (n) => `M 100644 inline ${paths[n]}\n${data(`${texts[n].join("\n")}\n`)}`;
  let n_made = 0;
  const commit = (branch, changes, merged = "") => {
    n_made += 1;
    const who = `Person ${random(60)} <person${random(60)}@example.com> ${START + n_made * 3600} +0000`;
    const head = `commit refs/heads/${branch}\nmark :${n_made}\nauthor ${who}\ncommitter ${who}\n`;
    return `${head}${data(`Change ${n_made}`)}${merged}${changes}`;
  };
  const change = () => {
    const changed = new Set(
      Array.from({ length: 1 + random(5) }, () => Math.floor(random(N_FILES) * (random(100) / 100))),
    );
    for (const n of changed) texts[n][random(40)] = `export const f${n}_${n_made} = ${random(1_000_000)};`;
    return [...changed].map(file).join("");
  };
  const rename = () => {
    const n = random(N_FILES);
    const [old, next] = [paths[n], `src/part${random(12)}/moved/file${n}.ts`];
    paths[n] = next;
    return old === next ? change() : `D ${old}\n${file(n)}`;
  };
  git(["init", "--quiet", "--initial-branch=main"]);
  const parts = [commit("main", paths.map((_, n) => file(n)).join(""))];
  while (n_made < N_COMMITS) {
    const isBranch = n_made % 40 === 0 && n_made + 2 <= N_COMMITS;
    if (!isBranch) parts.push(commit("main", n_made % 100 === 0 ? rename() : change()));
    else {
      const base = n_made;
      const side = commit("side", change(), `from :${base}\n`);
      parts.push(side, commit("main", change(), `merge :${base + 1}\n`));
    }
  }
  git(["fast-import", "--quiet"], parts.join(""));
  git(["repack", "-adq"]);
  // As git commits: loose objects beside the pack.
  const next = () => {
    const stream = `feature done\n${commit("main", change(), "from refs/heads/main^0\n")}done\n`;
    git(["-c", "fastimport.unpackLimit=1000", "fast-import", "--quiet", "--force"], stream);
  };
  return { next };
}

/** The files of `.git`, as the reader asks for them. */
function gitFiles() {
  const top = join(root, ".git");
  const names = readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(top.length + 1));
  const opened = new Map();
  const handle = (name) => {
    if (!opened.has(name)) opened.set(name, names.includes(name) ? openSync(join(top, name)) : undefined);
    return opened.get(name);
  };
  return {
    size: (name) => (handle(name) === undefined ? undefined : fstatSync(handle(name)).size),
    read(name, start, end) {
      const bytes = new Uint8Array(end - start);
      return bytes.subarray(0, readSync(handle(name), bytes, 0, bytes.length, start));
    },
    list: (folder) =>
      names
        .filter((name) => name.slice(0, Math.max(0, name.lastIndexOf("/"))) === folder)
        .map((name) => name.split("/").at(-1)),
    below: (folder) => names.filter((name) => name.startsWith(`${folder}/`)),
    close() {
      for (const file of opened.values()) if (file !== undefined) closeSync(file);
    },
  };
}

function inNode(next) {
  initSync({ module: readFileSync(new URL("../../pkg/wasm/history_bg.wasm", import.meta.url)) });
  const timed = (call) => {
    const files = gitFiles();
    const start = performance.now();
    const made = call(files);
    const took = performance.now() - start;
    files.close();
    return { made, took };
  };
  let history;
  const reads = [];
  for (let n = 0; n < N_ROUNDS; n += 1) {
    history?.free();
    const { made, took } = timed((files) => new GitHistory(files));
    history = made;
    reads.push(took);
  }
  const { n_commits } = history.summary();
  const updates = [];
  for (let n = 0; n < N_UPDATES; n += 1) {
    next();
    updates.push(timed((files) => history.update(files)).took);
  }
  if (n_commits !== Math.min(N_COMMITS, 20_000)) throw new Error(`${n_commits} commits were read`);
  return { read: round(quantile(reads, 0.5)), update: round(quantile(updates, 0.5)) };
}

async function inPage(next) {
  const site = await servePackage(blank);
  const { context, page, close } = await openBrowser();
  try {
    context.setDefaultTimeout(LIMIT_MS);
    await page.goto(site.url);
    const given = () => page.locator("input").setInputFiles(root);
    await given();
    const { reads, churn, blame } = await page.evaluate(readInPage, N_ROUNDS);
    const updates = [];
    for (let n = 0; n < N_UPDATES; n += 1) {
      next();
      await given();
      updates.push(await page.evaluate(updateInPage));
    }
    const [first] = reads;
    const row = { first, read: quantile(reads, 0.5), update: quantile(updates, 0.5), churn, blame };
    return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, round(value)]));
  } finally {
    await close();
    await site.stop();
  }
}

/** Runs in the page: with a new worker each time, its wasm fetched and compiled; then who changed which lines of the busiest file. */
async function readInPage(n_rounds) {
  const { History } = await import("/pkg/dist/entry/history.js");
  window.listed = () => {
    const files = [...document.querySelector("input").files];
    const list = files.map((file) => ({ path: file.webkitRelativePath.replace(/^[^/]*\//, ""), file }));
    return list.filter(({ path }) => path.startsWith(".git/"));
  };
  const reads = [];
  for (let n = 0; n < n_rounds; n += 1) {
    window.opened?.close();
    const start = performance.now();
    window.opened = await History.read(window.listed());
    reads.push(performance.now() - start);
  }
  let start = performance.now();
  const files = await window.opened.churn();
  const churn = performance.now() - start;
  const { path } = [...files].sort((a, b) => b.n_commits - a.n_commits)[0];
  start = performance.now();
  await window.opened.blame(path);
  return { reads, churn, blame: performance.now() - start };
}

/** Runs in the page. */
async function updateInPage() {
  const { n_commits } = window.opened.summary;
  const { head } = window.opened.summary;
  const start = performance.now();
  const summary = await window.opened.update(window.listed());
  const took = performance.now() - start;
  if (summary.head === head || summary.n_commits < n_commits) throw new Error("the new commit was not read");
  return took;
}
