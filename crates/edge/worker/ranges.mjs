// @ts-check
// A snapshot in the bucket of which only what questions read is fetched, by ranges of its object.

import { Failure, Index, n_start as nStart } from "./wasm/edge.js";

/**
 * A piece of the object to provide under a name.
 * @typedef {[name: string, start: number, end: number]} Wanted
 */

/** Ranges nearer to each other than this are fetched at once: asking costs more than the bytes between. */
const NEAR = 64 * 1024;
/** How many ranges are on their way at once; the platform allows six. */
const AT_ONCE = 4;

/**
 * Opens an object by its first bytes.
 * @param {Uint8Array} start
 * @param {number} nBytes  of the whole object
 */
export function openStart(start, nBytes) {
  return Index.open_start(start.subarray(0, nStart()), nBytes);
}

/**
 * The pieces that a tool needs before it runs.
 * @param {Index} index
 * @param {string} tool
 * @param {boolean} wantsVector
 * @returns {Wanted[]}
 */
export function missing(index, tool, wantsVector) {
  return JSON.parse(index.missing(tool, wantsVector));
}

/**
 * The pieces that the last query needs before it runs again.
 * @param {Index} index
 * @returns {Wanted[]}
 */
export function missingBlocks(index) {
  return JSON.parse(index.missing_blocks());
}

/**
 * The bytes of each, fetched from the object of this version.
 * @param {(range: { offset: number, length: number }) => Promise<Uint8Array>} fetch
 * @param {readonly Wanted[]} wanted
 * @returns {Promise<{ name: string, bytes: Uint8Array }[]>}  in the order of `wanted`
 */
export async function fetchRanges(fetch, wanted) {
  const runs = runsOf(wanted);
  /** @type {Map<string, Uint8Array>} */
  const found = new Map();
  for (let first = 0; first < runs.length; first += AT_ONCE) {
    await Promise.all(
      runs.slice(first, first + AT_ONCE).map(async ({ start, end, of }) => {
        const bytes = await fetch({ offset: start, length: end - start });
        if (bytes.length !== end - start)
          throw new Failure(
            "snapshot.truncated",
            "the bucket gave less than was asked for",
            "put the snapshot into the bucket again",
          );
        for (const [name, from, to] of of) found.set(name, bytes.subarray(from - start, to - start));
      }),
    );
  }
  return wanted.map(([name]) => ({ name, bytes: /** @type {Uint8Array} */ (found.get(name)) }));
}

/**
 * Neighbours together.
 * @param {readonly Wanted[]} wanted
 */
function runsOf(wanted) {
  /** @type {{ start: number, end: number, of: Wanted[] }[]} */
  const runs = [];
  for (const piece of [...wanted].sort((a, b) => a[1] - b[1])) {
    const [, start, end] = piece;
    const last = runs.at(-1);
    if (last && start <= last.end + NEAR) {
      last.end = Math.max(last.end, end);
      last.of.push(piece);
    } else runs.push({ start, end, of: [piece] });
  }
  return runs;
}
