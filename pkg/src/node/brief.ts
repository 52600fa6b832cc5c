/** V8 for a process that answers a question and ends: to be called before anything is compiled. */

import { createRequire } from "node:module";
import type * as V8 from "node:v8";

/** Functions are compiled, and looked at, when they are called. */
const LAZILY = ["--wasm-lazy-compilation", "--wasm-lazy-validation"];

/**
 * V8 compiles WebAssembly twice: quickly, and then what runs often again, for speed. A process of a few questions ends before that pays,
 * and waits for it: half of the processor time of one question went there.
 *
 * @param few whether there will be few queries: many queries need the engine compiled for speed.
 */
export function brief(few = true): void {
  // Loaded here, since it brings streams along.
  const { setFlagsFromString } = createRequire(import.meta.url)("node:v8") as typeof V8;
  for (const flag of few ? ["--liftoff-only", ...LAZILY] : LAZILY) setFlagsFromString(flag);
}
