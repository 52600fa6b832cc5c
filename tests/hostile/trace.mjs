// The witness that cannot be talked round: strace hears of every file that is opened for writing, made, moved or deleted, anywhere on
// the machine, and of every program that is started, whichever library did it. Where there is no strace, or it may not
// trace, the other witnesses remain.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";

import { ours } from "./own-processes.mjs";

const CALLS =
  "execve,execveat,open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,symlink,symlinkat,link,linkat,chmod,fchmodat,chown,lchown,fchownat,truncate,mknod,mknodat,chdir";
const WRITES = /\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\b/;
/** Written to by whatever runs: they keep nothing. */
const HARMLESS = /^\/dev\/(?:null|zero|tty|ptmx|pts\/\d+|shm\/sem\.)|^(?:pipe|socket|anon_inode):/;

const STRACE = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "strace"))
  .find((path) => existsSync(path));
let options;
let n_traces = 0;

export class Trace {
  constructor(file, cwd) {
    this.file = file;
    this.cwd = cwd;
  }

  /** A trace for the next program, started in `cwd`; none where there is no strace. */
  static next(folder, cwd) {
    options ??= workingOptions();
    return options === false ? undefined : new Trace(join(folder, `trace-${++n_traces}`), cwd);
  }

  static get works() {
    options ??= workingOptions();
    return options !== false;
  }

  around(program) {
    return [STRACE, ...options, "-o", this.file, program];
  }

  /** Returns the changes to files outside of `isOwn`, and the programs started beside the first one and those of `git`. */
  trespasses({ isOwn, git }) {
    if (!existsSync(this.file)) return [];
    const found = [];
    const descriptors = new Map();
    const folders = new Map();
    let n_programs = 0;
    for (const { pid, name, args, result } of callsIn(readFileSync(this.file, "latin1"))) {
      if (name.startsWith("open") && /^\d+</.test(result)) descriptors.set(result.split("<", 1)[0], insideOf(result));
      if (result.startsWith("-1")) continue;
      if (name.startsWith("execve")) {
        const program = textIn(args);
        if (n_programs++ > 0 && !git.includes(program)) found.push(`strace: ${program} was started`);
        continue;
      }
      const cwd = folders.get(pid) ?? this.cwd;
      if (name === "chdir") {
        folders.set(pid, resolve(cwd, textIn(args)));
        continue;
      }
      if ((name.startsWith("open") && !WRITES.test(args)) || HARMLESS.test(insideOf(result) ?? "")) continue;
      const paths =
        name.startsWith("open") || name === "creat" ? [insideOf(result)] : placesIn(name, args, cwd, descriptors);
      for (const path of paths)
        if (!isOwn(real(path)) && !HARMLESS.test(path)) found.push(`strace: ${name} of ${path}`);
    }
    return found;
  }
}

function workingOptions() {
  if (STRACE === undefined) return false;
  const base = ["-f", "-qq", "-y", "-s", "4096", "-e", "signal=none", "-e", `trace=${CALLS}`];
  for (const given of [["--seccomp-bpf", ...base], base]) {
    const { status } = ours(() => spawnSync(STRACE, [...given, "-o", "/dev/null", "true"], { stdio: "ignore" }));
    if (status === 0) return given;
  }
  return false;
}

/** The calls in the order in which they ended: `PID name(args) = result`, or in two halves where threads took turns. */
function* callsIn(text) {
  const begun = new Map();
  for (const line of text.split("\n")) {
    const [, pid, rest] = /^(\d+)\s+(.*)$/s.exec(line) ?? [];
    if (rest === undefined) continue;
    const first = /^(.*) <unfinished \.\.\.>$/s.exec(rest)?.[1];
    if (first !== undefined) {
      begun.set(pid, first);
      continue;
    }
    const second = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest)?.[1];
    const whole = second === undefined ? rest : `${begun.get(pid) ?? ""}${second}`;
    const [, name, args, result] = /^(\w+)\((.*)\)\s+= (.*)$/s.exec(whole) ?? [];
    if (name !== undefined) yield { pid, name, args, result };
  }
}

/** The first text in quotes. */
function textIn(args) {
  const quoted = /"((?:[^"\\]|\\.)*)"/.exec(args)?.[1];
  return quoted === undefined ? "" : unescaped(quoted);
}

/** `18</path>` names the descriptor and its file. */
function insideOf(result) {
  const inside = /^\d+<(.*)>/s.exec(result)?.[1];
  return inside === undefined ? undefined : unescaped(inside);
}

/** The paths that a call is about, with the folder that each is seen from. */
function placesIn(name, args, cwd, descriptors) {
  const named = [...args.matchAll(/(?:(AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>, )?"((?:[^"\\]|\\.)*)"/g)];
  const places = named.map(([, , folder, path]) => {
    const plain = unescaped(path);
    const behind = /^\/proc\/(?:self|\d+)\/fd\/(\d+)(\/.*)?$/.exec(plain);
    if (behind) return (descriptors.get(behind[1]) ?? plain) + (behind[2] ?? "");
    return resolve(folder === undefined ? cwd : unescaped(folder), plain);
  });
  // The first path of a symbolic link is only a text.
  return name.startsWith("symlink") ? places.slice(-1) : places;
}

/** Where a path leads, whether or not its last part is still there. */
function real(path) {
  for (
    let folder = dirname(path), rest = basename(path);
    ;
    rest = join(basename(folder), rest), folder = dirname(folder)
  ) {
    try {
      return join(realpathSync(folder), rest);
    } catch {
      if (folder === dirname(folder)) return path;
    }
  }
}

function unescaped(text) {
  const named = { n: "\n", t: "\t", r: "\r", v: "\v", f: "\f" };
  const latin = text.replace(/\\([0-7]{1,3}|.)/gs, (_all, code) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (named[code] ?? code),
  );
  return Buffer.from(latin, "latin1").toString();
}
