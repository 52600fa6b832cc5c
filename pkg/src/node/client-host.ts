/** Node as the client sees it. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

import type { OpenOptions } from "../client.js";
import type { AnsweringIndex } from "../reading/answering.js";
import type { Backend } from "../reading/backend.js";
import { PortolanError } from "../errors.js";
import type { Port } from "../host.js";
import { openLocal, openRemoteLocal } from "../reading/local.js";
import { withModel } from "../indexing/own-model.js";
import { ParserTools } from "../reading/parser-tools.js";
import { notEncrypted, unsealed } from "../storage/encrypted.js";
import type { OpenLimits } from "../types.js";
import { FileAssets } from "./assets.js";
import { FileStore } from "./file-store.js";
import { IndexFile, isRootAt } from "./index-file.js";
import { besideThis } from "./place.js";
import { portToThread } from "./ports.js";
import { INDEX_FILE, INDEX_FOLDER, indexPathOf } from "./root.js";
import { readRegular } from "./safe-files.js";
import { wholeIndex } from "./overlay.js";
import { nodeSessionHost } from "./session-host.js";
import { staleOf } from "./stale-files.js";

export function spawnIndex(): Port {
  return portToThread(new Worker(besideThis("./index.js"), { name: "portolan index" }));
}

export function spawnEmbed(): Port {
  return portToThread(new Worker(besideThis("./embed.js"), { name: "portolan embed" }));
}

/** Opens bytes, a snapshot file, the index of a folder, or one stored under a name in `.portolan/`. */
export async function openHere(
  snapshot: Uint8Array | string,
  { grammars, passphrase, pathKey, model, limits }: OpenOptions = {},
): Promise<{ backend: Backend; name: string }> {
  const file = typeof snapshot === "string" ? fileOf(snapshot) : undefined;
  const { assets } = withModel(nodeSessionHost(), model);
  const tools = (index: AnsweringIndex) => ParserTools.for(index, nodeSessionHost(), grammars);
  const root = file !== undefined && isRootAt(file) ? new IndexFile(file) : undefined;
  if (root && (passphrase !== undefined || pathKey !== undefined)) throw notEncrypted();
  const bytes = typeof snapshot === "string" && !root ? await readSnapshot(snapshot) : (snapshot as Uint8Array);
  const opened = root ?? (await unsealed(assets, bytes, passphrase, pathKey, limits));
  const { backend: answers, name } = await openLocal(assets, opened, tools, limits);
  const close = () => {
    answers.close();
    root?.close();
  };
  const backend = { ...answers, close };
  if (file === undefined) return { backend, name };
  const files = { files: () => backend.ask("files", {}), text: (path: string) => backend.ask("file_text", { path }) };
  return { backend: { ...backend, stale: () => staleOf(files, file, true) }, name };
}

/** The file of an index that is named directly or by its folder; nothing if the text is the name of a stored one. */
function fileOf(what: string): string | undefined {
  const stats = statSync(what, { throwIfNoEntry: false });
  if (stats?.isFile()) return what;
  return stats?.isDirectory() ? indexPathOf(what) : undefined;
}

/** Opens a snapshot on a server, of which only what questions read is fetched. */
export function openRemoteHere(url: string, limits?: OpenLimits): Promise<{ backend: Backend; name: string }> {
  return openRemoteLocal(nodeSessionHost().assets, url, () => new ParserTools(nodeSessionHost()), limits);
}

/** The indexes of `.portolan/` here. */
export function storeHere(): FileStore {
  return new FileStore(INDEX_FOLDER, undefined, async (snapshot) => {
    const { backend } = await openLocal(new FileAssets(), snapshot);
    const { n_files } = await backend.ask("status", {});
    backend.close();
    return n_files;
  });
}

async function readSnapshot(what: string): Promise<Uint8Array> {
  const stats = statSync(what, { throwIfNoEntry: false });
  if (stats?.isFile()) return readRegular(await wholeIndex(what));
  if (stats?.isDirectory()) return readSnapshotFile(await wholeIndex(join(what, INDEX_FOLDER, INDEX_FILE)));
  const stored = await new FileStore(INDEX_FOLDER).get(what);
  if (stored) return stored;
  throw notFound(what);
}

function readSnapshotFile(path: string): Uint8Array {
  try {
    return readRegular(path);
  } catch (error) {
    throw notFound(path, error);
  }
}

function notFound(path: string, cause?: unknown): PortolanError {
  return new PortolanError("storage.not-found", `there is no index at ${path}`, "build one with `portolan index`", {
    cause,
  });
}
