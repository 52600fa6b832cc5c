//! Writes changes into the folder that the person opened: all of them, or none where a file is not what was indexed.

import type { FileChange } from "./plan.ts";

/** A refusal in words, with a code. */
export class WriteError extends Error {
  readonly code: string;
  readonly help: string;
  constructor(code: string, message: string, help: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.help = help;
  }
}

type Change = Pick<FileChange, "path" | "before" | "after">;

interface Ready {
  readonly path: string;
  readonly file: FileSystemFileHandle;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fresh: Uint8Array<ArrayBuffer>;
  readonly digest: string;
}

const BOM = "\uFEFF";
const mostListed = 5;

/**
 * Writes each change into `folder`. `known` are the paths of the index; any other path is refused. Reads all files first: where one is
 * missing, is not UTF-8, or is not the text that was indexed, nothing is written. Restores what was written where a later file fails.
 */
export async function writeChanges(
  folder: FileSystemDirectoryHandle,
  changes: readonly Change[],
  known: ReadonlySet<string>,
): Promise<void> {
  const ready: Ready[] = [];
  const refused: string[] = [];
  for (const change of changes) {
    if (!known.has(change.path) || !isPlain(change.path))
      throw new WriteError(
        "write.outside",
        `${change.path} is not a path of the index; nothing was written`,
        "Index the folder again and repeat the change.",
      );
    const found = await prepare(folder, change);
    if (typeof found === "string") refused.push(`${change.path} ${found}`);
    else ready.push(found);
  }
  if (refused.length > 0) {
    const more = refused.length > mostListed ? `; and ${refused.length - mostListed} more` : "";
    throw new WriteError(
      "write.changed",
      `nothing was written: ${refused.slice(0, mostListed).join("; ")}${more}`,
      "Look for changes in the folder, so that the index is up to date, and repeat the change.",
    );
  }
  await writeAll(ready);
}

/** Whether a path names a file below the folder, without steps out of it. */
export function isPlain(path: string): boolean {
  return path !== "" && !path.includes("\0") && path.split("/").every((part) => !["", ".", ".."].includes(part));
}

async function prepare(folder: FileSystemDirectoryHandle, { path, before, after }: Change): Promise<Ready | string> {
  let file: FileSystemFileHandle;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    file = await fileAt(folder, path);
    bytes = await bytesOf(file);
  } catch {
    return "cannot be read";
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Bytes that are no UTF-8 would be others afterwards.
    return "is not UTF-8";
  }
  const bom = text.startsWith(BOM) && !before.startsWith(BOM) ? BOM : "";
  if (text.slice(bom.length) !== before) return "has changed since it was indexed";
  return { path, file, bytes, fresh: new TextEncoder().encode(bom + after), digest: await digestOf(bytes) };
}

async function fileAt(folder: FileSystemDirectoryHandle, path: string): Promise<FileSystemFileHandle> {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  let inner = folder;
  for (const part of parts) inner = await inner.getDirectoryHandle(part);
  return inner.getFileHandle(name);
}

async function bytesOf(file: FileSystemFileHandle): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await file.getFile()).arrayBuffer());
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).join(" ");
}

async function writeAll(ready: readonly Ready[]): Promise<void> {
  const written: Ready[] = [];
  for (const one of ready) {
    try {
      // Somebody may have saved it since it was checked.
      if ((await digestOf(await bytesOf(one.file))) !== one.digest) throw new Error("it changed while it was written");
      await put(one.file, one.fresh);
      written.push(one);
    } catch (error) {
      const kept = await restore(written);
      const left =
        kept.length > 0 ? `; these are written: ${kept.join(", ")}` : "; the files before it are as they were";
      throw new WriteError(
        "write.failed",
        `${one.path} was not written: ${error instanceof Error ? error.message : String(error)}${left}`,
        "Check that the folder can be written and has space, and repeat the change.",
        { cause: error },
      );
    }
  }
}

/** Puts the bytes before back. Returns the paths where that failed, or where somebody has written in between. */
async function restore(written: readonly Ready[]): Promise<string[]> {
  const kept: string[] = [];
  for (const { path, file, bytes, fresh } of written) {
    try {
      if ((await digestOf(await bytesOf(file))) !== (await digestOf(fresh))) kept.push(path);
      else await put(file, bytes);
    } catch {
      kept.push(path);
    }
  }
  return kept;
}

/** The browser writes beside the file and puts it in its place when the stream is closed. */
async function put(file: FileSystemFileHandle, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const stream = await file.createWritable();
  try {
    await stream.write(bytes);
  } catch (error) {
    await stream.abort().catch(() => {});
    throw error;
  }
  await stream.close();
}
