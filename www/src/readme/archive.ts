//! The README of an archive, read before anything is indexed: of a zip by its list of contents, of a tar by its first entries. Only for a first
//! sight: what is odd is left to the index, which reads archives with all their limits.

import { walkTar } from "../archive/tar.ts";
import { zipBytes, zipEntries } from "../archive/zip.ts";
import type { EarlyText } from "./early.ts";
import { readmeAmong } from "./links.ts";

const largest = 1_000_000;
/** A tar whose README comes later is not searched to its end. */
const mostRead = 48_000_000;

/** Reads it; nothing where there is none in the top folder. */
export async function readmeOfArchive(archive: Blob): Promise<EarlyText | undefined> {
  const start = new Uint8Array(await archive.slice(0, 4).arrayBuffer());
  return start[0] === 0x50 && start[1] === 0x4b ? ofZip(archive) : ofTar(archive);
}

async function ofZip(archive: Blob): Promise<EarlyText | undefined> {
  const entries = await zipEntries(archive);
  const top = sharedTop(entries.map(({ path }) => path));
  const path = readmeAmong(entries.map((entry) => entry.path.slice(top.length)));
  const entry = entries.find((one) => path !== undefined && one.path === top + path);
  if (path === undefined || !entry || Math.max(entry.size, entry.plain) > largest) return undefined;
  const bytes = await zipBytes(archive, entry, largest);
  return bytes && { path, text: new TextDecoder().decode(bytes) };
}

/** The folder that all paths are in, with its slash; empty where there is none. */
function sharedTop(paths: readonly string[]): string {
  const [first = ""] = paths;
  const top = first.slice(0, first.indexOf("/") + 1);
  return paths.every((path) => path.startsWith(top)) ? top : "";
}

async function ofTar(archive: Blob): Promise<EarlyText | undefined> {
  const tops = new Set<string>();
  let found: EarlyText | undefined;
  await walkTar(archive, mostRead, async (entry, source) => {
    tops.add(entry.path.slice(0, entry.path.indexOf("/") + 1));
    const path = entry.path.slice(entry.path.indexOf("/") + 1);
    if (tops.size !== 1 || entry.size > largest || readmeAmong([path]) === undefined) return true;
    found = { path, text: new TextDecoder().decode(await source.take(entry.size)) };
    return false;
  });
  return found;
}
