//! Changes of files before they are made: edits by offset, the places that a person sees and chooses, the texts after, and the patch.

import { formatPatch, structuredPatch } from "diff";
import { lineStarts } from "../views/lines.ts";

/** Replaces a stretch of a text, half-open, in UTF-16 units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits that are chosen together: those of the same lines and of the same sort. */
export interface Spot {
  /** Names it within its file. */
  readonly key: string;
  /** 1-based, both included. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly edits: readonly Edit[];
  /** How the place is known, in a word; empty where there is nothing to say. */
  readonly sort: string;
  /** Whether it is chosen until somebody says otherwise. */
  readonly chosen: boolean;
}

/** A file with the places that can change in it. */
export interface FilePlan {
  readonly path: string;
  readonly before: string;
  readonly spots: readonly Spot[];
}

/** A file that changes. */
export interface FileChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly n_edits: number;
}

/** Edits with the sort of each, as spots by line. Edits that overlap an earlier one are left out. */
export function spotsOf(
  text: string,
  edits: readonly (Edit & { readonly sort: string; readonly chosen: boolean })[],
): { readonly spots: Spot[]; readonly n_overlapping: number } {
  const starts = lineStarts(text);
  const spots: Spot[] = [];
  let end = -1;
  let overlapping = 0;
  for (const { sort, chosen, ...edit } of [...edits].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < end) {
      overlapping += 1;
      continue;
    }
    end = Math.max(edit.end, edit.start);
    const firstLine = lineAt(starts, edit.start);
    const lastLine = lineAt(starts, Math.max(edit.start, edit.end - 1));
    const near = spots.findLast((spot) => spot.sort === sort && spot.chosen === chosen && spot.lastLine >= firstLine);
    if (near)
      spots[spots.indexOf(near)] = {
        ...near,
        lastLine: Math.max(near.lastLine, lastLine),
        edits: [...near.edits, edit],
      };
    else spots.push({ key: `${firstLine} ${sort}`, firstLine, lastLine, edits: [edit], sort, chosen });
  }
  return { spots, n_overlapping: overlapping };
}

/** The line of an offset, 1-based. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The text after edits that do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: fresh } of [...edits].sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(at, start), fresh);
    at = end;
  }
  return pieces.join("") + text.slice(at);
}

/** The lines of a spot before and after its own edits. */
export function linesOf(text: string, { firstLine, lastLine, edits }: Spot): { before: string[]; after: string[] } {
  const starts = lineStarts(text);
  const from = starts[firstLine - 1] ?? 0;
  const to = (starts[lastLine] ?? text.length + 1) - 1;
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - from, end: Math.min(edit.end, to) - from }));
  const piece = text.slice(from, to);
  const lines = (whole: string) => whole.split("\n").map((line) => line.replace(/\r$/, ""));
  const after = applyEdits(piece, moved);
  return { before: lines(piece), after: after === "" ? [] : lines(after) };
}

/** Whether a place is chosen. */
export function isChosen(path: string, spot: Spot, chosen: ReadonlyMap<string, boolean>): boolean {
  return chosen.get(`${path} ${spot.key}`) ?? spot.chosen;
}

/** The files that change with the places chosen. */
export function changesOf(plans: readonly FilePlan[], chosen: ReadonlyMap<string, boolean>): FileChange[] {
  return plans.flatMap(({ path, before, spots }) => {
    const edits = spots.filter((spot) => isChosen(path, spot, chosen)).flatMap((spot) => spot.edits);
    const after = applyEdits(before, edits);
    return after === before ? [] : [{ path, before, after, n_edits: edits.length }];
  });
}

/** The changes as a diff for `git apply`. */
export function patchOf(changes: readonly Pick<FileChange, "path" | "before" | "after">[]): string {
  return changes
    .map(({ path, before, after }) => {
      const patch = structuredPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, { context: 3 });
      return formatPatch({ ...patch, isGit: true });
    })
    .join("");
}
