/** Doing what a rename says, to one text. */

import type { RenameEdit } from "../../wasm/reader.js";
import { PortolanError } from "../errors.js";

/**
 * The text after those edits of its file that are `applied`. Rejects with `rename.conflict` a text that does not hold what the
 * edits replace.
 */
export function applyEdits(text: string, edits: readonly RenameEdit[]): string {
  const starts = lineStarts(text);
  const pieces: string[] = [];
  let at = 0;
  for (const { range, old_text, new_text, line, applied } of edits) {
    if (!applied) continue;
    const start = (starts[range.start.line] ?? text.length) + range.start.character;
    const end = (starts[range.end.line] ?? text.length) + range.end.character;
    if (start < at || text.slice(start, end) !== old_text) {
      throw new PortolanError(
        "rename.conflict",
        `line ${line} does not hold "${old_text}" where it did`,
        "index the sources anew, and rename then",
      );
    }
    pieces.push(text.slice(at, start), new_text);
    at = end;
  }
  return pieces.join("") + text.slice(at);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
