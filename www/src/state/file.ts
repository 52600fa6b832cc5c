//! The file shown: text, outline and colours, read once per index and kept for the last few files.

import type { OutlineEntry } from "portolan";
import { effect, signal } from "@preact/signals";
import { link } from "./navigation.ts";
import { wordsOf } from "./notices.ts";
import { repository, type Repository } from "./repository.ts";

/** A file as the code view needs it. */
export interface OpenFile {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
  /** Triples start, end, class in UTF-16 units of the text; empty where there is no grammar. */
  readonly highlights: Uint32Array;
}

export type FileState =
  | { state: "none" }
  | { state: "loading"; path: string }
  | { state: "ready"; file: OpenFile }
  | { state: "failed"; path: string; message: string; help: string };

export const file = signal<FileState>({ state: "none" });
/** The line the reader is at, 1-based: the cursor's, or the first one seen after scrolling. */
export const currentLine = signal(1);

const mostKept = 24;
const kept = new Map<string, OpenFile>();
let keptOf: Repository["index"] | null = null;
let keptRevision = 0;

/** Loads the file of the link from now on. */
export function keepFile(): () => void {
  let asked = 0;
  return effect(() => {
    const open = repository.value;
    const { path } = link.value;
    const shown = file.peek();
    if (!open || path === "") {
      asked += 1;
      if (shown.state !== "none") file.value = { state: "none" };
      return;
    }
    if (keptOf !== open.index || keptRevision !== open.revision) {
      kept.clear();
      keptOf = open.index;
      keptRevision = open.revision;
    }
    // Whatever is still being loaded is no longer wanted, also where the reader is back at the file that is shown.
    asked += 1;
    if (shown.state === "ready" && shown.file.path === path && kept.has(path)) return;
    const turn = asked;
    const again = kept.get(path);
    if (again) {
      file.value = { state: "ready", file: again };
      return;
    }
    if (shown.state !== "ready") file.value = { state: "loading", path };
    void load(open, path).then((next) => {
      if (turn === asked && !isSame(next, file.peek())) file.value = next;
    });
  });
}

// After a change elsewhere the file shown is as it was: it is not drawn again.
function isSame(next: FileState, shown: FileState): boolean {
  return (
    next.state === "ready" &&
    shown.state === "ready" &&
    next.file.path === shown.file.path &&
    next.file.text === shown.file.text
  );
}

async function load({ index }: Repository, path: string): Promise<FileState> {
  try {
    // Colours are a comfort: a file without them is still a file.
    const [text, outline, highlights] = await Promise.all([
      index.text(path),
      index.outline(path),
      index.highlights(path).catch(() => new Uint32Array()),
    ]);
    const loaded: OpenFile = { path, language: text.language, text: text.text, outline: outline.symbols, highlights };
    if (keptOf === index) {
      kept.set(path, loaded);
      if (kept.size > mostKept)
        for (const oldest of kept.keys()) {
          kept.delete(oldest);
          break;
        }
    }
    return { state: "ready", file: loaded };
  } catch (error) {
    const { message, help } = wordsOf(error);
    return { state: "failed", path, message, help };
  }
}

/** The symbols around a line (1-based), outermost first. */
export function enclosing(outline: readonly OutlineEntry[], line: number): OutlineEntry[] {
  return outline
    .filter(({ symbol }) => symbol.start_line <= line && line <= symbol.end_line)
    .sort((a, b) => a.symbol.start_line - b.symbol.start_line || b.symbol.end_line - a.symbol.end_line);
}
