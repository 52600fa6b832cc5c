/** Long lists of files go to a page in parts, each a message of its own: reading fifty thousand entries at once would hold it up. */

import type { FileEntry, FileList } from "../../wasm/reader.js";

/** Entries per message; a page reads this many in a few milliseconds. */
const N_ENTRIES = 4_000;

/** The answer with its last entries; those before are emitted. */
export function inParts(answer: FileList, emit: (part: { files: FileEntry[] }) => void): FileList {
  const { files } = answer;
  let start = 0;
  for (; files.length - start > N_ENTRIES; start += N_ENTRIES) emit({ files: files.slice(start, start + N_ENTRIES) });
  return start === 0 ? answer : { ...answer, files: files.slice(start) };
}

/** The whole answer again. */
export function joined(parts: readonly FileEntry[][], answer: unknown): unknown {
  return parts.length === 0
    ? answer
    : { ...(answer as FileList), files: [...parts, (answer as FileList).files].flat() };
}
