/** The files of `.git` in a folder of a page. They are listed first: the reader of the history asks for bytes synchronously. */

import { PortolanError } from "../errors.js";
import { DEEPEST, noRepository, WANTED } from "../workers/git-names.js";
import type { GitFiles, GitSource, OpenedGit } from "../workers/history-worker.js";
import { type OpenedTree, placeOfGit } from "./git-place.js";

const FOLDERS = /^(?:refs(?:\/.+)?|objects|objects\/(?:info|pack|[0-9a-f]{2}))$/;
/** A repository of which nothing was packed for long has some ten thousand loose objects. */
const MOST_FILES = 200_000;
const AT_ONCE = 64;
/** Bytes of `HEAD`, of the file `.git`, and of the settings. */
const MOST_TEXT = 64 * 1024;

type Listed = Extract<GitSource, readonly unknown[]>;

/** Lists the `.git` of the folder `within` what was opened, or takes it from a list of files. */
export async function openGitFiles({ source, within }: OpenedGit): Promise<GitFiles> {
  const tree = treeOf(source);
  const { common, own } = await placeOfGit(tree, within);
  const files = await tree.filesOf(common);
  // Of a worktree, `HEAD` alone is its own.
  const head = own === common ? undefined : await tree.file(`${own}/HEAD`);
  if (head) files.set("HEAD", head);
  if (!files.has("HEAD")) throw noRepository();
  return new ListedFiles(files);
}

/** The tree that a person opened, with the files of git's folders. */
interface FileTree extends OpenedTree {
  file(path: string): Promise<File | undefined>;
  /** The wanted files of a folder of git, by paths from it. */
  filesOf(folder: string): Promise<Map<string, File>>;
}

export function treeOf(source: GitSource): FileTree {
  return Array.isArray(source)
    ? new GivenFiles(source as Listed)
    : new PickedFolder(source as FileSystemDirectoryHandle);
}

const textOf = async (file: File | undefined) => (file && file.size <= MOST_TEXT ? file.text() : undefined);

class GivenFiles implements FileTree {
  private readonly byPath: ReadonlyMap<string, File>;

  constructor(files: Listed) {
    this.byPath = new Map(files.map(({ path, file }) => [path, file]));
  }

  async hasFolder(path: string): Promise<boolean> {
    for (const name of this.byPath.keys()) if (name.startsWith(`${path}/`)) return true;
    return false;
  }

  text(path: string): Promise<string | undefined> {
    return textOf(this.byPath.get(path));
  }

  async file(path: string): Promise<File | undefined> {
    return this.byPath.get(path);
  }

  async filesOf(folder: string): Promise<Map<string, File>> {
    const files = new Map<string, File>();
    const start = folder.length + 1;
    for (const [path, file] of this.byPath)
      if (path.startsWith(`${folder}/`) && WANTED.test(path.slice(start))) add(files, path.slice(start), file);
    return files;
  }
}

class PickedFolder implements FileTree {
  readonly name: string;

  constructor(private readonly root: FileSystemDirectoryHandle) {
    this.name = root.name;
  }

  async hasFolder(path: string): Promise<boolean> {
    return (await this.folder(path)) !== undefined;
  }

  async text(path: string): Promise<string | undefined> {
    return textOf(await this.file(path));
  }

  async file(path: string): Promise<File | undefined> {
    const end = path.lastIndexOf("/");
    const folder = await this.folder(path.slice(0, Math.max(0, end)));
    const handle = await folder?.getFileHandle(path.slice(end + 1)).catch(() => undefined);
    return handle?.getFile().catch(() => undefined);
  }

  async filesOf(path: string): Promise<Map<string, File>> {
    const files = new Map<string, File>();
    const folder = await this.folder(path);
    if (folder) await list(folder, files);
    return files;
  }

  private async folder(path: string): Promise<FileSystemDirectoryHandle | undefined> {
    let folder: FileSystemDirectoryHandle | undefined = this.root;
    for (const name of path.split("/").filter((part) => part !== ""))
      folder = await folder?.getDirectoryHandle(name).catch(() => undefined);
    return folder;
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
