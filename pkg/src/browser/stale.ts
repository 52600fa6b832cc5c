/** Which files of a folder that the user picked have changed since they were indexed. */

import type { IndexedFiles } from "../host.js";
import type { Input, Staleness } from "../types.js";

/** Opening a file takes the browser a tenth of a millisecond or more. */
const LOOK_MS = 2_000;
const MAX_PATHS = 10;

/** Undefined where the input is no folder, or the page may not read it any more. */
export async function staleHandle(
  input: Input,
  { built_at, paths, text }: IndexedFiles,
): Promise<Staleness | undefined> {
  const isHandle = typeof FileSystemDirectoryHandle !== "undefined" && input instanceof FileSystemDirectoryHandle;
  if (!isHandle) return undefined;
  const folder = new OpenFolders(input);
  const until = performance.now() + LOOK_MS;
  const changed: string[] = [];
  let n_looked = 0;
  try {
    for (const path of paths) {
      if (performance.now() > until) break;
      n_looked++;
      const file = await folder.file(path);
      // A file that was written anew with the same text is the same.
      if (!file || (file.lastModified > built_at && (await file.text()) !== (await text(path)))) changed.push(path);
    }
  } catch {
    return undefined;
  }
  return { n_files: changed.length, paths: changed.slice(0, MAX_PATHS), is_whole: n_looked === paths.length };
}

/** Folders of one that was picked, each opened once. */
class OpenFolders {
  private readonly opened = new Map<string, Promise<FileSystemDirectoryHandle | undefined>>();

  constructor(private readonly root: FileSystemDirectoryHandle) {}

  /** Nothing where no file is there. Rejects where the page may not look. */
  async file(path: string): Promise<File | undefined> {
    const at = path.lastIndexOf("/");
    const folder = await this.folder(path.slice(0, Math.max(0, at)));
    return unlessGone(async () => (await folder?.getFileHandle(path.slice(at + 1)))?.getFile());
  }

  private folder(path: string): Promise<FileSystemDirectoryHandle | undefined> {
    if (path === "") return Promise.resolve(this.root);
    const known = this.opened.get(path);
    if (known) return known;
    const at = path.lastIndexOf("/");
    const open = async () =>
      (await this.folder(path.slice(0, Math.max(0, at))))?.getDirectoryHandle(path.slice(at + 1));
    const opened = unlessGone(open);
    this.opened.set(path, opened);
    return opened;
  }
}

async function unlessGone<T>(open: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    const isGone = error instanceof DOMException && ["NotFoundError", "TypeMismatchError"].includes(error.name);
    if (isGone) return undefined;
    throw error;
  }
}
