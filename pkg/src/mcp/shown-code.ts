/**
 * Code as it is on the disk, for answers of an index that is older: lines of the index are found again in the file as it is now, so that
 * nobody reads text that is gone.
 */

import type { FileText, Hit } from "../answers.js";
import type { Repository } from "./host.js";

/** Lines, 1-based and inclusive. */
export interface LineRange {
  readonly start_line: number;
  readonly end_line: number;
}

/** A file as it is now; `isChanged` where the index has another text of it. */
export interface ShownFile {
  readonly text: string;
  readonly language: string;
  readonly isChanged: boolean;
  /** Where lines of the index are now. */
  moved(range: LineRange): LineRange;
}

/** The text of an indexed file, from the disk where there is one and it differs. Rejects as the index does. */
export async function shownFile(repository: Repository, path: string): Promise<ShownFile> {
  const { text, language } = (await repository.ask("file_text", { path })) as FileText;
  const now = repository.textNow?.(path);
  if (now === undefined || now === text) return { text, language, isChanged: false, moved: (range) => range };
  const [before, after] = [linesOf(text), linesOf(now)];
  return { text: now, language, isChanged: true, moved: (range) => movedLines(before, after, range) };
}

/** A hit with its lines as they are now; as it is where its file is unchanged. */
export async function shownHit(repository: Repository, hit: Hit): Promise<Hit> {
  if (repository.textNow?.(hit.path) === undefined) return hit;
  const file = await shownFile(repository, hit.path);
  if (!file.isChanged) return hit;
  const { start_line } = hit.snippet;
  const lines = file.moved({ start_line, end_line: start_line + linesOf(hit.snippet.text).length - 1 });
  const text = linesOf(file.text)
    .slice(lines.start_line - 1, lines.end_line)
    .join("\n");
  return { ...hit, ...file.moved(hit), snippet: { start_line: lines.start_line, text, marks: [] } };
}

export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * The lines that were these: the same text, where it is there once; else by the equal lines at both ends of the file, with all that changed
 * between them where the range reaches into it.
 */
export function movedLines(
  before: readonly string[],
  after: readonly string[],
  { start_line, end_line }: LineRange,
): LineRange {
  const wanted = before.slice(start_line - 1, end_line);
  const places = placesOf(wanted, after);
  if (places.length === 1) {
    const [at = 0] = places;
    return { start_line: at + 1, end_line: at + wanted.length };
  }
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const shift = after.length - before.length;
  const first = start_line - 1 < start ? start_line : start_line > before.length - end ? start_line + shift : start + 1;
  const last = end_line <= start ? end_line : end_line > before.length - end ? end_line + shift : after.length - end;
  const from = Math.min(Math.max(1, first), Math.max(1, after.length));
  return { start_line: from, end_line: Math.min(Math.max(from, last), Math.max(1, after.length)) };
}

/** Files of equal lines would take the product of both lengths. */
const MAX_COMPARISONS = 5_000_000;

/** The first two places where the lines are; none where finding them takes too many comparisons. */
function placesOf(wanted: readonly string[], lines: readonly string[]): number[] {
  const places: number[] = [];
  let left = MAX_COMPARISONS;
  for (let at = 0; at + wanted.length <= lines.length && places.length < 2; at++) {
    let n_equal = 0;
    while (n_equal < wanted.length && lines[at + n_equal] === wanted[n_equal]) n_equal++;
    if (n_equal === wanted.length) places.push(at);
    left -= n_equal + 1;
    if (left < 0) return [];
  }
  return places;
}
