/**
 * Where the settings of a repository are: the nearest `portolan.toml`, from the folder that a command is about up to the top of its work
 * tree. Files above a repository are not its own, and not read.
 */

import { lstatSync, statSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { isInside, userFolder } from "../node/user-folder.js";
import { UsageError } from "../commands/options.js";

const SETTINGS_FILE = "portolan.toml";
const WORK_TREES = [".git", ".hg", ".jj"];

export interface SettingsPlace {
  readonly path: string;
  /** Whether the user named the file, or it is in the user's own folder: it is then the user's word. */
  readonly isUsers: boolean;
}

/** The file that is named, else the nearest one of the repository. */
export function settingsPlace(about: string, env: NodeJS.ProcessEnv, given?: string): SettingsPlace | undefined {
  const named = given ?? env.PORTOLAN_CONFIG;
  if (named !== undefined && named !== "") return { path: resolve(named), isUsers: true };
  const place = resolve(about);
  const start = stats(place)?.isDirectory() === false ? dirname(place) : place; // an archive
  const top = workTree(start);
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, SETTINGS_FILE);
    if (isSettings(path)) return { path, isUsers: false };
    const above = dirname(folder);
    if (folder === top || above === folder || (top === undefined && !isOnlyOurs(above))) return undefined;
  }
}

/** Settings for all repositories, in the user's own folder. */
export function userSettings(root: string): SettingsPlace | undefined {
  const folder = userFolder(root);
  if (folder === undefined || isInside(folder, root)) return undefined;
  const path = join(folder, SETTINGS_FILE);
  return stats(path)?.isFile() === true ? { path, isUsers: true } : undefined;
}

/** The folder at the top of the work tree that contains `from`. */
export function workTree(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (WORK_TREES.some((mark) => stats(join(folder, mark)) !== undefined)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function isSettings(path: string): boolean {
  const found = linkStats(path);
  if (found === undefined || found.isDirectory()) return false;
  if (found.isFile()) return true;
  throw new UsageError(
    `${path} is a link or no regular file: settings are not read through it`,
    "put the file itself there, or name another one with --config",
  );
}

/** Where there is no work tree, folders above count as long as nobody else can put a file into them. */
function isOnlyOurs(folder: string): boolean {
  if (process.getuid === undefined) return true;
  const found = stats(folder);
  return found !== undefined && found.uid === process.getuid() && (found.mode & 0o022) === 0;
}

function linkStats(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function stats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
