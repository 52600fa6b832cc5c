/** `portolan.toml` and the environment: read, checked, and put under the options that were given. */

import { dirname, isAbsolute, relative, resolve } from "node:path";

import { commandNamed } from "../commands/command-list.js";
import type { OptionName } from "../commands/option-list.js";
import { nearest, UsageError, type Command, type Options } from "../commands/options.js";
import { concerns, numbersIn, readVariable, SETTINGS, variableOf, wrongIn, type Setting } from "./settings.js";
import { settingsPlace, userSettings, type SettingsPlace } from "./settings-place.js";
import { HINT, lineOf, parseSettings, settingsText, shownPath, shownValue } from "./settings-text.js";
import type { Wanted } from "./trust.js";

export { lineOf } from "./settings-text.js";

/** Of the file that a repository may choose for its index. */
const ENDING = ".portolan";

/** A setting, what it is set to, and by what. */
export interface Effective {
  readonly setting: Setting;
  /** As in the file; nothing where the standard holds. */
  readonly value?: unknown;
  /** `standard`, `portolan.toml:3`, `PORTOLAN_…` or `--option`. */
  readonly source: string;
}

/** A language that a settings file brings. */
export interface WrittenGrammar {
  readonly key: string;
  readonly place: string;
  readonly file: string;
  readonly queries: string;
  readonly extensions: readonly string[];
}

/** A setting of a repository that does not hold, and why. */
export interface LeftOut {
  readonly key: string;
  readonly place: string;
  readonly why: "untrusted" | "changed";
}

interface Settings {
  /** The repository's file, or the one that was named. */
  readonly file: string | undefined;
  readonly settings: Effective[];
  readonly grammars: readonly WrittenGrammar[];
  readonly leftOut: readonly LeftOut[];
}

/** The command with its settings under its options. Reads nothing but the environment where there is no file. */
export async function withSettings(command: Command, env: NodeJS.ProcessEnv = process.env): Promise<Command> {
  const places = placesFor(command, env);
  if (places.length === 0 && !SETTINGS.some((setting) => env[variableOf(setting)] !== undefined)) return command;
  const options: Record<string, unknown> = { ...command.options };
  const spec = commandNamed(command.name);
  const { settings, grammars, leftOut } = await effectiveSettings(command, env, places);
  const heeds = (key: string) =>
    SETTINGS.some((setting) => setting.key === key && spec && concerns(setting, spec)) ||
    (key.startsWith("grammars.") && spec?.options.includes("grammar") === true);
  // Before anything of the file is heeded: it could ask for quiet.
  tellLeftOut(leftOut.filter(({ key }) => heeds(key)));
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

function tellLeftOut(leftOut: readonly LeftOut[]): void {
  if (leftOut.length > 0) process.stderr.write(`portolan: ${leftOutInWords(leftOut)} [settings.untrusted]\n`);
}

/** Says which settings were left out, and what to do. */
export function leftOutInWords(leftOut: readonly LeftOut[]): string {
  const keys = leftOut.map(({ key, place }) => `${key} (${place})`).join(", ");
  const why = leftOut.some(({ why }) => why === "changed")
    ? "was changed since it was trusted"
    : "is not trusted to load, read or write files";
  return `settings left out: ${keys}: this repository ${why}; \`portolan trust\` shows it and asks`;
}

/** All settings with where each comes from; and the languages that the files bring. */
export async function effectiveSettings(
  command: Command,
  env: NodeJS.ProcessEnv,
  places = placesFor(command, env),
): Promise<Settings> {
  const values = new Map<string, Written>();
  let grammars: readonly WrittenGrammar[] = [];
  let leftOut: readonly LeftOut[] = [];
  for (const place of places) {
    const written = await readSettings(place);
    const held = place.isUsers ? { ...written, leftOut } : await heldOf(place.path, written);
    for (const [key, value] of held.values) values.set(key, value);
    grammars = [...grammars, ...held.grammars];
    leftOut = held.leftOut;
  }
  const settings = SETTINGS.map((setting): Effective => {
    const given = command.options[setting.option];
    if (given !== undefined && concerns(setting, commandNamed(command.name) as never))
      return { setting, value: fromOption(setting, given), source: `--${setting.option}` };
    const variable = env[variableOf(setting)];
    if (variable !== undefined)
      return { setting, value: checkedVariable(setting, variable), source: variableOf(setting) };
    const line = values.get(setting.key);
    return line === undefined ? { setting, source: "standard" } : { setting, value: line.value, source: line.place };
  });
  return { file: places.at(-1)?.path, settings, grammars, leftOut };
}

/** The files that count, those that go before the others last: the user's, then the repository's or the one that was named. */
function placesFor({ name, operands, options }: Command, env: NodeJS.ProcessEnv): SettingsPlace[] {
  const takesPath = ["index", "build", "watch", "trust"].includes(name);
  return settingsPlaces(takesPath ? (operands[0] ?? ".") : ".", env, options.config);
}

export function settingsPlaces(about: string, env: NodeJS.ProcessEnv, given?: string): SettingsPlace[] {
  return [userSettings(about), settingsPlace(about, env, given)].filter((place) => place !== undefined);
}

interface Written {
  readonly value: unknown;
  readonly place: string;
}

/** A settings file as it is written. */
export interface WrittenSettings {
  readonly values: ReadonlyMap<string, Written>;
  readonly grammars: readonly WrittenGrammar[];
}

/** Reads and checks a file. Throws a `UsageError` with file, line and key. */
export async function readSettings({ path: file, isUsers }: SettingsPlace): Promise<WrittenSettings> {
  const text = settingsText(file);
  const tables = await parseSettings(file, text);
  const values = new Map<string, Written>();
  const grammars: WrittenGrammar[] = [];
  const shown = shownPath(file);
  for (const [table, content] of Object.entries(tables)) {
    const fail = (key: string, message: string): never => {
      throw new UsageError(`${shown}:${lineOf(text, key)}: ${key}: ${message}`, HINT);
    };
    if (typeof content !== "object" || content === null || Array.isArray(content))
      fail(table, `this key belongs under a table, as in [index]`);
    for (const [name, value] of Object.entries(content as object)) {
      const key = `${table}.${name}`;
      const place = `${shown}:${lineOf(text, key)}`;
      const failHere = (message: string) => fail(key, message);
      if (table === "grammars") grammars.push({ key, place, ...grammarOf(dirname(file), value, failHere) });
      else {
        const setting = settingNamed(key, failHere);
        const wrong = wrongIn(setting, value);
        if (wrong !== undefined) fail(key, `expected ${wrong}, not ${shownValue(value)}`);
        values.set(key, { value: inFolder(setting, value, dirname(file), isUsers, failHere), place });
      }
    }
  }
  return { values, grammars };
}

/** Keeps the settings that are only data, and the others where they are trusted. */
async function heldOf(file: string, written: WrittenSettings): Promise<WrittenSettings & Pick<Settings, "leftOut">> {
  const wanted = (await import("./wanted.js")).wantedOf(file, written);
  if (wanted.length === 0) return { ...written, leftOut: [] };
  const verdict = (await import("./trust.js")).verdictOn(file, wanted);
  if (verdict.is === "trusted") return { ...written, leftOut: [] };
  const isWanted = (key: string) => wanted.some((one: Wanted) => one.key === key);
  const why = verdict.is === "changed" ? "changed" : "untrusted";
  return {
    values: new Map([...written.values].filter(([key]) => !isWanted(key))),
    grammars: [],
    leftOut: wanted.map(({ key, place }) => ({ key, place, why })),
  };
}

function settingNamed(key: string, fail: (message: string) => never): Setting {
  const known = SETTINGS.map((setting) => setting.key);
  return SETTINGS.find((setting) => setting.key === key) ?? fail(`there is no such setting${nearest(key, known)}`);
}

function grammarOf(folder: string, value: unknown, fail: (message: string) => never) {
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
 * Paths of a settings file are relative to its folder. Outputs must be inside it, trusted or not: only settings from
 * outside the repository may choose a file to overwrite elsewhere.
 */
function inFolder(
  { type }: Setting,
  value: unknown,
  folder: string,
  isUsers: boolean,
  fail: (message: string) => never,
): unknown {
  if (type === "files") return (value as string[]).map((file) => resolve(folder, file));
  if (type === "folder") return resolve(folder, value as string);
  if (type === "numbers") return numbersIn(value as object);
  if (type !== "file") return value;
  const path = resolve(folder, value as string);
  const inside = relative(folder, path);
  if (!isUsers && (inside === "" || inside.startsWith("..") || isAbsolute(inside)))
    fail(`${value as string} lies outside of ${folder}; give it as an option`);
  // A name that means something to another program must not come from a repository.
  if (!isUsers && !path.endsWith(ENDING)) fail(`expected a name that ends with ${ENDING}, not ${value as string}`);
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
