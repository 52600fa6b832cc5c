/** The text of a settings file: read, and refused where parsing it could take long. */

import { relative, resolve } from "node:path";

import { readBounded } from "../node/regular-file.js";
import { MAX_BYTES_OF } from "./limits.js";
import { UsageError } from "../commands/options.js";

export const HINT = "`portolan config` lists all settings; docs/command-line.md has an example of the file.";

/** No setting has more parts in its name; the parser's work grows with their square. */
const MAX_PARTS = 16;
const STRINGS = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g;
const DEEP = new RegExp(`(?:[\\w-]*[ \\t]*\\.[ \\t]*){${MAX_PARTS}}`);

export function settingsText(file: string): string {
  try {
    return new TextDecoder().decode(readBounded(file, MAX_BYTES_OF.settings));
  } catch (error) {
    throw new UsageError(`the settings cannot be read: ${(error as Error).message}`, HINT);
  }
}

/** The tables of a file. The parser is loaded only where there is one: most repositories have none. */
export async function parseSettings(file: string, text: string): Promise<Record<string, unknown>> {
  const shown = shownPath(file);
  if (/"""|'''/.test(text)) throw new UsageError(`${shown}: strings of several lines are not read here`, HINT);
  const isDeep = (line: string) => DEEP.test(line.replace(STRINGS, ""));
  const deep = text.split("\n").findIndex(isDeep);
  if (deep >= 0) throw new UsageError(`${shown}:${deep + 1}: a name has more than ${MAX_PARTS} parts`, HINT);
  const { parse } = await import("@decimalturn/toml-patch");
  try {
    return parse(text) as Record<string, unknown>;
  } catch (error) {
    const { line, message } = error as Error & { line?: number };
    const reason = error instanceof RangeError ? "it is nested too deeply" : message.trim().split("\n").at(-1);
    throw new UsageError(`${shown}${line === undefined ? "" : `:${line}`}: this is no TOML: ${reason}`, HINT);
  }
}

/** The line of `table.key`; 1 where it is written in another way. */
export function lineOf(text: string, key: string): number {
  const [table = "", ...rest] = key.split(".");
  const name = rest.join(".");
  let current = "";
  for (const [lineIdx, line] of text.split("\n").entries()) {
    const head = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (head !== undefined) current = head;
    if (head !== undefined && (head === key || (name === "" && head === table))) return lineIdx + 1;
    const word = /^\s*"?([\w.-]+)"?\s*=/.exec(line)?.[1];
    if (
      word !== undefined &&
      (current === "" ? word === key || (name === "" && word === table) : current === table && word === name)
    )
      return lineIdx + 1;
  }
  return 1;
}

/** A path as it is told: seen from here where it is below. */
export function shownPath(file: string): string {
  return relative(resolve("."), file) || file;
}

/** A value as it is told. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? String(one) : one)) ?? "";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
