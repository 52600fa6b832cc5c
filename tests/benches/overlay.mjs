// Worktrees of an indexed repository, each with ten changed files, indexed by the command line one after the other: how long each takes, what it takes
// on disk, and how long the first question and the next ones take; then a second clone. One JSON line on standard output.
//
//     node tests/benches/overlay.mjs FOLDER [WORKTREES]
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../pkg/bin/portolan.js", import.meta.url));
const N_CHANGED = 10;
/** Worktrees whose questions are timed. */
const N_ASKED = 7;

const world = mkdtempSync(join(tmpdir(), "portolan-bench-"));
const home = join(world, "home");
const env = {
  ...process.env,
  HOME: home,
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_DATA_HOME: join(home, "data"),
  XDG_CACHE_HOME: join(home, "cache"),
  GIT_CONFIG_GLOBAL: "/dev/null",
};
delete env.PORTOLAN_INDEX_CACHE;
// It makes every process of Node read all certificates.
delete env.NODE_EXTRA_CA_CERTS;
try {
  const [folder, n_worktrees = "50"] = process.argv.slice(2);
  const first = join(world, "first");
  cpSync(folder, first, { recursive: true });
  rmSync(join(first, ".git"), { recursive: true, force: true });
  git(first, "init", "-q");
  git(first, "add", "-A");
  git(first, "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-qm", "one");
  const base = index(first);
  const worktrees = Array.from({ length: Number(n_worktrees) }, (_, n) => worktree(first, n));
  const settled = sizeOf(home);
  const made = worktrees.map((path) => index(path));
  const on_disk = (sizeOf(home) - settled) / worktrees.length;
  if (made.some(({ overlay }) => overlay?.n_changed !== N_CHANGED))
    throw new Error(`no overlay: ${JSON.stringify(made)}`);
  const asked = worktrees.slice(0, N_ASKED).map((path) => [ask(path), ask(path), ask(path)]);
  const again = worktrees.slice(0, N_ASKED).map((path) => index(path));
  const whole = worktrees.slice(0, N_ASKED).map((path) => index(path, "--full"));
  const clones = Array.from({ length: 3 }, (_, n) => join(world, `clone-${n}`));
  for (const path of clones) git(world, "clone", "-q", first, path);
  const cloned = clones.map((path) => index(path));
  console.log(
    JSON.stringify({
      n_files: base.n_files,
      n_worktrees: worktrees.length,
      base_bytes: base.n_bytes,
      base_ms: base.ms,
      overlay_ms: median(made.map(({ ms }) => ms)),
      overlay_bytes: median(made.map(({ n_bytes }) => n_bytes)),
      user_bytes: Math.round(on_disk),
      unchanged_ms: median(again.map(({ ms }) => ms)),
      first_question_ms: median(asked.map(([time]) => time)),
      question_ms: median(asked.flatMap(([, ...times]) => times)),
      whole_ms: median(whole.map(({ ms }) => ms)),
      clone_ms: median(cloned.map(({ ms }) => ms)),
    }),
  );
} finally {
  rmSync(world, { recursive: true, force: true });
}

function git(cwd, ...args) {
  execFileSync("git", args, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
}

/** A worktree in which ten files, others in each, have one line more. */
function worktree(first, n) {
  const path = join(world, `worktree-${n}`);
  git(first, "worktree", "add", "-q", "--detach", path);
  const files = sources(path);
  for (let i = 0; i < N_CHANGED; i++) {
    const file = files[(n * 37 + i * 101) % files.length];
    writeFileSync(file, `${readFileSync(file, "utf8")}\n# changed in worktree ${n}\n`);
  }
  return path;
}

function sources(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(py|rs|go)$/.test(entry.name));
  return files.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

function index(path, ...args) {
  const { ms, stdout } = run(path, "index", "--json", "--quiet", ...args);
  return { ...JSON.parse(stdout), ms };
}

function ask(path) {
  return run(path, "find", "main", "--quiet", "--json").ms;
}

function run(cwd, ...args) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`portolan ${args.join(" ")}: ${stderr}`);
  return { ms: performance.now() - started, stdout };
}

function sizeOf(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[sorted.length >> 1] ?? 0);
}
