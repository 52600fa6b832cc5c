//! The facts of a card: what it says about a name, collected before it is drawn.

import type { CodeIndex, RegexMatch, Symbol as Definition, Target } from "portolan";
import { coloured, type Part } from "../state/columns.ts";
import type { OpenFile } from "../state/file.ts";
import { type Block, blocksOf } from "./doc.ts";
import { countLines, type Meaning } from "./meaning.ts";

/** A line of code in its colours. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  readonly pieces: readonly Part[];
}

export type Facts =
  | {
      readonly kind: "definitions";
      readonly target: Target;
      readonly others: number;
      readonly signature: readonly Part[];
      readonly doc: readonly Block[];
    }
  | {
      readonly kind: "local";
      readonly what: "variable" | "parameter" | "import";
      readonly name: string;
      readonly module: string;
      readonly line: Line;
      /** Uses in this file, the binding not counted. */
      readonly n_uses: number;
    }
  | {
      readonly kind: "text";
      readonly name: string;
      readonly matches: readonly RegexMatch[];
      readonly isCut: boolean;
    };

const mostMatches = 200;
const longestLine = 300;

/** Collects the facts of a meaning. `fileOf` reads another file, for the colours of a signature. */
export async function factsOf(
  index: CodeIndex,
  file: OpenFile,
  meaning: Meaning,
  fileOf: (path: string) => Promise<OpenFile | null>,
): Promise<Facts> {
  if (meaning.kind === "local") {
    const { what, name, module, bound, uses } = meaning;
    return { kind: "local", what, name, module, line: lineAt(file, bound.from), n_uses: uses.length - 1 };
  }
  if (meaning.kind === "text") {
    const { matches, isCut } = await matchesOf(index, meaning.name);
    return { kind: "text", name: meaning.name, matches, isCut };
  }
  const target = meaning.targets[0] as Target;
  const other = await fileOf(target.symbol.path);
  return {
    kind: "definitions",
    target,
    others: meaning.targets.length - 1,
    signature: signatureOf(target.symbol, other),
    doc: blocksOf(target.symbol.doc),
  };
}

/** Lines of all files that hold a word, as text: nothing says that they mean the same. */
export async function matchesOf(index: CodeIndex, name: string): Promise<{ matches: RegexMatch[]; isCut: boolean }> {
  const pattern = name.replaceAll(/[$]/g, "\\$&");
  const whole_word = !name.includes("$");
  const found = await index.regex({ pattern, whole_word, limit: mostMatches });
  return { matches: found.matches, isCut: found.truncated || found.timed_out };
}

/** The line of an offset, in its colours and without its indent. */
export function lineAt(file: OpenFile, offset: number): Line {
  const { text } = file;
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const next = text.indexOf("\n", offset);
  const end = next < 0 ? text.length : next;
  const from = start + (/^\s*/.exec(text.slice(start, end))?.[0].length ?? 0);
  const pieces = coloured(text.slice(from, Math.min(end, from + longestLine)), from, file.highlights);
  return { number: countLines(text, start) + 1, pieces };
}

/** A signature in the colours of its file, where that has it as it is written; else plain. */
export function signatureOf({ signature, start_line }: Definition, file: OpenFile | null): Part[] {
  if (file) {
    let start = 0;
    for (let line = 1; line < start_line && start >= 0; line += 1) start = file.text.indexOf("\n", start) + 1 || -1;
    const at = start < 0 ? -1 : written(file.text, signature, start);
    if (at >= 0) return folded(coloured(file.text.slice(at, endOf(file.text, signature, at)), at, file.highlights));
  }
  return [{ text: signature, colour: -1 }];
}

// White space in a signature is folded: only its letters are compared.
function written(text: string, signature: string, from: number): number {
  const letters = signature.replaceAll(/\s+/g, "");
  const near = text.slice(from, from + 4000);
  for (let at = 0; at < near.length && letters !== ""; at += 1)
    if (near[at] === letters[0] && endOf(text, signature, from + at) > 0) return from + at;
  return -1;
}

function endOf(text: string, signature: string, from: number): number {
  const letters = signature.replaceAll(/\s+/g, "");
  let done = 0;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (/\s/.test(letter)) continue;
    if (letter !== letters[done]) return -1;
    done += 1;
    if (done === letters.length) return at + 1;
  }
  return -1;
}

function folded(pieces: readonly Part[]): Part[] {
  return pieces.map(({ text, colour }) => ({ text: text.replaceAll(/\s+/g, " "), colour }));
}
