/** The files of a repository that come one by one: several at a time, the most telling first. */

import { PortolanError } from "../errors.js";
import type { FileHandle, Folder, FolderEntry } from "../host.js";
import type { SourceClient } from "./client.js";
import type { ForgeApi, TreeEntry } from "./forge-api.js";

const PARALLEL = 12;
const MAX_FILES = 20_000;
/** Number of files that are fetched ahead of the reader: those not yet read take memory. */
const AHEAD = 200;
/** Bytes of a file of unknown size; larger ones would be skipped after fetching. */
const MAX_FILE_BYTES = 16 * 2 ** 20;
/** After these no further file can be fetched. */
const FINAL = ["source.rate-limit", "source.time", "source.host", "source.refused", "remote.too-large", "aborted"];

interface Listed {
  readonly path: string;
}

/** Files of a host that are fetched one by one. */
export class RemoteFiles {
  private readonly entries: ReadonlyMap<string, TreeEntry>;
  private readonly begun = new Map<string, Promise<Uint8Array>>();
  private order: readonly string[] = [];
  private next = 0;
  private n_read = 0;
  private n_running = 0;
  private n_fetched = 0;
  private ended: unknown;

  constructor(
    private readonly api: ForgeApi,
    private readonly commit: string,
    entries: readonly TreeEntry[],
    private readonly client: SourceClient,
    /** Folder to which it is limited. */
    private readonly path = "",
  ) {
    const isWithin = (of: string) => path === "" || of === path || of.startsWith(`${path}/`);
    this.entries = new Map(entries.filter((entry) => isWithin(entry.path)).map((entry) => [entry.path, entry]));
  }

  /** Path of the repository's README, if it has one. */
  get readme(): string | undefined {
    const below = this.path === "" ? "" : `${this.path}/`;
    const names = [...this.entries.keys()].filter(
      (path) => path.startsWith(below) && isReadme(path.slice(below.length)),
    );
    return names.sort((a, b) => a.length - b.length)[0];
  }

  get folder(): Folder {
    const root = new Map<string, FolderEntry>();
    const folders = new Map([["", root]]);
    const folderOf = (path: string): Map<string, FolderEntry> => {
      const known = folders.get(path);
      if (known) return known;
      const cut = path.lastIndexOf("/");
      const entries = new Map<string, FolderEntry>();
      folders.set(path, entries);
      const name = path.slice(cut + 1);
      folderOf(path.slice(0, Math.max(0, cut))).set(name, { name, kind: "folder", folder: listing(entries) });
      return entries;
    };
    for (const entry of this.entries.values()) {
      const cut = entry.path.lastIndexOf("/");
      const name = entry.path.slice(cut + 1);
      const file: FolderEntry =
        entry.kind === "file" ? { name, kind: "file", file: this.handle(entry) } : { name, kind: "other" };
      folderOf(entry.path.slice(0, Math.max(0, cut))).set(name, file);
    }
    return listing(root);
  }

  private handle({ path, size }: TreeEntry): FileHandle {
    return { size: () => size ?? 1, read: () => this.read(path) };
  }

  /** Puts the wanted files into the order in which they are read, and begins to fetch them. */
  arrange<T extends Listed>(found: readonly T[]): T[] {
    const sorted = [...found].sort((a, b) => tellingOf(a.path) - tellingOf(b.path));
    this.order = sorted.map(({ path }) => path);
    this.pump();
    return sorted;
  }

  async read(path: string): Promise<Uint8Array> {
    const bytes = this.begun.get(path) ?? this.fetched(path);
    this.n_read++;
    this.pump();
    try {
      return await bytes;
    } finally {
      this.begun.delete(path);
    }
  }

  private pump(): void {
    const { parallel = PARALLEL } = this.client.settings;
    while (this.n_running < parallel && this.next < Math.min(this.order.length, this.n_read + AHEAD)) {
      const path = this.order[this.next++] as string;
      if (this.begun.has(path)) continue;
      const bytes = this.fetched(path);
      // Whoever reads it gets the error.
      bytes.catch(() => {});
      this.begun.set(path, bytes);
    }
  }

  private async fetched(path: string): Promise<Uint8Array> {
    const entry = this.entries.get(path);
    if (!entry) throw new PortolanError("source.not-found", `${path} is not in the repository`, "");
    if (this.ended !== undefined) throw this.ended;
    const { maxFiles = MAX_FILES } = this.client.settings;
    if (++this.n_fetched > maxFiles)
      throw new PortolanError(
        "source.files",
        `more than ${maxFiles} files are not fetched one by one`,
        "download the archive and open it",
      );
    this.n_running++;
    try {
      const { url, accept } = this.api.file(this.commit, entry);
      const most = entry.size ?? MAX_FILE_BYTES;
      const { bytes } = await this.client.get(url, { most, ...(accept === undefined ? {} : { accept }) });
      if (entry.size !== undefined && bytes.length !== entry.size)
        throw new PortolanError(
          "source.length",
          `${path} has ${entry.size} bytes, and ${bytes.length} came`,
          "try again",
        );
      return bytes;
    } catch (error) {
      if (error instanceof PortolanError && FINAL.includes(error.code) && !isTooLong(error, entry))
        this.ended ??= error;
      throw error;
    } finally {
      this.n_running--;
      this.pump();
    }
  }
}

/** Whether one file is longer than announced, as opposed to the budget of all being used up. */
function isTooLong({ code, message }: PortolanError, { size }: TreeEntry): boolean {
  return code === "remote.too-large" && message.includes(`more than the ${size ?? MAX_FILE_BYTES} bytes`);
}

function listing(entries: ReadonlyMap<string, FolderEntry>): Folder {
  return { list: () => [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** `README.md`, `readme`, `Readme.rst`, in the folder itself. */
function isReadme(path: string): boolean {
  return /^readme(\.(md|markdown|mkd|rst|txt|adoc|org))?$/i.test(path);
}

const MANIFEST =
  /(^|\/)(package\.json|cargo\.toml|pyproject\.toml|setup\.py|go\.mod|pom\.xml|build\.gradle(\.kts)?|gemfile|composer\.json|mix\.exs|makefile|cmakelists\.txt|tsconfig\.json|[^/]+\.(csproj|cabal|gemspec))$/i;
const ENTRY = /(^|\/)(main|index|lib|mod|app|server|cli|__init__|__main__)\.\w+$/i;
const SOURCE = /^(src|lib|app|pkg|cmd|crates|packages|internal|source)\//i;
const LATER =
  /(^|\/)(tests?|__tests__|spec|specs|testdata|fixtures?|examples?|docs?|benches|benchmarks?|vendor|third_party)\//i;

/** Rank of a file: the most telling about a repository has the lowest. */
export function tellingOf(path: string): number {
  const depth = Math.min(9, path.split("/").length - 1);
  if (isReadme(path)) return 0;
  if (MANIFEST.test(path) && depth === 0) return 10;
  if (LATER.test(path)) return 80 + depth;
  if (ENTRY.test(path)) return 20 + depth;
  if (MANIFEST.test(path)) return 30 + depth;
  return (SOURCE.test(path) ? 40 : 60) + depth;
}
