/** Places in an answer, `[src/a.ts:10-20]`, compared with the index before anybody sees them: models name lines that there are not. */

import type { FileEntry } from "../answers.js";
import type { Lines } from "./tools.js";
import type { Citation } from "./types.js";

/** An answer in pieces: text, and places that were checked. */
export type AnswerPiece = string | Citation;

// `[a.ts:1]`, `[a.ts:1-9]`, `[a.ts:1-9, b.ts:3]`; also in the brackets that some models are trained to write.
const GROUP = /[[【]([^[\]【】\n]{1,400})[\]】]/g;
const PLACE = /^`?([^`:]{1,300}):L?(\d{1,7})(?:\s?[-–]\s?L?(\d{1,7}))?`?$/;

/** Knows whether a place is in the index. */
export interface PlaceCheck {
  check(path: string, from: number, to: number): Citation;
}

/** The index and what was read of it. */
export class Places implements PlaceCheck {
  private readonly n_lines: ReadonlyMap<string, number>;
  private readonly read: Lines[] = [];

  constructor(files: readonly Pick<FileEntry, "path" | "n_lines">[]) {
    this.n_lines = new Map(files.map(({ path, n_lines }) => [path, n_lines]));
  }

  /** Notes lines that the model was shown. */
  note(lines: readonly Lines[]): void {
    this.read.push(...lines);
  }

  check(path: string, from: number, to: number): Citation {
    const n_lines = this.n_lines.get(path);
    const isThere = n_lines !== undefined && from >= 1 && from <= to && to <= Math.max(1, n_lines);
    const isRead = this.read.some((one) => one.path === path && one.from <= to && from <= one.to);
    return { path, from, to, state: isThere ? (isRead ? "read" : "known") : "unknown" };
  }
}

/** The pieces of an answer. Brackets that name no place stay text. */
export function piecesOf(text: string, places: PlaceCheck): AnswerPiece[] {
  const pieces: AnswerPiece[] = [];
  let end = 0;
  for (const { 0: whole, 1: inner = "", index } of text.matchAll(GROUP)) {
    const named = placesIn(inner);
    if (!named) continue;
    if (index > end) pieces.push(text.slice(end, index));
    for (const { path, from, to } of named) pieces.push(places.check(path, from, to));
    end = index + whole.length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** Every place that an answer names, once. */
export function citationsIn(text: string, places: PlaceCheck): Citation[] {
  const found = piecesOf(text, places).filter((piece): piece is Citation => typeof piece !== "string");
  return [...new Map(found.map((one) => [textOfCitation(one), one])).values()];
}

/** The places of an answer that was kept, as they were checked then. */
export function placesKept(citations: readonly Citation[]): PlaceCheck {
  const known = new Map(citations.map((one) => [textOfCitation(one), one]));
  return {
    check(path, from, to) {
      const place: Citation = { path, from, to, state: "unknown" };
      return known.get(textOfCitation(place)) ?? place;
    },
  };
}

/** `src/a.ts:10-20`. */
export function textOfCitation({ path, from, to }: Citation): string {
  return from === to ? `${path}:${from}` : `${path}:${from}-${to}`;
}

function placesIn(inner: string): Lines[] | undefined {
  let path = "";
  const places = inner.split(/\s*[,;]\s*/).map((part): Lines | undefined => {
    // In `a.ts:1, 9` the second one is of the same file.
    const text = path !== "" && /^L?\d/.test(part) ? `${path}:${part}` : part.trim();
    const [, named, from, to = from] = PLACE.exec(text) ?? [];
    if (named === undefined) return undefined;
    path = named.replace(/^\.\//, "");
    return { path, from: Number(from), to: Number(to) };
  });
  return places.every((place) => place !== undefined) ? (places as Lines[]) : undefined;
}
