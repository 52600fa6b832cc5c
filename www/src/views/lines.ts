//! Lines of a file as coloured and marked pieces, for lists that show code without an editor.

import { className, firstAfter } from "../state/columns.ts";

export interface CodePiece {
  readonly text: string;
  /** CSS class of its colour; empty for plain text. */
  readonly color: string;
  readonly marked: boolean;
}

export interface CodeLine {
  /** 1-based. */
  readonly number: number;
  readonly pieces: readonly CodePiece[];
}

/** A text with the columns of its colours. */
export interface ColoredText {
  readonly text: string;
  readonly columns: Uint32Array;
  /** Names of the classes that the columns count. */
  readonly classes: readonly string[];
}

/** A stretch of a text, half-open, in UTF-16 units. */
export type Mark = readonly [start: number, end: number];

const longestLine = 400;

/** Offset at which each line of the text starts. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Cuts lines `from` to `to` (1-based, both included) into pieces. Very long lines are cut off. Marks are sorted and do not overlap. */
export function codeLines(
  { text, columns, classes }: ColoredText,
  from: number,
  to: number,
  marks: readonly Mark[] = [],
): CodeLine[] {
  const starts = lineStarts(text);
  const lines: CodeLine[] = [];
  for (let number = Math.max(1, from); number <= Math.min(to, starts.length); number += 1) {
    const start = starts[number - 1] ?? 0;
    const end = (starts[number] ?? text.length + 1) - 1;
    const shownEnd = Math.min(end, start + longestLine);
    const pieces = piecesOf(text, start, shownEnd, columns, classes, marks);
    if (shownEnd < end) pieces.push({ text: " …", color: "", marked: false });
    lines.push({ number, pieces });
  }
  return lines;
}

function piecesOf(
  text: string,
  start: number,
  end: number,
  columns: Uint32Array,
  classes: readonly string[],
  marks: readonly Mark[],
): CodePiece[] {
  const cuts = new Set([start, end]);
  const first = firstAfter(columns, start) * 3;
  for (let at = first; at + 2 < columns.length && (columns[at] ?? 0) < end; at += 3)
    for (const cut of [columns[at] ?? 0, columns[at + 1] ?? 0]) if (cut > start && cut < end) cuts.add(cut);
  for (const [from, to] of marks) for (const cut of [from, to]) if (cut > start && cut < end) cuts.add(cut);
  const places = [...cuts].sort((a, b) => a - b);
  const pieces: CodePiece[] = [];
  let at = first;
  for (let index = 0; index + 1 < places.length; index += 1) {
    const from = places[index] ?? 0;
    const to = places[index + 1] ?? 0;
    while (at + 2 < columns.length && (columns[at + 1] ?? 0) <= from) at += 3;
    const isIn = at + 2 < columns.length && (columns[at] ?? 0) <= from;
    const color = isIn ? className(classes[columns[at + 2] ?? 0] ?? "") : "";
    pieces.push({
      text: text.slice(from, to).replace(/\r$/, ""),
      color,
      marked: marks.some(([markFrom, markTo]) => markFrom <= from && to <= markTo),
    });
  }
  return pieces;
}
