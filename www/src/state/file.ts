//! The file shown: text, outline and colours, read once per index and kept for the last few files.

import type { OutlineEntry, SkippedFile } from "portolan";
import { effect, signal } from "@preact/signals";
import { link } from "./navigation.ts";
import { wordsOf } from "./notices.ts";
import { repository, type Repository } from "./repository.ts";

/** A file as the code view needs it. */
export interface OpenFile {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  /** Empty until it is known. */
  readonly outline: readonly OutlineEntry[];
  /** Triples start, end, class in UTF-16 units of the text; empty where there is no grammar, and until they are known. */
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
    void load(open, path, (next) => {
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
    next.file.text === shown.file.text &&
    next.file.highlights.length === shown.file.highlights.length &&
    next.file.outline.length === shown.file.outline.length
  );
}

/** A file of the open repository beside the one that is shown; null where it cannot be read. */
export async function fileAt(path: string): Promise<OpenFile | null> {
  const open = repository.peek();
  if (!open) return null;
  const before = keptOf === open.index && keptRevision === open.revision ? kept.get(path) : undefined;
  if (before) return before;
  let last: FileState = { state: "none" };
  await load(open, path, (next) => (last = next));
  const loaded = last as FileState;
  return loaded.state === "ready" ? loaded.file : null;
}

/** Colours that come sooner than this after the request are waited for: text that changes its colours at once only flickers. */
const patienceMillis = 60;

async function load({ index, status }: Repository, path: string, show: (next: FileState) => void): Promise<void> {
  try {
    const asking = index.text(path);
    // Colours are a comfort: a file without them is still a file. The first file of a language also loads its grammar.
    const more = Promise.all([index.outline(path), index.highlights(path).catch(() => new Uint32Array())]);
    more.catch(() => {}); // awaited below; the text may fail first
    const coloured = Promise.race([more.then(() => false), pause(patienceMillis)]);
    coloured.catch(() => {}); // so may the text before it
    const { language, text } = await asking;
    const isPlain = await coloured;
    if (isPlain) show({ state: "ready", file: { path, language, text, outline: [], highlights: new Uint32Array() } });
    const [outline, highlights] = await more;
    const loaded: OpenFile = { path, language, text, outline: outline.symbols, highlights };
    if (keptOf === index) keep(path, loaded);
    show({ state: "ready", file: loaded });
  } catch (error) {
    const left = status.skipped.find((file) => file.path.replace(/\/+$/, "") === path);
    const { message, help } = left ? leftOutWords(left) : wordsOf(error);
    show({ state: "failed", path, message, help });
  }
}

function pause(millis: number): Promise<true> {
  return new Promise((resolve) => setTimeout(() => resolve(true), millis));
}

function keep(path: string, loaded: OpenFile): void {
  kept.set(path, loaded);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}

/** The symbols around a line (1-based), outermost first. */
export function enclosing(outline: readonly OutlineEntry[], line: number): OutlineEntry[] {
  return outline
    .filter(({ symbol }) => symbol.start_line <= line && line <= symbol.end_line)
    .sort((a, b) => a.symbol.start_line - b.symbol.start_line || b.symbol.end_line - a.symbol.end_line);
}

function leftOutWords({ message, code }: SkippedFile): { message: string; help: string } {
  return {
    message: `It was left out of the index: ${message || code}.`,
    help: "Its text is not in the index. The shield in the footer lists all files that were left out, with their reasons.",
  };
}
