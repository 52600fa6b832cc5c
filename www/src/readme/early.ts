//! The README of a folder or an archive, read before anything is indexed.

import type { Input } from "portolan";
import { readmeOfArchive } from "./archive.ts";
import { readmeAmong } from "./links.ts";

/** A text with its path. */
export interface EarlyText {
  readonly path: string;
  readonly text: string;
}

const largest = 1_000_000;

/** Reads it; nothing where the input has none in its top folder, or is an address. */
export async function readmeOfInput(input: Input): Promise<EarlyText | undefined> {
  if (typeof input !== "object") return undefined;
  if (isHandle(input)) return ofHandle(input);
  if ("archive" in input) return input.archive instanceof Blob ? readmeOfArchive(input.archive) : undefined;
  if (!("files" in input) || !Array.isArray(input.files)) return undefined;
  const byPath = new Map<string, unknown>(
    input.files.flatMap((one) => ("path" in one && "file" in one ? [[one.path, one.file] as const] : [])),
  );
  const path = readmeAmong(byPath.keys());
  const file = path === undefined ? undefined : byPath.get(path);
  return path !== undefined && file instanceof File ? textOf(path, file) : undefined;
}

function isHandle(input: object): input is FileSystemDirectoryHandle {
  return "kind" in input && input.kind === "directory" && "getFileHandle" in input;
}

async function ofHandle(folder: FileSystemDirectoryHandle): Promise<EarlyText | undefined> {
  const names: string[] = [];
  for await (const [name, handle] of folder as unknown as AsyncIterable<[string, FileSystemHandle]>)
    if (handle.kind === "file") names.push(name);
  const path = readmeAmong(names);
  return path === undefined ? undefined : textOf(path, await (await folder.getFileHandle(path)).getFile());
}

async function textOf(path: string, file: File): Promise<EarlyText> {
  return { path, text: await file.slice(0, largest).text() };
}
