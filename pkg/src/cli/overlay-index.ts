/** `portolan index` in a worktree beside the first one: an overlay, where the index of another worktree is kept and the files differ little. */

import { resolve } from "node:path";

import type { Command } from "../commands/options.js";
import { differences } from "../indexing/differences.js";
import { bindIndex } from "../node/bind-index.js";
import { writeSnapshot, type SnapshotTarget } from "../node/file-store.js";
import { folderOf, openPath as openHere } from "../node/files.js";
import { gitIdentity } from "../node/git-identity.js";
import type { KeptIndex } from "../node/index-cache.js";
import { LookRecorder, type Seen } from "../node/look.js";
import { baseOf } from "../node/made-index.js";
import { isOverlay, overlayBytes } from "../node/overlay-file.js";
import { OpenedFile } from "../node/piece-file.js";
import { indexPathOf } from "../node/root.js";
import { hostOfCommand, validateLazily } from "../node/tiering.js";
import type { SourceOptions } from "../types.js";
import { nearestTo } from "./kept-indexes.js";
import { comparedNatively, type Compared } from "./native-index.js";
import type { ProgressLine } from "./progress-line.js";
import { sourceOptions } from "./source-options.js";

/** An overlay takes at most this part of its base's bytes: with more to replay a whole index is better. */
const LARGEST_SHARE = 1 / 8;
/** Texts become about a third when they are deflated. */
const DEFLATED = 3;

/** An overlay in the summary of a run. */
export interface OverlayMade {
  /** SHA-256 of the base. */
  readonly base: string;
  /** The folder that the base is of. */
  readonly root: string;
  readonly n_changed: number;
  readonly n_deleted: number;
}

export interface Overlaid {
  readonly n_bytes: number;
  readonly n_files: number;
  readonly n_skipped: number;
  readonly overlay: OverlayMade;
  readonly isBound: boolean;
  readonly look: Seen;
  readonly engine: "native" | "wasm";
}

/** Options that an overlay knows nothing of. */
const WHOLE_ONLY = ["full", "no-overlay", "output", "scip", "grammar", "queries", "model", "approximate"] as const;
const CHUNKS = ["chunk-target", "chunk-max", "chunk-min"] as const;

/** Makes the overlay of a worktree; nothing where it is none, there is no base, or too much differs. */
export async function indexAsOverlay(
  command: Command,
  path: string,
  key: string,
  written: SnapshotTarget,
  line: Pick<ProgressLine, "note">,
): Promise<Overlaid | undefined> {
  const { options } = command;
  const isAsked = (value: unknown) =>
    value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  if ([...WHOLE_ONLY, ...CHUNKS].some((name) => isAsked(options[name]))) return undefined;
  const root = resolve(path);
  const identity = folderOf(path) === root ? gitIdentity(root) : undefined;
  if (!identity?.isWorktree) return undefined;
  const base = nearestTo(root, key);
  if (base === undefined || base.names[0] !== identity.clone) return undefined;
  return made(command, root, base, written, line);
}

async function made(
  command: Command,
  root: string,
  base: KeptIndex,
  written: SnapshotTarget,
  line: Pick<ProgressLine, "note">,
): Promise<Overlaid | undefined> {
  const source = sourceOptions(command);
  const maxBytes = base.n_bytes * LARGEST_SHARE;
  const most = Math.floor(maxBytes * DEFLATED);
  const natively = await comparedNatively(command, root, base.path, { source, embeddings: false }, most, line);
  const { differences: found, look, engine } = natively ?? (await compared(root, base.path, source, most));
  if (!found) return undefined;
  const { files, deleted, skipped, n_unchanged } = found;
  const n_files = n_unchanged + files.length;
  const bytes = overlayBytes({
    base: base.digest,
    n_files,
    name: command.options.name ?? openHere(root).name,
    embeddings: command.options["no-embeddings"] !== true,
    source,
    deleted,
    skipped,
    files,
  });
  if (bytes.length > maxBytes) return undefined;
  const target = indexPathOf(root);
  const n_bytes = writeSnapshot(target, bytes, written);
  const isBound = bindIndex(target, root);
  const overlay = { base: base.digest, root: base.root, n_changed: files.length, n_deleted: deleted.length };
  return { n_bytes, n_files, n_skipped: skipped.length, overlay, isBound, look, engine };
}

/** Compares a folder with the index of another one in WebAssembly. */
async function compared(root: string, base: string, source: SourceOptions, maxBytes: number): Promise<Compared> {
  const look = new LookRecorder();
  validateLazily();
  const host = { ...hostOfCommand(), openPath: async (place: string) => openHere(place, look) };
  const file = new OpenedFile(base);
  try {
    return { differences: await differences(host, file, root, source, maxBytes), look, engine: "wasm" };
  } finally {
    file.close();
  }
}

/** Whether the index at a path can be opened: of an overlay the base must be there. */
export function isUsable(target: string, overlay: OverlayMade | undefined): boolean {
  return overlay === undefined ? !isOverlay(target) : baseOf(target, overlay.base) !== undefined;
}
