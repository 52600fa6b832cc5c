/** Whether the root of an index in shards fits the Worker, which holds it whole; known before anybody asks. */

/** Memory of the Worker for snapshots where nothing else is set, and of a byte of a root: as in `crates/edge/worker/indexes.mjs`. */
export const WORKER_LIMIT = { MAX_SNAPSHOT_BYTES: 64 * 1024 * 1024, UNPACKED: 4 } as const;

/** The warning for a root file of `n_bytes`; undefined where it fits. */
export function tooLargeForWorker(n_bytes: number): string | undefined {
  const { MAX_SNAPSHOT_BYTES: most, UNPACKED } = WORKER_LIMIT;
  const needed = UNPACKED * n_bytes;
  if (needed <= most) return undefined;
  const mebibytes = (n: number) => `${Math.ceil(n / 2 ** 20)} MiB`;
  return (
    `a Cloudflare Worker refuses questions to this index (snapshot.too-large): its root needs ${mebibytes(needed)} of memory, and ` +
    `the limit is ${mebibytes(most)} unless MAX_SNAPSHOT_BYTES is another. Index it as several repositories, or serve it with ` +
    "`portolan serve --shared` [push.large]"
  );
}
