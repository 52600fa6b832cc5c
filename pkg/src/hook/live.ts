/**
 * How a hook finds a server that has its index open, and the server it: a socket of the system in the user's own folder, which only
 * its owner can enter, named after the index and the process that listens. Windows has no such sockets, and its hooks open the index themselves.
 */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { placeOf } from "../node/own-index.js";
import { nameFor, privateFolder, userFolder } from "../node/user-folder.js";
import { MAX_EVENT } from "./event.js";

const FOLDER = "live";
/** Another number where hooks and servers of two versions would not understand, or not mean, the same. */
const VERSION = 1;
/** Systems cut longer addresses, or refuse them. */
const MAX_ADDRESS = 100;
/** The event within a text, in which every character may be escaped. */
export const MAX_REQUEST = 6 * MAX_EVENT + 64 * 1024;

/** The question of a hook to a server. */
export interface LiveRequest {
  /** The event as the agent wrote it. */
  readonly text: string;
  /** Operands of the hook. */
  readonly operands: readonly string[];
  /** Where the hook was started. */
  readonly cwd: string;
  /** The index file as the hook sees it: another machine, or another root of files, sees another one under its path. */
  readonly identity: string;
}

/** The answer of a server; without `said` the hook asks the index itself. */
export interface LiveAnswer {
  readonly said?: string;
}

/** Whether hooks of this user have looked for a server before. */
export function hasHooks(root: string): boolean {
  const folder = hasSockets() ? userFolder(root) : undefined;
  return folder !== undefined && existsSync(join(folder, FOLDER));
}

/** The address that a process listens at for questions to an index, which need not exist if its path is real. Throws what the system says. */
export function addressFor(index: string, root: string): string | undefined {
  const folder = folderFor(root);
  const file = placeOf(index)?.file ?? index;
  return folder === undefined ? undefined : short(join(folder, `${prefixOf(file)}${process.pid}`));
}

/** The addresses of servers for an index, the last one that started first, as far as numbers of processes tell. */
export function addressesOf(index: string): string[] {
  const place = placeOf(index);
  const folder = place && folderFor(place.root);
  if (place === undefined || folder === undefined) return [];
  const prefix = prefixOf(place.file);
  const own = readdirSync(folder).filter((name) => name.startsWith(prefix));
  const number = (name: string) => Number(name.slice(prefix.length));
  return own.sort((a, b) => number(b) - number(a)).flatMap((name) => short(join(folder, name)) ?? []);
}

function folderFor(root: string | undefined): string | undefined {
  const folder = hasSockets() ? userFolder(root) : undefined;
  return folder && privateFolder(folder, FOLDER);
}

function prefixOf(file: string): string {
  return `${VERSION}-${nameFor(file)}-`;
}

function short(address: string): string | undefined {
  return Buffer.byteLength(address) <= MAX_ADDRESS ? address : undefined;
}

function hasSockets(): boolean {
  return process.platform !== "win32";
}
