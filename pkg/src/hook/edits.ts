/**
 * From an edit that an agent made to the lines that it replaced, counted as in the file before the edit: that is the file that the index
 * knows. An edit whose place is not clear counts as one of the whole file.
 */

import { recordOf, textOf } from "./event.js";

/** Lines of a file that was edited, 1-based and inclusive; none of them for the whole file. */
export interface Edited {
  readonly path: string;
  readonly lines: readonly (readonly [from: number, to: number])[] | undefined;
}

/** Longer edits count as one of the whole file. */
const MAX_TEXT = 1024 * 1024;
const MAX_FILES = 10;
/** Files of equal lines would take the product of the lengths of file and hunk. */
const MAX_COMPARISONS = 200_000;

/**
 * Returns the files that a tool edited.
 *
 * @param now reads a file as it is after the edit.
 */
export function editsOf(
  { input, response }: { readonly input: Record<string, unknown>; readonly response: unknown },
  now: (path: string) => string | undefined,
): Edited[] {
  const patch = patchIn(input);
  if (patch !== undefined) return ofPatch(patch, now).slice(0, MAX_FILES);
  const path = textOf(input.file_path ?? input.filePath ?? input.path ?? input.notebook_path);
  if (path === "") return [];
  const lines = linesOfReport(response) ?? linesOfReplacements(input, () => now(path));
  return [{ path, lines }];
}

/** Codex passes its patch as a command, OpenCode as a text. */
function patchIn(input: Record<string, unknown>): string | undefined {
  const text = textOf(input.command ?? input.patchText ?? input.patch ?? input.input);
  return /^\*\*\* Begin Patch/m.test(text) && text.length <= MAX_TEXT ? text : undefined;
}

/** Claude Code reports its edits as hunks. */
function linesOfReport(response: unknown): Edited["lines"] {
  const { structuredPatch: hunks } = recordOf(response);
  if (!Array.isArray(hunks) || hunks.length === 0) return undefined;
  const lines: (readonly [number, number])[] = [];
  for (const hunk of hunks) {
    const { oldStart, lines: shown } = recordOf(hunk);
    if (typeof oldStart !== "number" || !Array.isArray(shown)) return undefined;
    lines.push(...changedIn(shown.map(textOf), oldStart));
  }
  return lines.length > 0 ? lines : undefined;
}

/** The old lines of a hunk that changed: those with `-`, and the one before an insertion. */
function changedIn(shown: readonly string[], oldStart: number): (readonly [number, number])[] {
  const changed: number[] = [];
  let line = oldStart;
  for (const text of shown) {
    if (text.startsWith("-")) changed.push(line++);
    else if (text.startsWith("+")) changed.push(Math.max(oldStart, line - 1));
    else if (!text.startsWith("\\")) line++;
  }
  return runsOf(changed);
}

function runsOf(numbers: readonly number[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const n of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && n <= last[1] + 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs;
}

/** Of texts that were replaced, by where the new ones are now. */
function linesOfReplacements(input: Record<string, unknown>, now: () => string | undefined): Edited["lines"] {
  const given = Array.isArray(input.edits) ? input.edits.map(recordOf) : [input];
  const pairs = given.map((edit) => ({
    before: textOf(edit.old_string ?? edit.oldString ?? edit.old_str),
    after: textOf(edit.new_string ?? edit.newString ?? edit.new_str),
  }));
  if (pairs.some(({ before, after }) => before === "" || after === "")) return undefined;
  const text = now();
  if (text === undefined) return undefined;
  const places: { at: number; before: string; after: string }[] = [];
  for (const { before, after } of pairs) {
    const at = text.indexOf(after);
    if (at < 0 || (text.indexOf(after, at + 1) >= 0 && input.replace_all !== true)) return undefined;
    for (let next = at; next >= 0; next = text.indexOf(after, next + after.length))
      places.push({ at: next, before, after });
  }
  let shift = 0;
  return places
    .sort((a, b) => a.at - b.at)
    .flatMap(({ at, before, after }) => {
      const first = countLines(text.slice(0, at)) + shift;
      const [skipped, n_changed] = changedWithin(before.split("\n"), after.split("\n"));
      shift += countLines(before) - countLines(after);
      return [[first + skipped, first + skipped + Math.max(0, n_changed - 1)] as const];
    });
}

/** Number of lines up to here, counting the one that it ends in. */
function countLines(text: string): number {
  return text.split("\n").length;
}

/** Equal lines at the start, and how many old lines differ after them. */
function changedWithin(before: readonly string[], after: readonly string[]): [number, number] {
  let start = 0;
  while (start < before.length - 1 && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start - 1 && end < after.length - start && before.at(-1 - end) === after.at(-1 - end))
    end++;
  return [start, before.length - start - end];
}

/** The files of a patch as Codex writes it; hunks have no line numbers, so their new lines are looked for in the file. */
function ofPatch(patch: string, now: (path: string) => string | undefined): Edited[] {
  const edited: Edited[] = [];
  for (const part of patch.split(/^\*\*\* (?=(?:Update|Delete) File: )/m).slice(1)) {
    const [head = "", ...rest] = part.split("\n");
    const [, kind, path = ""] = /^(Update|Delete) File: (.+)$/.exec(head.trimEnd()) ?? [];
    if (path === "") continue;
    const end = rest.findIndex((line) => /^\*\*\* (Add File|End Patch)/.test(line));
    const body = (end < 0 ? rest : rest.slice(0, end)).filter((line) => !/^\*\*\* /.test(line));
    edited.push({ path, lines: kind === "Update" ? ofHunks(body, now(path)) : undefined });
  }
  return edited;
}

function ofHunks(body: readonly string[], text: string | undefined): Edited["lines"] {
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  const found: (readonly [number, number])[] = [];
  let from = 0;
  let shift = 0;
  for (const hunk of hunksOf(body)) {
    const fresh = hunk.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
    const at = placeOf(fresh, lines, from);
    if (at === undefined) return undefined;
    found.push(...changedIn(hunk, at + 1 + shift));
    from = at + fresh.length;
    shift += hunk.filter((line) => line.startsWith("-")).length - hunk.filter((line) => line.startsWith("+")).length;
  }
  return found.length > 0 ? found : undefined;
}

function hunksOf(body: readonly string[]): string[][] {
  const hunks: string[][] = [[]];
  for (const line of body) {
    if (line.startsWith("@@")) hunks.push([]);
    else if (/^[ +-]/.test(line)) hunks.at(-1)?.push(line);
    else if (line === "" && (hunks.at(-1)?.length ?? 0) > 0) hunks.at(-1)?.push(" ");
  }
  return hunks
    .map((hunk) => (hunk.at(-1) === " " ? hunk.slice(0, -1) : hunk))
    .filter((hunk) => hunk.some((line) => /^[+-]/.test(line)));
}

/** The place of a hunk; nothing where finding it takes too many comparisons. */
function placeOf(wanted: readonly string[], lines: readonly string[], from: number): number | undefined {
  if (wanted.length === 0) return undefined;
  let left = MAX_COMPARISONS;
  for (let at = from; at + wanted.length <= lines.length && left > 0; at++) {
    let n_equal = 0;
    while (n_equal < wanted.length && lines[at + n_equal]?.trimEnd() === wanted[n_equal]?.trimEnd()) n_equal++;
    if (n_equal === wanted.length) return at;
    left -= n_equal + 1;
  }
  return undefined;
}
