/** Reads from git what changed in a work tree. */

import { closeSync, fstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { PortolanError } from "../errors.js";
import { openGit } from "./git.js";
import { openRegular } from "./safe-files.js";

/** New files above this are no source. */
const MAX_NEW_FILE = 2 * 1024 * 1024;

/** Which change. */
export interface GitDiffOptions {
  /** Compares the staged changes only, instead of everything that differs from the last commit. */
  readonly staged?: boolean;
  /** Everything that differs from this commit, branch or tag, instead of from the last commit. */
  readonly base?: string;
}

/** The unified diff of a work tree, new files included. Rejects with `git.failed`. */
export async function gitDiff(folder: string, { staged = false, base }: GitDiffOptions = {}): Promise<string> {
  if (base?.startsWith("-")) throw new PortolanError("git.failed", `"${base}" is no commit`);
  const git = await openGit(folder);
  try {
    const tree = await git.tree(base);
    const diff = await git.run(["diff", ...FORM, ...(staged ? ["--cached"] : []), tree, "--"]);
    if (staged) return diff;
    const untracked = await git.run(["ls-files", "--others", "--exclude-standard", "-z"]);
    const paths = untracked.split("\0").filter((path) => path !== "");
    return diff + paths.map((path) => asNew(folder, path)).join("");
  } finally {
    git.close();
  }
}

/** Settings of the user must not change the form: no colour, no external tool, prefixes as git has them. */
const FORM = [
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  // Another repository inside of this one has a configuration of its own.
  "--ignore-submodules=all",
  "--submodule=short",
  "--relative",
  "--find-renames",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];

/** A file that git does not track yet, as a diff; nothing if it is no text. */
function asNew(folder: string, path: string): string {
  try {
    const text = textOf(join(folder, path));
    if (text === "" || text.includes("\0")) return "";
    const lines = text.replace(/\n$/, "").split("\n");
    const [before, after] = [quoted(`a/${path}`), quoted(`b/${path}`)];
    return `diff --git ${before} ${after}\nnew file mode 100644\n--- /dev/null\n+++ ${after}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
  } catch {
    // Gone again, or not to be read: git would not show it either.
    return "";
  }
}

/** Nothing for a file that is too large. A link, which may lead anywhere, a pipe or a device throws. */
function textOf(place: string): string {
  const descriptor = openRegular(place, { follow: false });
  try {
    return fstatSync(descriptor).size > MAX_NEW_FILE ? "" : readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** A path as git writes it: in quotes where a line could not hold it otherwise. */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (!/[\0-\x1f\x7f"\\]/.test(path)) return path;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const escaped = path.replace(/[\0-\x1f\x7f"\\]/g, (letter) =>
    /["\\]/.test(letter) ? `\\${letter}` : `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}
