/** The files of shards beside the root of an index in shards. A module of its own: the hook loads little. */

import type { PieceFile } from "../host.js";

/** The files beside a root as the engine asks for them: by name, the number of bytes and a function that reads. */
export function besideOf(file: PieceFile): ((name: string) => unknown[]) | undefined {
  if (!file.beside) return undefined;
  return (name) => {
    const shard = file.beside?.(name);
    return [shard?.n_bytes, (start: number, end: number) => shard?.read(start, end)];
  };
}
