/** The places of an issue as an agent reads them. */

import type { LocateResponse, LocatedFile } from "../answers.js";
import { numbered, percent } from "./text-parts.js";

/** Returns a line for each file and function, the code of functions below them. */
export function locateLines({ confidence, note, files, n_more, with_history }: LocateResponse): string[] {
  const sure = files.length > 0 ? [`right files among the first five: ${percent(confidence)}`] : [];
  return [
    ...(note === undefined ? [] : [note]),
    ...sure,
    ...(with_history === false ? ["without the history of git: it is still being read"] : []),
    ...files.flatMap(fileLines),
    ...(n_more > 0 ? [`… ${n_more} more: raise max_tokens`] : []),
  ];
}

function fileLines({ path, why, functions }: LocatedFile): string[] {
  return [
    `${path}  (${why.join("; ")})`,
    ...functions.flatMap(({ symbol, start_line, end_line, rank, code }) => [
      `  ${path}:${start_line}-${end_line} ${symbol}  #${rank}`,
      ...(code === undefined ? [] : numbered(code.trimEnd().split("\n"), start_line)),
    ]),
  ];
}
