//! The meaning of the name at a place: definitions of the repository, else a binding of the file, else an import from outside, else the
//! same word elsewhere in the text. Each answer says which of these it is.

import type { CodeIndex, Target } from "portolan";
import { firstAfter } from "../state/columns.ts";
import type { OpenFile } from "../state/file.ts";

/** A range of UTF-16 units in a text. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

export type Meaning =
  | { readonly kind: "definitions"; readonly origin: Place; readonly name: string; readonly targets: readonly Target[] }
  | {
      readonly kind: "local";
      readonly origin: Place;
      readonly name: string;
      readonly what: "variable" | "parameter" | "import";
      readonly bound: Place;
      /** All places of the name, its binding included, in order. */
      readonly uses: readonly Place[];
      /** The module that an import names, as written. */
      readonly module: string;
    }
  | { readonly kind: "text"; readonly origin: Place; readonly name: string };

/** Columns of a row of `CodeIndex.locals`: the name, its binding, the kind, the module. */
const WIDTH = 7;
const KINDS = ["variable", "parameter", "import"] as const;

const word = /[\p{L}\p{N}_$]/u;

/** The word around an offset; null where there is none. */
export function wordAround(text: string, offset: number): Place | null {
  let from = offset;
  let to = offset;
  while (from > 0 && word.test(text[from - 1] ?? "")) from -= 1;
  while (to < text.length && word.test(text[to] ?? "")) to += 1;
  return from < to && !/^\d/.test(text.slice(from, to)) ? { from, to } : null;
}

/** Returns true in comments, strings, keywords and numbers, where a word names nothing. */
export function isProse(columns: Uint32Array, offset: number, classes: readonly string[]): boolean {
  const at = firstAfter(columns, offset) * 3;
  const isInside = at + 2 < columns.length && (columns[at] ?? 0) <= offset;
  return isInside && /^(comment|string|keyword|number|escape|boolean)/.test(classes[columns[at + 2] ?? 0] ?? "");
}

/** The local name at an offset, with all its uses; null where there is none. */
export function localAt(rows: Uint32Array, offset: number, text: string): Meaning | null {
  const starts = (row: number) => rows[row * WIDTH] ?? 0;
  let low = 0;
  let high = Math.floor(rows.length / WIDTH);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle * WIDTH + 1] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  if (low * WIDTH >= rows.length || starts(low) > offset) return null;
  // Behind the last letter of one name another one may begin.
  const next = (low + 1) * WIDTH < rows.length && starts(low + 1) <= offset ? low + 1 : low;
  const row = rows.subarray(next * WIDTH, next * WIDTH + WIDTH);
  const [from = 0, to = 0, boundFrom = 0, boundTo = 0, kind = 0, moduleFrom = 0, moduleTo = 0] = row;
  const uses: Place[] = [];
  for (let at = 0; at + WIDTH <= rows.length; at += WIDTH)
    if (rows[at + 2] === boundFrom) uses.push({ from: rows[at] ?? 0, to: rows[at + 1] ?? 0 });
  return {
    kind: "local",
    origin: { from, to },
    name: text.slice(from, to),
    what: KINDS[kind] ?? "variable",
    bound: { from: boundFrom, to: boundTo },
    uses,
    module: text.slice(moduleFrom, moduleTo),
  };
}

const kept = new WeakMap<OpenFile, Promise<Uint32Array>>();

/** The local names of a file, asked for once. */
function localsOf(index: CodeIndex, file: OpenFile): Promise<Uint32Array> {
  const before = kept.get(file);
  if (before) return before;
  const asked = index.locals(file.path).catch(() => new Uint32Array());
  kept.set(file, asked);
  return asked;
}

/** Resolves the name at an offset of a file; null where there is no name. */
export async function meaningAt(
  index: CodeIndex,
  file: OpenFile,
  offset: number,
  classes: readonly string[],
): Promise<Meaning | null> {
  const origin = wordAround(file.text, offset);
  if (!origin) return null;
  const before = file.text.lastIndexOf("\n", origin.from - 1) + 1;
  const line = countLines(file.text, before);
  const name = file.text.slice(origin.from, origin.to);
  const { targets } = await index.definition({ path: file.path, line, character: origin.from - before });
  if (targets.length > 0) return { kind: "definitions", origin, name, targets };
  const local = localAt(await localsOf(index, file), origin.from, file.text);
  if (local) return local;
  return isProse(file.highlights, origin.from, classes) ? null : { kind: "text", origin, name };
}

/** Number of line breaks before an offset. */
export function countLines(text: string, before: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < before; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
