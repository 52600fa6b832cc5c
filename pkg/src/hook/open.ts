/**
 * An index opened for a few questions by a process that ends right after: only the reading artifact, nothing of the rest of the
 * package, and of the file only the sections that the questions read.
 */

import { fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

import { CodeIndex, initSync } from "../../wasm/reader.js";
import type { Ask } from "./augment.js";

/** Snippets are made of texts, and meanings compared by vectors: nothing here asks for either. */
const UNREAD = new Set(["texts", "vectors"]);

export function openBriefly(path: string): Ask {
  brief();
  initSync({ module: new WebAssembly.Module(readFileSync(new URL("../../wasm/reader_bg.wasm", import.meta.url))) });
  const file = openSync(path, "r");
  const n_bytes = fstatSync(file).size;
  const index = CodeIndex.openStart(bytesOf(file, 0, Math.min(n_bytes, CodeIndex.nStart())), n_bytes);
  return (tool, request) => {
    for (const [name, from, end] of index.missing(tool) as [string, number, number][]) if (!UNREAD.has(name)) index.provide(name, bytesOf(file, from, end));
    return index.ask(tool, request);
  };
}

function bytesOf(file: number, from: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - from);
  for (let at = 0; at < bytes.length; ) {
    const n_read = readSync(file, bytes, at, bytes.length - at, from + at);
    if (n_read === 0) throw new Error("the index ends early");
    at += n_read;
  }
  return bytes;
}

/**
 * V8 compiles WebAssembly twice: quickly, and then what runs often again, for speed. A process of a few questions ends before
 * that pays, and waits for it: half of the processor time of one question went there. To be called before anything is compiled.
 */
export function brief(): void {
  setFlagsFromString("--liftoff-only");
  setFlagsFromString("--wasm-lazy-compilation");
}
