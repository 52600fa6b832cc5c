/** Builds indexes for the server and keeps them current, where the host can; the command line brings one. */

import type { CodeIndex } from "../code-index.js";
import { PortolanError } from "../errors.js";
import type { CallContext } from "./host.js";

/** An index as it was written. */
export interface KeptIndex {
  readonly root: string;
  readonly index: string;
  readonly n_files: number;
  /** Absent for an index in shards. */
  readonly n_symbols?: number;
  /** Number of files by what became of them; absent where there was no index before. */
  readonly changes?: Readonly<Record<string, number>>;
  readonly seconds: number;
}

export interface Keeper {
  /** Builds the index of a folder, or brings it up to date, and writes it. Calls for the same folder at once share one run. */
  index(root: string, context?: CallContext): Promise<KeptIndex>;
  /** The run for a folder, if there is one now. */
  pending(root: string): Pending | undefined;
  /** Whether the index of a folder is kept, or will be once it can answer. */
  isKept(root: string): boolean;
  /**
   * The index of a folder that is kept, with all changes that the files have now, as long as taking them in is quick; nothing where none is
   * kept. It answers by words before its vectors are there, and is the keeper's to close.
   */
  current(root: string): Promise<Current | undefined>;
  close(): void;
}

/** An index that is kept current. */
export interface Current {
  readonly index: CodeIndex;
  /** Milliseconds since 1970 at which its files were looked at last. */
  readonly looked_at: number;
  /** Whether it has all that the files are, as the system tells of every change at once: none needs a look. */
  readonly isExact: boolean;
  /** Whether changes are still being taken in. */
  readonly isBehind: boolean;
}

interface Pending {
  /** Settles when questions can be asked. */
  readonly done: Promise<unknown>;
  readonly progress: () => { readonly done: number; readonly total: number } | undefined;
}

/** A call waits so long for a first index; then it says how far it is. */
const WAIT_MS = 20_000;

/** Waits for the first index of a folder. Rejects with `index.building` where that takes long. */
export async function awaitIndex({ done, progress }: Pending, root: string, millis = WAIT_MS): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), millis);
  });
  try {
    if ((await Promise.race([done, late])) !== "late") return;
  } finally {
    clearTimeout(timer);
  }
  const { done: n_done = 0, total = 0 } = progress() ?? {};
  throw new PortolanError(
    "index.building",
    `the index of ${root} is being built: ${n_done} of ${total}`,
    "retry in some seconds",
  );
}
