//! One file of an archive, by its path in the index. An archive is listed once; then only the file that is asked for is unpacked.

import { type TarEntry, tarBytes, walkTar } from "./tar.ts";
import { type ZipEntry, zipBytes, zipEntries } from "./zip.ts";

/** The beginning of a file, and its whole size. */
export interface Head {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: number;
}

/** Unpacked bytes of a tar that are searched: a second or two. */
const mostSearched = 1_000_000_000;
const mostListed = 500_000;

type Listed = { zip: ReadonlyMap<string, ZipEntry> } | { tar: ReadonlyMap<string, TarEntry> };

const listed = new WeakMap<Blob, Promise<Listed>>();

/** The first `most` bytes of the file at `path`; nothing where the archive has no such file, or packs it in an unknown way. */
export async function fileOfArchive(archive: Blob, path: string, most: number): Promise<Head | undefined> {
  const known = listed.get(archive) ?? list(archive);
  listed.set(archive, known);
  known.catch(() => listed.delete(archive));
  const found = await known;
  if ("zip" in found) {
    const entry = found.zip.get(path);
    const bytes = entry && (await zipBytes(archive, entry, most));
    return bytes && { bytes, size: entry.plain };
  }
  const entry = found.tar.get(path);
  return entry && { bytes: await tarBytes(archive, entry, most), size: entry.size };
}

async function list(archive: Blob): Promise<Listed> {
  const start = new Uint8Array(await archive.slice(0, 2).arrayBuffer());
  if (start[0] === 0x50 && start[1] === 0x4b) return { zip: byPath(await zipEntries(archive)) };
  const entries: TarEntry[] = [];
  try {
    await walkTar(archive, mostSearched, (entry) => entries.push(entry) < mostListed);
  } catch (error) {
    // A damaged end takes nothing from the files before it.
    if (entries.length === 0) throw error;
  }
  return { tar: byPath(entries) };
}

/** Entries by the paths that the index gives them: clean, without the one folder that holds all of them. The first of two alike counts. */
export function byPath<E extends { readonly path: string }>(entries: readonly E[]): Map<string, E> {
  const clean = entries.flatMap((entry): [string, E][] => {
    const path = entry.path.endsWith("/") ? undefined : cleanPath(entry.path);
    return path === undefined ? [] : [[path, entry]];
  });
  const [[first] = [""]] = clean;
  const top = first.slice(0, first.indexOf("/") + 1);
  const cut = clean.every(([path]) => path.startsWith(top)) ? top.length : 0;
  const found = new Map<string, E>();
  for (const [path, entry] of clean) if (!found.has(path.slice(cut))) found.set(path.slice(cut), entry);
  return found;
}

/** The same as `clean_path` of the index; nothing for a path that leads outside. */
function cleanPath(path: string): string | undefined {
  const slashed = path.replaceAll("\\", "/");
  if (slashed.startsWith("/") || /^[a-z]:/i.test(slashed) || slashed.includes("\0")) return undefined;
  const parts = slashed.split("/").filter((part) => part !== "" && part !== ".");
  return parts.length === 0 || parts.includes("..") ? undefined : parts.join("/");
}
