/** From `argv` to a command. */

import { parseArgs } from "node:util";

import { COMMAND_LIST, commandNamed, optionsOf } from "./command-list.js";
import { OPTIONS, type OptionAbout, type OptionName } from "./option-list.js";

/** The command line or a setting was wrong: exit code 2. */
export class UsageError extends Error {
  /** @param hint where to read on. */
  constructor(
    message: string,
    readonly hint = "Try `portolan --help`.",
  ) {
    super(message);
  }
}

/** The user ended it on the terminal: exit code 130. */
export class Interrupted extends Error {}

/** A command with what was given to it. */
export interface Command {
  readonly name: string;
  readonly operands: readonly string[];
  readonly options: Options;
}

export type Options = ReturnType<typeof parse>["values"];

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
}

export function parseCommand(argv: readonly string[]): Command {
  const { values, positionals } = parsed(argv);
  const [name = "help", ...operands] = positionals;
  const spec = commandNamed(name);
  if (!spec)
    throw new UsageError(
      `there is no command "${name}"${nearest(
        name,
        COMMAND_LIST.map((command) => command.name),
      )}`,
    );
  const taken = optionsOf(spec);
  const strange = (Object.keys(values) as OptionName[]).find(
    (option) => !taken.includes(option) && option !== "version",
  );
  if (strange !== undefined)
    throw new UsageError(`${name}: it has no option --${strange}; \`portolan ${name} --help\` lists those it has`);
  for (const option of Object.keys(values) as OptionName[]) checkChoice(option, values[option]);
  return { name, operands, options: values };
}

function parsed(argv: readonly string[]) {
  try {
    return parse(argv);
  } catch (error) {
    const { message } = error as Error;
    const command = commandNamed(argv.find((word) => !word.startsWith("-")) ?? "");
    const hint = command && `Try \`portolan ${command.name} --help\`.`;
    const [, dashes, unknown] = /^Unknown option '(--?)([^']+)'/.exec(message) ?? [];
    if (unknown === undefined) throw new UsageError(message, hint);
    const known = command ? optionsOf(command) : Object.keys(OPTIONS);
    throw new UsageError(`there is no option ${dashes}${unknown}${nearest(unknown, known, "--")}`, hint);
  }
}

/** Options whose values are few and fixed; kinds of nodes and edges are left to the engine, which knows more of them. */
const OPEN: readonly OptionName[] = ["kind", "edge", "node", "direction", "order"];

function checkChoice(option: OptionName, value: unknown): void {
  const { choices } = OPTIONS[option] as OptionAbout;
  if (!choices || OPEN.includes(option)) return;
  for (const one of Array.isArray(value) ? value : [value]) {
    if (!choices.includes(one as string))
      throw new UsageError(`--${option} expects ${choices.join(", ")}, not "${String(one)}"`);
  }
}

/** `; did you mean "…"?` where something known is one of the parts of a word with hyphens, or at most two letters away. */
export function nearest(word: string, known: readonly string[], before = ""): string {
  const part = known.find((name) => word !== name && word.split("-").includes(name));
  if (part) return `; did you mean "${before}${part}"?`;
  const near = known.map((name) => ({ name, n: distance(word, name) })).sort((a, b) => a.n - b.n)[0];
  return near && near.n <= 2 && near.n < word.length ? `; did you mean "${before}${near.name}"?` : "";
}

/** Letters to change, add or take away. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, idx) => idx);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    }
    row = next;
  }
  return row[b.length] ?? 0;
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
  if (operands.length !== whats.length) throw new UsageError(`${name}: expects ${whats.join(" and ")}`);
  return operands;
}

/** For a command that has none. */
export function noOperands({ name, operands }: Command): void {
  if (operands.length > 0) throw new UsageError(`${name}: it takes no operand, not "${operands[0]}"`);
}

/** A number from 0 to 1. */
export function fraction(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === "" || !(number >= 0 && number <= 1))
    throw new UsageError(`--${option} expects a number from 0 to 1, not "${value}"`);
  return number;
}

/** A whole number from `min` on. */
export function wholeNumber(value: string | undefined, option: string, min: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === "" || !Number.isInteger(number) || number < min)
    throw new UsageError(`--${option} expects a whole number from ${min} on, not "${value}"`);
  return number;
}
