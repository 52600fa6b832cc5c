/**
 * `portolan setup`: parts put into place or taken back, for one agent after the other.
 *
 * A file that was there is copied beside itself before it is changed for the first time. Taking back puts that copy in its place
 * if nobody changed the file since, so it is as it was to the last byte; else only what is ours is taken out of it.
 */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { PortolanError } from "../errors.js";
import { dataFolder } from "../node/registry.js";
import { CLIENTS, type Client, type ClientId, type Part } from "./clients.js";

export { CLIENTS } from "./clients.js";

const BACKUP = ".portolan-backup";

export interface SetUpOptions {
  /** Those that are here, if empty. */
  readonly clients: readonly ClientId[];
  readonly dryRun: boolean;
  readonly undo: boolean;
}

/** What became, or would become, of a file. */
export interface Change {
  readonly client: ClientId;
  readonly file: string;
  readonly about: string;
  readonly state: "added" | "changed" | "unchanged" | "removed" | "restored" | "failed";
  readonly message?: string;
}

export interface SetUpReport {
  readonly undo: boolean;
  readonly dry_run: boolean;
  readonly clients: readonly ClientId[];
  readonly changes: readonly Change[];
}

/** Does it. Throws `setup.failed` after the rest was done, where a file could not be changed. */
export function setUp({ clients, dryRun, undo }: SetUpOptions): SetUpReport {
  const chosen = CLIENTS.filter(({ id, isHere }) => (clients.length === 0 ? isHere() : clients.includes(id)));
  const folders = new Folders(dryRun);
  const changes = chosen.flatMap((client) =>
    partsOf(client, undo).map((part) => changeOf(client, part, { dryRun, undo, folders })),
  );
  folders.close(undo);
  const done = { undo, dry_run: dryRun, clients: chosen.map(({ id }) => id), changes };
  const failed = changes.filter(({ state }) => state === "failed");
  if (failed.length > 0 && !dryRun) {
    throw new PortolanError(
      "setup.failed",
      failed.map(({ file, message }) => `${file}: ${message}`).join("; "),
      "the rest was done; add what is missing by hand: docs/agents.md",
    );
  }
  return done;
}

/** The report for people. */
export function report({ undo, dry_run, clients, changes }: SetUpReport): string {
  if (clients.length === 0)
    return "no agent was found on this machine; name one: --claude-code, --cursor, --opencode, --codex\n";
  const lines = clients.flatMap((id) => {
    const own = changes.filter(({ client }) => client === id);
    return [CLIENTS.find((client) => client.id === id)?.name ?? id, ...brief(own)];
  });
  const last = dry_run
    ? "nothing was changed"
    : undo
      ? "taken back"
      : "done; agents see it when they are started anew. `portolan setup --undo` takes it back";
  return `${lines.join("\n")}\n${last}\n`;
}

/** A line for each file, one for all files of a folder of ours. */
function brief(changes: readonly Change[]): string[] {
  const rows = new Map<string, number>();
  for (const { state, about, file, message } of changes) {
    const place = /[\\/]hooks[\\/]portolan[\\/]/.test(file)
      ? file.replace(/([\\/]hooks[\\/]portolan)[\\/].*/, "$1")
      : file;
    const row = `  ${state.padEnd(9)} ${about.padEnd(11)} ${place}${message ? `: ${message}` : ""}`;
    rows.set(row, (rows.get(row) ?? 0) + 1);
  }
  return [...rows].map(([row, count]) => (count > 1 ? `${row} (${count} files)` : row));
}

interface How {
  readonly dryRun: boolean;
  readonly undo: boolean;
  readonly folders: Folders;
}

function partsOf(client: Client, undo: boolean): Part[] {
  const parts = client.parts();
  return undo ? parts.reverse() : parts;
}

function changeOf({ id: client }: Client, part: Part, how: How): Change {
  const { file, about } = part;
  try {
    return { client, file, about, state: how.undo ? takeBack(part, how) : putIn(part, how) };
  } catch (error) {
    return { client, file, about, state: "failed", message: (error as Error).message };
  }
}

function putIn(part: Part, { dryRun, folders }: How): Change["state"] {
  const place = realPlace(part.file);
  const before = read(place);
  const after =
    part.kind === "file"
      ? Buffer.from(part.content)
      : Buffer.from(part.format.put(before?.toString("utf8") ?? "", part.setting));
  if (before?.equals(after)) return "unchanged";
  if (dryRun) return before ? "changed" : "added";
  folders.make(dirname(place));
  // The first copy is of the file as the user had it; later ones would hold what is ours.
  if (before && !isOwn(part, before) && !existsSync(place + BACKUP))
    write(place + BACKUP, before, statSync(place).mode);
  write(place, after, before && statSync(place).mode);
  return before ? "changed" : "added";
}

/** A file of ours of another version. */
function isOwn(part: Part, before: Buffer): boolean {
  if (part.kind === "file") return /[\\/]hooks[\\/]portolan[\\/]/.test(part.file) || before.includes("portolan setup");
  const text = before.toString("utf8");
  return part.format.take(text, part.setting) !== text;
}

function takeBack(part: Part, { dryRun, folders }: How): Change["state"] {
  const place = realPlace(part.file);
  const now = read(place);
  const backup = read(place + BACKUP);
  if (now === undefined) return "unchanged";
  if (part.kind === "file") {
    if (backup === undefined && !isOwn(part, now)) return "unchanged";
    if (!dryRun) backup ? restore(place, backup) : remove(place, folders);
    return backup ? "restored" : "removed";
  }
  const text = now.toString("utf8");
  const taken = part.format.take(text, part.setting);
  const isUntouched = (original: string) => part.format.put(original, part.setting) === text;
  if (taken === text) {
    if (backup && !dryRun) rmSync(place + BACKUP); // somebody took ours out before
    return "unchanged";
  }
  if (backup && isUntouched(backup.toString("utf8"))) {
    if (!dryRun) restore(place, backup);
    return "restored";
  }
  if (!backup && isUntouched("")) {
    if (!dryRun) remove(place, folders);
    return "removed";
  }
  if (!dryRun) {
    write(place, Buffer.from(taken), statSync(place).mode);
    rmSync(place + BACKUP, { force: true });
  }
  return "changed";
}

function restore(place: string, backup: Buffer): void {
  write(place, backup, statSync(place + BACKUP).mode);
  rmSync(place + BACKUP);
}

function remove(place: string, folders: Folders): void {
  rmSync(place);
  folders.emptied(dirname(place));
}

/** Behind links: settings are often kept elsewhere and linked. */
function realPlace(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function read(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** Beside it first, then over it: whoever reads sees the old file or the new one. */
function write(file: string, bytes: Buffer, mode: number | undefined): void {
  const beside = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(beside, bytes, mode === undefined ? {} : { mode });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** The folders that were made on the way: they go again when they are empty. */
class Folders {
  private readonly made: Set<string>;
  private readonly list: string | undefined;

  constructor(private readonly dryRun: boolean) {
    const folder = dataFolder();
    this.list = folder && join(folder, "setup.json");
    this.made = new Set(
      this.list && existsSync(this.list) ? (JSON.parse(readFileSync(this.list, "utf8")) as string[]) : [],
    );
  }

  make(folder: string): void {
    for (let place = folder; !existsSync(place); place = dirname(place)) this.made.add(place);
    mkdirSync(folder, { recursive: true });
  }

  emptied(folder: string): void {
    for (let place = folder; this.made.has(place) && removed(place); place = dirname(place)) this.made.delete(place);
  }

  close(undo: boolean): void {
    if (this.dryRun || this.list === undefined) return;
    if (undo) {
      for (const folder of [...this.made].sort((a, b) => b.length - a.length)) this.emptied(folder);
      if (this.made.size > 0 && [...this.made].some((folder) => !this.list?.startsWith(folder))) return;
      const own = [...this.made];
      rmSync(this.list, { force: true });
      for (const folder of own.sort((a, b) => b.length - a.length)) removed(folder);
      return;
    }
    if (this.made.size === 0) return;
    try {
      this.make(dirname(this.list));
      writeFileSync(this.list, `${JSON.stringify([...this.made].sort(), null, 2)}\n`);
    } catch {
      // then empty folders stay
    }
  }
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
