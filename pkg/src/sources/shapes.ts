/** Answers of forges and registries, read field by field: a host may send anything. Functions throw; the client says which answer it was. */

import type { ListedEntry } from "./forge-api.js";

type Fields = Readonly<Record<string, unknown>>;

/** Longest path that an index takes, in characters. */
const MAX_PATH = 4_096;
/** Entries of one listing; an archive can have more. */
const MAX_ENTRIES = 1_000_000;
const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

export function fieldsIn(value: unknown): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new TypeError("an object is missing");
}

export function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length <= MAX_ENTRIES) return value;
  throw new TypeError("a list is missing, or too long");
}

export function textIn(value: unknown, name: string): string {
  const { [name]: text } = fieldsIn(value);
  if (typeof text === "string") return text;
  throw new TypeError(`${name} is no text`);
}

/** The name of a commit or tree: it becomes part of an address. */
export function hashIn(value: unknown, name: string): string {
  const hash = textIn(value, name);
  if (HASH.test(hash)) return hash;
  throw new TypeError(`${name} is no hash of git`);
}

/** An entry of git's own listing; `id` is the name of the field with its hash. Nothing for one that no index takes. */
export function treeEntryIn(value: unknown, id: "sha" | "id"): ListedEntry | undefined {
  const { size } = fieldsIn(value);
  const [path, type, mode] = [textIn(value, "path"), textIn(value, "type"), textIn(value, "mode")];
  const hash = hashIn(value, id);
  if (path === "" || path.length > MAX_PATH || !isWellFormed(path)) return undefined;
  const kind = type === "commit" ? "module" : mode === "120000" ? "link" : "file";
  return { path, type, kind, id: hash, ...(isSize(size) && { size }) };
}

/** Half of a pair of surrogates is no letter, and no part of an address. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
