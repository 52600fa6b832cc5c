/**
 * `portolan index`: by the native program where there is one, else in this thread, which has nothing else to do; only parsing and embedding
 * have threads of their own.
 */

import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import type { ErrorBody } from "../../wasm/reader.js";
import { PortolanError, toBody } from "../errors.js";
import type { Status } from "../answers.js";
import type { WriteSnapshot } from "../host.js";
import { newSnapshot, writeSnapshot, type NewFile, type SnapshotTarget } from "../node/file-store.js";
import { bindIndex } from "../node/bind-index.js";
import { removeOtherShards, shardsBeside } from "../node/index-file.js";
import { isOwnIndex } from "../node/own-index.js";
import { remember } from "../node/registry.js";
import { folderOf, openPath as openHere } from "../node/files.js";
import { changedSince, keepLook, LookRecorder, lookOf, type Seen } from "../node/look.js";
import { readInflated } from "../node/regular-file.js";
import { findRoot, indexPathOf, rootOfIndex } from "../node/root.js";
import { readRegular } from "../node/safe-files.js";
import { chooseTiering, hostOfCommand } from "../node/tiering.js";
import type { IndexEvent, Questions, WorkOptions } from "../rpc/protocol.js";
import { Session } from "../indexing/session.js";
import type { ShardSize } from "../indexing/sharding.js";
import { nothingTaken } from "../indexing/sources.js";
import type { FileChanges } from "../types.js";
import { visible } from "../visible.js";
import { MAX_BYTES_OF } from "../config/limits.js";
import { operand, wholeNumber, type Command } from "../commands/options.js";
import { awaySource } from "./away-source.js";
import { keepForOthers, startOf, type Start } from "./kept-indexes.js";
import { indexNatively, type NativelyMade } from "./native-index.js";
import { indexAsOverlay, isUsable, type OverlayMade } from "./overlay-index.js";
import { ProgressLine } from "./progress-line.js";
import { shardedIndex, shardedText, shardSize, sizeAt, type ShardedRun, type ShardedSummary } from "./sharded-index.js";
import { sourceOptions } from "./source-options.js";
import { embeddingModel } from "../config/models.js";
import { packageVersion } from "../node/version.js";
import { userGrammars } from "../config/user-grammars.js";
import { quantity } from "../quantity.js";

export async function index(command: Command): Promise<string> {
  const path = command.operands.length === 0 ? findRoot() : operand(command, "PATH");
  const { options } = command;
  const away = await awaySource(command, path);
  const folder = away ? process.cwd() : folderOf(path);
  const standard = away ? resolve(away.file) : indexPathOf(folder);
  const target = options.output === undefined ? standard : resolve(options.output);
  const line = new ProgressLine(process.stderr, options.quiet === true);
  const other = away && !shardSize(command) ? undefined : await madeOtherwise(command, path, target, line);
  if (other) return told(command, other);
  let changes: FileChanges | undefined;
  let empty: ErrorBody | undefined;
  let damaged: ErrorBody | undefined;
  const started = performance.now();
  const onEvent = (event: IndexEvent) => {
    if (event.type === "progress") line.show(event.progress);
    else if (event.type === "changes") changes = event.changes;
    else if (event.type === "warning" && event.warning.code === "index.empty") empty = event.warning;
    else if (event.type === "warning" && event.warning.code === "scip.damaged") damaged ??= event.warning;
    else if (event.type === "warning") line.note(`portolan: ${visible(event.warning.message)} [${event.warning.code}]`);
  };
  const { start, ...given } = await workOptions(command, target, away ? undefined : path);
  const work = { ...given, ...(away && { remote: away.settings }) };
  if (away?.hosts.length) line.note(`portolan: asking ${away.hosts.join(", ")}`);
  const place = repositoriesOf(command, folder);
  const open = () => newSnapshot(target, place);
  const native = away ? undefined : await indexNatively(command, path, start?.file, work, line, open);
  const made = native ? ofNative(native, onEvent) : await inWebAssembly(path, work, away !== undefined, onEvent);
  // An index without the edges of a compiler that was asked for would look as if it had them.
  if (damaged) throw new PortolanError(damaged.code, damaged.message, "name a file that a SCIP indexer wrote");
  const n_bytes = made.file ? made.file.commit() : writeSnapshot(target, made.content, place);
  if (!bindIndex(target, away ? undefined : folder)) line.note(UNBOUND);
  removeOtherShards(target, []);
  line.end();
  const { status } = made;
  if (options.output === undefined && !away) remember(rootOfIndex(target), target, status);
  made.close();
  // Saved all the same: files that are added later are taken in. But an index of nothing helps nobody.
  if (empty) throw new PortolanError(empty.code, empty.message, empty.help);
  const summary = {
    index: target,
    n_bytes,
    n_files: status.n_files,
    n_skipped: status.skipped.length,
    n_symbols: status.n_symbols,
    n_chunks: status.n_chunks,
    n_vectors: status.n_vectors,
    n_edges: status.n_edges,
    engine: native ? ("native" as const) : ("wasm" as const),
    ...(changes && (start?.isElsewhere ? { known: knownOf(changes, start) } : { changes: counted(changes) })),
    seconds: secondsSince(started),
  };
  if (!away) keepLook(target, keyOf(command, path), path, summary, made.look);
  if (target === standard && repositoryAt(path) !== undefined)
    keepForOthers(target, folder, optionsKey(command), status.n_files, changedIn(changes));
  return told(command, summary);
}

/** The summary of an index that need not be made, or that is made in shards or as an overlay; nothing where it is to be one whole file. */
async function madeOtherwise(command: Command, path: string, target: string, line: ProgressLine) {
  const asked = shardSize(command);
  const before = nothingChanged(command, path, target, asked, line);
  if (before) return before;
  const size = asked ?? (command.options.full === true ? undefined : sizeAt(target));
  return size ? inShards(command, path, target, size, line) : overlay(command, path, target, line);
}

/** Makes an index in shards anew, of a folder. */
export async function inShards(
  command: Command,
  path: string,
  target: string,
  size: ShardSize,
  line: ShardedRun["line"],
): Promise<ShardedSummary> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new PortolanError("input.unsupported", `${path} is no folder, and shards are made of folders`);
  const whole = { ...command, options: { ...command.options, full: true } };
  const { previous: _, start: __, ...work } = await workOptions(whole, target);
  const folder = folderOf(path);
  const written = repositoriesOf(command, folder);
  const { summary, look } = await shardedIndex({ command, path, folder, target, size, work, written, line });
  if (command.options.output === undefined) remember(rootOfIndex(target), target, summary);
  const kept: Kept = { ...summary, size };
  keepLook(target, keyOf(command, path), path, kept, look, true);
  return summary;
}

/** Makes an overlay, in a worktree of a clone that was indexed. */
async function overlay(
  command: Command,
  path: string,
  target: string,
  line: ProgressLine,
): Promise<Summary | undefined> {
  const started = performance.now();
  const made = await indexAsOverlay(command, path, optionsKey(command), repositoriesOf(command, path), line);
  if (!made) return undefined;
  if (!made.isBound) process.stderr.write(`${UNBOUND}\n`);
  const { n_bytes, n_files, n_skipped, engine } = made;
  remember(rootOfIndex(target), target, { n_files });
  const summary = { index: target, n_bytes, n_files, n_skipped, overlay: made.overlay, engine };
  const timed = { ...summary, seconds: secondsSince(started) };
  keepLook(target, keyOf(command, path), path, timed, made.look, true);
  return timed;
}

/** The folder that is indexed; nothing for an archive in it, or a source elsewhere. */
function repositoryAt(path: string | undefined): string | undefined {
  const isFolder = path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? resolve(path) : undefined;
}

/** Files that an index from elsewhere knew already. */
function knownOf({ n_unchanged, renamed }: FileChanges, { root }: Start) {
  return { n_files: n_unchanged + renamed.length, ...(root !== undefined && { root }) };
}

/** Number of files that differ from the index before; where everything was read anew, nobody knows. */
function changedIn(changes: FileChanges | undefined): number {
  return changes ? changes.added.length + changes.modified.length + changes.deleted.length : Number.POSITIVE_INFINITY;
}

/** An index that was made and is to be written, unless it is in a file already. */
interface Made {
  readonly file?: NewFile | undefined;
  readonly content: WriteSnapshot;
  readonly status: Status;
  readonly look: Seen;
  close(): void;
}

type OnEvent = (event: IndexEvent) => void;

function ofNative({ file, pieces, status, changes, walked }: NativelyMade, onEvent: OnEvent): Made {
  if (changes) onEvent({ type: "changes", changes, milliseconds: 0 });
  if (status.n_files === 0) onEvent({ type: "warning", warning: toBody(nothingTaken(status.skipped)) });
  const content: WriteSnapshot = (give) => {
    let at = 0;
    for (const piece of pieces) {
      give(at, piece);
      at += piece.length;
    }
  };
  return { file, content, status, look: { seen: () => walked }, close: () => {} };
}

async function inWebAssembly(path: string, work: WorkOptions, isAway: boolean, onEvent: OnEvent): Promise<Made> {
  const look = new LookRecorder();
  const openPath = async (place: string) => openHere(place, look);
  const session = new Session({
    ...hostOfCommand(),
    openPath,
    ...(isAway ? {} : { prepare: () => chooseTiering(path) }),
  });
  await session.make(path, { ...work, saves: true }, new AbortController().signal, onEvent);
  const status = (await session.ask("status", {})) as Questions["status"][1];
  return { content: (give) => session.saveTo(give), status, look, close: () => session.close() };
}

type Summary = Parameters<typeof text>[0];

/** The summary that is kept with a look, and of an index in shards the size that was asked for. */
type Kept = Summary | (ShardedSummary & { readonly size: ShardSize });

function told({ options }: Command, summary: Summary | ShardedSummary): string {
  if (options.json === true) return `${JSON.stringify(summary)}\n`;
  return "n_shards" in summary ? shardedText(summary) : text(summary);
}

/** Returns the summary of the last run if nothing was changed since and the same was asked for: nothing is read then, and nothing written. */
function nothingChanged(
  command: Command,
  path: string,
  target: string,
  asked: ShardSize | undefined,
  line: ProgressLine,
): Summary | ShardedSummary | undefined {
  const { options } = command;
  if (options.full === true || options["no-hints"] === true) return undefined;
  const started = performance.now();
  const look = lookOf(target);
  if (look?.key !== keyOf(command, path) || isForeign(target)) return undefined;
  const { paths, isWhole } = changedSince(look, Infinity, true);
  if (paths.length > 0 || !isWhole) return undefined;
  const kept = look.summary as Kept;
  if (!isSameSize(kept, asked)) return undefined;
  const timed = { changes: unchanged(kept.n_files), seconds: secondsSince(started) };
  if ("n_shards" in kept) {
    const { size: _, ...summary } = kept;
    return shardsBeside(target).length === kept.n_shards ? { ...summary, ...timed } : undefined;
  }
  const summary = kept;
  if (summary.overlay && options["no-overlay"] === true) return undefined;
  if (!isUsable(target, summary.overlay)) {
    line.note("portolan: the index that the overlay builds on is gone or was changed: making it anew [overlay.base]");
    return undefined;
  }
  return { ...summary, ...timed };
}

function unchanged(n_files: number): ReturnType<typeof counted> {
  return { added: 0, modified: 0, deleted: 0, renamed: 0, unchanged: n_files };
}

function secondsSince(started: number): number {
  return Number(((performance.now() - started) / 1000).toFixed(3));
}

/** Whether an index is in as many pieces as it is asked for; without a word it stays as it is. */
function isSameSize(kept: Kept, asked: ShardSize | undefined): boolean {
  if (asked === undefined) return true;
  return "n_shards" in kept && kept.size.number === asked.number && kept.size.isMemory === asked.isMemory;
}

/** Options that do not change what is in an index; how many pieces it is in changes no answer. */
const ASIDE = [
  "json",
  "quiet",
  "color",
  "config",
  "workers",
  "output",
  "full",
  "no-hints",
  "no-overlay",
  "engine",
  "shards",
  "memory-budget",
];

/** Everything that an index depends on besides its files: the place, the version, the options, and the files that they name. */
function keyOf(command: Command, path: string): string {
  return JSON.stringify([resolve(path), optionsKey(command)]);
}

/** The same without the place: indexes of one repository with the same key differ by their files only. */
function optionsKey({ options }: Command): string {
  const asked = Object.entries(options).filter(([name]) => !ASIDE.includes(name));
  const named = [...(options.scip ?? []), ...(options.grammar ?? []), options.model, ...(options.queries ?? [])];
  const stamps = named.flatMap((file) => (file === undefined ? [] : stampsOf(file)));
  return JSON.stringify([packageVersion(), asked.sort(), stamps]);
}

/** Which files are there, and since when; of a folder all in it. */
function stampsOf(file: string): string[] {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return [`${file} is gone`];
  if (!stats.isDirectory()) return [`${file} ${stats.ino} ${stats.size} ${stats.ctimeMs}`];
  return readdirSync(file)
    .sort()
    .flatMap((name) => (name.startsWith(".") ? [] : stampsOf(join(file, name))));
}

/** Options for a session, and the file of the index that it starts from. */
export type Work = WorkOptions & { readonly start?: Start };

/** Returns the options for the session. An existing index is updated; else that of `path` starts from the nearest one that is kept. */
export async function workOptions(command: Command, target: string, path?: string): Promise<Work> {
  const { options } = command;
  const workers = wholeNumber(options.workers, "workers", 1);
  const chunks = {
    target: wholeNumber(options["chunk-target"], "chunk-target", 20),
    max: wholeNumber(options["chunk-max"], "chunk-max", 20),
    min: wholeNumber(options["chunk-min"], "chunk-min", 0),
  };
  const foreign = options.full !== true && isForeign(target);
  if (foreign) process.stderr.write(`portolan: ${FOREIGN}\n`);
  const start = options.full === true || foreign ? undefined : startOf(target, repositoryAt(path), optionsKey(command));
  const previous = start && indexAt(start.file);
  return {
    embeddings: options["no-embeddings"] !== true,
    ...(options.approximate === true ? { approximate: true } : {}),
    ...(options.model === undefined ? {} : { model: embeddingModel(options.model) }),
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(workers === undefined ? {} : { workers }),
    ...(start === undefined || previous === undefined ? {} : { previous, start, ...nameIn(start, path, options.name) }),
    hints: options["no-hints"] !== true && start?.isElsewhere !== true,
    source: sourceOptions(command),
    scip: await Promise.all((options.scip ?? []).map((file) => readInflated(file, MAX_BYTES_OF.scip))),
    grammars: userGrammars(command),
    chunks: Object.fromEntries(Object.entries(chunks).filter(([, size]) => size !== undefined)),
  };
}

/** An index that starts from that of another folder has the name of its own. */
function nameIn({ isElsewhere }: Start, path: string | undefined, name: string | undefined): { name?: string } {
  return isElsewhere && name === undefined && path !== undefined ? { name: openHere(path).name } : {};
}

/** Below which folders links are refused: in what is indexed, and for a file that was named also where the command was given. */
export function repositoriesOf({ options }: Command, path: string): Required<SnapshotTarget> {
  const folder = folderOf(path);
  return { repositories: options.output === undefined ? [folder] : [findRoot(folder), findRoot()] };
}

/** Told where nothing says afterwards that the index was made here. */
const UNBOUND =
  "portolan: there is no user folder to record that you built this index: name it with --index in queries, or set PORTOLAN_INDEX_KEY for both [index.unbound]";

const FOREIGN =
  "the existing index was not built on this machine, or was changed since: indexing every file again [index.untrusted]";

/** Whether there is an index that somebody else made; it is replaced, and nothing of it is used. */
function isForeign(target: string): boolean {
  try {
    return statSync(target, { throwIfNoEntry: false })?.isFile() === true && !isOwnIndex(target);
  } catch {
    return false; // who reads or writes it says what is wrong
  }
}

function indexAt(target: string): Uint8Array | undefined {
  try {
    return statSync(target, { throwIfNoEntry: false })?.isFile() ? readRegular(target) : undefined;
  } catch (error) {
    throw new PortolanError(
      "storage.failed",
      `${target} cannot be read: ${(error as Error).message}`,
      "name another place with --output",
      { cause: error },
    );
  }
}

/** How many files were added, modified, and so on. */
export function counted({ added, modified, deleted, renamed, n_unchanged }: FileChanges) {
  return {
    added: added.length,
    modified: modified.length,
    deleted: deleted.length,
    renamed: renamed.length,
    unchanged: n_unchanged,
  };
}

function text(summary: {
  index: string;
  n_bytes: number;
  n_files: number;
  n_skipped: number;
  n_symbols?: number;
  changes?: ReturnType<typeof counted>;
  known?: ReturnType<typeof knownOf>;
  overlay?: OverlayMade;
  seconds: number;
}): string {
  const { n_files, n_skipped, n_symbols, seconds, n_bytes, changes, known, overlay } = summary;
  const what = changes ? `${inWords(changes)}\n` : "";
  const symbols = n_symbols === undefined ? "" : `, ${quantity(n_symbols, "symbol")}`;
  const before = known ? `${quantity(known.n_files, "file")} known from ${known.root ?? "an earlier index"}\n` : "";
  const size = `${(n_bytes / 1e6).toFixed(n_bytes < 1e5 ? 3 : 1)} MB`;
  const kind = overlay ? `${size}, overlay of the index of ${overlay.root}: ${inDifferences(overlay)}` : size;
  return `${what}${before}${quantity(n_files, "file")} (${n_skipped} skipped)${symbols}, ${seconds.toFixed(1)} s\n${summary.index} (${kind})\n`;
}

/** `10 files differ, 2 are gone`. */
function inDifferences({ n_changed, n_deleted }: OverlayMade): string {
  return `${quantity(n_changed, "file differs", "files differ")}, ${quantity(n_deleted, "is gone", "are gone")}`;
}

/** `2 modified, 1 added, 2940 unchanged`. */
export function inWords(changes: ReturnType<typeof counted>): string {
  const { unchanged, ...changed } = changes;
  const parts = Object.entries(changed).filter(([, n]) => n > 0);
  return [
    ...(parts.length === 0 ? ["nothing has changed"] : parts.map(([what, n]) => `${n} ${what}`)),
    `${unchanged} unchanged`,
  ].join(", ");
}
