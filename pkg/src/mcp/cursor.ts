/**
 * Where a long answer continues. A cursor holds the place and a mark of the question, so that one of another question is refused
 * and none has to be remembered: the next request may go to another process.
 */

import { PortolanError } from "../errors.js";
import type { Arguments } from "./arguments.js";

/** The cursor of the page at `offset` of this question. */
export function cursorAt(tool: string, question: Arguments, offset: number): string {
  return `${offset}-${markOf(tool, question)}`;
}

/** The place that the question's cursor names; 0 without one. Throws `request.cursor`. */
export function offsetOf(tool: string, question: Arguments): number {
  const { cursor } = question;
  if (cursor === undefined) return 0;
  const [, offset, mark] = /^(\d{1,9})-([0-9a-z]+)$/.exec(String(cursor)) ?? [];
  if (offset === undefined || mark !== markOf(tool, question)) {
    throw new PortolanError(
      "request.cursor",
      `${tool}: the cursor belongs to another request`,
      "repeat the arguments and pass next_cursor of the last answer; or leave cursor out to start again",
    );
  }
  return Number(offset);
}

/** 32 bits of FNV-1a over the question without its cursor: a mark, no secret. */
function markOf(tool: string, question: Arguments): string {
  const keys = Object.keys(question)
    .filter((key) => key !== "cursor")
    .sort();
  const text = JSON.stringify([tool, keys.map((key) => [key, question[key]])]);
  let mark = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) mark = Math.imul(mark ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return mark.toString(36);
}
