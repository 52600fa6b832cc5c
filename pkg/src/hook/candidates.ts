/**
 * Places that a user's request is about, beside the request itself. Said only where the index is sure: `locate` is calibrated, and a wrong
 * place costs an agent more than none.
 */

import type { LocateResponse, LocatedFile } from "../answers.js";
import { asked, type Ask } from "./ask.js";
import { framed, short } from "./frame.js";
import { some } from "./orientation.js";

const MAX_TOKENS = 700;
const MAX_FILES = 5;
const MAX_FUNCTIONS = 8;
/** Share of such answers whose first five files hold all the right ones. */
const MIN_CONFIDENCE = 0.6;
/** A file that is likelier wrong is not named. */
const MIN_FILE_CONFIDENCE = 0.15;
/** Shorter requests ("go on", "run the tests") name no place. */
const MIN_PROMPT = 16;

/** Files and functions for a request; empty where the index is not sure. */
export function candidates(ask: Ask, prompt: string): string {
  const text = prompt.trim();
  if (text.length < MIN_PROMPT || text.startsWith("/")) return "";
  const answer = asked<LocateResponse>(ask, "locate", {
    text,
    limit: MAX_FILES,
    function_limit: MAX_FUNCTIONS,
    max_tokens: 4 * MAX_TOKENS,
    code: false,
  });
  if (!answer?.known || answer.confidence < MIN_CONFIDENCE) return "";
  const files = answer.files.filter(({ confidence }) => confidence >= MIN_FILE_CONFIDENCE);
  return framed({
    head: `Code that this request is likely about, from the index: right files among the first five in ${Math.round(100 * answer.confidence)} % of such requests.`,
    maxTokens: MAX_TOKENS,
    noun: ["file", "files"],
    blocks: files.map(block),
    leftOut: some(answer.total - files.length, "less likely file"),
  });
}

function block({ path, why, functions }: LocatedFile): string[] {
  return [
    `${short(path)}  (${why.slice(0, 2).map(short).join("; ")})`,
    ...functions.map(({ symbol, start_line, end_line }) => `  ${start_line}-${end_line} ${short(symbol)}`),
  ];
}
