/**
 * Set-up's own memory of what it wrote: `setup.json` in Portolan's folder for data. Taking back goes by it alone, so that nothing
 * is removed that somebody else wrote.
 */

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { PortolanError } from "../errors.js";
import { dataFolder } from "../node/registry.js";
import type { ClientId } from "./clients.js";
import type { Format, Setting } from "./config-file.js";
import { removeEmpty, writeFile } from "./write.js";

/** Something that set-up wrote. */
export interface Entry {
  /** The place behind links. */
  readonly file: string;
  readonly about: string;
  /** Several agents read some of the files. */
  readonly clients: readonly ClientId[];
  /** A copy of the file as the user had it. */
  readonly backup?: string;
  /** Digest of the file as set-up left it; none where the user had changed it between two set-ups. */
  readonly digest?: string;
  /** Of one value in a file: what was written, and what was there before. */
  readonly setting?: Setting & { readonly format: Format["name"]; readonly before?: unknown };
}

interface Saved {
  readonly version: 1;
  readonly folders: readonly string[];
  readonly entries: readonly Entry[];
}

export class SetUpRecord {
  private readonly file: string;
  private readonly folders: Set<string>;
  private list: Entry[];

  constructor() {
    const folder = dataFolder();
    if (folder === undefined)
      throw new PortolanError(
        "setup.no-record",
        "there is no folder to record the changes, since PORTOLAN_HOME is empty",
        "set-up could not be undone; unset PORTOLAN_HOME, or add the server by hand: docs/agents.md",
      );
    this.file = join(folder, "setup.json");
    const { folders, entries } = saved(this.file);
    this.folders = new Set(folders);
    this.list = [...entries];
  }

  get entries(): readonly Entry[] {
    return this.list;
  }

  /** Returns what was written to a place: a whole file, or the value at the path of a setting. */
  find(file: string, setting?: Setting): Entry | undefined {
    return this.list.find((entry) => isAbout(entry, file, setting));
  }

  /** Keeps an entry in place of the one about the same. */
  keep(entry: Entry): void {
    const at = this.list.findIndex((other) => isAbout(other, entry.file, entry.setting));
    this.list = at < 0 ? [...this.list, entry] : this.list.with(at, entry);
  }

  forget(entry: Entry): void {
    this.list = this.list.filter((other) => other !== entry);
  }

  /** Makes a folder, and remembers which folders were made for it: they go again when they are empty. */
  makeFolder(folder: string): void {
    for (let place = folder; !existsSync(place); place = dirname(place)) this.folders.add(place);
    mkdirSync(folder, { recursive: true });
  }

  removeEmptyFolders(): void {
    for (const folder of [...this.folders].sort((a, b) => b.length - a.length))
      if (!existsSync(folder) || removeEmpty(folder)) this.folders.delete(folder);
  }

  /** Writes it down; without entries the file goes, too. */
  save(): void {
    if (this.list.length === 0) {
      rmSync(this.file, { force: true });
      this.removeEmptyFolders();
      return;
    }
    this.makeFolder(dirname(this.file));
    const state: Saved = { version: 1, folders: [...this.folders].sort(), entries: this.list };
    writeFile(this.file, Buffer.from(`${JSON.stringify(state, null, 2)}\n`), 0o600);
  }
}

function isAbout(entry: Entry, file: string, setting?: Setting): boolean {
  return entry.file === file && JSON.stringify(entry.setting?.path) === JSON.stringify(setting?.path);
}

function saved(file: string): Saved {
  if (!existsSync(file)) return { version: 1, folders: [], entries: [] };
  try {
    const state = JSON.parse(readFileSync(file, "utf8")) as Saved;
    if (state.version === 1 && Array.isArray(state.folders) && Array.isArray(state.entries)) return state;
  } catch {
    // told below
  }
  throw new PortolanError(
    "setup.unreadable",
    `${file}: set-up's record cannot be read`,
    "delete the file, and remove the server `portolan` from your agents' settings by hand: docs/agents.md",
  );
}
