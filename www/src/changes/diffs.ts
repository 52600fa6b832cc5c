//! A unified diff read: files with their hunks, both texts of a file, and the definitions that a hunk touches.

import { applyPatch, parsePatch, reversePatch, type StructuredPatch } from "diff";
import type { OutlineEntry, Symbol as Definition } from "portolan";

/** A line of a hunk. */
export interface DiffLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
  /** 1-based; 0 where the line is not on that side. */
  readonly oldNumber: number;
  readonly newNumber: number;
}

export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  /** Path after the change; before it, where the file is deleted. */
  readonly path: string;
  readonly oldPath: string;
  readonly hunks: readonly Hunk[];
  readonly isBinary: boolean;
  /** The file's part, as the library reads it. */
  readonly patch: StructuredPatch;
}

/** A text that is no diff. */
export class DiffError extends Error {
  readonly code = "changes.unreadable";
  readonly help = "Paste the output of git diff, git show or diff -u, or drop a .patch file.";
}

/** Reads a diff. Throws a `DiffError` in words where it is none. */
export function filesOf(text: string): FileDiff[] {
  let patches: StructuredPatch[];
  try {
    patches = parsePatch(text.replaceAll("\r\n", "\n"));
  } catch (error) {
    throw new DiffError(`this is not a diff: ${error instanceof Error ? error.message : String(error)}`);
  }
  const files = patches.flatMap((patch): FileDiff[] => {
    const oldPath = pathOf(patch.oldFileName, "a/");
    const newPath = pathOf(patch.newFileName, "b/");
    const path = newPath || oldPath;
    if (path === "") return [];
    return [
      { path, oldPath: oldPath || path, hunks: patch.hunks.map(hunkOf), isBinary: patch.isBinary === true, patch },
    ];
  });
  if (files.length === 0) throw new DiffError("no changed file was found in this text");
  return files;
}

/** The path in a header, without git's prefix; empty for no file. */
function pathOf(name: string | undefined, prefix: string): string {
  if (name === undefined || name === "/dev/null") return "";
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function hunkOf({ oldStart, newStart, lines }: StructuredPatch["hunks"][number]): Hunk {
  let oldNumber = oldStart;
  let newNumber = newStart;
  const read = lines.flatMap((line): DiffLine[] => {
    const sign = line[0];
    const text = line.slice(1);
    if (sign === "-") return [{ sign, text, oldNumber: oldNumber++, newNumber: 0 }];
    if (sign === "+") return [{ sign, text, oldNumber: 0, newNumber: newNumber++ }];
    // "\ No newline at end of file" is no line.
    if (sign === "\\") return [];
    return [{ sign: " ", text, oldNumber: oldNumber++, newNumber: newNumber++ }];
  });
  return { oldStart, newStart, lines: read };
}

/** The lines that a hunk changes on one side: the first and the last. Where it only adds, the lines around the gap. */
export function changedLines(hunk: Hunk, side: "old" | "new"): readonly (readonly [number, number])[] {
  const numberOf = (line: DiffLine) => (side === "old" ? line.oldNumber : line.newNumber);
  const ranges: [number, number][] = [];
  let before = (side === "old" ? hunk.oldStart : hunk.newStart) - 1;
  for (const line of hunk.lines) {
    const number = numberOf(line);
    if (line.sign !== " ") {
      const range: [number, number] = number > 0 ? [number, number] : [Math.max(1, before), before + 1];
      const last = ranges.at(-1);
      if (last && range[0] <= last[1] + 1) last[1] = Math.max(last[1], range[1]);
      else ranges.push(range);
    }
    if (number > 0) before = number;
  }
  return ranges;
}

/** The innermost definitions that a hunk touches, in their order. `side` is the version that the outline is of. */
export function touchedBy(hunk: Hunk, outline: readonly OutlineEntry[], side: "old" | "new"): Definition[] {
  const found = new Map<number, Definition>();
  for (const [from, to] of changedLines(hunk, side)) {
    const meet = outline.filter(({ symbol }) => symbol.start_line <= to && from <= symbol.end_line);
    const around = new Set(meet.map(({ parent }) => parent));
    for (const entry of meet) if (!around.has(outline.indexOf(entry))) found.set(entry.symbol.id, entry.symbol);
  }
  return [...found.values()].sort((a, b) => a.start_line - b.start_line);
}

/** Both texts of a file, from the one that the index has; null where the diff does not fit it. */
export function textsOf(
  { patch }: Pick<FileDiff, "patch">,
  indexed: string,
  side: "old" | "new",
): { readonly before: string; readonly after: string } | null {
  const plain = { ...patch, isGit: false };
  if (side === "old") {
    const after = applyPatch(indexed, plain);
    return after === false ? null : { before: indexed, after };
  }
  const before = applyPatch(indexed, reversePatch(plain));
  return before === false ? null : { before, after: indexed };
}
