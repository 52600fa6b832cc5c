/**
 * Edits settings of other programs: adds or removes one value and keeps everything else byte for byte: comments, order,
 * indents, line ends. A file that cannot be parsed is not touched.
 */

import { PortolanError } from "../errors.js";
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseToml,
  parseTree,
  patchToml,
  type ParseError,
} from "./editors.js";

/** The way to a value: keys, and for lists numbers. */
export type Path = readonly (string | number)[];

/** One value in a file of settings. */
export interface Setting {
  readonly path: Path;
  readonly value: unknown;
  /** `path` is a list; the value is an item of it, told from others by this text in its JSON. */
  readonly mark?: string | undefined;
}

/** How a kind of file is changed. An absent file is an empty text. */
export interface Format {
  readonly name: "jsonc" | "toml";
  /** Everything that the text says. */
  read(text: string): unknown;
  put(text: string, setting: Setting): string;
  /** The text without the value, and without what would be left empty by that and was made for it. */
  take(text: string, setting: Setting): string;
}

const BOM = "\uFEFF";
/** Comments and trailing commas are common in settings, whatever the file's ending says. */
const LENIENT = { allowTrailingComma: true, allowEmptyContent: true } as const;

/** Returns the value at a path; nothing where there is none. */
export function valueIn({ read }: Format, text: string, path: Path): unknown {
  return inObject(read(text), path);
}

/** Returns the value that a setting is about, as the text has it: of a list, the item with the mark. */
export function currentOf(format: Format, text: string, { path, mark }: Setting): unknown {
  const value = valueIn(format, text, path);
  return mark === undefined ? value : Array.isArray(value) ? value.find((item) => hasMark(item, mark)) : undefined;
}

function hasMark(item: unknown, mark: string): boolean {
  return JSON.stringify(item)?.includes(mark) === true;
}

export const JSONC: Format = {
  name: "jsonc",
  read(text) {
    const root = tree(text);
    return root && getNodeValue(root);
  },
  put(text, { path, value, mark }) {
    const root = tree(text);
    if (mark === undefined)
      return equal(valueAt(root, path), value) ? text : (withProperty(text, path, value) ?? edited(text, path, value));
    const list = listAt(root, path);
    const place = list.findIndex((item) => hasMark(item, mark));
    if (place >= 0 && equal(list[place], value)) return text;
    if (place >= 0) return edited(text, [...path, place], value);
    if (list.length > 0) return withFirst(text, path, value);
    return withProperty(text, path, [value]) ?? edited(text, path, [value]);
  },
  take(text, { path, mark }) {
    const root = tree(text);
    if (mark !== undefined) {
      const list = listAt(root, path);
      const place = list.findIndex((item) => hasMark(item, mark));
      if (place < 0) return text;
      if (list.length === 1) return emptied(text, path);
      return withoutItem(text, [...path, place]) ?? edited(text, [...path, place], undefined);
    }
    return valueAt(root, path) === undefined ? text : emptied(text, path);
  },
};

/** Takes a value out, and the objects around it that hold nothing else. */
function emptied(text: string, path: Path): string {
  let place = path;
  while (place.length > 1) {
    const around = valueAt(tree(text), place.slice(0, -1));
    if (typeof around !== "object" || around === null || Object.keys(around).length > 1) break;
    place = place.slice(0, -1);
  }
  return withoutItem(text, place) ?? edited(text, place, undefined);
}

/**
 * Puts a new property before those of its object, in their format: an editor that puts it after them formats the rest
 * of the line, and takes their last comment for its own. Returns nothing if the value exists already, or there is no
 * such object.
 */
function withProperty(text: string, path: Path, value: unknown): string | undefined {
  const root = tree(text);
  let around = root;
  let depth = 0;
  for (; around && depth < path.length; depth++) {
    const next = findNodeAtLocation(around, [path[depth] as string]);
    if (!next) break;
    around = next;
  }
  if (around?.type !== "object" || depth === path.length) return undefined;
  const [key, ...below] = path.slice(depth);
  const nested = below.reduceRight((inner: unknown, name) => ({ [name]: inner }), value);
  const start = around.offset + (text.startsWith(BOM) ? BOM.length : 0);
  const first = around.children?.[0];
  const inside = text.slice(start + 1, first ? start + (first.offset - around.offset) : start + around.length - 1);
  if (!first && inside.trim() !== "") return undefined; // a comment
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const [, unit = "  "] = /^([ \t]+)\S/m.exec(text) ?? [];
  const [, outer = ""] = /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, start)) ?? [];
  const isOneLine = first ? !inside.includes("\n") : !text.trim().includes("\n");
  // A comment before the first of the others, in its line, is about that.
  const line = inside.slice(inside.lastIndexOf("\n") + 1);
  const indent = isOneLine ? "" : first ? (/^[ \t]*/.exec(line)?.[0] ?? "") : outer + unit;
  const written = isOneLine
    ? JSON.stringify(nested)
    : JSON.stringify(nested, null, unit).replaceAll("\n", eol + indent);
  const property = `${JSON.stringify(key)}: ${written}`;
  const end = start + 1 + inside.length;
  if (first) {
    const at = isOneLine ? end : end - line.length + indent.length;
    const put = `${text.slice(0, at)}${property},${isOneLine ? (/\s*$/.exec(inside)?.[0] ?? "") : eol + indent}${text.slice(at)}`;
    // Within a comment of several lines it would be none.
    return equal(valueAt(tree(put), path), value) ? put : undefined;
  }
  const gap = isOneLine ? " " : eol + indent;
  return checked(`${text.slice(0, start + 1)}${gap}${property}${isOneLine ? " " : eol + outer}${text.slice(end)}`);
}

/** An item before the others, in their form: behind them a comment or a comma may stand that belongs to the last. */
function withFirst(text: string, path: Path, value: unknown): string {
  const [from] = spanOf(text, [...path, 0]);
  const [gap = ""] = /\s*$/.exec(text.slice(0, from)) ?? [];
  const [, indent = ""] = /([ \t]*)$/.exec(gap) ?? [];
  const eol = gap.includes("\r\n") ? "\r\n" : "\n";
  const unit = indent.startsWith("\t") ? "\t" : "  ";
  const item = gap.includes("\n")
    ? JSON.stringify(value, null, unit).replaceAll("\n", eol + indent)
    : JSON.stringify(value);
  return checked(`${text.slice(0, from)}${item},${gap}${text.slice(from)}`);
}

/** Without an item or a property that a comma follows, and without the gap before it; nothing where no comma does. */
function withoutItem(text: string, path: Path): string | undefined {
  const [from, to] = spanOf(text, path, typeof path.at(-1) === "string");
  const [comma] = /^\s*,/.exec(text.slice(to)) ?? [];
  return comma === undefined ? undefined : checked(text.slice(0, from).trimEnd() + text.slice(to + comma.length));
}

/** Returns the offsets of a value, with `named` together with its key. */
function spanOf(text: string, path: Path, named = false): [from: number, to: number] {
  const root = tree(text);
  const value = root && findNodeAtLocation(root, [...path]);
  const node = named ? value?.parent : value;
  if (!node) throw unreadable("JSON that changed while it was read");
  const start = node.offset + (text.startsWith(BOM) ? BOM.length : 0);
  return [start, start + node.length];
}

/** An editor's mistake must not reach the user's file. */
function checked(text: string): string {
  tree(text);
  return text;
}

function tree(text: string): ReturnType<typeof parseTree> {
  const errors: ParseError[] = [];
  const bare = text.startsWith(BOM) ? text.slice(1) : text;
  const root = parseTree(bare, errors, LENIENT);
  const [error] = errors;
  if (error) throw unreadable(`JSON that cannot be read, line ${bare.slice(0, error.offset).split("\n").length}`);
  if (root && root.type !== "object") throw unreadable("JSON that is not an object");
  return root;
}

function valueAt(root: ReturnType<typeof parseTree>, path: Path): unknown {
  const node = root && findNodeAtLocation(root, [...path]);
  return node && getNodeValue(node);
}

function listAt(root: ReturnType<typeof parseTree>, path: Path): unknown[] {
  const list = valueAt(root, path) ?? [];
  if (!Array.isArray(list)) throw unreadable(`settings whose ${path.join(".")} is not a list`);
  return list;
}

function edited(text: string, path: Path, value: unknown): string {
  const bom = text.startsWith(BOM) ? BOM : "";
  const bare = text.slice(bom.length);
  const eol = bare.includes("\r\n") ? "\r\n" : "\n";
  const [, indent = "  "] = /^([ \t]+)\S/m.exec(bare) ?? [];
  const formattingOptions = {
    eol,
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : Math.min(indent.length, 8),
  };
  const edits = modify(bare, [...path], value, { formattingOptions });
  const result = checked(applyEdits(bare, edits));
  return bom + (bare.trim() === "" ? `${result}${eol}` : result);
}

export const TOML: Format = {
  name: "toml",
  read: toml,
  put(text, { path, value }) {
    const settings = toml(text);
    if (equal(inObject(settings, path), value)) return text;
    const [last, ...above] = [...path].reverse() as string[];
    let table = settings;
    for (const key of above.reverse()) {
      table[key] ??= {};
      table = table[key] as Record<string, unknown>;
    }
    const is_new = !((last as string) in table);
    table[last as string] = value;
    return (is_new && appended(text, path, value, settings)) || patched(text, settings);
  },
  take(text, { path }) {
    const settings = toml(text);
    if (inObject(settings, path) === undefined) return text;
    for (let place = path as readonly string[]; place.length > 0; place = place.slice(0, -1)) {
      const table = inObject(settings, place.slice(0, -1)) as Record<string, unknown>;
      delete table[place.at(-1) as string];
      if (Object.keys(table).length > 0) break;
    }
    return patched(text, settings);
  },
};

/** As a table of its own at the end, as people write it; nothing where that is not the same. */
function appended(text: string, path: Path, value: unknown, settings: object): string | undefined {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const rows = Object.entries(value as object).map(
    ([key, field]) => `${key} = ${JSON.stringify(field).replaceAll('","', '", "')}`,
  );
  const start = text === "" ? "" : `${text}${text.endsWith("\n") ? "" : eol}${eol}`;
  const result = start + [`[${path.join(".")}]`, ...rows, ""].join(eol);
  try {
    return equal(toml(result), settings) ? result : undefined;
  } catch {
    return undefined; // above it stands as an inline table, for example
  }
}

function patched(text: string, settings: object): string {
  const result = patchToml(text, settings);
  if (!equal(toml(result), settings)) throw unreadable("TOML that cannot be edited safely");
  return result;
}

function toml(text: string): Record<string, unknown> {
  try {
    return parseToml(text) as Record<string, unknown>;
  } catch (error) {
    throw unreadable(`TOML that cannot be read: ${(error as Error).message.split("\n")[0]}`);
  }
}

function inObject(object: unknown, path: Path): unknown {
  return path.reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], object);
}

/** Compares values, whatever the order of their keys. */
export function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, inOrder) === JSON.stringify(b, inOrder);
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function unreadable(what: string): PortolanError {
  return new PortolanError(
    "setup.unreadable",
    what,
    "the file is unchanged; fix it, or add the server by hand: docs/agents.md",
  );
}
