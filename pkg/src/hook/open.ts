/**
 * An index opened with the reading artifact only, nothing of the rest of the package, and of the file only the sections that the questions
 * read.
 */

import { CodeIndex, initSync } from "../../wasm/reader.js";
import { brief } from "../node/brief.js";
import { IndexFile } from "../node/index-file.js";
import { readBriefly } from "../node/piece-file.js";
import { besideOf } from "../reading/beside.js";
import type { Ask } from "./ask.js";

/** Snippets are made of texts: nothing here asks for them. */
const WITHOUT = ["texts"];

export interface OpenIndex {
  readonly ask: Ask;
  close(): void;
}

let isReady = false;

/** Opens an index for any number of questions. Throws what the file system and the engine throw. */
export function openIndex(path: string): OpenIndex {
  if (!isReady)
    initSync({ module: new WebAssembly.Module(readBriefly(new URL("../../wasm/reader_bg.wasm", import.meta.url))) });
  isReady = true;
  const file = new IndexFile(path);
  const read = (start: number, end: number) => file.read(start, end);
  const index = CodeIndex.openFrom(file.n_bytes, read, WITHOUT, besideOf(file));
  const close = () => {
    index.free();
    file.close();
  };
  return { ask: (tool, request) => index.ask(tool, request), close };
}

/** Opens an index for a few questions of a process that ends right after. */
export function openBriefly(path: string): Ask {
  brief();
  return openIndex(path).ask;
}
