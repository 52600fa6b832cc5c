/**
 * `portolan setup`: parts put into place or taken back, for one agent after the other.
 *
 * A file that was there is copied beside itself before it is changed for the first time. Taking back puts that copy in its place
 * if nobody changed the file since, so it is as it was to the last byte; else only what set-up wrote is taken out of it, and a value
 * that was there before is put back.
 */

import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";

import { PortolanError } from "../errors.js";
import { CLIENTS, type ClientId } from "./clients.js";
import { currentOf, equal, type Format, JSONC, TOML } from "./config-file.js";
import { launch } from "./launch.js";
import type { Part } from "./part.js";
import { type Entry, SetUpRecord } from "./record.js";
import { realPlace, writeFile } from "./write.js";

export { CLIENTS } from "./clients.js";
export { report } from "./report.js";

const BACKUP = ".portolan-backup";

export interface SetUpOptions {
  /** Those that are here, if empty. */
  readonly clients: readonly ClientId[];
  readonly dryRun: boolean;
  readonly undo: boolean;
  /** Start the server with npx, at this version. */
  readonly npx: boolean;
}

/** The result for a file, or the one that it would have. */
export interface Change {
  readonly client: ClientId;
  readonly file: string;
  readonly about: string;
  readonly state: "added" | "changed" | "unchanged" | "removed" | "restored" | "kept" | "failed";
  readonly message?: string;
}

export interface SetUpReport {
  readonly undo: boolean;
  readonly dry_run: boolean;
  readonly clients: readonly ClientId[];
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
}

type Outcome = Pick<Change, "state" | "message">;

/** Does it. Throws `setup.failed` after the rest was done, where a file could not be changed. */
export function setUp(options: SetUpOptions): SetUpReport {
  const record = new SetUpRecord();
  const { clients, changes, warnings } = options.undo ? takenBack(record, options) : putInto(record, options);
  if (!options.dryRun) record.save();
  const failed = changes.filter(({ state }) => state === "failed");
  if (failed.length > 0 && !options.dryRun) {
    throw new PortolanError(
      "setup.failed",
      failed.map(({ file, message }) => `${file}: ${message}`).join("; "),
      "the rest was done; add the missing parts by hand: docs/agents.md",
    );
  }
  return { undo: options.undo, dry_run: options.dryRun, clients, changes, warnings };
}

type Done = Pick<SetUpReport, "clients" | "changes" | "warnings">;

function putInto(record: SetUpRecord, { clients, dryRun, npx }: SetUpOptions): Done {
  const chosen = CLIENTS.filter(({ id, isHere }) => (clients.length === 0 ? isHere() : clients.includes(id)));
  const start = launch({ npx });
  const changes = chosen.flatMap((client) =>
    client.parts(start).map((part) => attempt(client.id, part, () => putIn(part, client.id, record, dryRun))),
  );
  return { clients: chosen.map(({ id }) => id), changes, warnings: chosen.length > 0 ? start.warnings : [] };
}

function takenBack(record: SetUpRecord, { clients, dryRun }: SetUpOptions): Done {
  const known = CLIENTS.map(({ id }) => id).filter((id) => record.entries.some((entry) => entry.clients.includes(id)));
  const chosen = clients.length === 0 ? known : known.filter((id) => clients.includes(id));
  const changes = chosen.flatMap((client) =>
    record.entries
      .filter((entry) => entry.clients.includes(client))
      .reverse()
      .map((entry) => attempt(client, entry, () => release(entry, client, record, dryRun))),
  );
  if (!dryRun) record.removeEmptyFolders();
  return { clients: chosen, changes, warnings: [] };
}

function attempt(client: ClientId, { file, about }: { file: string; about: string }, change: () => Outcome): Change {
  try {
    return { client, file, about, ...change() };
  } catch (error) {
    return { client, file, about, state: "failed", message: (error as Error).message };
  }
}

function putIn(part: Part, client: ClientId, record: SetUpRecord, dryRun: boolean): Outcome {
  const file = realPlace(part.file);
  const now = read(file);
  const setting = part.kind === "setting" ? part.setting : undefined;
  const known = now === undefined ? undefined : record.find(file, setting);
  const after =
    part.kind === "file"
      ? Buffer.from(part.content)
      : Buffer.from(part.format.put(now?.toString("utf8") ?? "", part.setting));
  if (now?.equals(after)) {
    // Somebody else wrote the same, or another agent reads the file, too.
    if (known && !dryRun) record.keep({ ...known, clients: withClient(known, client) });
    return { state: "unchanged" };
  }
  const outcome: Outcome = { state: now ? "changed" : "added" };
  if (dryRun) return outcome;
  record.makeFolder(dirname(file));
  // Another value of ours may be in the same file: one copy of before is for all of them.
  const left = now && digest(now);
  const others = record.entries.filter((entry) => entry.file === file && entry.setting && entry.digest === left);
  const beside = known ?? (setting && others[0]);
  const isAsLeft = beside !== undefined && left !== undefined && left === beside.digest;
  // A file of ours that the user changed is kept beside the new one; of a value, the one before it is known.
  const backup = isAsLeft || (known && setting) ? beside?.backup : now && copyBeside(file, now);
  writeFile(file, after, now && statSync(file).mode);
  const digested = part.kind === "file" || !known || isAsLeft ? { digest: digest(after) } : {};
  if (isAsLeft) for (const entry of others) record.keep({ ...entry, ...digested });
  record.keep({
    file,
    about: part.about,
    clients: withClient(known, client),
    ...(backup === undefined ? {} : { backup }),
    ...(part.kind === "setting" ? { setting: remembered(part, now, known) } : {}),
    // Where the user changed other values since, the copy of before must not be put back as a whole.
    ...digested,
  });
  return outcome;
}

function withClient(known: Entry | undefined, client: ClientId): ClientId[] {
  return [...new Set([...(known?.clients ?? []), client])];
}

/** The setting with what was there before set-up wrote it for the first time. */
function remembered(part: Part & { kind: "setting" }, now: Buffer | undefined, known: Entry | undefined) {
  const { path, value, mark } = part.setting;
  const before = known ? known.setting?.before : currentOf(part.format, now?.toString("utf8") ?? "", part.setting);
  return {
    format: part.format.name,
    path,
    value,
    ...(mark === undefined ? {} : { mark }),
    ...(before === undefined ? {} : { before }),
  };
}

/** Takes an entry back, unless another agent needs it still. */
function release(entry: Entry, client: ClientId, record: SetUpRecord, dryRun: boolean): Outcome {
  const others = entry.clients.filter((other) => other !== client);
  if (others.length > 0) {
    // In a dry run, too: the next agent of this run finds itself alone then. It is not saved.
    record.keep({ ...entry, clients: others });
    const names = CLIENTS.filter(({ id }) => others.includes(id)).map(({ name }) => name);
    return { state: "unchanged", message: `${names.join(", ")} still uses it` };
  }
  const outcome = takeBack(entry, dryRun);
  if (outcome.state !== "kept") record.forget(entry);
  return outcome;
}

function takeBack(entry: Entry, dryRun: boolean): Outcome {
  const now = read(entry.file);
  const backup = entry.backup === undefined ? undefined : read(entry.backup);
  if (now === undefined) {
    // The user deleted it.
    if (!dryRun) dropBackup(entry);
    return { state: "unchanged" };
  }
  if (entry.setting) return takeValueBack(entry, entry.setting, now, backup, dryRun);
  if (digest(now) !== entry.digest) return { state: "kept", message: "changed since; delete it by hand" };
  return backup ? restored(entry, backup, dryRun) : removed(entry.file, dryRun);
}

function takeValueBack(
  entry: Entry,
  setting: NonNullable<Entry["setting"]>,
  now: Buffer,
  backup: Buffer | undefined,
  dryRun: boolean,
): Outcome {
  const format = formatOf(setting);
  const text = now.toString("utf8");
  const current = currentOf(format, text, setting);
  if (current === undefined) {
    if (!dryRun) dropBackup(entry);
    return { state: "unchanged" };
  }
  // An item with our mark calls a file that goes, too: it is of no use to anybody.
  if (setting.mark === undefined && !equal(current, setting.value))
    return { state: "kept", message: `${setting.path.join(".")} was changed since; remove it by hand` };
  if (digest(now) === entry.digest) return backup ? restored(entry, backup, dryRun) : removed(entry.file, dryRun);
  const after =
    setting.before === undefined ? format.take(text, setting) : format.put(text, { ...setting, value: setting.before });
  if (!dryRun) {
    writeFile(entry.file, Buffer.from(after), statSync(entry.file).mode);
    dropBackup(entry);
  }
  return { state: setting.before === undefined ? "changed" : "restored" };
}

function restored(entry: Entry, backup: Buffer, dryRun: boolean): Outcome {
  if (!dryRun) {
    writeFile(entry.file, backup, statSync(entry.backup as string).mode);
    dropBackup(entry);
  }
  return { state: "restored" };
}

function removed(file: string, dryRun: boolean): Outcome {
  if (!dryRun) rmSync(file);
  return { state: "removed" };
}

function dropBackup({ backup }: Entry): void {
  if (backup !== undefined) rmSync(backup, { force: true });
}

/** Copies a file beside itself, under a name that nothing has. */
function copyBeside(file: string, bytes: Buffer): string {
  let name = file + BACKUP;
  for (let n = 2; existsSync(name); n++) name = `${file}${BACKUP}-${n}`;
  writeFile(name, bytes, statSync(file).mode);
  return name;
}

function formatOf({ format }: { format: Format["name"] }): Format {
  return format === "toml" ? TOML : JSONC;
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function read(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}
