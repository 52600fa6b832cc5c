// A small world for one attack: a repository, a home, a folder outside of both, one for temporary files, and a PATH on which every
// program is a trap. Programs run in it under all witnesses that this machine has.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { ours } from "./own-processes.mjs";
import { Trace } from "./trace.mjs";
import { isAllowed, watched } from "./watch.mjs";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BIN = join(ROOT, "pkg/bin/portolan.js");
const RECORDER = fileURLToPath(new URL("recorder.cjs", import.meta.url));
const LIMIT_MS = 120_000;
const MAX_OUTPUT = 64 * 1024 * 1024;
/** Programs that could start others: each of them is a trap. */
const TRAPS =
  "sh bash dash zsh env node npm npx pnpm yarn bun deno python python3 perl ruby ssh gpg gpg2 curl wget less more cat tee touch cp mv rm ln sed awk open xdg-open code cursor claude opencode codex hg jj svn make gcc cc tar unzip gunzip".split(
    " ",
  );
const REAL_GIT = programAt("git");

/**
 * Places that `portolan index` may write to: its folder in the repository, and in the home the list of indexed repositories, the user's folder and the
 * kept indexes.
 */
const ALLOWED = [
  "repo/.portolan/**",
  "home/.local/share/portolan/repositories/**",
  "home/.local/share/portolan/history.jsonl",
  "home/.local/share/portolan",
  "home/.local/share",
  "home/.local",
  "home/.config/portolan/**",
  "home/.config",
  "home/.cache/portolan/indexes/**",
  "home/.cache/portolan",
  "home/.cache",
];

/**
 * A sandbox with these files by path (`repo/…`, `home/…`, `outside/…`, `tmp/…`), gone with the test `t`, or where there is none when
 * it is closed.
 */
export function sandbox(files = {}, t) {
  const box = new Sandbox(files);
  t?.after(() => box.close());
  return box;
}

/** A sandbox, an attack, and all that `watched` asserts. */
export async function attacked(t, files, body, options = {}) {
  return watched(sandbox(files, t), options, body);
}

class Sandbox {
  constructor(files) {
    this.allow = ALLOWED;
    this.root = mkdtempSync(join(tmpdir(), "portolan-hostile-"));
    this.machinery = mkdtempSync(join(tmpdir(), "portolan-witness-"));
    this.traps = join(this.machinery, "bin");
    this.log = join(this.machinery, "node-log");
    this.trapLog = join(this.machinery, "trap-log");
    this.gitLog = join(this.machinery, "git-log");
    this.traces = [];
    /** Whether Node writes down what it starts; off where the other witnesses are tested. */
    this.isRecording = true;
    for (const folder of ["repo", "home", "outside", "tmp"]) mkdirSync(join(this.root, folder));
    this.put(files);
    this.layTraps();
  }

  path(...parts) {
    return join(this.root, ...parts);
  }

  /** Writes files; a folder where the name ends with a stroke. */
  put(files) {
    for (const [path, content] of Object.entries(files)) {
      const place = this.path(path);
      mkdirSync(path.endsWith("/") ? place : dirname(place), { recursive: true });
      if (!path.endsWith("/")) writeFileSync(place, content);
    }
    return this;
  }

  /** Makes `path` a link to `target`, which is seen from the sandbox unless it begins with `./` or `../`. */
  link(path, target) {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    symlinkSync(/^\.\.?\//.test(target) ? target : resolve(this.root, target), this.path(path));
    return this;
  }

  read(path) {
    return readFileSync(this.path(path), "utf8");
  }

  /** Prepares the attack: the real git, unwatched, in `repo` or `cwd`. */
  git(args, cwd = "repo") {
    const env = { ...this.env(), PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1" };
    const who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"];
    return ours(() =>
      execFileSync(REAL_GIT, [...who, ...args], {
        cwd: this.path(cwd),
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  }

  /** Runs the command line in `cwd`; rejects where it does not end by itself. */
  portolan(args, options) {
    return this.node([BIN, ...args], options);
  }

  /** Answers of the command line as JSON; fails where it fails. */
  async json(args, options) {
    const { code, stdout, stderr } = await this.portolan([...args, "--json"], options);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }

  /** Runs Node with these arguments under the witnesses. Its input ends at once, or when `until(stdout)` holds. */
  async node(args, { cwd = "repo", env = {}, input, until, limit_ms = LIMIT_MS } = {}) {
    const trace = Trace.next(this.machinery, this.path(cwd));
    if (trace) this.traces.push(trace);
    const call = trace?.around(process.execPath) ?? [process.execPath];
    const [file, ...before] = [...call, "--require", RECORDER];
    const child = ours(() =>
      spawn(file, [...before, ...args], { cwd: this.path(cwd), env: { ...this.env(), ...env }, detached: true }),
    );
    return ended(child, { input, until, limit_ms }, args);
  }

  env() {
    const { root } = this;
    return {
      PATH: this.traps,
      HOME: join(root, "home"),
      USERPROFILE: join(root, "home"),
      TMPDIR: join(root, "tmp"),
      LANG: "C.UTF-8",
      TERM: "dumb",
      ...(this.isRecording && { PORTOLAN_HOSTILE_LOG: this.log }),
    };
  }

  /** Forgets all observations so far. */
  forget() {
    for (const log of [this.log, this.trapLog, this.gitLog]) rmSync(log, { force: true });
    this.traces = [];
  }

  /** Returns the forbidden events that the witnesses saw, each as one line. */
  trespasses({ allow, processes, connections }) {
    const found = [];
    for (const { process: file, args, connection, library } of linesOf(this.log).map((line) => JSON.parse(line))) {
      if (file !== undefined && !processes.includes(basename(file)))
        found.push(`Node started ${file} ${args?.join(" ")}`);
      if (connection !== undefined && !connections.includes(connection))
        found.push(`a connection to ${connection} was opened`);
      if (library !== undefined && !library.startsWith(ROOT)) found.push(`the native library ${library} was loaded`);
    }
    const trapped = linesOf(this.trapLog).filter((line) => !processes.includes(line.split(" ", 1)[0]));
    found.push(...trapped.map((line) => `a trap was run: ${line}`), ...this.childrenOfGit());
    const isOwn = (path) =>
      path.startsWith(this.machinery) ||
      (path.startsWith(`${this.root}/`) && isTransient(path.slice(this.root.length + 1), allow)) ||
      (path.startsWith(`${this.root}/`) && isAllowed(path.slice(this.root.length + 1), allow));
    const git = processes.includes("git") ? [join(this.traps, "git"), REAL_GIT] : [];
    return found.concat(this.traces.flatMap((trace) => trace.trespasses({ isOwn, git })));
  }

  /** Returns git's report of the processes that it starts itself: hooks, filters, monitors, pagers, other gits. */
  childrenOfGit() {
    const events = linesOf(this.gitLog).map((line) => JSON.parse(line));
    const started = events.filter(({ event }) => event === "child_start" || event === "exec");
    return started.map(({ child_class, argv }) => `git started ${child_class ?? ""} ${argv?.join(" ")}`);
  }

  layTraps() {
    mkdirSync(this.traps);
    const note = (name) => `printf '%s\\n' "${name} $*" >> '${this.trapLog}'\n`;
    for (const name of TRAPS) this.program(name, `${note(name)}exit 97\n`);
    this.program("git", `${note("git")}GIT_TRACE2_EVENT='${this.gitLog}' exec '${REAL_GIT}' "$@"\n`);
  }

  program(name, script) {
    writeFileSync(join(this.traps, name), `#!/bin/sh\n${script}`);
    chmodSync(join(this.traps, name), 0o755);
  }

  close() {
    for (const folder of [this.root, this.machinery]) rmSync(folder, { recursive: true, force: true });
  }
}

function ended(child, { input, until, limit_ms }, args) {
  const out = { stdout: [], stderr: [] };
  for (const stream of ["stdout", "stderr"]) {
    let n_bytes = 0;
    child[stream].on("data", (bytes) => {
      n_bytes += bytes.length;
      if (n_bytes <= MAX_OUTPUT) out[stream].push(bytes);
      if (stream === "stdout" && until?.(Buffer.concat(out.stdout).toString())) child.stdin.end();
    });
  }
  child.stdin.on("error", () => {}); // it need not be read
  if (until) child.stdin.write(input);
  else child.stdin.end(input ?? "");
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      process.kill(-child.pid, "SIGKILL"); // its group: strace and what it traces
      reject(new Error(`${args.join(" ")} had not ended after ${limit_ms} ms`));
    }, limit_ms);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const text = (stream) => Buffer.concat(out[stream]).toString();
      resolve({ code, signal, stdout: text("stdout"), stderr: text("stderr") });
    });
  });
}

/** A file is written beside its place before it gets its name: where something may be written, and gone afterwards. */
function isTransient(path, allow) {
  return /\/\.portolan-\d+-[0-9a-f]{16}\.tmp$/.test(path) && allow.some((glob) => dirname(glob) === dirname(path));
}

function linesOf(file) {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

/** The path of a program that this machine has. */
export function programAt(name) {
  const folder = (process.env.PATH ?? "").split(delimiter).find((folder) => existsSync(join(folder, name)));
  return folder === undefined ? join(homedir(), "there-is-no", name) : join(folder, name);
}
