/**
 * Lists the files of a folder, a directory handle, a list of files: one walk for all, with the ignore rules of the engine.
 *
 * The rules are asked on the way down, so an ignored folder is not even listed, and a file that is too large is not read.
 */

import { PortolanError } from "../errors.js";
import type { FileHandle, Folder, FolderEntry } from "../host.js";
import type { FileInput } from "../types.js";

/** A file that the rules let through. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  /** When it was written last, in milliseconds since 1970, where that is known without reading it. */
  readonly modified?: number | undefined;
  readonly file: FileHandle;
}

/** The part of the engine that knows the rules, and notes what it leaves out with the reason. */
export interface Rules {
  addIgnoreFile(path: string, text: string): void;
  /** Whether the walk goes into this folder. */
  enterFolder(path: string): boolean;
  /** Whether a file of this size is wanted. */
  wantsFile(path: string, size: number): boolean;
  /** Notes a file that cannot be read. */
  skipUnreadable(path: string, message: string): void;
  /** Notes a link or a device. */
  skipLink(path: string): void;
}

/** Hears which files were found so far. */
export type OnFound = (found: readonly FoundFile[]) => Promise<void> | void;

const IGNORE_FILES = [".gitignore", ".portolanignore"];
/** A larger one is no list of patterns. It is read before limits of files are asked. */
const MAX_IGNORE_BYTES = 1024 * 1024;

/** All wanted files below `root`, in the order of their paths within each folder. `onFound` hears after each folder what there is so far, and is waited for. */
export async function walk(
  root: Folder,
  rules: Rules,
  signal: AbortSignal,
  onFound: OnFound,
  onFolder: (path: string) => void = () => {},
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const folders: { path: string; folder: Folder }[] = [{ path: "", folder: root }];
  for (let next = folders.pop(); next; next = folders.pop()) {
    signal.throwIfAborted();
    const { path } = next;
    onFolder(path.slice(0, -1));
    const entries = await listed(next.folder, path, rules);
    if (entries.some(isIgnoreFile)) await readIgnoreFiles(entries, path, rules);
    for (const entry of entries) {
      const entryPath = path + entry.name;
      if (entry.kind === "other") rules.skipLink(entryPath);
      else if (entry.kind === "folder") {
        if (rules.enterFolder(entryPath)) folders.push({ path: `${entryPath}/`, folder: entry.folder });
      } else {
        // Where the size is there at once nothing is waited for.
        const later = addFile(found, entryPath, entry.file, rules);
        if (later) await later;
      }
    }
    const later = onFound(found);
    if (later) await later;
  }
  return found;
}

async function listed(folder: Folder, path: string, rules: Rules): Promise<FolderEntry[]> {
  try {
    return await folder.list();
  } catch (error) {
    if (path === "")
      throw new PortolanError("input.unreadable", `the folder cannot be read: ${messageOf(error)}`, "", {
        cause: error,
      });
    rules.skipUnreadable(path, messageOf(error));
    return [];
  }
}

function isIgnoreFile(entry: FolderEntry): entry is FolderEntry & { kind: "file" } {
  return entry.kind === "file" && IGNORE_FILES.includes(entry.name);
}

async function readIgnoreFiles(entries: FolderEntry[], path: string, rules: Rules): Promise<void> {
  for (const entry of entries) {
    if (!isIgnoreFile(entry)) continue;
    try {
      const n_bytes = await entry.file.size();
      if (n_bytes > MAX_IGNORE_BYTES) throw new Error(`it has ${n_bytes} bytes, more than an ignore file may have`);
      rules.addIgnoreFile(path + entry.name, new TextDecoder().decode(await entry.file.read()));
    } catch (error) {
      rules.skipUnreadable(path + entry.name, messageOf(error));
    }
  }
}

/** Resolves when the file is added; nothing where it is already. */
function addFile(found: FoundFile[], path: string, file: FileHandle, rules: Rules): Promise<void> | undefined {
  const add = (size: number) => {
    if (rules.wantsFile(path, size)) found.push({ path, size, modified: file.modified?.(), file });
  };
  const skip = (error: unknown) => rules.skipUnreadable(path, messageOf(error));
  try {
    const size = file.size();
    if (typeof size !== "number") return size.then(add).catch(skip);
    add(size);
  } catch (error) {
    skip(error);
  }
  return undefined;
}

/** A list of files as a tree. Two files with one path both appear: the engine keeps the first and says so. */
export function folderOfFiles(files: readonly FileInput[]): Folder {
  const root = new ListedFolder();
  for (const input of files) {
    const parts = input.path.replaceAll("\\", "/").split("/");
    const name = parts.pop() ?? "";
    let folder = root;
    for (const part of parts) folder = folder.child(part);
    folder.add(name, "bytes" in input ? handleOfBytes(input.bytes) : handleOfBlob(input.file));
  }
  return root;
}

class ListedFolder implements Folder {
  private readonly children = new Map<string, ListedFolder>();
  private readonly files: FolderEntry[] = [];

  child(name: string): ListedFolder {
    let child = this.children.get(name);
    if (!child) {
      child = new ListedFolder();
      this.children.set(name, child);
    }
    return child;
  }

  add(name: string, file: FileHandle): void {
    this.files.push({ name, kind: "file", file });
  }

  list(): FolderEntry[] {
    const folders = [...this.children].map(([name, folder]) => ({ name, kind: "folder", folder }) as const);
    return [...this.files, ...folders];
  }
}

/** A directory that the user picked or dropped. */
export function folderOfHandle(handle: FileSystemDirectoryHandle): Folder {
  return {
    async list(): Promise<FolderEntry[]> {
      const entries: FolderEntry[] = [];
      for await (const [name, child] of handle.entries()) {
        if (child.kind === "directory") {
          entries.push({ name, kind: "folder", folder: folderOfHandle(child as FileSystemDirectoryHandle) });
        } else {
          entries.push({ name, kind: "file", file: handleOfFile(child as FileSystemFileHandle) });
        }
      }
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

function handleOfFile(handle: FileSystemFileHandle): FileHandle {
  let file: Promise<File> | undefined;
  let modified: number | undefined;
  const open = async () => {
    file ??= handle.getFile();
    const opened = await file;
    modified = opened.lastModified;
    return opened;
  };
  return { size: async () => (await open()).size, modified: () => modified, read: async () => bytesOf(await open()) };
}

function handleOfBlob(blob: Blob): FileHandle {
  return {
    size: () => blob.size,
    modified: () => (blob instanceof File ? blob.lastModified : undefined),
    read: () => bytesOf(blob),
  };
}

function handleOfBytes(bytes: Uint8Array): FileHandle {
  return { size: () => bytes.length, read: () => bytes };
}

/** The bytes of a blob. */
export async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer());
}

/** Path of a file of `<input webkitdirectory>` below the folder that was picked. */
export function pathOfFile(file: File): string {
  return file.webkitRelativePath || file.name;
}

/** Removes the folder's own name from the paths, if all files are in one. */
export function withoutTopFolder(files: readonly FileInput[]): {
  files: readonly FileInput[];
  top: string | undefined;
} {
  const top = files[0]?.path.split("/", 1)[0];
  const prefix = `${top}/`;
  if (top === undefined || !files.every((file) => file.path.startsWith(prefix))) return { files, top: undefined };
  return { files: files.map((file) => ({ ...file, path: file.path.slice(prefix.length) })), top };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
