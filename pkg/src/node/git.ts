/**
 * Git, asked about a repository that may be hostile.
 *
 * A repository's own configuration names programs: filters, monitors, external diffs, hooks, helpers of transports. So git never looks at
 * the work tree under that configuration. One call, which reads references only, says where the objects and the index are and which
 * tree is meant; it may fetch nothing and ask nobody. All others run over a folder for git of our own: an empty configuration, a copy
 * of the index, attributes that name no filter, and the objects where they are.
 *
 * The first call is under git's own rule of who may own a repository (`safe.directory`).
 */

import { execFile } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join, relative, resolve } from "node:path";
import { promisify } from "node:util";

import { PortolanError } from "../errors.js";
import { findRoot } from "./root.js";
import { readRegular } from "./safe-files.js";

const run = promisify(execFile);
/** A diff larger than this is no change but another repository. */
const MAX_OUTPUT = 256 * 1024 * 1024;
const LIMIT_MS = 120_000;
/** Git's names of the tree without files. */
const EMPTY_TREES: Record<string, string> = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};
/** They go before whatever a configuration says. `safe.bareRepository` counts here, since the command line is trusted. */
const SETTINGS = {
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.quotePath": "false",
  "protocol.allow": "never",
  "safe.bareRepository": "explicit",
};
/** Drivers are named by attributes: where none is, none is looked for. */
const ATTRIBUTES = "* !filter !diff !merge\n";
/** Files as they are: access bits are no change of code, and ends of lines are none either. */
const CONFIG =
  "[core]\n\tbare = false\n\tfileMode = false\n\tautocrlf = input\n\tsafecrlf = false\n\tuntrackedCache = false\n";

/** A repository, asked through a folder of our own; `close` deletes that. */
export interface GitWorkTree {
  /** Returns git's answer in the folder that was opened. */
  run(args: readonly string[]): Promise<string>;
  /** The tree of a commit, branch or tag; that without files where there is no commit yet and none is named. */
  tree(base: string | undefined): Promise<string>;
  /** Paths of files that differ from a tree, new ones included, without those that git ignores. */
  changed(tree: string): Promise<string[]>;
  /** The commit that is checked out and those before it, each the first parent of the last, at most `n`; none where there is no commit. */
  commits(n: number): Promise<GitCommit[]>;
  close(): void;
}

/** A commit, by hashes. */
export interface GitCommit {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

/** Opens the repository that `folder` is in. Rejects with `git.failed`. */
export async function openGit(folder: string): Promise<GitWorkTree> {
  const root = findRoot(folder);
  refusePipes(join(root, ".git"));
  const program = gitProgram(root);
  const first = (args: readonly string[]) => call(program, folder, args, environment());
  const where = await placesOf(folder, first);
  const own = mkdtempSync(join(tmpdir(), "portolan-git-"));
  const close = () => rmSync(own, { recursive: true, force: true });
  try {
    fill(own, where);
  } catch (error) {
    close();
    throw failed(`git: ${(error as Error).message}`, error);
  }
  const env = { ...environment(), GIT_DIR: own, GIT_WORK_TREE: where.top, GIT_OBJECT_DIRECTORY: where.objects };
  return {
    run: (args) => call(program, folder, args, env),
    async tree(base) {
      const found = await first(["rev-parse", "--verify", "--quiet", `${base ?? "HEAD"}^{tree}`]).catch(() => "");
      if (/^[0-9a-f]{40,64}\n$/.test(found)) return found.trim();
      const commit = await first(["rev-parse", "--verify", "--quiet", "HEAD"]).catch(() => "");
      if (base !== undefined || commit !== "")
        throw failed(`git: there is no commit ${JSON.stringify(base ?? "HEAD")}`);
      return EMPTY_TREES[where.format] ?? "";
    },
    async changed(tree) {
      const differ = [
        "diff",
        "--name-only",
        "-z",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=all",
        tree,
        "--",
      ];
      const untracked = ["ls-files", "--others", "--exclude-standard", "-z"];
      const texts = [await call(program, folder, differ, env), await call(program, folder, untracked, env)];
      return texts.flatMap((text) => text.split("\0")).filter((path) => path !== "");
    },
    async commits(n) {
      const head = (await first(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).catch(() => "")).trim();
      if (!/^[0-9a-f]{40,64}$/.test(head)) return [];
      const form = ["--no-color", "--no-show-signature", "--no-decorate", "--no-mailmap", "--format=%H %T %P"];
      const text = await call(program, folder, ["log", "--first-parent", `--max-count=${n}`, ...form, head, "--"], env);
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const [commit = "", tree = "", ...parents] = line.trim().split(" ");
          return { commit, tree, parents };
        });
    },
    close,
  };
}

interface Places {
  readonly top: string;
  readonly gitDir: string;
  readonly objects: string;
  readonly index: string;
  readonly exclude: string;
  /** Where the history of a shallow clone ends. */
  readonly shallow: string;
  readonly format: string;
}

async function placesOf(folder: string, git: (args: readonly string[]) => Promise<string>): Promise<Places> {
  const paths = ["objects", "index", "info/exclude", "shallow"].flatMap((path) => ["--git-path", path]);
  const asked = [...paths, "--show-object-format"];
  const text = await git(["rev-parse", "--path-format=absolute", "--show-toplevel", "--absolute-git-dir", ...asked]);
  const [top = "", gitDir = "", objects = "", index = "", exclude = "", shallow = "", format = "", ...more] = text
    .replace(/\n$/, "")
    .split("\n");
  if (more.length > 0 || !(format in EMPTY_TREES))
    throw failed("git: the repository is at a place whose name cannot be read");
  // `core.worktree` may name any folder, and a `.git` file any repository.
  if (!isInside(realpathSync(folder), realpathSync(top)))
    throw failed(`the work tree of ${folder} is elsewhere: ${top}`);
  if (!isOwn(top, gitDir, objects))
    throw failed(`${join(top, ".git")} names a repository that does not know this folder`);
  return { top, gitDir, objects, index, exclude, shallow, format };
}

/** Whether the folder of git is that of this work tree: in it, or linked from there to here (a second work tree, a submodule). */
function isOwn(top: string, gitDir: string, objects: string): boolean {
  const mark = lstatSync(join(top, ".git"), { throwIfNoEntry: false });
  // A file `commondir` in it would take the objects of another repository.
  if (mark?.isDirectory())
    return realpathSync(gitDir) === realpathSync(join(top, ".git")) && relative(gitDir, objects) === "objects";
  if (!mark?.isFile()) return false;
  const text = (file: string) => Buffer.from(readRegular(join(gitDir, file))).toString("utf8");
  try {
    return realpathSync(resolve(gitDir, text("gitdir").trim())) === realpathSync(join(top, ".git"));
  } catch {
    // A submodule says in its configuration where its work tree is.
  }
  try {
    const back = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(text("config"))?.[1];
    return back !== undefined && realpathSync(resolve(gitDir, back)) === realpathSync(top);
  } catch {
    return false;
  }
}

/** A folder for git that says nothing but where the objects are. */
function fill(own: string, { gitDir, index, exclude, shallow, format }: Places): void {
  for (const name of ["objects", "refs", "info"]) mkdirSync(join(own, name));
  const extensions =
    format === "sha1" ? "" : `\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = ${format}\n`;
  writeFileSync(join(own, "config"), CONFIG + extensions);
  writeFileSync(join(own, "HEAD"), "ref: refs/heads/none\n");
  writeFileSync(join(own, "info/attributes"), ATTRIBUTES);
  if (isFile(index)) copyIndex(index, join(own, "index"));
  if (isFile(exclude)) writeFileSync(join(own, "info/exclude"), readRegular(exclude));
  if (isFile(shallow)) writeFileSync(join(own, "shallow"), readRegular(shallow));
  // An index may be in two parts.
  for (const name of readdirSync(gitDir))
    if (/^sharedindex\.[0-9a-f]+$/.test(name)) writeFileSync(join(own, name), readRegular(join(gitDir, name)));
}

/** Git would wait at a pipe for a writer. */
function refusePipes(gitDir: string): void {
  for (const name of [
    "HEAD",
    "config",
    "config.worktree",
    "packed-refs",
    "commondir",
    "index",
    "info/exclude",
    "shallow",
  ]) {
    const stats = statsOf(join(gitDir, name));
    if (stats !== undefined && !stats.isFile()) throw failed(`${join(gitDir, name)} is no regular file`);
  }
}

/** Undefined where there is nothing, also below a file, such as the `.git` of a second work tree: Node 20 throws there. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as { code?: string }).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** A file that is as young as the index may have changed within the same second, so the copy must not be younger. */
function copyIndex(index: string, copy: string): void {
  const { mtimeMs } = statSync(index);
  writeFileSync(copy, readRegular(index));
  utimesSync(copy, Math.floor(mtimeMs / 1000), Math.floor(mtimeMs / 1000));
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * The git of the PATH, but none that the repository brings: package managers put folders of it (`node_modules/.bin`) in front, and an
 * entry that is relative means whatever folder one is in.
 */
function gitProgram(root: string): string {
  const names = process.platform === "win32" ? ["git.exe"] : ["git"];
  const real = realpathSync(root);
  for (const entry of (process.env.PATH ?? "").split(delimiter).filter(isAbsolute)) {
    for (const name of names) {
      const path = join(entry, name);
      try {
        if (statSync(path).isFile() && !isInside(realpathSync(path), real) && !isInside(realpathSync(entry), real))
          return path;
      } catch {
        // not there
      }
    }
  }
  throw failed("there is no git on this machine", undefined, WITHOUT_GIT);
}

function isInside(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return !isAbsolute(inside) && inside.split(/[\\/]/, 1)[0] !== "..";
}

const WITHOUT_GIT = "give the change itself as a unified diff";

function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  const settings = Object.entries(SETTINGS).map(([key, value], n) => [
    [`GIT_CONFIG_KEY_${n}`, key],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ]);
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(settings.flat()),
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "",
    GIT_ASKPASS: "",
    LC_ALL: "C",
  };
}

async function call(program: string, folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const options = {
      env,
      maxBuffer: MAX_OUTPUT,
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
      windowsHide: true,
    } as const;
    const { stdout } = await run(program, ["--no-pager", "-C", folder, ...args], options);
    return stdout;
  } catch (error) {
    const { stderr = "", message, killed } = error as Error & { stderr?: string; killed?: boolean };
    if (killed === true) throw failed(`git had not answered after ${LIMIT_MS / 1000} s`, error);
    // Outside of a repository git adds a long explanation.
    if (/not a git repository/i.test(stderr)) throw failed(`${folder} is in no git repository`, error, WITHOUT_GIT);
    throw failed(`git: ${stderr.trim().split("\n")[0] || message}`, error);
  }
}

function failed(
  message: string,
  cause?: unknown,
  help = "is this a git repository with a commit? Else give the change itself as a unified diff",
) {
  return new PortolanError("git.failed", message, help, cause === undefined ? undefined : { cause });
}
