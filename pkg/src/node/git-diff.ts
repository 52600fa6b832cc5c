/** What changed in a work tree, as git tells it. */

import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { PortolanError } from "../errors.js";

const run = promisify(execFile);
/** A diff larger than this is no change but another repository. */
const MAX_DIFF = 256 * 1024 * 1024;
/** New files above this are no source. */
const MAX_NEW_FILE = 2 * 1024 * 1024;

/** Which change. */
export interface GitDiffOptions {
  /** What is staged, instead of everything that differs from the last commit. */
  readonly staged?: boolean;
  /** Everything that differs from this commit, branch or tag, instead of from the last commit. */
  readonly base?: string;
}

/** The unified diff of a work tree, new files included. Rejects with `git.failed`. */
export async function gitDiff(folder: string, { staged = false, base }: GitDiffOptions = {}): Promise<string> {
  if (base?.startsWith("-")) throw new PortolanError("git.failed", `"${base}" is no commit`);
  const against = staged ? ["--cached", ...(base === undefined ? [] : [base])] : [base ?? "HEAD"];
  // Settings of the user must not change the form: no colour, no external tool, prefixes as git has them.
  const diff = await git(folder, [
    "diff",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--relative",
    "--find-renames",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    ...against,
    "--",
  ]);
  if (staged) return diff;
  const untracked = await git(folder, ["ls-files", "--others", "--exclude-standard", "-z"]);
  const paths = untracked.split("\0").filter((path) => path !== "");
  return diff + paths.map((path) => asNew(folder, path)).join("");
}

async function git(folder: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run("git", ["-C", folder, "-c", "core.quotePath=false", ...args], { maxBuffer: MAX_DIFF });
    return stdout;
  } catch (error) {
    const { stderr = "", message, code } = error as Error & { stderr?: string; code?: unknown };
    const isNone = /not a git repository/i.test(stderr);
    // Outside of a repository git goes on to explain itself at length.
    const what =
      code === "ENOENT"
        ? "there is no git on this machine"
        : isNone
          ? `${folder} is in no git repository`
          : `git: ${stderr.trim().split("\n")[0] || message}`;
    throw new PortolanError(
      "git.failed",
      what,
      isNone || code === "ENOENT"
        ? "give the change itself as a unified diff"
        : "is this a git repository with a commit?",
      { cause: error },
    );
  }
}

/** A file that git does not know yet, as a diff; nothing for what is no text. */
function asNew(folder: string, path: string): string {
  try {
    const place = join(folder, path);
    if (statSync(place).size > MAX_NEW_FILE) return "";
    const text = readFileSync(place, "utf8");
    if (text === "" || text.includes("\0")) return "";
    const lines = text.replace(/\n$/, "").split("\n");
    return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
  } catch {
    // Gone again, or not to be read: git would not show it either.
    return "";
  }
}
