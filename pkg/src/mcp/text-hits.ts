/** The hits of a search as an agent reads them: the likeliest with their code, the others with the line that fits best. */

import type { Hit } from "../answers.js";
import { type Around, aroundLines } from "./around.js";
import { numbered } from "./text-parts.js";

/** Hits whose code is shown; an agent rarely reads on, and every line of the others takes the room of a place. */
const WITH_CODE = 3;
const SNIPPET_LINES = 8;

type ShownHit = Hit & { readonly repo?: string; readonly around?: Around };

/** Returns the lines of all hits, in order. Guesses show their code only where there are not enough others. */
export function hitsLines(hits: readonly ShownHit[]): string[] {
  const likeliest = [...hits].sort((a, b) => Number(a.guess === true) - Number(b.guess === true));
  const withCode = new Set(likeliest.slice(0, WITH_CODE));
  return hits.flatMap((hit) => hitLines(hit, withCode.has(hit)));
}

function hitLines(hit: ShownHit, isWhole: boolean): string[] {
  const { repo, path, start_line, end_line, symbol, symbol_line, guess, kind, around } = hit;
  const at = symbol_line === undefined || symbol_line === start_line ? "" : `:${symbol_line}`;
  const label = symbol ? `  ${kind ? `${kind} ` : ""}${symbol}${at}` : "";
  const head = `${repo ? `${repo}: ` : ""}${path}:${start_line}-${end_line}${label}${guess ? "  (a guess)" : ""}`;
  return [
    head,
    ...(isWhole ? codeLines(hit) : bestLine(hit)),
    ...(around ? aroundLines(around) : []),
    ...foldedLines(hit),
  ];
}

function codeLines({ snippet }: Hit): string[] {
  return numbered(snippet.text.split("\n").slice(0, SNIPPET_LINES), snippet.start_line);
}

/** The line with most of the query's words; the first that is not empty where none has any. */
function bestLine({ snippet: { text, marks, start_line } }: Hit): string[] {
  let start = 0;
  let best: { readonly line: string; readonly number: number; readonly n_marks: number } | undefined;
  for (const [at, line] of text.split("\n").slice(0, SNIPPET_LINES).entries()) {
    const end = start + line.length;
    const n_marks = marks.filter(([from]) => from >= start && from < end).length;
    if (line.trim() !== "" && (best === undefined || n_marks > best.n_marks))
      best = { line, number: start_line + at, n_marks };
    start = end + 1;
  }
  return best === undefined ? [] : numbered([best.line], best.number);
}

/** Other places of the file; a name that was said is not said again. */
function foldedLines({ symbol: own, more }: Hit): string[] {
  if (more.length === 0) return [];
  let last = own;
  const places = more.map(({ start_line, end_line, symbol }) => {
    const name = symbol && symbol !== last ? ` ${symbol}` : "";
    last = symbol ?? last;
    return `${start_line}-${end_line}${name}`;
  });
  return [`  also ${places.join(", ")}`];
}
