/**
 * The searches that were made on this machine, with the time that each took: a file in the user's own folder for data, never in a
 * repository, and sent nowhere. The oldest go when it gets long. Nothing is kept in CI (`CI` is set), with `PORTOLAN_HISTORY=false`, or
 * where no data is kept (`PORTOLAN_HOME` is empty).
 */

import { closeSync, constants, fstatSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

import { dataFolder } from "./registry.js";
import { isInside, readPrivate, writePrivate } from "./user-folder.js";

/** A search that was made. */
export interface PastSearch {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The folder of the repository. */
  readonly root: string;
  readonly tool: string;
  readonly query: string;
  readonly milliseconds: number;
}

const FILE = "history.jsonl";
/** From this size on only the last searches are kept. */
const MAX_BYTES = 512 * 1024;
const KEPT = 1_000;
/** Longer queries are cut. */
const MAX_QUERY = 500;
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** Whether searches are kept. */
export function keepsHistory(env: NodeJS.ProcessEnv = process.env): boolean {
  const isCi = env.CI !== undefined && env.CI !== "" && env.CI !== "false";
  return !isCi && env.PORTOLAN_HISTORY !== "false";
}

/** Adds a search. Never fails: an answer counts more than the note of it. */
export function noteSearch(search: Omit<PastSearch, "at">): void {
  const folder = folderFor(search.root);
  if (folder === undefined) return;
  const query = search.query.slice(0, MAX_QUERY);
  const entry: PastSearch = { at: Date.now(), ...search, query, milliseconds: Math.round(search.milliseconds) };
  try {
    mkdirSync(folder, { recursive: true });
    const descriptor = openSync(join(folder, FILE), FLAGS, 0o600);
    let size = 0;
    try {
      // One write of one line: those of several processes do not mix.
      writeSync(descriptor, `${JSON.stringify(entry)}\n`);
      size = fstatSync(descriptor).size;
    } finally {
      closeSync(descriptor);
    }
    if (size > MAX_BYTES) keepLast(folder);
  } catch {
    // a read-only home, a full disk
  }
}

/** The searches that are kept, the last one first. */
export function pastSearches(limit = KEPT): PastSearch[] {
  const folder = dataFolder();
  return folder === undefined ? [] : entriesIn(folder).slice(-limit).reverse();
}

/** Forgets all; says how many there were. */
export function clearHistory(): number {
  const folder = dataFolder();
  if (folder === undefined) return 0;
  const { length } = entriesIn(folder);
  rmSync(join(folder, FILE), { force: true });
  return length;
}

function folderFor(root: string): string | undefined {
  const folder = keepsHistory() ? dataFolder() : undefined;
  return folder === undefined || isInside(folder, root) ? undefined : folder;
}

function keepLast(folder: string): void {
  const last = entriesIn(folder).slice(-KEPT / 2);
  writePrivate(folder, FILE, last.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
}

function entriesIn(folder: string): PastSearch[] {
  const lines = (readPrivate(folder, FILE) ?? "").split("\n").filter((line) => line !== "");
  return lines.flatMap((line) => {
    try {
      const entry = JSON.parse(line) as PastSearch;
      const isWhole = typeof entry.query === "string" && typeof entry.root === "string" && entry.milliseconds >= 0;
      return isWhole ? [entry] : [];
    } catch {
      return []; // cut off by a full disk
    }
  });
}
