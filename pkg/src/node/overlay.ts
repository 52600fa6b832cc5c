/**
 * Opens an overlay: finds its base, makes the whole index of both, and keeps that in the cache for the next question.
 *
 * An overlay is data of the repository until it is known to be made here, so that is asked first. Its base is looked up in the user's own cache by its
 * digest, must be of the same clone, and is hashed before it is used; an overlay cannot name a file.
 */

import type * as Crypto from "node:crypto";
import { createRequire } from "node:module";
import { dirname } from "node:path";

import { PortolanError } from "../errors.js";
import type { Session } from "../indexing/session.js";
import { cacheFolder, forget, keptPath, noteKept, type KeptIndex } from "./index-cache.js";
import { isRootAt } from "./index-file.js";
import { baseOf, madeIndex, nameOfMade } from "./made-index.js";
import { isOfProgram, nativeProgram, replayNatively } from "./native.js";
import { isOverlay, readOverlay, type Overlay } from "./overlay-file.js";
import { placeOf, requireOwnIndex } from "./own-index.js";
import { OpenedFile } from "./piece-file.js";
import { replaceBy, replaceFile } from "./safe-files.js";
import { placeNamed } from "./safe-folder.js";
import { identityOf } from "./user-folder.js";
import { packageVersion } from "./version.js";

const PIECE = 4 * 1024 * 1024;

/**
 * The file of the whole index at a path: itself, or the one that is made of an overlay and its base. Throws `index.untrusted`, `overlay.base`,
 * `overlay.damaged`, and `index.shards` for the root of an index in shards, which has no such file.
 */
export async function wholeIndex(path: string): Promise<string> {
  if (isRootAt(path))
    throw new PortolanError(
      "index.shards",
      `${path} is an index in shards, and this needs one file`,
      "index in one piece",
    );
  if (!isOverlay(path)) return path;
  requireOwnIndex(path);
  return madeIndex(path) ?? make(path);
}

async function make(path: string): Promise<string> {
  const place = placeOf(path);
  const identity = place && identityOf(place.file);
  const overlay = readOverlay(path);
  const folder = cacheFolder(place?.root);
  const base = folder === undefined ? undefined : verified(folder, baseOf(path, overlay.base));
  if (!place || folder === undefined || base === undefined)
    throw new PortolanError(
      "overlay.base",
      `${path} is an overlay, and the index that it builds on is gone or was changed`,
      "make it anew with `portolan index`",
    );
  const name = nameOfMade(place.file);
  await replayInto(keptPath(folder, name), base, overlay, place.root ?? dirname(place.file));
  noteKept(folder, name, { overlay: identity });
  return keptPath(folder, name);
}

/** The base, if its bytes are those that were kept; else it is forgotten, so that nothing starts from it again. */
function verified(folder: string, base: KeptIndex | undefined): KeptIndex | undefined {
  if (base === undefined || digestOf(base.path) === base.digest) return base;
  forget(folder, base.digest);
  return undefined;
}

/** Makes the whole index and writes it: by the native program where there is one, else in WebAssembly. */
async function replayInto(target: string, base: KeptIndex, overlay: Overlay, root: string): Promise<void> {
  const place = placeNamed(target, []);
  const options = { isOurs: () => true, mode: 0o600 };
  const program = nativeProgram();
  if (program !== undefined) {
    try {
      return await replaceBy(place, (output) => replayedNatively(program, base, overlay, root, output), options);
    } catch (error) {
      if (!isOfProgram(error)) throw error;
    }
  }
  const session = await replayed(base, overlay);
  try {
    replaceFile(place, (give) => session.saveTo(give), options);
  } finally {
    session.close();
  }
}

async function replayedNatively(program: string, base: KeptIndex, overlay: Overlay, folder: string, output: number) {
  const { name, embeddings, source } = overlay;
  const job = { version: packageVersion(), folder, name, source, embeddings, now: Date.now(), reads_all: false };
  const { n_files } = await replayNatively(program, { ...job, previous: base.path }, overlay, output);
  requireAll(n_files, overlay);
}

/** A session with the whole index. */
async function replayed(base: KeptIndex, overlay: Overlay): Promise<Session> {
  const [{ Session }, { nodeSessionHost }] = await Promise.all([
    import("../indexing/session.js"),
    import("./session-host.js"),
  ]);
  const { name, embeddings, source, deleted, skipped, files } = overlay;
  // Texts are about twice as large as their index: with many a second thread compresses.
  const session = new Session({ ...nodeSessionHost(), prepare: () => 2 * base.n_bytes });
  const file = new OpenedFile(base.path);
  try {
    const previous = file.read(0, file.n_bytes).slice();
    const options = { name, embeddings, source, previous, replay: { deleted, skipped }, saves: true };
    await session.make(files, options, new AbortController().signal, () => {});
    requireAll(((await session.ask("status", {})) as { n_files: number }).n_files, overlay);
    return session;
  } catch (error) {
    session.close();
    throw error;
  } finally {
    file.close();
  }
}

function requireAll(n_files: number, overlay: Overlay): void {
  if (n_files !== overlay.n_files)
    throw new PortolanError("overlay.damaged", "not all files of the overlay were taken in", "run `portolan index`");
}

/** SHA-256 of a file. */
export function digestOf(path: string): string {
  const { createHash } = createRequire(import.meta.url)("node:crypto") as typeof Crypto;
  const hash = createHash("sha256");
  const file = new OpenedFile(path);
  try {
    for (let at = 0; at < file.n_bytes; at += PIECE) hash.update(file.read(at, Math.min(at + PIECE, file.n_bytes)));
    return hash.digest("hex");
  } finally {
    file.close();
  }
}
