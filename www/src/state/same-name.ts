//! Two things of one name: the index of the second would replace the saved index of the first, so the reader decides.
//!
//! An index keeps no address of what it was made of. The page remembers a fingerprint of it: size and date of an archive, a
//! sketch of the paths of a list of files. A folder from the browser's own picker is compared by its handle.

import { signal } from "@preact/signals";
import { keptHandle } from "./folder-handles.ts";
import type { Source } from "./sources.ts";

/** A question to the reader: something of this name is here already. */
export interface Clash {
  readonly name: string;
  /** A name that is free. */
  readonly free: string;
  answer(choice: Choice): void;
}

/** `both` takes the free name; `neither` changes nothing. */
export type Choice = "both" | "replace" | "neither";

/** The question that waits for an answer; null if none. */
export const clash = signal<Clash | null>(null);

const storageKey = "portolan.sources";
const inMemory = new Map<string, Fingerprint>();

/** An archive or saved index, by its size and date; or the smallest hashes of the paths of a list of files. */
export type Fingerprint = string | readonly number[];

/** Fingerprint of the input to open; null for a folder with a handle. */
export function fingerprintOf(source: Source): Fingerprint | null {
  if ("grammar" in source || "diff" in source) return null;
  if ("index" in source) return stamp(source.index);
  if ("shards" in source) return source.shards.map(stamp).sort().join(" ");
  const { input } = source as { input: { archive?: unknown; files?: unknown } };
  if (input.archive instanceof Blob) return stamp(input.archive);
  if (!Array.isArray(input.files)) return null;
  return sketch((input.files as { path: string }[]).map(({ path }) => path));
}

function stamp(file: Blob): string {
  return `${file.size} ${file instanceof File ? file.lastModified : 0}`;
}

const sketchSize = 64;

// The smallest hashes of two sets overlap as much as the sets do, however large they are.
function sketch(paths: readonly string[]): number[] {
  // Of very many, those that cannot be among the smallest are not sorted.
  const limit = (4 * sketchSize * 2 ** 32) / Math.max(paths.length, 4 * sketchSize);
  const hashes = new Set<number>();
  for (const path of paths) {
    const value = hash(path);
    if (value < limit) hashes.add(value);
  }
  return [...hashes].sort((a, b) => a - b).slice(0, sketchSize);
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** Whether two fingerprints are of the same thing; of lists of files, at least half must be the same, so that an update is one. */
export function isSame(a: Fingerprint | undefined, b: Fingerprint | null): boolean {
  if (a === undefined || b === null) return false;
  if (typeof a === "string" || typeof b === "string") return a === b;
  const known = new Set(a);
  return b.filter((one) => known.has(one)).length * 2 >= Math.max(a.length, b.length);
}

/** `main (2)`, or the first number that is free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) if (!taken.has(`${name} (${number})`)) return `${name} (${number})`;
}

/** The name to open the source under: its own where that is free or its own already, else as the reader decides; null to leave it. */
export async function nameFor(source: Source, taken: ReadonlySet<string>): Promise<string | null> {
  const { name } = source;
  if (!taken.has(name) || (await isKnown(source))) return name;
  clash.peek()?.answer("neither");
  const free = freeName(name, taken);
  const choice = await new Promise<Choice>((resolve) => {
    const answer = (given: Choice) => {
      // The next question may be there already.
      if (clash.peek()?.answer === answer) clash.value = null;
      resolve(given);
    };
    clash.value = { name, free, answer };
  });
  return choice === "both" ? free : choice === "replace" ? name : null;
}

async function isKnown(source: Source): Promise<boolean> {
  if ("input" in source && isHandle(source.input)) {
    const kept = await keptHandle(source.name);
    return kept !== undefined && (await kept.isSameEntry(source.input).catch(() => false));
  }
  return isSame(remembered()[source.name] ?? inMemory.get(source.name), fingerprintOf(source));
}

function isHandle(input: unknown): input is FileSystemDirectoryHandle {
  return typeof input === "object" && input !== null && "isSameEntry" in input;
}

/** Remembers what the index of this name was made of. */
export function rememberSource(name: string, source: Source): void {
  const print = fingerprintOf(source);
  if (print === null) {
    forgetSource(name);
    return;
  }
  inMemory.set(name, print);
  write({ ...remembered(), [name]: print });
}

/** Forgets what the index of this name was made of. */
export function forgetSource(name: string): void {
  inMemory.delete(name);
  const { [name]: _, ...others } = remembered();
  write(others);
}

/** The index of this name has another name from now on. */
export function renameSource(old: string, name: string): void {
  const print = remembered()[old] ?? inMemory.get(old);
  forgetSource(old);
  if (print === undefined) return;
  inMemory.set(name, print);
  write({ ...remembered(), [name]: print });
}

function remembered(): Record<string, Fingerprint> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, Fingerprint>) : {};
  } catch {
    return {};
  }
}

function write(prints: Record<string, Fingerprint>): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(prints));
  } catch {
    // Storage is off: remembered until the tab closes.
  }
}
