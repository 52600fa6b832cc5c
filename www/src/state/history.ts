//! The git history of the open repository's folder: read in a worker when somebody asks for it, and kept in memory only.

import { effect, signal } from "@preact/signals";
import type { FileChurn, GitSource, History } from "portolan/history";
import { keptHandle, mayRead } from "./folder-handles.ts";
import { inputOf } from "./inputs.ts";
import { report, speak, wordsOf } from "./notices.ts";
import { plural } from "./format.ts";
import { repository } from "./repository.ts";

/** How much of the history is known. */
export type Git =
  /** There is no `.git` that this page can read. */
  | { readonly state: "none" }
  | { readonly state: "there" }
  | { readonly state: "reading" }
  | ({ readonly state: "ready" } & Found)
  | ({ readonly state: "failed" } & Why);

/** A history, and the folder whose files it is about: empty, or a path that ends with `/`. */
export interface Found {
  readonly history: History;
  readonly root: string;
}

/** Why there is none, and what to do. */
export interface Why {
  readonly why: string;
  readonly help: string;
}

export const git = signal<Git>({ state: "none" });
/** Whether the code view shows who changed each line. */
export const blameOpen = signal(false);
/** Commits of each file, once somebody asked for them. */
export const churn = signal<ReadonlyMap<string, FileChurn> | null>(null);

/** The source that the person opened, and the folder in it whose history is meant where no file is. */
interface Source {
  readonly open: GitSource;
  readonly root: string;
}

/** Folders at the top of what was opened that are looked into for a `.git`. */
const MOST_FOLDERS = 64;

let source: Source | null = null;
/** The last reading; the next one waits for it. */
let reading: Promise<unknown> = Promise.resolve();
/** Counts the repositories that were opened. */
let turn = 0;
let readAt = -1;

/** Looks for a `.git` in each repository that is opened. */
export function keepGit(): void {
  let index: unknown = null;
  effect(() => {
    const open = repository.value;
    if (open?.index === index) return;
    index = open?.index ?? null;
    turn += 1;
    close();
    source = null;
    git.value = { state: "none" };
    if (open) void find(open.name, turn);
  });
}

function close(): void {
  const before = git.peek();
  if (before.state === "ready") before.history.close();
  churn.value = null;
  readAt = -1;
}

async function find(name: string, mine: number): Promise<void> {
  const found = await sourceOf(name).catch(() => null);
  if (mine !== turn || !found) return;
  source = found;
  git.value = { state: "there" };
}

/** The folder or the list of files, and the first folder in it that has a `.git`: a folder, or the file of a worktree. */
async function sourceOf(name: string): Promise<Source | null> {
  const input = inputOf(name);
  if (typeof input === "object" && "files" in input) {
    const open = input.files.flatMap((one) =>
      "file" in one && one.file instanceof File ? [{ path: one.path, file: one.file }] : [],
    );
    const root = rootIn(open.map(({ path }) => path));
    // Of the rest nothing is read: the list is sent to the worker.
    const ofGit = open.filter(({ path }) => /(?:^|\/)\.git(?:\/|$)/.test(path));
    return root === undefined ? null : { open: ofGit, root };
  }
  const given = typeof input === "object" && "kind" in input ? input : await keptHandle(name);
  if (!given || !(given === input || (await mayRead(given)))) return null;
  if (await hasGit(given)) return { open: given, root: "" };
  let n_seen = 0;
  for await (const [folder, handle] of given.entries()) {
    if (handle.kind !== "directory") continue;
    if (await hasGit(handle as FileSystemDirectoryHandle)) return { open: given, root: `${folder}/` };
    n_seen += 1;
    if (n_seen === MOST_FOLDERS) break;
  }
  return null;
}

function rootIn(paths: readonly string[]): string | undefined {
  const roots = paths.flatMap((path) => /^([^/]+\/)?\.git(?:\/HEAD)?$/.exec(path)?.map((part) => part ?? "")[1] ?? []);
  return roots.sort()[0];
}

async function hasGit(folder: FileSystemDirectoryHandle): Promise<boolean> {
  const found = await folder.getDirectoryHandle(".git").catch((error: unknown) => error);
  // A file of that name points to where the history is.
  return !(found instanceof Error) || found.name === "TypeMismatchError";
}

/** Of which history something is asked: that of a file's folder, of a folder, or the usual one. */
export interface Wanted {
  readonly path?: string;
  readonly root?: string;
}

/** The history, read now if it is not yet; null where there is none, or where it cannot be read: then `git` says why. */
export function readHistory(wanted: Wanted = {}): Promise<Found | null> {
  const mine = turn;
  const next = reading.then(() => readNow(mine, wanted));
  reading = next.catch(() => {});
  return next;
}

async function readNow(mine: number, wanted: Wanted): Promise<Found | null> {
  const from = source;
  if (!from || mine !== turn) return null;
  // A folder that was read may get new commits: each question after a change of its files looks again.
  const revision = repository.peek()?.revision ?? 0;
  try {
    const { History, folderWithGit } = await import("portolan/history");
    const root = await rootFor(from, wanted, folderWithGit);
    const before = git.peek();
    if (before.state === "ready" && before.root === root) {
      if (readAt === revision) return before;
      await before.history.update(from.open);
      readAt = revision;
      churn.value = null;
      return before;
    }
    close();
    git.value = { state: "reading" };
    const history = await History.read(from.open, { within: root.replace(/\/$/, "") });
    if (mine !== turn) {
      history.close();
      return null;
    }
    readAt = revision;
    const found = { history, root };
    git.value = { state: "ready", ...found };
    speak(`The history is read: ${plural(history.summary.n_commits, "commit")}`);
    return found;
  } catch (error) {
    if (mine !== turn) return null;
    close();
    const { message, help } = wordsOf(error);
    git.value = { state: "failed", why: sentence(message), help: sentence(help) };
    return null;
  }
}

/** The folder whose history is wanted. */
async function rootFor(
  { open, root }: Source,
  wanted: Wanted,
  above: (open: GitSource, path: string) => Promise<string | undefined>,
): Promise<string> {
  if (wanted.root !== undefined) return wanted.root;
  if (wanted.path === undefined) {
    const before = git.peek();
    return before.state === "ready" ? before.root : root;
  }
  const found = await above(open, wanted.path);
  return found === undefined || found === "" ? "" : `${found}/`;
}

/** An error's words begin small, for after a colon. */
function sentence(words: string): string {
  return words === "" ? "" : `${words[0]?.toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;
}

/** Reads how often each file changes. */
export async function readChurn(): Promise<void> {
  const mine = turn;
  const found = await readHistory();
  if (!found || (churn.peek() && mine === turn)) return;
  try {
    const files = await found.history.churn();
    if (mine === turn) churn.value = new Map(files.map((file) => [found.root + file.path, file]));
  } catch (error) {
    report("read the git history", error);
  }
}
