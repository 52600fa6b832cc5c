/** Choices among the facts: what is public, what matters most, what belongs together. */

import type { Area, Definition, Facts } from "./facts.js";
import { capital, firstSentence, inWords } from "./words.js";
import { definitionLink } from "./facts.js";
import type { Part, Sentence } from "./document.js";

const CALLABLE = new Set(["function", "method", "constructor", "macro"]);
const TYPE = new Set(["class", "struct", "interface", "trait", "enum", "type_alias", "typealias", "type", "record"]);

export const isCallable = ({ kind }: Definition) => CALLABLE.has(kind);
export const isType = ({ kind }: Definition) => TYPE.has(kind);

/** Whether a person would call it by its name: no callback, no operator, no name that begins with an underscore. */
export function isNamed({ name, qualified }: Definition): boolean {
  return /^[A-Za-z$][\w$]*[?!]?$/.test(name) && !/ callback\b|\(|<|"/.test(qualified) && !/(^|[.#:/])_/.test(qualified);
}

/** The public interface, the most used first: exported definitions, or documented ones where nothing is marked so. */
export function publicOf({ definitions }: Pick<Facts, "definitions">): Definition[] {
  const named = definitions.filter((one) => isNamed(one) && (isCallable(one) || isType(one)));
  const callables = new Set(definitions.filter(isCallable).map(({ path, qualified }) => `${path}#${qualified}`));
  const isNested = ({ path, qualified }: Definition) =>
    callables.has(`${path}#${qualified.slice(0, qualified.lastIndexOf("."))}`);
  const open = named.filter((one) => !isNested(one));
  const exported = open.filter(({ exported }) => exported);
  const documented = open.filter(({ doc }) => firstSentence(doc) !== "");
  // CommonJS marks little as exported: what has a comment is meant for others there.
  const chosen =
    exported.length * 3 >= documented.length ? exported : unique([...exported, ...documented], ({ id }) => String(id));
  return sorted(unique(chosen, ({ qualified }) => qualified));
}

/** The most used first; among equals documented ones. */
export function sorted(definitions: readonly Definition[]): Definition[] {
  const rank = ({ n_users, doc, centrality }: Definition) => n_users * (doc === "" ? 1 : 2) + centrality;
  return [...definitions].sort((a, b) => rank(b) - rank(a));
}

/** One of each key, the first. */
export function unique<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    return seen.has(key) ? false : seen.add(key);
  });
}

/** Items by a key, in the order of their first. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** The area's name in words: `Application: compile, query` becomes `Application (compile, query)`. */
export function areaTitle({ label }: Pick<Area, "label">): string {
  const [place = "", names = ""] = label.replace(/(?<!\w)_+|_+(?!\w)/g, "").split(": ", 2);
  return capital(names === "" ? place : `${place} (${names})`).replaceAll("_", " ");
}

/**
 * The first sentence of a definition's comment. Where it begins with the name, as comments of Go do, the name is left out: it is beside it.
 */
export function docOf({ doc, name }: Pick<Definition, "doc" | "name">): string {
  const sentence = firstSentence(doc);
  // “Enable setting” of `enable` is an order, “Recoverer is …” of `Recoverer` is about it.
  if (!doc.trimStart().startsWith(`${name} `) || !/^\S+ (is|are|[a-z]+s) /.test(sentence)) return sentence;
  const rest = sentence.slice(name.length + 1);
  return capital(rest.replace(/^is (?=(a|an|the|one)\b)/i, ""));
}

/** `Router.add`: Adds a route. Without a comment in the code, what the graph knows of it. */
export function described(definition: Definition): Sentence {
  const doc = docOf(definition);
  return [definitionLink(definition), doc === "" ? `: ${known(definition)}.` : `: ${doc}`];
}

/** The graph's words on a definition without a comment. */
function known({ kind, n_users, start, end }: Definition): string {
  const what = `${kind.replace("typealias", "type").replace("_", " ")} of ${inWords(end - start + 1, "line")}`;
  return n_users === 0 ? what : `${what}, used in ${inWords(n_users, "place")}`;
}

/** The first folder below which product code is: `src`, `lib`; for a package in a workspace its path. */
export function folderOf(path: string, folders: ReadonlySet<string>): string {
  const parts = path.split("/");
  for (let n = parts.length - 1; n > 0; n--) {
    const folder = parts.slice(0, n).join("/");
    if (folders.has(folder)) return folder;
  }
  return "";
}

const MOST_FOLDERS = 14;

/** Folders to describe: those of the top, and those within one that holds nearly everything. */
export function foldersOf(paths: readonly string[]): Set<string> {
  let folders = new Set(
    paths.map((path) => path.split("/").slice(0, 1).join("/")).filter((name) => !paths.includes(name)),
  );
  for (let depth = 2; depth < 7; depth++) {
    const sizes = grouped(paths, (path) => folderOf(path, folders));
    const [largest = "", inside = []] = [...sizes].sort((a, b) => b[1].length - a[1].length)[0] ?? [];
    if (inside.length < paths.length * 0.4 && folders.size > 3) break;
    const n = largest === "" ? 0 : largest.split("/").length;
    const below = inside
      .map((path) =>
        path
          .split("/")
          .slice(0, n + 1)
          .join("/"),
      )
      .filter((name) => !paths.includes(name));
    const next = new Set([...folders, ...below]);
    if (below.length === 0 || next.size > MOST_FOLDERS) break;
    folders = next;
  }
  return folders;
}

/** A list of links of which only the first are named. */
export function some(parts: readonly Part[], most: number): { shown: Part[]; n_more: number } {
  return { shown: parts.slice(0, most), n_more: Math.max(0, parts.length - most) };
}
