//! The folder of the open index: watched if the browser reports changes, else checked when the reader asks.

import type { CodeIndex, FileChanges, Staleness } from "portolan";
import { signal } from "@preact/signals";
import { plural } from "./format.ts";
import { hint, report, wordsOf } from "./notices.ts";
import { staleWords } from "./stale-words.ts";

/** The way changes are detected. */
export type Folder =
  /** The browser reports them. */
  | { readonly how: "followed" }
  /** Somebody asks; `again` where the folder must be chosen once more for that. */
  | { readonly how: "asked"; readonly again: boolean; look(): Promise<void> };

/** The changes that one update found. */
export interface Round {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly changes: FileChanges;
}

/** The folder of the open index; null where there is none, as for an archive. */
export const folder = signal<Folder | null>(null);
/** Changes since the repository was opened, the latest first. */
export const rounds = signal<readonly Round[]>([]);
export const looking = signal(false);
/** Files that have changed since they were indexed, before the reader has asked for changes. */
export const stale = signal<Staleness | null>(null);

const mostRounds = 20;
/** The folder is not compared again so soon. */
const restMillis = 5_000;
let stop = new AbortController();

/** Another index is open from now on. */
export function leaveFolder(): void {
  stop.abort();
  stop = new AbortController();
  folder.value = null;
  rounds.value = [];
  stale.value = null;
}

/** Counts the files that an update changed. */
export function sizeOf({ added, modified, deleted, renamed }: FileChanges): number {
  return added.length + modified.length + deleted.length + renamed.length;
}

/** `2 added, 1 modified`; `Nothing has changed`. */
export function inWords({ added, modified, deleted, renamed }: FileChanges): string {
  const parts = Object.entries({ added, modified, deleted, renamed }).filter(([, files]) => files.length > 0);
  return (
    parts.map(([word, files]) => `${files.length.toLocaleString("en")} ${word}`).join(", ") || "Nothing has changed"
  );
}

/** Notes what a look has found. */
export function noteRound(changes: FileChanges): void {
  if (sizeOf(changes) > 0) rounds.value = [{ at: Date.now(), changes }, ...rounds.peek()].slice(0, mostRounds);
}

/** Says in the status line what a look has found. */
export function sayRound(changes: FileChanges): void {
  hint(`${inWords(changes)}; ${plural(changes.n_unchanged, "file")} unchanged`);
}

/**
 * Follows a folder whose handle the index has: where the browser cannot tell of changes, or does no more, the reader can ask.
 *
 * @param onChanged the index answers for other files from now on.
 */
export async function follow(index: CodeIndex, onChanged: () => Promise<void>): Promise<void> {
  const { signal } = stop;
  const take = async (changes: FileChanges) => {
    if (signal.aborted) return;
    stale.value = null;
    if (sizeOf(changes) > 0) await onChanged();
    noteRound(changes);
    sayRound(changes);
  };
  const asked: Folder = { how: "asked", again: false, look: async () => take(await index.update()) };
  folder.value = { how: "followed" };
  try {
    await index.watch({
      signal,
      // The first round finds nothing where the index was made a moment ago.
      onChanges: (changes) => void (sizeOf(changes) > 0 && take(changes)),
      onError: (error) => {
        if (signal.aborted) return;
        if (error.code === "watch.lost") folder.value = asked;
        report("watch the folder", error, "warning");
      },
    });
  } catch (error) {
    if (signal.aborted || wordsOf(error).code === "index.closed") return;
    folder.value = asked;
    tellStale(index, signal);
    if (wordsOf(error).code !== "watch.unsupported") report("watch the folder", error, "warning");
  }
}

/** Compares the folder with the index whenever the reader comes back to the page. Reading what has changed is left to the reader. */
function tellStale(index: CodeIndex, signal: AbortSignal): void {
  let at = Number.NEGATIVE_INFINITY;
  const compare = async () => {
    if (document.hidden || looking.peek() || performance.now() - at < restMillis) return;
    at = performance.now();
    // The reader asked for nothing that could fail.
    const found = await index.stale().catch(() => undefined);
    at = performance.now();
    if (signal.aborted || !found) return;
    const isNews = found.n_files > (stale.peek()?.n_files ?? 0);
    stale.value = found.n_files > 0 ? found : null;
    if (isNews) hint(staleWords(found));
  };
  document.addEventListener("visibilitychange", () => void compare(), { signal });
  window.addEventListener("focus", () => void compare(), { signal });
}

/** The folder can be looked at when the reader asks for it. */
export function offerLook(again: boolean, look: () => Promise<void>): void {
  folder.value = { how: "asked", again, look };
}

/** Looks at the folder now. */
export async function lookNow(): Promise<void> {
  const now = folder.peek();
  if (now?.how !== "asked" || looking.peek()) return;
  looking.value = true;
  try {
    await now.look();
  } catch (error) {
    report("check for changes", error);
  } finally {
    looking.value = false;
  }
}
