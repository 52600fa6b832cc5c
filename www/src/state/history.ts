//! The git history of the open repository's folder: read in a worker when somebody asks for it, and kept in memory only.

import { effect, signal } from "@preact/signals";
import type { FileChurn, GitSource, History } from "portolan/history";
import { keptHandle, mayRead } from "./folder-handles.ts";
import { inputOf } from "./inputs.ts";
import { report, speak } from "./notices.ts";
import { plural } from "./format.ts";
import { repository } from "./repository.ts";

/** How much of the history is known. */
export type Git =
  /** There is no `.git` that this page can read. */
  | { readonly state: "none" }
  | { readonly state: "there" }
  | { readonly state: "reading" }
  | { readonly state: "ready"; readonly history: History }
  | { readonly state: "failed" };

export const git = signal<Git>({ state: "none" });
/** Whether the code view shows who changed each line. */
export const blameOpen = signal(false);
/** Commits of each file, once somebody asked for them. */
export const churn = signal<ReadonlyMap<string, FileChurn> | null>(null);

let source: (() => Promise<GitSource>) | null = null;
let reading: Promise<History | null> | null = null;
/** Counts the repositories that were opened, and the states of their folders. */
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
    if (open) void find(open.name, turn);
  });
}

function close(): void {
  const { state } = git.peek();
  if (state === "ready") (git.peek() as Extract<Git, { state: "ready" }>).history.close();
  git.value = { state: "none" };
  churn.value = null;
  source = null;
  reading = null;
  readAt = -1;
}

async function find(name: string, mine: number): Promise<void> {
  const found = await sourceOf(name).catch(() => null);
  if (mine !== turn || !found) return;
  source = found;
  git.value = { state: "there" };
}

/** The folder or the list of files with a `.git`. */
async function sourceOf(name: string): Promise<(() => Promise<GitSource>) | null> {
  const input = inputOf(name);
  if (typeof input === "object" && "files" in input) {
    const inGit = input.files.flatMap((one) =>
      one.path.startsWith(".git/") && "file" in one && one.file instanceof File
        ? [{ path: one.path, file: one.file }]
        : [],
    );
    return inGit.some(({ path }) => path === ".git/HEAD") ? async () => inGit : null;
  }
  const given = typeof input === "object" && "kind" in input ? input : await keptHandle(name);
  if (!given || !(given === input || (await mayRead(given)))) return null;
  await given.getDirectoryHandle(".git");
  return async () => given;
}

/** The history, read now if it is not yet; null where there is none, or where it cannot be read: then a notice says why. */
export function readHistory(): Promise<History | null> {
  reading ??= readNow(turn).finally(() => {
    // A folder that was read may get new commits: each question after a change of its files looks again.
    reading = null;
  });
  return reading;
}

async function readNow(mine: number): Promise<History | null> {
  const from = source;
  const revision = repository.peek()?.revision ?? 0;
  const before = git.peek();
  if (!from) return null;
  try {
    if (before.state === "ready") {
      if (readAt === revision) return before.history;
      await before.history.update(await from());
      readAt = revision;
      churn.value = null;
      return before.history;
    }
    git.value = { state: "reading" };
    const { History } = await import("portolan/history");
    const history = await History.read(await from());
    if (mine !== turn) {
      history.close();
      return null;
    }
    readAt = revision;
    git.value = { state: "ready", history };
    speak(`The history is read: ${plural(history.summary.n_commits, "commit")}`);
    return history;
  } catch (error) {
    if (mine !== turn) return null;
    git.value = { state: "failed" };
    report("read the git history", error);
    return null;
  }
}

/** Reads how often each file changes. */
export async function readChurn(): Promise<void> {
  const mine = turn;
  const history = await readHistory();
  if (!history || (churn.peek() && mine === turn)) return;
  try {
    const files = await history.churn();
    if (mine === turn) churn.value = new Map(files.map((file) => [file.path, file]));
  } catch (error) {
    report("read the git history", error);
  }
}
