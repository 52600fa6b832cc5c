//! Turns the user's input (a folder, an archive, a saved index, dropped items) into an input for the index, with a
//! name.
//!
//! Nothing is read here: files are passed as handles, and workers read them.

import type { Input } from "portolan";
import { isGrammar } from "./user-languages.ts";

/** Something to index, an index that was saved to a file, a grammar with its queries, or a diff. */
export type Source =
  | { readonly name: string; readonly input: Input }
  | { readonly name: string; readonly index: Blob }
  /** The root of an index in shards, and its shards. */
  | { readonly name: string; readonly shards: readonly File[] }
  | { readonly name: string; readonly grammar: readonly File[] }
  | { readonly name: string; readonly diff: File };

/** An input of the user that cannot be indexed. */
export class SourceError extends Error {
  readonly help: string;
  constructor(message: string, help: string) {
    super(message);
    this.help = help;
  }
}

const archiveEnding = /\.(zip|tgz|tar\.gz|tar|crate|jar|whl)$/i;

export function isArchive(name: string): boolean {
  return archiveEnding.test(name);
}

const indexEnding = /\.(index|portolan|sealed)$/i;
/** The first bytes of a saved index, plain or encrypted; it may have any name. */
const indexMagic = /^PORT(OLAN|SEAL)$/;

/** The first bytes of the root of an index in shards, and of a file with root and shards, as a server of shared indexes sends it. */
const rootMagic = /^PTLN(ROOT|BNDL)$/;

/** Whether a file is the root of an index in shards, or holds it. */
export async function isInShards(file: Blob): Promise<boolean> {
  return rootMagic.test(await file.slice(0, 8).text());
}

async function rootAmong(files: readonly File[]): Promise<File | undefined> {
  for (const file of files) if (indexEnding.test(file.name) && (await isInShards(file))) return file;
  return undefined;
}

async function isIndex(file: File): Promise<boolean> {
  return indexEnding.test(file.name) || indexMagic.test(await file.slice(0, 8).text());
}

/** `hono-4.6.0.tgz` → `hono-4.6.0`. */
export function archiveName(file: string): string {
  return file.replace(archiveEnding, "") || file;
}

/** Files of an `<input type=file webkitdirectory>`: named after the folder that was chosen. */
export function folderSource(files: readonly File[]): Source {
  const first = files[0];
  if (!first) throw new SourceError("the folder is empty", "Choose the folder that holds the sources.");
  const top = first.webkitRelativePath.split("/")[0];
  return {
    name: top || "folder",
    input: { files: files.map((file) => ({ path: withoutTop(file.webkitRelativePath || file.name), file })) },
  };
}

/** One archive, one saved index, the files of an index in shards, a grammar with its queries, or loose files. */
export async function filesSource(files: readonly File[]): Promise<Source> {
  const [first] = files;
  if (!first) throw new SourceError("there is no file", "Choose an archive or a folder.");
  const root = await rootAmong(files);
  if (root) return { name: root.name.replace(indexEnding, ""), shards: files };
  if (files.length === 1 && isArchive(first.name)) return { name: archiveName(first.name), input: { archive: first } };
  if (files.length === 1 && (await isIndex(first))) return { name: first.name.replace(indexEnding, ""), index: first };
  if (files.length === 1 && /\.(diff|patch)$/i.test(first.name)) return { name: first.name, diff: first };
  if (isGrammar(files)) return { name: first.name, grammar: files };
  const name = files.length === 1 ? first.name : `${files.length} files`;
  return { name, input: { files: files.map((file) => ({ path: file.name, file })) } };
}

/** A folder chosen in the browser's own picker. */
export function handleSource(handle: FileSystemDirectoryHandle): Source {
  return { name: handle.name, input: handle };
}

/**
 * Returns the dropped files. Must be called while the drop event is handled: the browser forgets the items afterwards.
 *
 * Uses handles where the browser gives them; otherwise walks folders by entries, whose `File`s are only names and sizes
 * until a worker reads them.
 */
export async function dropSource(transfer: DataTransfer): Promise<Source> {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  const handles = items.map((item) => item.getAsFileSystemHandle?.().catch(() => null) ?? null);
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...transfer.files];
  if (items.length === 1) {
    const handle = await handles[0];
    if (handle?.kind === "directory") return handleSource(handle as FileSystemDirectoryHandle);
    const entry = entries[0];
    if (entry?.isDirectory) return { name: entry.name, input: { files: await walk([entry], true) } };
  }
  const folders = entries.filter((entry): entry is FileSystemEntry => entry !== null);
  if (folders.some((entry) => entry.isDirectory))
    return { name: folders[0]?.name ?? "folder", input: { files: await walk(folders, false) } };
  if (files.length === 0) throw new SourceError("no file was dropped", "Drop a folder, a .zip or a .tar.gz.");
  return filesSource(files);
}

type NamedFile = { path: string; file: File };
const mostFiles = 200_000;

async function walk(roots: readonly FileSystemEntry[], stripTop: boolean): Promise<NamedFile[]> {
  const found: NamedFile[] = [];
  const pending = [...roots];
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    if (found.length >= mostFiles)
      throw new SourceError(`there are more than ${mostFiles.toLocaleString("en")} files`, "Drop a smaller folder.");
    if (entry.isDirectory) pending.push(...(await childrenOf(entry as FileSystemDirectoryEntry)));
    else found.push({ path: placed(entry.fullPath, stripTop), file: await fileOf(entry as FileSystemFileEntry) });
  }
  return found;
}

// Folders that no one indexes are not even listed: they may hold a hundred thousand files.
const neverListed = new Set([".git", "node_modules", "target", "__pycache__", ".venv"]);

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    // The API gives a hundred at a time and an empty list at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return children.filter((child) => !(child.isDirectory && neverListed.has(child.name)));
    children.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function placed(fullPath: string, stripTop: boolean): string {
  const path = fullPath.replace(/^\//, "");
  return stripTop ? withoutTop(path) : path;
}

function withoutTop(path: string): string {
  const cut = path.indexOf("/");
  return cut < 0 ? path : path.slice(cut + 1);
}
