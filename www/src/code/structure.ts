//! Indents and foldable blocks of a text, from its white space alone: the same for every language, also while a file is half written.

/** The shape of a text, line by line; index 0 is the first line. */
export interface Structure {
  /** Columns of white space before each line; of a blank line those of the nearest lines around it that are shared. */
  readonly indents: Uint16Array;
  /** Index of the last line of the block that a line opens; the line itself where it opens none. */
  readonly ends: Uint32Array;
  /** Columns of one step of indent. */
  readonly unit: number;
}

const mostColumns = 400;

/** Reads the structure of a text. Cost: one pass over its letters, nothing made for a line. */
export function structureOf(text: string, tabSize: number): Structure {
  const starts = lineStarts(text);
  const indents = new Uint16Array(starts.length);
  const blank = new Uint8Array(starts.length);
  for (let at = 0; at < starts.length; at += 1) {
    const columns = indentOf(text, starts[at] ?? 0, tabSize);
    blank[at] = columns < 0 ? 1 : 0;
    indents[at] = Math.max(0, columns);
  }
  fillBlank(indents, blank);
  return { indents, ends: blockEnds(indents, blank), unit: unitOf(text, starts, indents, blank, tabSize) };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

// Columns before the first character of a line that is not white space; -1 for a blank line.
function indentOf(text: string, start: number, tabSize: number): number {
  let columns = 0;
  for (let at = start; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter === 0x20) columns += 1;
    else if (letter === 0x09) columns += tabSize - (columns % tabSize);
    else if (letter === 0x0a) return -1;
    else if (letter !== 0x0d) return Math.min(columns, mostColumns);
  }
  return -1;
}

function fillBlank(indents: Uint16Array, blank: Uint8Array): void {
  let below = 0;
  const after = new Uint16Array(indents.length);
  for (let at = indents.length - 1; at >= 0; at -= 1) {
    if (!blank[at]) below = indents[at] ?? 0;
    after[at] = below;
  }
  let above = 0;
  for (let at = 0; at < indents.length; at += 1) {
    if (blank[at]) indents[at] = Math.min(above, after[at] ?? 0);
    else above = indents[at] ?? 0;
  }
}

function blockEnds(indents: Uint16Array, blank: Uint8Array): Uint32Array {
  const ends = new Uint32Array(indents.length);
  const open: number[] = [];
  let last = 0;
  for (let at = 0; at < indents.length; at += 1) {
    ends[at] = at;
    if (blank[at]) continue;
    const columns = indents[at] ?? 0;
    for (let top = open.at(-1); top !== undefined && (indents[top] ?? 0) >= columns; top = open.at(-1)) {
      ends[top] = last;
      open.pop();
    }
    open.push(at);
    last = at;
  }
  for (const top of open) ends[top] = last;
  return ends;
}

// The step that most lines take from the line before them.
function unitOf(
  text: string,
  starts: readonly number[],
  indents: Uint16Array,
  blank: Uint8Array,
  tabSize: number,
): number {
  const steps = new Map<number, number>();
  let before = 0;
  for (let at = 0; at < Math.min(starts.length, 5000); at += 1) {
    if (blank[at]) continue;
    if (text[starts[at] ?? 0] === "\t") return tabSize;
    const step = (indents[at] ?? 0) - before;
    // Most odd steps are the second line of a block comment.
    if (step >= 2 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
    before = indents[at] ?? 0;
  }
  let unit = 4;
  let most = 0;
  for (const [step, n] of steps)
    if (n > most) {
      unit = step;
      most = n;
    }
  return unit;
}
