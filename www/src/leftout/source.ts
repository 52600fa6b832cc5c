//! Bytes of files that the index left out, from where the repository was opened: its folder, its archive, or the host that it came from.

import { fetchSourceFile, parseSource, textOfName } from "portolan";
import { fileOfArchive, type Head } from "../archive/find.ts";
import { askToRead, keptHandle, mayRead } from "../state/folder-handles.ts";
import { inputOf } from "../state/inputs.ts";
import { sourceSettings } from "../state/remote.ts";

/** The source of a file: available, available after one more step that the reader must take, or nowhere. */
export type At =
  | { readonly state: "here"; readonly from: string; read(most: number): Promise<Head | undefined> }
  /** The browser must be asked whether the folder may be read again. */
  | { readonly state: "ask"; readonly folder: string; allow(): Promise<boolean> }
  | { readonly state: "away"; readonly host: string; read(signal: AbortSignal): Promise<Head> }
  | { readonly state: "none" };

/** Finds the source of the repository `name`. Reads and contacts nothing. */
export async function sourceOf(name: string, path: string): Promise<At> {
  const input = inputOf(name);
  if (typeof input === "object") {
    if ("kind" in input) return inFolder(input, path);
    if ("archive" in input) {
      const archive = input.archive instanceof Blob ? input.archive : new Blob([input.archive as BlobPart]);
      return { state: "here", from: "archive", read: (most) => fileOfArchive(archive, path, most) };
    }
    const files = Array.isArray(input) ? [] : (input as { files: readonly { path: string; file?: Blob }[] }).files;
    const found = files.find((one) => one.path === path)?.file;
    if (found) return { state: "here", from: "folder", read: (most) => headOf(found, most) };
  }
  const handle = await keptHandle(name);
  if (handle && (await mayRead(handle))) return inFolder(handle, path);
  if (handle) return { state: "ask", folder: handle.name, allow: () => askToRead(handle) };
  return away(name, path);
}

function inFolder(folder: FileSystemDirectoryHandle, path: string): At {
  return {
    state: "here",
    from: "folder",
    async read(most) {
      const parts = path.split("/");
      const last = parts.pop() ?? "";
      let inner = folder;
      for (const part of parts) inner = await inner.getDirectoryHandle(part);
      return headOf(await (await inner.getFileHandle(last)).getFile(), most);
    },
  };
}

/** A repository on a host that the reader allowed before. */
function away(name: string, path: string): At {
  const settings = sourceSettings();
  const text = textOfName(name, settings.forges);
  const source = text === undefined ? undefined : parseSource(text, settings.forges);
  if (source?.kind !== "repository" || (settings.hosts?.length ?? 0) === 0) return { state: "none" };
  return {
    state: "away",
    host: name.split("/")[0] ?? name,
    async read(signal) {
      const bytes = Uint8Array.from(await fetchSourceFile(source, path, sourceSettings(), signal));
      return { bytes, size: bytes.length };
    },
  };
}

async function headOf(file: Blob, most: number): Promise<Head> {
  return { bytes: new Uint8Array(await file.slice(0, most).arrayBuffer()), size: file.size };
}
