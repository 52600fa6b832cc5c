/**
 * An index opened for a few questions by a process that ends right after: only the reading artifact, nothing of the rest of the
 * package.
 */

import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

import { CodeIndex, initSync } from "../../wasm/reader.js";
import type { Ask } from "./augment.js";

export function openBriefly(path: string): Ask {
  brief();
  initSync({ module: new WebAssembly.Module(readFileSync(new URL("../../wasm/reader_bg.wasm", import.meta.url))) });
  const index = CodeIndex.open(readFileSync(path));
  return (tool, request) => index.ask(tool, request);
}

/**
 * V8 compiles WebAssembly twice: quickly, and then what runs often again, for speed. A process of a few questions ends before
 * that pays, and waits for it: half of the processor time of one question went there. To be called before anything is compiled.
 */
export function brief(): void {
  setFlagsFromString("--liftoff-only");
  setFlagsFromString("--wasm-lazy-compilation");
}
