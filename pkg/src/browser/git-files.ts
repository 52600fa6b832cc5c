/** The files of `.git` in a folder of a page. They are listed first: the reader of the history asks for bytes synchronously. */

import { PortolanError } from "../errors.js";
import { DEEPEST, keptElsewhere, noRepository, WANTED } from "../workers/git-names.js";
import type { GitFiles, GitSource } from "../workers/history-worker.js";

const FOLDERS = /^(?:refs(?:\/.+)?|objects|objects\/(?:info|pack|[0-9a-f]{2}))$/;
/** A repository of which nothing was packed for long has some ten thousand loose objects. */
const MOST_FILES = 200_000;
const AT_ONCE = 64;

type Listed = Extract<GitSource, readonly unknown[]>;

/** Lists `.git` of a folder, or takes it from a list of files. */
export async function openGitFiles(source: GitSource): Promise<GitFiles> {
  const files = new Map<string, File>();
  if (Array.isArray(source)) {
    for (const { path, file } of source as Listed)
      if (path.startsWith(".git/") && WANTED.test(path.slice(5))) add(files, path.slice(5), file);
  } else await list(await gitIn(source as FileSystemDirectoryHandle), files);
  if (!files.has("HEAD")) throw noRepository();
  return new ListedFiles(files);
}

async function gitIn(folder: FileSystemDirectoryHandle): Promise<FileSystemDirectoryHandle> {
  try {
    return await folder.getDirectoryHandle(".git");
  } catch (cause) {
    const isFile = cause instanceof DOMException && cause.name === "TypeMismatchError";
    const why = "a worktree or submodule keeps its history in another folder, which this page cannot read";
    throw isFile ? keptElsewhere(why, cause) : noRepository(cause);
  }
}

/** Folders are listed one after the other, the files of each side by side. */
async function list(git: FileSystemDirectoryHandle, files: Map<string, File>): Promise<void> {
  const pending = [{ prefix: "", folder: git, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { prefix, folder, depth } = next;
    const handles: { name: string; handle: FileSystemFileHandle }[] = [];
    for await (const handle of folder.values()) {
      const name = `${prefix}${handle.name}`;
      if (handle.kind === "file" && WANTED.test(name)) handles.push({ name, handle: handle as FileSystemFileHandle });
      if (handle.kind === "directory" && FOLDERS.test(name) && depth < DEEPEST)
        pending.push({ prefix: `${name}/`, folder: handle as FileSystemDirectoryHandle, depth: depth + 1 });
    }
    for (let at = 0; at < handles.length; at += AT_ONCE)
      await Promise.all(
        handles.slice(at, at + AT_ONCE).map(async ({ name, handle }) => {
          // A lock file, or an object that git has just packed.
          const file = await handle.getFile().catch(() => undefined);
          if (file) add(files, name, file);
        }),
      );
  }
}

function add(files: Map<string, File>, name: string, file: File): void {
  if (files.size >= MOST_FILES) {
    const message = `.git has more than ${MOST_FILES} files`;
    throw new PortolanError("history.too-large", message, "run `git gc`, which packs them");
  }
  files.set(name, file);
}

class ListedFiles implements GitFiles {
  private readonly reader = new FileReaderSync();
  private readonly folders = new Map<string, string[]>();

  constructor(private readonly files: ReadonlyMap<string, File>) {
    for (const name of files.keys()) {
      const end = name.lastIndexOf("/");
      const folder = name.slice(0, Math.max(0, end));
      const names = this.folders.get(folder) ?? [];
      names.push(name.slice(end + 1));
      this.folders.set(folder, names);
    }
  }

  size(name: string): number | undefined {
    return this.files.get(name)?.size;
  }

  read(name: string, start: number, end: number): Uint8Array {
    const file = this.files.get(name);
    if (!file) throw new Error("there is no such file");
    return new Uint8Array(this.reader.readAsArrayBuffer(file.slice(start, end)));
  }

  list(folder: string): string[] {
    return this.folders.get(folder) ?? [];
  }

  below(folder: string): string[] {
    return [...this.files.keys()].filter((name) => name.startsWith(`${folder}/`));
  }
}

/** Workers alone have it, and the DOM library describes pages. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
