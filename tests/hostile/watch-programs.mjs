// The same watch around what runs in programs of others: a page in Chromium, a Worker in workerd. They live in a world of their own
// (home, folder for temporary files), and only named files may be written there: a browser's profile, its downloads, a Worker's state.
// Which processes they start is read from the system, where it tells (`/proc`).
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

import { browse } from "../browser/harness.mjs";
import { within } from "../worker/harness.mjs";
import { sandbox } from "./sandbox.mjs";
import { watched } from "./watch.mjs";

const LOOK_MS = 10;
/** A profile, and the files that Chromium keeps beside it while it runs; its own notes on installed parts and certificates. */
const BROWSER_WRITES = [
  "tmp/portolan-browser-*/**",
  "tmp/playwright-artifacts-*/**",
  "tmp/.org.chromium.Chromium.*/**",
  "tmp/org.chromium.Chromium.*/**",
  "home/.pki/**",
  "home/.cache/**",
  "home/.config/chromium/**",
  "home/.config",
  "home/.local/share/pki/**",
  "home/.local/share",
  "home/.local",
  "downloads/**",
];
export const BROWSER_RUNS = [
  "chromium",
  "chrome",
  "headless_shell",
  "chrome-headless-shell",
  "chrome_crashpad_handler",
  "chrome-sandbox",
];
/** The state of a Worker's bucket, what wrangler bundles and remembers. */
const WORKER_WRITES = [
  "tmp/miniflare-*/**",
  "tmp/wrangler-*/**",
  "tmp/node-compile-cache/**",
  "home/.config/.wrangler/**",
  "home/.config",
];
const WORKER_RUNS = ["workerd", "esbuild"];

/** A page in a browser of its own, and all that `watched` asserts while `body(page, box)` runs. */
export async function watchedPage(t, body) {
  const box = world();
  const page = await inWorld(box, () => browse(t, { downloadsPath: box.path("downloads"), acceptDownloads: true }));
  return underWatch(box, { allow: BROWSER_WRITES, processes: BROWSER_RUNS }, () => body(page, box));
}

/** As `within` of the Workers' tests, and all that `watched` asserts from the start of the Worker to its end. */
export function watchedWorker(vars, objects, use, configPath) {
  const box = world();
  return underWatch(box, { allow: WORKER_WRITES, processes: WORKER_RUNS }, () =>
    inWorld(box, () => within(vars, objects, use, configPath)),
  );
}

function world() {
  const box = sandbox();
  mkdirSync(box.path("downloads"));
  // Behind what the test cleans up itself, such as a browser that still writes its profile.
  process.once("exit", () => box.close());
  return box;
}

/** Runs with home and temporary files in the sandbox. */
async function inWorld(box, run) {
  const given = {
    HOME: box.path("home"),
    USERPROFILE: box.path("home"),
    TMPDIR: box.path("tmp"),
    TMP: box.path("tmp"),
    TEMP: box.path("tmp"),
  };
  const before = Object.keys(given).map((name) => [name, process.env[name]]);
  const others = ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"].map((name) => [name, process.env[name]]);
  Object.assign(process.env, given);
  for (const [name] of others) delete process.env[name];
  try {
    return await run();
  } finally {
    for (const [name, value] of [...before, ...others]) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

async function underWatch(box, allowed, body) {
  const programs = descendants(allowed.processes);
  try {
    return await watched(box, allowed, body);
  } finally {
    const strangers = programs.stop();
    assert.deepEqual(strangers, [], `not harmless: ${strangers.join(", ")}`);
  }
}

/** Looks again and again at the processes below this one; tells those that came since and whose program is not named. */
export function descendants(allowed) {
  const known = new Set(below(process.pid).map(({ pid }) => pid));
  const strangers = new Set();
  const look = () => {
    for (const { pid, program } of below(process.pid))
      if (!known.has(pid) && program !== undefined && !allowed.includes(program))
        strangers.add(`${program} was started`);
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return {
    stop() {
      look();
      clearInterval(timer);
      return [...strangers].sort();
    },
  };
}

/** Processes whose parents' parents are this one, with the names of their programs; none where the system does not tell. */
function below(pid) {
  const children = new Map();
  for (const entry of processIds()) {
    try {
      // The name is in brackets and may have any letter in it; the parent comes second behind it.
      const stat = readFileSync(`/proc/${entry}/stat`, "latin1");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {
      // It has ended.
    }
  }
  const found = [];
  for (const open = [...(children.get(pid) ?? [])]; open.length > 0; ) {
    const child = open.pop();
    found.push({ pid: child, program: programOf(child) });
    open.push(...(children.get(child) ?? []));
  }
  return found;
}

function processIds() {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function programOf(pid) {
  try {
    const program = basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ""));
    // Between fork and exec a child still is what its parent is.
    return program === basename(process.execPath) ? undefined : program;
  } catch {
    return undefined;
  }
}
