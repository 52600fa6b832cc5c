/** Whether the files of a repository are still those that were indexed, seen from their times and sizes. */

import { lstatSync } from "node:fs";
import { join } from "node:path";

import { textBelow } from "./text-below.js";

/** The files that are compared, and where. */
export interface Indexed {
  readonly root: string;
  /** When the index was written, in milliseconds since 1970. */
  readonly indexed_at: number;
  readonly paths: readonly string[];
  /** The text as it was indexed. */
  text(path: string): Promise<string>;
}

/** Not looked at again so soon. */
const REST_MS = 5_000;
/** Time of one look; the next one continues where it ended. */
const LOOK_MS = 40;
/** Maximum number of touched files that are compared with the index. */
const MAX_COMPARED = 50;
const MAX_PATHS = 10;

/** Checks the files now and then; between checks it returns the last result. */
export class StalenessCheck {
  private next = 0;
  private looked_at = -Infinity;
  private readonly changed = new Set<string>();

  constructor(private readonly indexed: Indexed) {}

  async now(): Promise<{ n_files: number; paths: readonly string[] }> {
    if (performance.now() - this.looked_at > REST_MS) await this.look();
    return { n_files: this.changed.size, paths: [...this.changed].sort().slice(0, MAX_PATHS) };
  }

  /** Looks at all files at once, at most `millis` long. */
  async compareAll(millis = Infinity): Promise<{ changed: readonly string[]; isWhole: boolean }> {
    const isWhole = await this.look(millis);
    return { changed: [...this.changed].sort(), isWhole };
  }

  /** Whether there was time for all files. */
  private async look(millis = LOOK_MS): Promise<boolean> {
    const { paths, indexed_at, root } = this.indexed;
    const started = performance.now();
    const touched: string[] = [];
    let n_looked = 0;
    for (; n_looked < paths.length && performance.now() - started < millis; n_looked++) {
      const path = paths[this.next++ % paths.length] as string;
      const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
      if (stats === undefined) this.changed.add(path);
      else if (Math.max(stats.mtimeMs, stats.ctimeMs) > indexed_at) touched.push(path);
      else this.changed.delete(path);
    }
    for (const path of touched) {
      if (this.changed.size >= MAX_COMPARED || (await this.isOther(path))) this.changed.add(path);
      else this.changed.delete(path);
    }
    this.looked_at = performance.now();
    return n_looked >= paths.length;
  }

  /** A file that was written again with the same text has not changed. */
  private async isOther(path: string): Promise<boolean> {
    try {
      // The index may name any path: a link, a pipe or a place elsewhere is no file of this repository.
      return textBelow(this.indexed.root, path) !== (await this.indexed.text(path));
    } catch {
      return true;
    }
  }
}
