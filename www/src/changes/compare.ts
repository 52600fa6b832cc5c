//! Two versions as a diff: the open index on one side, a folder, archive or source on a host that is indexed for this on the other.

import { type CodeIndex, type Input, Portolan, type SourceSettings } from "portolan";
import { side } from "../views/calm.ts";
import { diffOf, type Sides } from "./diff-of.ts";

const readAtOnce = 16;

/** The result of a comparison, as a diff from the older to the newer side. */
export interface Compared {
  readonly diff: string;
  readonly n_files: number;
}

/** Compares the open index with `input`. `isNewer` says that `input` is the newer side. The second index is closed again. */
export async function compare(
  index: CodeIndex,
  input: Input,
  isNewer: boolean,
  { signal, remote }: { signal: AbortSignal; remote: SourceSettings },
): Promise<Compared> {
  const other = await Portolan.index(input, { name: "compared", embeddings: false, store: false, signal, remote });
  try {
    await other.complete;
    const [here, there] = await Promise.all([index.files(), other.files()]);
    const sizes = new Map(here.files.map((file) => [file.path, file]));
    const thereBy = new Map(there.files.map((file) => [file.path, file]));
    const paths = [...new Set([...sizes.keys(), ...thereBy.keys()])].sort();
    const read = async (from: CodeIndex, has: boolean, path: string) =>
      has ? (await from.text(path)).text : undefined;
    const sides = await side(paths, readAtOnce, async (path): Promise<Sides> => {
      signal.throwIfAborted();
      const [mine, theirs] = await Promise.all([
        read(index, sizes.has(path), path),
        read(other, thereBy.has(path), path),
      ]);
      return isNewer ? { path, before: mine, after: theirs } : { path, before: theirs, after: mine };
    });
    const changed = sides.filter(({ before, after }) => before !== after);
    return { diff: await diffOf(changed), n_files: changed.length };
  } finally {
    other.close();
  }
}
