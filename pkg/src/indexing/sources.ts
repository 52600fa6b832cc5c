/** From any input to a list of files to read, or an archive that the engine unpacks. */

import { PortolanError } from "../errors.js";
import type { OpenedInput, SessionHost } from "../host.js";
import { checkFiles, checkInput, unknownInput } from "./input-limits.js";
import { openSource, type OpenEvents } from "../sources/open.js";
import { parseSource, type Source } from "../sources/parse.js";
import type { FileInput, Input, SourceSettings } from "../types.js";
import {
  bytesOf,
  folderOfFiles,
  folderOfHandle,
  pathOfFile,
  walk,
  withoutTopFolder,
  type FoundFile,
  type OnFound,
  type Rules,
} from "./walk.js";

/** The files or the archive that will be read. */
export type Sources =
  | { kind: "files"; name: string; files: FoundFile[] }
  | { kind: "archive"; name: string; bytes: Uint8Array };

const UNNAMED = "untitled";

/** Tells the kinds of input apart. `remote` says how sources on other hosts are fetched. */
export async function openInput(host: SessionHost, input: Input, remote?: Remote): Promise<OpenedInput> {
  if (typeof input === "string") {
    const source = host.isPath?.(input) === true ? undefined : parseSource(input, remote?.settings.forges);
    if (source && remote) return openRemote(source, remote, host);
    if (!host.openPath)
      throw new PortolanError(
        "input.path",
        `${input.slice(0, 200)} names no source, and a path can be indexed in Node only`,
        "pass `owner/repo`, an address, files, a directory handle or an archive",
      );
    return host.openPath(input);
  }
  checkInput(input);
  if (isList(input)) return openList(input);
  if ("archive" in input) return openArchive(input.archive);
  if ("files" in input) return { folder: folderOfFiles(input.files), name: UNNAMED };
  if ("entries" in input) return { folder: folderOfHandle(input), name: input.name };
  throw unknownInput(input);
}

/** How a source on another host is fetched, and its events. */
export interface Remote {
  readonly settings: SourceSettings;
  readonly events: OpenEvents;
}

async function openRemote(source: Source, { settings, events }: Remote, host: SessionHost): Promise<OpenedInput> {
  const opened = await openSource(source, { by: host.fetchesBy ?? "archive", ...settings }, events);
  const { name, include } = opened;
  if ("archive" in opened) return { archive: opened.archive, name, include };
  if ("files" in opened) return { folder: folderOfFiles(opened.files), name, include };
  return { folder: opened.remote.folder, remote: opened.remote, name, include };
}

function isList(input: Input): input is readonly File[] | readonly FileInput[] {
  return Array.isArray(input);
}

/** Files of the platform have a folder in common, which is no part of their paths; paths that were given are as they are meant. */
function openList(list: readonly (File | FileInput)[]): OpenedInput {
  if (list.length > 0 && list.every((entry) => entry instanceof Blob))
    return openFiles((list as readonly File[]).map((file) => ({ path: pathOfFile(file), file })));
  const files = list.map((entry) => (entry instanceof Blob ? { path: pathOfFile(entry), file: entry } : entry));
  checkFiles(files);
  return { folder: folderOfFiles(files), name: UNNAMED };
}

function openFiles(files: FileInput[]): OpenedInput {
  const stripped = withoutTopFolder(files);
  return { folder: folderOfFiles(stripped.files), name: stripped.top ?? UNNAMED };
}

async function openArchive(archive: Blob | Uint8Array): Promise<OpenedInput> {
  if (archive instanceof Uint8Array) return { archive, name: UNNAMED };
  const name = "name" in archive && typeof archive.name === "string" ? nameOfArchive(archive.name) : UNNAMED;
  return { archive: await bytesOf(archive), name };
}

/** `repo-main.zip` → `repo-main`. */
export function nameOfArchive(file: string): string {
  return file.replace(/\.(zip|tar\.gz|tgz|tar|crate)$/i, "") || UNNAMED;
}

/** Walks where there is something to walk. */
export async function listSources(
  opened: OpenedInput,
  rules: Rules,
  signal: AbortSignal,
  onFound: OnFound,
  onFolder?: (path: string) => void,
): Promise<Sources> {
  if ("archive" in opened) return { kind: "archive", name: opened.name, bytes: opened.archive };
  if (!opened.remote)
    return { kind: "files", name: opened.name, files: await walk(opened.folder, rules, signal, onFound, onFolder) };
  const found = await walk(opened.folder, rules, signal, () => {}, onFolder);
  return { kind: "files", name: opened.name, files: opened.remote.arrange(found) };
}

/** Returns the warning that no file was taken in: the reasons, each with the first file that it left out. */
export function nothingTaken(skipped: readonly { path: string; code: string; message: string }[]): PortolanError {
  const reasons = new Map<string, { n: number; first: string }>();
  for (const { path, code, message } of skipped) {
    const known = reasons.get(code);
    if (known) known.n++;
    else reasons.set(code, { n: 1, first: `${path} (${message})` });
  }
  const most = [...reasons].sort(([, a], [, b]) => b.n - a.n).slice(0, 3);
  const list = most.map(([code, { n, first }]) => `${n} as ${code}, such as ${first}`);
  const why = list.length === 0 ? "there is none" : `${skipped.length} were left out: ${list.join("; ")}`;
  return new PortolanError(
    "index.empty",
    `no file is in the index: ${why}`,
    "take files in with lines such as `!src/` in .portolanignore, which is stronger than .gitignore",
  );
}
