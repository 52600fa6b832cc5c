/**
 * Graphs over the vectors of large indexes (HNSW): built in a worker, while the index answers by comparing every vector.
 * The graph of one index is of no use to the next, so a change ends the work on it.
 */

import type { AnsweringIndex } from "../reading/answering.js";
import type { SessionHost } from "../host.js";
import type { EmbedProtocol } from "../rpc/protocol.js";
import { Caller } from "../rpc/rpc.js";

/**
 * Gives the index its graph, where there are enough vectors for it to pay, or `always`. Some milliseconds of another core for each vector.
 *
 * @returns whether it has one now that it had not.
 */
export async function addNeighbours(
  host: SessionHost,
  index: AnsweringIndex,
  always: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const what = "to build a graph over the vectors";
  if (!index.run(what, (wasm) => wasm.wantsNeighbours(always))) return false;
  const dim = index.run(what, (wasm) => wasm.nNumbers());
  const rows = index.run(what, (wasm) => wasm.vectorRows()) as Int8Array<ArrayBuffer>;
  const caller = new Caller<EmbedProtocol>(host.spawn("embed"));
  const end = () => caller.close(signal.reason as Error);
  signal.addEventListener("abort", end, { once: true });
  try {
    signal.throwIfAborted();
    const numbers = await caller.call("neighbours", { dim, rows }, { transfer: [rows.buffer] });
    signal.throwIfAborted();
    index.run(what, (wasm) => wasm.setNeighbours(numbers));
    return true;
  } finally {
    signal.removeEventListener("abort", end);
    caller.close();
  }
}
