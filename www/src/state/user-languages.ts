//! Languages that the user adds: a grammar and its queries, kept in this browser and given to every index.

import { Portolan, type UserGrammar } from "portolan";
import { signal } from "@preact/signals";
import { notify, report, speak, wordsOf } from "./notices.ts";

/** A language that is kept, its grammar as bytes. */
export interface UserLanguage extends UserGrammar {
  readonly wasm: Uint8Array<ArrayBuffer>;
}

/** The chosen files, before name and extensions are confirmed. */
export interface Draft extends UserLanguage {
  /** Files that were chosen and are no part of a language. */
  readonly unused: readonly string[];
}

/** A file that was given. */
export interface Given {
  readonly name: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export const userLanguages = signal<readonly UserLanguage[]>([]);
export const draft = signal<Draft | null>(null);
/** Why the draft cannot be taken; empty where it can. */
export const draftProblem = signal("");
export const checking = signal(false);

/** Whether files that were given are a grammar: one of them is a `.wasm`. */
export function isGrammar(files: readonly { readonly name: string }[]): boolean {
  return files.some(({ name }) => /\.wasm$/i.test(name));
}

/** `tree-sitter-r.wasm` → `r`. */
export function languageName(file: string): string {
  const name = file.replace(/\.wasm$/i, "").replace(/^tree[-_]sitter[-_]/i, "");
  return name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, "-");
}

/** `.r, Rmd` → `["r", "rmd"]`. */
export function endings(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((ending) => ending.replace(/^\*?\.+/, ""))
    .filter((ending) => ending !== "");
}

const roles: Record<string, "symbols" | "references" | "highlights"> = {
  "symbols.scm": "symbols",
  "tags.scm": "symbols",
  "references.scm": "references",
  "highlights.scm": "highlights",
};

/** A draft of a language from its files. Fails with words for a person where something is missing. */
export async function draftOf(files: readonly Given[]): Promise<Draft> {
  const grammars = files.filter(({ name }) => /\.wasm$/i.test(name));
  const [grammar] = grammars;
  if (!grammar) throw new Error("there is no grammar among the files: choose a tree-sitter-NAME.wasm");
  if (grammars.length > 1) throw new Error(`there are ${grammars.length} grammars: add one language at a time`);
  const queries: { symbols?: string; references?: string; highlights?: string } = {};
  const unused: string[] = [];
  for (const file of files) {
    if (file === grammar) continue;
    const role = roles[file.name.toLowerCase()];
    // A `symbols.scm` says more than the `tags.scm` beside it.
    if (role && !(role === "symbols" && queries.symbols !== undefined && file.name.toLowerCase() === "tags.scm"))
      queries[role] = new TextDecoder().decode(await file.arrayBuffer());
    else unused.push(file.name);
  }
  const { symbols, ...others } = queries;
  if (symbols === undefined)
    throw new Error("there are no queries among the files: choose symbols.scm (or the grammar's tags.scm), too");
  const name = languageName(grammar.name);
  return {
    name,
    extensions: [name],
    wasm: new Uint8Array(await grammar.arrayBuffer()),
    queries: { symbols, ...others },
    unused,
  };
}

/** Takes chosen or dropped files and reports errors in them. */
export async function take(files: readonly Given[]): Promise<void> {
  draftProblem.value = "";
  try {
    draft.value = await draftOf(files);
  } catch (error) {
    report("add the language", error);
  }
}

/** Tries the draft in a worker and keeps it. */
export async function keep(language: UserLanguage): Promise<void> {
  const { name, extensions, wasm, queries } = language;
  checking.value = true;
  draftProblem.value = "";
  try {
    if (userLanguages.peek().some((known) => known.name === name))
      throw new Error(`the language ${name} exists already: remove it first`);
    // An index of nothing loads the grammar and compiles its queries.
    const index = await Portolan.index(
      { files: [] },
      { name: "grammar", embeddings: false, grammars: [{ name, extensions, wasm, queries }] },
    );
    index.close();
    userLanguages.value = [...userLanguages.peek(), { name, extensions, wasm, queries }];
    draft.value = null;
    speak(`${name} is added`);
    await save();
  } catch (error) {
    const { message, help } = wordsOf(error);
    draftProblem.value = [message, help].filter(Boolean).join(". ");
  } finally {
    checking.value = false;
  }
}

/** Forgets a language. Indexes that were made with it keep its definitions. */
export async function forget(name: string): Promise<void> {
  userLanguages.value = userLanguages.peek().filter((known) => known.name !== name);
  speak(`${name} is removed`);
  await save();
}

// A cache of the browser holds bytes of any size, and the page's own caches have other names.
const cacheName = "portolan-languages";
const listUrl = "./languages/list.json";

interface Listed {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly queries: UserGrammar["queries"];
}

/** Reads the stored languages, once, at the start. */
export async function load(): Promise<void> {
  try {
    const cache = await caches.open(cacheName);
    const list = (await (await cache.match(listUrl))?.json()) as readonly Listed[] | undefined;
    const found: UserLanguage[] = [];
    for (const listed of list ?? []) {
      const wasm = await (await cache.match(grammarUrl(listed.name)))?.arrayBuffer();
      if (wasm) found.push({ ...listed, wasm: new Uint8Array(wasm) });
    }
    userLanguages.value = found;
  } catch {
    // Without a store (private mode) languages last as long as the tab.
  }
}

async function save(): Promise<void> {
  try {
    await caches.delete(cacheName);
    const languages = userLanguages.peek();
    if (languages.length === 0) return;
    const cache = await caches.open(cacheName);
    for (const { name, wasm } of languages) await cache.put(grammarUrl(name), new Response(wasm));
    const list: Listed[] = languages.map(({ name, extensions, queries }) => ({ name, extensions, queries }));
    await cache.put(listUrl, new Response(JSON.stringify(list)));
  } catch {
    notify("warning", "The language could not be saved in this browser", "It lasts until the tab is closed.");
  }
}

function grammarUrl(name: string): string {
  return `./languages/${name}.wasm`;
}
