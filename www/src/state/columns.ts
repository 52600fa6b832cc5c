//! Colours as columns: triples of start, end and class, in UTF-16 units of a file's text, sorted, without overlap.

/** Index of the first triple that ends after `position`. */
export function firstAfter(columns: Uint32Array, position: number): number {
  let low = 0;
  let high = Math.floor(columns.length / 3);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((columns[middle * 3 + 1] ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** CSS class of a highlight class. */
export function className(name: string): string {
  return `hl-${name.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}`;
}

/** A part of a text and its class; -1 for none. */
export interface Part {
  readonly text: string;
  readonly colour: number;
}

/** Cuts a piece of a file, which begins at `start`, where its colour changes. */
export function coloured(text: string, start: number, columns: Uint32Array): Part[] {
  const parts: Part[] = [];
  const end = start + text.length;
  let at = start;
  const push = (to: number, colour: number) => {
    if (to > at) parts.push({ text: text.slice(at - start, to - start), colour });
    at = Math.max(at, to);
  };
  for (let index = firstAfter(columns, start) * 3; index + 2 < columns.length; index += 3) {
    const from = columns[index] ?? 0;
    if (from >= end) break;
    push(Math.max(at, from), -1);
    push(Math.min(end, columns[index + 1] ?? 0), columns[index + 2] ?? 0);
  }
  push(end, -1);
  return parts;
}
