// Measures what a push sends from commit to commit, and how long a clone takes until it answers, over a server on loopback:
//   node tests/benches/shared.mjs [REPOSITORY] [--commits 5] [--rounds 5] [--native PROGRAM]
// REPOSITORY has its git history. On standard output one line of JSON: for each commit the size of its index, and the bytes that would be
// sent if the unit were a whole section, a piece of fixed size, or a piece that is cut by content, as `portolan push` does it; then medians
// of the rounds. Builds nothing: `cargo xtask bench shared` does.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { Cutter } from "../../pkg/dist/shared/cutter.js";
import { layoutOf, N_START } from "../../pkg/dist/shared/layout.js";

const BIN = fileURLToPath(new URL("../../pkg/bin/portolan.js", import.meta.url));
const { values, positionals } = parseArgs({
  options: {
    commits: { type: "string", default: "5" },
    rounds: { type: "string", default: "5" },
    native: { type: "string" },
  },
  allowPositionals: true,
});
const source = resolve(positionals[0] ?? fileURLToPath(new URL("../..", import.meta.url)));
const world = mkdtempSync(join(tmpdir(), "portolan-bench-"));
const [clone, laptop] = [join(world, "ci"), join(world, "laptop")];
const env = {
  PATH: process.env.PATH,
  HOME: world,
  XDG_CONFIG_HOME: join(world, "config"),
  PORTOLAN_HOME: "",
  PORTOLAN_NATIVE: values.native ?? "no",
};

const git = (cwd, ...args) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
const portolan = (cwd, ...args) =>
  execFileSync(process.execPath, [BIN, ...args], {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    stdio: ["ignore", "pipe", "inherit"],
  });
const digestOf = (bytes) => createHash("sha256").update(bytes).digest("hex");
const QUESTION = "where is the request body validated";

/** Units of a file by digest, with their sizes. */
function unitsOf(file, kind) {
  const parts = [];
  if (kind === "content") for (const { bytes } of new Cutter(file.length).push(file)) parts.push(bytes);
  else {
    let at = 0;
    for (const { n_bytes } of layoutOf(file.subarray(0, N_START), file.length).parts) {
      const step = kind === "section" ? n_bytes : 256 * 1024;
      for (let from = 0; from < n_bytes; from += step)
        parts.push(file.subarray(at + from, at + Math.min(from + step, n_bytes)));
      at += n_bytes;
    }
  }
  return new Map(parts.map((bytes) => [digestOf(bytes), bytes.length]));
}

async function served() {
  const token = portolan(world, "token", "create", "--shared", "indexes", "--scope", "admin", "-q").trim();
  const args = [BIN, "serve", "--shared", "indexes", "--port", "0", "--audit-file", "audit.log"];
  const child = spawn(process.execPath, args, { cwd: world, env, stdio: ["ignore", "pipe", "inherit"] });
  env.PORTOLAN_SHARED_TOKEN = token;
  env.PORTOLAN_SHARED_SERVER = String(await new Promise((resolve) => child.stdout.once("data", resolve))).trim();
  return child;
}

/** Indexes and pushes the commit that is checked out, and counts what units of each kind are new since `before`. */
function pushed(commit, before) {
  git(clone, "checkout", "-q", "--detach", commit);
  const { n_files } = JSON.parse(portolan(clone, "index", "--json"));
  const file = new Uint8Array(readFileSync(join(clone, ".portolan/index.portolan")));
  const sent = {};
  for (const [kind, seen] of Object.entries(before)) {
    const units = unitsOf(file, kind);
    const isNew = [...units].filter(([digest]) => !seen.has(digest));
    for (const [digest, n] of units) seen.set(digest, n);
    sent[kind] = { n_bytes: isNew.reduce((sum, [, n]) => sum + n, 0), n_new: isNew.length, n: units.size };
  }
  const { seconds } = JSON.parse(portolan(clone, "push", "--repo", "bench", "--json"));
  return { n_files, n_bytes: file.length, sent, seconds };
}

/** Milliseconds of the whole commands: `pull`, then a question to what it brought. */
function asked() {
  const start = performance.now();
  const pull = JSON.parse(portolan(laptop, "pull", "--repo", "bench", "--json"));
  const pulled = performance.now();
  const { hits } = JSON.parse(portolan(laptop, "search", QUESTION, "--limit", "5", "--json"));
  const answered = performance.now();
  if (hits.length === 0) throw new Error("the index that was pulled has no answer");
  return {
    pull: pulled - start,
    answer: answered - pulled,
    sum: answered - start,
    n_bytes: pull.fetched.n_bytes,
  };
}

/** The ways in which a clone comes to its first answer, in this order. */
const WAYS = {
  /** The commit has a version. */
  fresh() {
    freshClone(newest);
  },
  /** The commit has none, the one before it has; one file is new and another is edited. */
  behind() {
    freshClone(newest);
    const [edited] = git(laptop, "ls-files", "*.py", "*.ts", "*.js", "*.rs", "*.go", "*.java", "*.c").split("\n");
    appendFileSync(join(laptop, edited), "\n");
    writeFileSync(join(laptop, "more.ts"), "export const more = 1;\n");
    git(laptop, "add", "more.ts");
    git(laptop, "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-q", "-m", "more");
  },
  /** The clone has the version of the commit before. */
  next() {
    freshClone(commits.at(-2));
    portolan(laptop, "pull", "--repo", "bench", "-q");
    git(laptop, "checkout", "-q", "--detach", newest);
  },
};

function freshClone(commit) {
  rmSync(laptop, { recursive: true, force: true });
  git(world, "clone", "-q", source, laptop);
  git(laptop, "checkout", "-q", "--detach", commit);
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

function medians(way) {
  const rounds = Array.from({ length: Number(values.rounds) }, () => {
    way();
    return asked();
  });
  return Object.fromEntries(Object.keys(rounds[0]).map((key) => [key, median(rounds.map((round) => round[key]))]));
}

const commits = git(source, "log", "--first-parent", "--format=%H", "-n", values.commits).split("\n").reverse();
const newest = commits.at(-1);
const server = await served();
try {
  git(world, "clone", "-q", source, clone);
  const before = { section: new Map(), fixed: new Map(), content: new Map() };
  const sent = commits.map((commit) => pushed(commit, before));
  const { n_files, n_bytes } = sent.at(-1);
  const row = { n_files, n_bytes, commits: sent };
  for (const [name, way] of Object.entries(WAYS)) row[name] = medians(way);
  console.log(JSON.stringify(row));
} finally {
  server.kill();
  rmSync(world, { recursive: true, force: true });
}
