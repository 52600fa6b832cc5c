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
  direction: { type: "string" },
  order: { type: "string" },
  edge: { type: "string", multiple: true },
  node: { type: "string", multiple: true },
  entry: { type: "string", multiple: true },
  "min-confidence": { type: "string" },
  kind: { type: "string" },
  language: { type: "string", multiple: true },
  path: { type: "string", multiple: true },
  workers: { type: "string" },
  name: { type: "string" },
  "chunk-target": { type: "string" },
  "chunk-max": { type: "string" },
  "chunk-min": { type: "string" },
  mode: { type: "string" },
  offset: { type: "string" },
  "max-bytes": { type: "string" },
  tests: { type: "string" },
  staged: { type: "boolean" },
  base: { type: "string" },
  diff: { type: "string" },
  text: { type: "string" },
  apply: { type: "boolean" },
  "ignore-case": { type: "boolean" },
  word: { type: "boolean" },
  context: { type: "string" },
  "max-millis": { type: "string" },
  "tree-query": { type: "boolean" },
  where: { type: "string", multiple: true },
  strictness: { type: "string" },
  tokens: { type: "string" },
  scip: { type: "string", multiple: true },
  format: { type: "string" },
  param: { type: "string", multiple: true },
  timeout: { type: "string" },
  grammar: { type: "string", multiple: true },
  queries: { type: "string", multiple: true },
  extensions: { type: "string", multiple: true },
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

/** As many operands as there are names for them. */
export function operands({ name, operands }: Command, whats: readonly string[]): readonly string[] {
  if (operands.length !== whats.length) throw new UsageError(`${name}: wants ${whats.join(" and ")}`);
  return operands;
}

/** A number from 0 to 1. */
export function fraction(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === "" || !(number >= 0 && number <= 1)) throw new UsageError(`--${option} wants a number from 0 to 1, not "${value}"`);
  return number;
}

/** A whole number from `min` on. */
export function wholeNumber(value: string | undefined, option: string, min: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < min) throw new UsageError(`--${option} wants a whole number from ${min} on, not "${value}"`);
  return number;
}
