/**
 * An index opened for a few questions by a process that ends right after: only the reading artifact, nothing of the rest of the
 * package, and of the file only the sections that the questions read.
 */

import { CodeIndex, initSync } from "../../wasm/reader.js";
import { brief } from "../node/brief.js";
import { OpenedFile, readBriefly } from "../node/piece-file.js";
import type { Ask } from "./ask.js";

/** Snippets are made of texts: nothing here asks for them. */
const WITHOUT = ["texts"];

export function openBriefly(path: string): Ask {
  brief();
  initSync({ module: new WebAssembly.Module(readBriefly(new URL("../../wasm/reader_bg.wasm", import.meta.url))) });
  const file = new OpenedFile(path);
  const index = CodeIndex.openFrom(file.n_bytes, (start: number, end: number) => file.read(start, end), WITHOUT);
  return (tool, request) => index.ask(tool, request);
}
