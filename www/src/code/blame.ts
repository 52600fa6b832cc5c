//! The commit of each line: rows for the margin of the code view, also where the folder has another text than the commit.

import { diffLines } from "diff";
import type { BlamedCommit, BlamedFile } from "portolan/history";

/** The lines of the shown text with their commits. */
export interface Blame {
  readonly commits: readonly BlamedCommit[];
  /** For each line the place of its commit; -1 where the folder has another line than the newest commit. */
  readonly lines: readonly number[];
  /** Steps of age of each commit, 0 for the newest to {@link ages}. */
  readonly steps: readonly number[];
}

/** Steps of age that have a shade of their own. */
export const ages = 4;
/** Differences of longer texts take too long. */
const mostEdits = 2_000;

/** The commits of `text`, which may differ from the committed one. */
export function blameOf({ commits, lines, text: committed }: BlamedFile, text: string): Blame {
  return { commits, lines: linesOf(lines, committed, text), steps: stepsOf(commits) };
}

function linesOf(lines: readonly number[], committed: string, text: string): number[] {
  const [before, after] = [plain(committed), plain(text)];
  if (before === after) return [...lines];
  const changes = diffLines(before, after, { maxEditLength: mostEdits });
  if (!changes) return [];
  const found: number[] = [];
  let at = 0;
  for (const { added, removed, count } of changes) {
    if (added) for (let n = 0; n < count; n += 1) found.push(-1);
    else if (removed) at += count;
    else for (let n = 0; n < count; n += 1) found.push(lines[at++] ?? -1);
  }
  return found;
}

// The index has neither a mark of byte order nor the carriage returns that git adds when it checks out.
function plain(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

/** Ages by rank: of a file that was written at once and mended ten years later all shades are used. */
function stepsOf(commits: readonly BlamedCommit[]): number[] {
  const times = [...new Set(commits.map(({ authored }) => authored))].sort((a, b) => b - a);
  const rank = new Map(times.map((time, at) => [time, at]));
  return commits.map(({ authored }) => Math.floor(((rank.get(authored) ?? 0) * (ages + 1)) / times.length));
}
