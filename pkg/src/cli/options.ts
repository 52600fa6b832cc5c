/** From `argv` to a command. */

import { parseArgs } from "node:util";

/** The command line was wrong: exit code 2. */
export class UsageError extends Error {}

const OPTIONS = {
  output: { type: "string", short: "o" },
  index: { type: "string", short: "i" },
  limit: { type: "string", short: "n" },
  batch: { type: "string" },
  depth: { type: "string" },
  kind: { type: "string" },
  language: { type: "string", multiple: true },
  path: { type: "string", multiple: true },
  workers: { type: "string" },
  name: { type: "string" },
  mode: { type: "string" },
  "ignore-case": { type: "boolean" },
  "no-embeddings": { type: "boolean" },
  explain: { type: "boolean" },
  json: { type: "boolean" },
  quiet: { type: "boolean", short: "q" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

/** A command with what was given to it. */
export interface Command {
  readonly name: string;
  readonly operands: readonly string[];
  readonly options: Options;
}

type Options = ReturnType<typeof parse>["values"];

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
}

export function parseCommand(argv: readonly string[]): Command {
  try {
    const { values, positionals } = parse(argv);
    const [name = "help", ...operands] = positionals;
    return { name, operands, options: values };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The one operand of a command. */
export function operand({ name, operands }: Command, what: string): string {
  const [only, ...more] = operands;
  if (only === undefined) throw new UsageError(`${name}: ${what} is missing`);
  if (more.length > 0) throw new UsageError(`${name}: one ${what} is enough (put it in quotes if it has spaces)`);
  return only;
}

/** A whole number from `min` on. */
export function wholeNumber(value: string | undefined, option: string, min: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < min) throw new UsageError(`--${option} wants a whole number from ${min} on, not "${value}"`);
  return number;
}
