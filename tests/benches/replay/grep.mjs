// Strategies with nothing but grep and a tool that reads files, as agents' tools cut both.
import { tokensOf, wordIn } from "./truth.mjs";

/** Files read before giving up. */
const PATIENCE = 10;
const GREP_LINES = 100;
const GREP_LINE_BYTES = 200;
const READ_LINES = 2_000;
const READ_LINE_BYTES = 2_000;
/** Lines before and after a match; windows that touch are one. */
const WINDOW = [40, 20];
/** Words of sentences, which nobody greps for. */
const COMMON = new Set(
  "a an and are as at be but by can cannot could do does for from get has have how i if in into is it its no not of on or should so some than that the then there this to use used using was we when where which while why will with would you your add support error bug feature request issue".split(
    " ",
  ),
);

/** Greps for the words, then reads the files with the most of them, whole. */
export function grepWholeFiles(sources, words, goal) {
  const { files, printed, n_tokens } = grep(sources, words);
  return readUntil(goal, printed, n_tokens, files, ({ lines }) => [lines.slice(0, READ_LINES)]);
}

/** The same, but reads only around the matches: of each file the `most` lines with the most of the words. */
export function grepWindows(sources, words, goal, most = Number.POSITIVE_INFINITY) {
  const { files, printed, n_tokens } = grep(sources, words);
  return readUntil(goal, printed, n_tokens, files, ({ lines, matches }) => windowsOf(lines, matches, most));
}

function grep(sources, query) {
  const words = [...new Set(query.match(/[A-Za-z_]\w+/g) ?? [])].filter((word) => !COMMON.has(word.toLowerCase()));
  const patterns = words.map((word) => new RegExp(`(?<!\\w)${word}(?!\\w)`, "i"));
  const [files, printed] = [[], []];
  for (const { path, lines } of sources) {
    const seen = new Set();
    const matches = [];
    for (const [at, line] of lines.entries()) {
      const found = patterns.filter((pattern) => pattern.test(line));
      if (found.length === 0) continue;
      for (const pattern of found) seen.add(pattern);
      matches.push({ at, n_words: found.length });
      if (printed.length < GREP_LINES)
        printed.push({ path, text: `${path}:${at + 1}:${line.slice(0, GREP_LINE_BYTES)}` });
    }
    if (matches.length > 0) files.push({ path, lines, matches, n_words: seen.size });
  }
  files.sort((a, b) => b.n_words - a.n_words || b.matches.length - a.matches.length || (a.path < b.path ? -1 : 1));
  return { files, printed, n_tokens: tokensOf(printed.map(({ text }) => text).join("\n")) };
}

function readUntil({ wanted, n_needed }, printed, n_printed, files, piecesOf) {
  const left = new Set(wanted);
  const take = (path, text) => {
    for (const one of left)
      if (one.path === path && (one.name === undefined || wordIn(text, one.name))) left.delete(one);
  };
  const isEnough = () => wanted.length - left.size >= n_needed;
  // A line of grep shows a function only where it is the line that defines it.
  for (const { path, text } of printed)
    for (const one of left) if (one.path === path && one.defines?.test(text)) left.delete(one);
  let [n_tokens, n_calls] = [n_printed, 1];
  for (const file of files.slice(0, PATIENCE)) {
    if (isEnough()) break;
    n_calls++;
    for (const piece of piecesOf(file)) {
      const text = piece.map((line) => line.slice(0, READ_LINE_BYTES)).join("\n");
      n_tokens += tokensOf(text);
      take(file.path, text);
    }
  }
  return { n_tokens, n_calls, has_found: isEnough() };
}

function windowsOf(lines, matches, most) {
  const best = matches.toSorted((a, b) => b.n_words - a.n_words).slice(0, most);
  const ranges = [];
  for (const { at } of best.sort((a, b) => a.at - b.at)) {
    const [start, end] = [Math.max(0, at - WINDOW[0]), Math.min(lines.length, at + WINDOW[1] + 1)];
    const last = ranges.at(-1);
    if (last && start <= last[1]) last[1] = end;
    else ranges.push([start, end]);
  }
  return ranges.map(([start, end]) => lines.slice(start, end));
}
