/** `portolan.toml` and the environment: read, checked, and put under the options that were given. */

import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";

import { commandNamed } from "./command-list.js";
import type { OptionName } from "./option-list.js";
import { nearest, UsageError, type Command, type Options } from "./options.js";
import { concerns, numbersIn, readVariable, SETTINGS, variableOf, wrongIn, type Setting } from "./settings.js";

export const SETTINGS_FILE = "portolan.toml";
/** Of the file that a repository may choose for its index. */
const ENDING = ".portolan";
const HINT = "`portolan config` lists all settings; docs/command-line.md has an example of the file.";

/** A setting, what it is set to, and by what. */
export interface Effective {
  readonly setting: Setting;
  /** As in the file; nothing where the standard holds. */
  readonly value?: unknown;
  /** `standard`, `portolan.toml:3`, `PORTOLAN_…` or `--option`. */
  readonly source: string;
}

/** The command with its settings under its options. Reads nothing but the environment where there is no file. */
export async function withSettings(command: Command, env: NodeJS.ProcessEnv = process.env): Promise<Command> {
  const file = settingsFile(command, env);
  if (file === undefined && !SETTINGS.some((setting) => env[variableOf(setting)] !== undefined)) return command;
  const options: Record<string, unknown> = { ...command.options };
  const spec = commandNamed(command.name);
  const { settings, grammars } = await effectiveSettings(command, env, file);
  for (const { setting, value, source } of settings) {
    if (value === undefined || source.startsWith("--") || !spec || !concerns(setting, spec)) continue;
    options[setting.option] = asOption(setting, value);
  }
  if (options.embeddings === true) delete options["no-embeddings"];
  if (grammars.length > 0 && command.options.grammar === undefined && spec?.options.includes("grammar")) {
    options.grammar = grammars.map((grammar) => grammar.file);
    options.queries = grammars.map((grammar) => grammar.queries);
    options.extensions = grammars.map((grammar) => grammar.extensions.join(","));
  }
  return { ...command, options: options as Options };
}

/** All settings with where each comes from; and the languages that the file brings. */
export async function effectiveSettings(command: Command, env: NodeJS.ProcessEnv, file = settingsFile(command, env)) {
  const written = file === undefined ? { values: new Map<string, Written>(), grammars: [] } : await readFile(file);
  const settings = SETTINGS.map((setting): Effective => {
    const given = command.options[setting.option];
    if (given !== undefined && concerns(setting, commandNamed(command.name) as never))
      return { setting, value: fromOption(setting, given), source: `--${setting.option}` };
    const variable = env[variableOf(setting)];
    if (variable !== undefined)
      return { setting, value: checkedVariable(setting, variable), source: variableOf(setting) };
    const line = written.values.get(setting.key);
    return line === undefined ? { setting, source: "standard" } : { setting, value: line.value, source: line.place };
  });
  return { file, settings, grammars: written.grammars };
}

/** The file of `--config` or PORTOLAN_CONFIG, else the nearest one from the folder that the command is about. */
function settingsFile({ name, operands, options }: Command, env: NodeJS.ProcessEnv): string | undefined {
  const about =
    (name === "index" || name === "build" || name === "watch") && operands[0] !== undefined ? operands[0] : ".";
  return settingsFileAbove(about, env, options.config);
}

/** The file that is named, else the nearest one from a folder (or from where an archive lies) upwards. */
export function settingsFileAbove(about: string, env: NodeJS.ProcessEnv, given?: string): string | undefined {
  const named = given ?? env.PORTOLAN_CONFIG;
  if (named !== undefined && named !== "") return resolve(named);
  const place = resolve(about);
  const isFile = statSync(place, { throwIfNoEntry: false })?.isDirectory() === false; // an archive
  for (let folder = isFile ? dirname(place) : place; ; folder = dirname(folder)) {
    const file = join(folder, SETTINGS_FILE);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file;
    if (dirname(folder) === folder) return undefined;
  }
}

interface Written {
  readonly value: unknown;
  readonly place: string;
}

interface WrittenGrammar {
  readonly file: string;
  readonly queries: string;
  readonly extensions: readonly string[];
}

async function readFile(file: string): Promise<{ values: Map<string, Written>; grammars: WrittenGrammar[] }> {
  const text = textOf(file);
  const tables = await parsed(file, text);
  const values = new Map<string, Written>();
  const grammars: WrittenGrammar[] = [];
  const shown = relative(resolve("."), file) || file;
  const fail = (key: string, message: string): never => {
    throw new UsageError(`${shown}:${lineOf(text, key)}: ${key}: ${message}`, HINT);
  };
  for (const [table, content] of Object.entries(tables)) {
    if (typeof content !== "object" || content === null || Array.isArray(content))
      fail(table, `this key belongs under a table, as in [index]`);
    for (const [name, value] of Object.entries(content as object)) {
      const key = `${table}.${name}`;
      if (table === "grammars") {
        grammars.push(grammarOf(dirname(file), value, (message) => fail(key, message)));
        continue;
      }
      const setting =
        SETTINGS.find((setting) => setting.key === key) ??
        fail(
          key,
          `there is no such setting${nearest(
            key,
            SETTINGS.map((known) => known.key),
          )}`,
        );
      const wrong = wrongIn(setting, value);
      if (wrong !== undefined) fail(key, `expected ${wrong}, not ${inJson(value)}`);
      values.set(key, {
        value: inFolder(setting, value, dirname(file), (message) => fail(key, message)),
        place: `${shown}:${lineOf(text, key)}`,
      });
    }
  }
  return { values, grammars };
}

/** A value in words: TOML has whole numbers that JSON, and JavaScript's numbers, have not. */
function inJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`the settings cannot be read: ${(error as Error).message}`, HINT);
  }
}

/** The parser is loaded only where there is a file: most commands have none. */
async function parsed(file: string, text: string): Promise<Record<string, unknown>> {
  const { parse } = await import("@decimalturn/toml-patch");
  try {
    return parse(text) as Record<string, unknown>;
  } catch (error) {
    const { line, message } = error as Error & { line?: number };
    const reason = message.trim().split("\n").at(-1);
    throw new UsageError(
      `${relative(resolve("."), file)}${line === undefined ? "" : `:${line}`}: this is no TOML: ${reason}`,
      HINT,
    );
  }
}

/** The line in which `table.key` stands; 1 where it is written in another way. */
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

function grammarOf(folder: string, value: unknown, fail: (message: string) => never): WrittenGrammar {
  const { file, queries, extensions } = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  if (typeof file !== "string") fail('expected file = "tree-sitter-NAME.wasm"');
  if (typeof queries !== "string") fail('expected queries = "FOLDER" with symbols.scm in it');
  if (!Array.isArray(extensions) || extensions.some((one) => typeof one !== "string"))
    fail('expected extensions = ["x"]');
  return {
    file: resolve(folder, file as string),
    queries: resolve(folder, queries as string),
    extensions: extensions as string[],
  };
}

/**
 * Paths of a settings file are seen from its folder. Where something is written must lie in it: a repository that was cloned may bring
 * such a file, and must not choose what is overwritten elsewhere.
 */
function inFolder({ type }: Setting, value: unknown, folder: string, fail: (message: string) => never): unknown {
  if (type === "files") return (value as string[]).map((file) => resolve(folder, file));
  if (type === "folder") return resolve(folder, value as string);
  if (type === "numbers") return numbersIn(value as object);
  if (type !== "file") return value;
  const path = resolve(folder, value as string);
  const inside = relative(folder, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside))
    fail(`${value as string} lies outside of ${folder}; give it as an option`);
  // A name that means something to another program must not come from a repository.
  if (!path.endsWith(ENDING)) fail(`expected a name that ends with ${ENDING}, not ${value as string}`);
  return path;
}

function checkedVariable(setting: Setting, text: string): unknown {
  const value = readVariable(setting, text);
  const wrong = wrongIn(setting, value);
  if (wrong !== undefined) throw new UsageError(`${variableOf(setting)}: expected ${wrong}, not "${text}"`, HINT);
  if (setting.type === "folder") return resolve(value as string);
  return setting.type === "files" ? (value as string[]).map((file) => resolve(file)) : value;
}

function asOption({ type }: Setting, value: unknown): unknown {
  if (type === "off") return value === false ? true : undefined;
  if (type === "switch") return value === true ? true : undefined;
  if (type === "numbers") return Object.entries(value as object).map(([name, number]) => `${name}=${number as number}`);
  return Array.isArray(value) ? value : String(value);
}

function fromOption({ type }: Setting, given: Options[OptionName]): unknown {
  if (type === "off") return given !== true;
  return given;
}
