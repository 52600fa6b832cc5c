/** How many threads an index is made with, and what each does. */

import type { SessionHost } from "../host.js";
import type { WorkOptions } from "../rpc/protocol.js";

/** More workers than this gain nothing: building is done by one. */
const MAX_WORKERS = 8;
/** A thread takes as long to come up as so much to parse. */
const BYTES_OF_A_WORKER = 400_000;
/** Of a repository with less the index is packed when it is saved. */
const BYTES_TO_PACK_ASIDE = 2_000_000;

export interface WorkerPlan {
  /** Workers that parse, at most. */
  readonly n_workers: number;
  /** Whether the thread that indexes parses, too, where its host can: it has a core to itself and would wait. */
  readonly parsesHere: boolean;
  /** Whether an index from before, where little has changed, is packed by a worker while it is built. */
  readonly packsAside: boolean;
}

/** For about `n_bytes` of files; infinite where that is not known. */
export function planWorkers(
  host: SessionHost,
  { workers, previous, saves, store }: WorkOptions,
  n_bytes: number,
): WorkerPlan {
  const n_free_cores = host.parallelism - Number(host.parserHere !== undefined);
  const n_workers = Math.max(1, workers ?? Math.min(n_free_cores, MAX_WORKERS, Math.ceil(n_bytes / BYTES_OF_A_WORKER)));
  const isSaved = saves === true || store === true;
  return {
    n_workers,
    parsesHere: workers === undefined && n_workers < host.parallelism,
    packsAside: previous !== undefined && isSaved && n_bytes >= BYTES_TO_PACK_ASIDE && n_bytes < Infinity,
  };
}
