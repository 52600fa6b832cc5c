/**
 * Answers whose text keeps to its size in bytes. Lists are cut by the size of their JSON; where the text is longer, as each of its
 * lines has a number or a place, the tool is asked again for less, so that the cursor continues where the text ends.
 */

import { visible } from "../visible.js";
import { answerTo, type Answer, type Call } from "./answer.js";
import { textOf } from "./text.js";

/** Maximum number of times that a tool is asked. */
const MAX_TRIES = 4;
/** Part of the room that the next try fills: lines differ in length. */
const FILLED = 0.9;

/** An answer and its text. */
export interface SizedAnswer {
  readonly answer: Answer;
  readonly text: string;
}

/** Answers a call. Rejects with a `PortolanError`. */
export async function sizedAnswer(call: Call): Promise<SizedAnswer> {
  let share = 1;
  let before: Try | undefined;
  for (let n_tries = 1; ; n_tries++) {
    const { answer, max_bytes } = await answerTo(call, share);
    const { lines, notes } = textOf(call.tool, answer);
    const shown = visible(lines.join("\n"));
    const told = visible(notes.map((note) => `\n${note}`).join(""));
    const size = sizeOf(shown) + sizeOf(told);
    if (size <= max_bytes) return { answer, text: shown + told };
    // Another try would write again, or end as this one.
    if (isWriting(call) || size >= (before?.size ?? Number.POSITIVE_INFINITY) || n_tries === MAX_TRIES)
      return { answer, text: cutTo(shown, max_bytes - sizeOf(told), max_bytes) + told };
    const now = { share: Math.min(share, sizeOf(JSON.stringify(answer)) / max_bytes), size };
    share = nextShare(now, before, max_bytes);
    before = now;
  }
}

/** The share that a try had of the room, and the size of its text. */
interface Try {
  readonly share: number;
  readonly size: number;
}

/** The share for which the text fits: in proportion at first, then along the line through two tries, since notes take the same room always. */
function nextShare(now: Try, before: Try | undefined, max_bytes: number): number {
  if (!before || before.share <= now.share) return (now.share * max_bytes * FILLED) / now.size;
  const bytesPerShare = (before.size - now.size) / (before.share - now.share);
  return now.share - (now.size - max_bytes) / bytesPerShare / FILLED;
}

function isWriting({ tool, args }: Call): boolean {
  return tool === "index" || args.apply === true;
}

const encoder = new TextEncoder();

function sizeOf(text: string): number {
  return encoder.encode(text).length;
}

/** The lines that fit, and that there are more; a long line that does not fit is cut itself. */
function cutTo(text: string, room: number, max_bytes: number): string {
  const note = `… cut at ${max_bytes} bytes: ask for less, or raise max_bytes`;
  const bytes = encoder.encode(text).subarray(0, Math.max(0, room - sizeOf(note) - 1));
  // `stream` leaves out a character that is cut in two.
  const start = new TextDecoder().decode(bytes, { stream: true });
  const end = start.lastIndexOf("\n");
  return `${end > start.length / 2 ? start.slice(0, end) : start}\n${note}`;
}
