//! A passage's text as numbered lines of marked and plain pieces.

export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

export interface SnippetLine {
  /** 1-based. */
  readonly number: number;
  readonly pieces: readonly Piece[];
}

const longestLine = 400;

/**
 * Cuts a text at its line breaks and at its marks. Marks may overlap and may cross lines; what reaches out of the text is
 * dropped. White space that all lines start with is left out, very long lines are cut.
 */
export function snippetLines(
  text: string,
  firstLine: number,
  marks: readonly (readonly [number, number])[],
): SnippetLine[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const indent = commonIndent(lines);
  const sorted = merged(marks, text.length);
  let offset = 0;
  const cut = lines.map((line, index) => {
    const pieces = piecesOf(line, offset, sorted, indent);
    offset += line.length + 1;
    return { number: firstLine + index, pieces };
  });
  return withoutBlankEnds(cut);
}

const shownBefore = 12;

/** A line for a narrow list: without its indent, and from shortly before its first mark on. */
export function denseLine({ number, pieces }: SnippetLine): SnippetLine {
  const [first, ...rest] = pieces;
  if (!first || first.marked) return { number, pieces };
  const text = first.text.trimStart();
  const cut = rest.length > 0 && text.length > 2 * shownBefore ? `…${text.slice(-shownBefore)}` : text;
  return { number, pieces: [{ text: cut, marked: false }, ...rest] };
}

function withoutBlankEnds(lines: SnippetLine[]): SnippetLine[] {
  const isBlank = ({ pieces }: SnippetLine) => pieces.every(({ text }) => text.trim() === "");
  const first = lines.findIndex((line) => !isBlank(line));
  return first < 0 ? lines.slice(0, 1) : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

function piecesOf(
  line: string,
  offset: number,
  marks: readonly (readonly [number, number])[],
  indent: number,
): Piece[] {
  const pieces: Piece[] = [];
  const end = Math.min(line.replace(/\r$/, "").length, longestLine + indent);
  let at = Math.min(indent, end);
  const push = (to: number, marked: boolean) => {
    if (to > at) pieces.push({ text: line.slice(at, to), marked });
    at = Math.max(at, to);
  };
  for (const [start, stop] of marks) {
    if (stop <= offset + at || start >= offset + end) continue;
    push(Math.max(at, start - offset), false);
    push(Math.min(end, stop - offset), true);
  }
  push(end, false);
  if (end < line.length - 1) pieces.push({ text: " …", marked: false });
  return pieces;
}

function merged(marks: readonly (readonly [number, number])[], length: number): (readonly [number, number])[] {
  const joined: [number, number][] = [];
  for (const [start, stop] of [...marks].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (start >= stop || stop > length) continue;
    if (last && start <= last[1]) last[1] = Math.max(last[1], stop);
    else joined.push([start, stop]);
  }
  return joined;
}

function commonIndent(lines: readonly string[]): number {
  let shared: string | null = null;
  for (const line of lines) {
    if (line.trim() === "") continue;
    const space: string = /^[ \t]*/.exec(line)?.[0] ?? "";
    shared = shared === null ? space : sharedStart(shared, space);
  }
  return shared?.length ?? 0;
}

function sharedStart(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a.slice(0, at);
}
