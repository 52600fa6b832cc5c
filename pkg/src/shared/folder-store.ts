/**
 * Objects in a folder. Each is written beside its place, flushed, and renamed, and no link is followed: `node/safe-folder.ts`.
 *
 * A document is a row of files `NAME~GENERATION`, of which the highest counts. A writer that has read generation 4 makes the file 5 by a
 * hard link, which the system refuses if there is one: so of several writers, in any processes, one succeeds, and a process that is killed
 * leaves no lock behind.
 */

import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  read,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { promisify } from "node:util";

import { PortolanError } from "../errors.js";
import { replaceIn } from "../node/safe-files.js";
import { inWords, SafeFolder } from "../node/safe-folder.js";
import { sha256 } from "./digest.js";
import {
  conflict,
  MAX_DOCUMENT,
  PAGE,
  partsOf,
  storeFailed,
  type ByteRange,
  type ObjectBody,
  type ObjectHead,
  type ObjectPage,
  type ObjectStore,
  type StoredDocument,
} from "./store.js";

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const PRIVATE = 0o600;
/** Older generations that are left, for readers that have just seen them. */
const N_KEPT = 2;
/** Bytes that are read at once. */
const CHUNK = 256 * 1024;
/** Tries to open the newest generation while others replace it. */
const MAX_READS = 20;
/** Names that Windows takes for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const DOCUMENT = /^(.+)~(\d{10})$/;
const TEMPORARY = /^\.|\.tmp$/;

const readAt = promisify(read);

/** A store in a folder of the file system. */
export class FolderStore implements ObjectStore {
  /** @param root an existing folder; nobody else should be able to write in it. */
  constructor(readonly root: string) {}

  async head(key: string): Promise<ObjectHead | undefined> {
    return this.within(key, false, (folder, name) => {
      const stats = folder.stats(name);
      return stats?.isFile() ? headOf(key, stats) : undefined;
    });
  }

  async get(key: string, range?: ByteRange): Promise<ObjectBody | undefined> {
    return this.within(key, false, (folder, name) => {
      const stats = folder.stats(name);
      if (!stats?.isFile()) return undefined;
      return { ...headOf(key, stats), body: this.bytesOf(key, range), cancel: () => {} };
    });
  }

  /** Bytes of an object, which is opened when the first are asked for and closed when the reader stops. */
  private async *bytesOf(key: string, range: ByteRange | undefined): AsyncGenerator<Uint8Array> {
    if (range?.length === 0) return;
    const descriptor = await this.within(key, false, (folder, name) => opened(folder.entry(name)));
    if (descriptor === undefined) return;
    try {
      const start = range?.offset ?? 0;
      const end = Math.min(range ? start + range.length : Infinity, fstatSync(descriptor).size);
      // With a stream of Node for each piece, a file over loopback takes twice as long.
      for (let at = start; at < end; ) {
        const buffer = new Uint8Array(Math.min(CHUNK, end - at));
        const { bytesRead } = await readAt(descriptor, buffer, 0, buffer.length, at);
        if (bytesRead === 0) return;
        yield bytesRead < buffer.length ? buffer.subarray(0, bytesRead) : buffer;
        at += bytesRead;
      }
    } finally {
      closeSync(descriptor);
    }
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.within(key, true, (folder, name) =>
      replaceIn(folder, name, bytes, { isOurs: () => true, mode: PRIVATE }),
    );
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys)
      await this.within(key, false, (folder, name) => rmSync(folder.entry(name), { force: true }));
  }

  async list(prefix: string, cursor?: string): Promise<ObjectPage> {
    const keys = this.keysBelow(prefix, (name) => (name.includes("~") ? undefined : name));
    const from = cursor === undefined ? 0 : keys.findIndex((key) => key > cursor);
    const page = from < 0 ? [] : keys.slice(from, from + PAGE);
    const heads = await Promise.all(page.map((key) => this.head(key)));
    const isLast = from < 0 || from + PAGE >= keys.length;
    return { objects: heads.filter((head) => head !== undefined), cursor: isLast ? undefined : page.at(-1) };
  }

  async readDocument(key: string): Promise<StoredDocument | undefined> {
    for (let n_reads = 0; n_reads < MAX_READS; n_reads++) {
      const found = await this.within(key, false, (folder, name) => {
        const generation = generations(folder, name).at(-1);
        if (generation === undefined) return "none" as const;
        const bytes = contentOf(folder.entry(fileOf(name, generation)));
        // Gone meanwhile: there is a newer one.
        return bytes && { bytes, generation };
      });
      if (found === "none") return undefined;
      if (found) return { bytes: found.bytes, etag: await etagOf(found) };
      const isThere = await this.within(key, false, () => true);
      if (isThere === undefined) return undefined;
    }
    throw new PortolanError("store.failed", `${key} is replaced all the time`, "try again in a second");
  }

  async writeDocument(key: string, bytes: Uint8Array, etag: string | undefined): Promise<string> {
    const before = await this.readDocument(key);
    if (before?.etag !== etag) throw conflict(key);
    const generation = etag === undefined ? 1 : Number(etag.split("-", 1)[0]) + 1;
    await this.within(key, true, (folder, name) => {
      const beside = `.${name}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
      try {
        writeFlushed(folder.entry(beside), bytes);
        linkSync(folder.entry(beside), folder.entry(fileOf(name, generation)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") throw conflict(key);
        throw error;
      } finally {
        rmSync(folder.entry(beside), { force: true });
      }
      const known = generations(folder, name);
      // Others came further meanwhile, and have deleted what was in the way.
      if (known.at(-1) !== generation) {
        rmSync(folder.entry(fileOf(name, generation)), { force: true });
        throw conflict(key);
      }
      folder.sync();
      for (const old of known.slice(0, -N_KEPT)) rmSync(folder.entry(fileOf(name, old)), { force: true });
    });
    return etagOf({ bytes, generation });
  }

  async deleteDocument(key: string): Promise<void> {
    await this.within(key, false, (folder, name) => {
      for (const generation of generations(folder, name)) unlinkSync(folder.entry(fileOf(name, generation)));
    });
  }

  async listDocuments(prefix: string): Promise<string[]> {
    return [...new Set(this.keysBelow(prefix, (name) => DOCUMENT.exec(name)?.[1], DOCUMENT))];
  }

  /** Runs `use` in the folder of a key; undefined where that folder is missing and is not to be made. */
  private async within<T>(
    key: string,
    make: boolean,
    use: (folder: SafeFolder, name: string) => T,
  ): Promise<T | undefined> {
    const parts = partsOf(key).map(escaped);
    const name = parts.pop() as string;
    let folder: SafeFolder | undefined;
    try {
      folder = SafeFolder.open(this.root, parts, make);
      return use(folder, name);
    } catch (error) {
      if (folder === undefined && !make && isMissing(error)) return undefined;
      throw storeFailed(`the folder did not keep ${key}`, folder ? inWords(error, folder) : error);
    } finally {
      folder?.close();
    }
  }

  /**
   * Sorted keys that begin with `prefix`, of the names that `keyed` returns something for. A folder with a name like `last` is not entered
   * further: the thousands of pieces beside a catalogue are no documents.
   */
  private keysBelow(prefix: string, keyed: (name: string) => string | undefined, last?: RegExp): string[] {
    const parts = prefix.split("/");
    const start = parts.slice(0, -1);
    const keys: string[] = [];
    const visit = (above: readonly string[]) => {
      let folder: SafeFolder;
      try {
        folder = SafeFolder.open(this.root, above.map(escaped));
      } catch (error) {
        if (isMissing(error)) return;
        throw storeFailed("the folder cannot be read", error);
      }
      try {
        const names = folder.list();
        const isLast = last !== undefined && names.some((name) => last.test(name));
        for (const name of names) {
          if (isLast && !last.test(name)) continue;
          const stats = folder.stats(name);
          if (stats?.isDirectory()) visit([...above, unescaped(name)]);
          const key = stats?.isFile() && !TEMPORARY.test(name) ? keyed(name) : undefined;
          if (key !== undefined) keys.push([...above, unescaped(key)].join("/"));
        }
      } finally {
        folder.close();
      }
    };
    visit(start);
    return keys.filter((key) => key.startsWith(prefix)).sort();
  }
}

/** Upper case is escaped, since not every file system tells it from lower case, and so are names of devices. */
function escaped(part: string): string {
  const plain = part.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
  return DEVICE.test(plain) ? `!!${plain}` : plain;
}

function unescaped(name: string): string {
  return name.replace(/^!!/, "").replace(/!([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function fileOf(name: string, generation: number): string {
  return `${name}~${String(generation).padStart(10, "0")}`;
}

/** The generations of a document, the newest last. */
function generations(folder: SafeFolder, name: string): number[] {
  const found = folder.list().map((entry) => DOCUMENT.exec(entry));
  const numbers = found.flatMap((match) => (match?.[1] === name ? [Number(match[2])] : []));
  return numbers.sort((a, b) => a - b);
}

async function etagOf({ bytes, generation }: { bytes: Uint8Array; generation: number }): Promise<string> {
  return `${generation}-${(await sha256(bytes)).slice(0, 32)}`;
}

function writeFlushed(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, "wx", PRIVATE);
  try {
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function contentOf(path: string): Uint8Array | undefined {
  const descriptor = opened(path);
  if (descriptor === undefined) return undefined;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MAX_DOCUMENT) throw new Error("this is no document");
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A descriptor for reading; undefined where there is nothing, or a link. */
function opened(path: string): number | undefined {
  try {
    return openSync(path, FLAGS);
  } catch (error) {
    if (["ENOENT", "ELOOP", "EMLINK"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function headOf(key: string, { size, mtimeMs }: Stats): ObjectHead {
  return { key, n_bytes: size, written_at: Math.round(mtimeMs) };
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}
