//! Colours of the lines of a diff: both versions are parsed as whole files, so that a comment that began above a hunk is one.

import { type CodeIndex, HIGHLIGHT_CLASSES } from "portolan";
import { className, coloured } from "../state/columns.ts";
import { colouredFile } from "../state/snippet-colours.ts";
import type { DiffLine, FileDiff } from "./diffs.ts";

/** A part of a line and its CSS class; empty for none. */
export interface ColouredPart {
  readonly text: string;
  readonly css: string;
}

/** Finds the parts of a line; null where the line is not that of the version. */
export interface LineColours {
  parts(line: DiffLine, text: string): readonly ColouredPart[] | null;
}

interface Version {
  /** Offset of each line; -1 for one that is not there. */
  readonly starts: readonly number[];
  readonly lines: readonly string[];
  readonly columns: Uint32Array;
}

const classes = HIGHLIGHT_CLASSES.map(className);
/** Longer texts take more time than colours are worth. */
const most = 1_000_000;

/** Reads the colours of both versions. */
export async function coloursOf(
  index: Pick<CodeIndex, "highlights">,
  file: Pick<FileDiff, "path" | "oldPath">,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<LineColours | null> {
  if (before.length + after.length > most) return null;
  // A language without a grammar has no colours.
  const read = (path: string, text: string) => index.highlights(path, text).catch(() => new Uint32Array());
  const [old, fresh] = await Promise.all([read(file.oldPath, before), read(file.path, after)]);
  const [was, is] = [versionOf(before, old), versionOf(after, fresh)];
  return {
    parts(line, text) {
      const [version, number] = line.sign === "-" ? [was, line.oldNumber] : [is, line.newNumber];
      const start = version.starts[number - 1];
      // The diff may be of another version than the one in the index.
      if (start === undefined || version.lines[number - 1] !== text) return null;
      return coloured(text, start, version.columns).map(({ text: part, colour }) => ({
        text: part,
        css: colour < 0 ? "" : (classes[colour] ?? ""),
      }));
    },
  };
}

function versionOf(text: string, columns: Uint32Array): Version {
  const { lines, starts } = colouredFile(text, columns);
  return { lines: lines.map((line) => line.replace(/\r$/, "")), starts, columns };
}

/** Texts with only the lines that a diff has, each at its number: for versions that the index does not have. */
export function textsOfLines({ hunks }: Pick<FileDiff, "hunks">): { readonly before: string; readonly after: string } {
  const before: string[] = [];
  const after: string[] = [];
  for (const { text, oldNumber, newNumber } of hunks.flatMap(({ lines }) => lines)) {
    if (oldNumber > 0 && oldNumber < mostLines) before[oldNumber - 1] = text;
    if (newNumber > 0 && newNumber < mostLines) after[newNumber - 1] = text;
  }
  const joined = (lines: string[]) => Array.from(lines, (line) => line ?? "").join("\n");
  return { before: joined(before), after: joined(after) };
}

/** A diff may claim any number. */
const mostLines = 200_000;
