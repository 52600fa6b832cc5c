//! Marks of the overview ruler: places in a file, reduced to the rows of pixels that they fall on.

/** The kinds of marks; a later one is drawn over an earlier one. */
export const KINDS = ["definition", "word", "use", "hit", "find"] as const;
export type MarkKind = (typeof KINDS)[number];

/** Lines, 1-based, by the kind of their mark. */
export type Marks = Partial<Record<MarkKind, readonly number[]>>;

export interface Row {
  /** Pixels from the top. */
  readonly top: number;
  readonly kind: MarkKind;
  /** Its first line, 1-based. */
  readonly line: number;
}

/** Rows to draw, at most one per kind and step of `step` pixels. `share` is the place of a line in the text, 0 to 1. */
export function rowsOf(marks: Marks, height: number, step: number, share: (line: number) => number): Row[] {
  const rows: Row[] = [];
  for (const kind of KINDS) {
    const taken = new Set<number>();
    for (const line of marks[kind] ?? []) {
      const top = Math.min(Math.max(0, height - step), Math.floor((share(line) * height) / step) * step);
      if (taken.has(top)) continue;
      taken.add(top);
      rows.push({ top, kind, line });
    }
  }
  return rows;
}

/** Offsets of a word in a text where no letter touches it, at most `most`. */
export function placesOfWord(text: string, word: string, most: number): number[] {
  const places: number[] = [];
  if (word === "") return places;
  for (let at = text.indexOf(word); at >= 0 && places.length < most; at = text.indexOf(word, at + word.length))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) places.push(at);
  return places;
}

function isLetter(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}_$]/u.test(letter);
}
