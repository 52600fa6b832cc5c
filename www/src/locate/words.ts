//! The answer of `locate` in words: reasons, the parts that were read, and the text that is copied.

import type { LocatedFile, LocatedFunction, LocateReading, LocateResponse } from "portolan";
import { percent, plural } from "../state/format.ts";
import type { Lines } from "../state/link.ts";

/** A reason, short, and as a sentence. */
export interface Reason {
  readonly words: string;
  readonly title: string;
}

const reasons: Readonly<Record<string, readonly [string, string]>> = {
  title: ["fits the title", "A search for the title finds it."],
  prose: ["fits the description", "A search for title and description finds it."],
  words: ["has its rare words", "It has the rare words of the whole text, code and output included."],
  path: ["its path is named", "The text names this file or module."],
  frame: ["in the stack trace", "The stack trace leads through this line."],
  name: ["a name of it", "The text has the name of a definition in it."],
  example: ["used by the example", "Code in the text calls or imports it, or its error is raised."],
  message: ["has the message", "A message in the text is written here."],
  stem: ["its name fits", "It is called as words of the title are."],
  near: ["near another place", "It uses another place that was found, or is used by it."],
  together: ["changes together", "It usually changes together with another place that was found."],
};

/** A clue of the engine, such as `title` or `frame: src/a.py:12`, for people. */
export function reasonOf(clue: string): Reason {
  const [, name = "", detail = ""] = /^([a-z]+)(?:: (.*))?$/s.exec(clue) ?? [];
  const known = reasons[name];
  if (!known) return { words: clue, title: "" };
  const [words, title] = known;
  return { words: detail === "" ? words : `${words}: ${detail}`, title };
}

/** Lines of a function that are shown at once. */
const mostLines = 16;
/** Of them, those above the line of a stack trace. */
const above = 8;

/** The lines of a function to show, 1-based: around the line that a stack trace leads to, else its first ones. */
export function shownLines({ start_line: first, end_line: last, why }: LocatedFunction): Lines & { line?: number } {
  const framed = why.find((clue) => clue.startsWith("frame: ")) ?? "";
  const numbers = [...framed.matchAll(/:(\d+)(?:, |$)/g)].map(([, number]) => Number(number));
  const line = numbers.find((number) => number >= first && number <= last);
  const from = Math.max(first, Math.min((line ?? first) - above, last - mostLines + 1));
  return { from, to: Math.min(last, from + mostLines - 1), ...(line === undefined ? {} : { line }) };
}

/** The parts of a text that were read, beside its prose; empty if there are none. */
export function readingOf({
  n_frames,
  n_names,
  n_paths,
  n_messages,
  versions = [],
  options = [],
}: LocateReading): string {
  const counts = [
    [n_frames, "frame of a stack trace", "frames of stack traces"],
    [n_paths, "path", "paths"],
    [n_names, "name of code", "names of code"],
    [n_messages, "message of a program", "messages of programs"],
  ] as const;
  return [
    ...counts.flatMap(([n, one, many]) => (n > 0 ? [plural(n, one, many)] : [])),
    ...(versions.length > 0 ? [versions.join(", ")] : []),
    ...(options.length > 0 ? [options.join(" ")] : []),
  ].join(", ");
}

/** The places with their code, for a language model or a colleague. */
export function copied({ title, files, confidence }: LocateResponse): string {
  const head = title === "" ? "" : `# ${title}\n\n`;
  const sure = `Right files among the first five: ${percent(confidence)}\n`;
  return `${head}${sure}${files.map(fileText).join("")}`;
}

function fileText({ path, why, functions }: LocatedFile): string {
  const places = functions.map(({ symbol, start_line, end_line, code }) => {
    const place = `\n${symbol}, lines ${start_line} to ${end_line}\n`;
    return code === undefined ? place : `${place}\n${fenced(code)}`;
  });
  return `\n## ${path}\n\n${why.join("; ")}\n${places.join("")}`;
}

/** Code between fences that nothing in it ends. */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${code.trimEnd()}\n${fence}\n`;
}
