//! The file shown: text, outline and colours, read once per index and kept for the last few files.

import type { OutlineEntry, SkippedFile } from "portolan";
import { effect, type Signal, signal } from "@preact/signals";
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
  /** Says why the index has no such file: its text was read from the folder or archive that was opened. */
  readonly leftOut?: string;
}

export type FileState =
  | { state: "none" }
  | { state: "loading"; path: string }
  | { state: "ready"; file: OpenFile }
  | { state: "left-out"; path: string; reason: string }
  | { state: "failed"; path: string; message: string; help: string };

/** The file of the active pane, and that of the other one. */
export const file = signal<FileState>({ state: "none" });
export const besideFile = signal<FileState>({ state: "none" });
/** The line the reader is at in the active pane, 1-based: the cursor's, or the first one seen after scrolling. */
export const currentLine = signal(1);

const mostKept = 24;
/** Files that are ready, and those that were left out: they are shown at once when the reader is back. */
const kept = new Map<string, FileState>();
let keptOf: Repository["index"] | null = null;
let keptRevision = 0;

/** Loads the files of the link from now on. */
export function keepFile(): () => void {
  const stops = [follow(file, () => link.value.path), follow(besideFile, () => link.value.beside?.path ?? "")];
  return () => {
    for (const stop of stops) stop();
  };
}

function follow(into: Signal<FileState>, pathOf: () => string): () => void {
  let asked = 0;
  return effect(() => {
    const open = repository.value;
    const path = pathOf();
    const shown = into.peek();
    if (!open || path === "") {
      asked += 1;
      if (shown.state !== "none") into.value = { state: "none" };
      return;
    }
    forgetOthers(open);
    // Whatever is still being loaded is no longer wanted, also where the reader is back at the file that is shown.
    asked += 1;
    const again = kept.get(path);
    if (again && pathOfState(shown) === path && shown.state === again.state) return;
    const turn = asked;
    if (again) {
      into.value = again;
      return;
    }
    if (shown.state !== "ready") into.value = { state: "loading", path };
    void load(open, path, (next) => {
      if (turn === asked && !isSame(next, into.peek())) into.value = next;
    });
  });
}

function forgetOthers({ index, revision }: Repository): void {
  if (keptOf === index && keptRevision === revision) return;
  kept.clear();
  keptOf = index;
  keptRevision = revision;
}

function pathOfState(state: FileState): string {
  return state.state === "ready" ? state.file.path : state.state === "none" ? "" : state.path;
}

/** The file of a pane where its text is there; else null. */
export function textOf(state: FileState): OpenFile | null {
  return state.state === "ready" ? state.file : null;
}

/** Shows the text of a file that was left out, in the panes that wait for it. */
export function showLeftOut(open: OpenFile): void {
  const next: FileState = { state: "ready", file: open };
  keep(open.path, next);
  for (const pane of [file, besideFile]) {
    const shown = pane.peek();
    if (shown.state === "left-out" && shown.path === open.path) pane.value = next;
  }
}

// After a change elsewhere the file shown is as it was: it is not drawn again.
function isSame(next: FileState, shown: FileState): boolean {
  if (next.state === "left-out" && shown.state === "left-out")
    return next.path === shown.path && next.reason === shown.reason;
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
  if (before) return textOf(before);
  let last: FileState = { state: "none" };
  await load(open, path, (next) => (last = next));
  return textOf(last);
}

/** Colours that come sooner than this after the request are waited for: text that changes its colours at once only flickers. */
const patienceMillis = 60;
/** Letters of a text whose colours take longer than that. */
const longText = 100_000;

async function load({ index, status }: Repository, path: string, show: (next: FileState) => void): Promise<void> {
  try {
    const asking = index.text(path);
    // Colours are a comfort: a file without them is still a file. The first file of a language also loads its grammar.
    const more = Promise.all([index.outline(path), index.highlights(path).catch(() => new Uint32Array())]);
    more.catch(() => {}); // awaited below; the text may fail first
    const coloured = Promise.race([more.then(() => false), pause(patienceMillis)]);
    coloured.catch(() => {}); // so may the text before it
    const { language, text } = await asking;
    const isPlain = text.length > longText || (await coloured);
    if (isPlain) show({ state: "ready", file: { path, language, text, outline: [], highlights: new Uint32Array() } });
    const [outline, highlights] = await more;
    const loaded: OpenFile = { path, language, text, outline: outline.symbols, highlights };
    const ready: FileState = { state: "ready", file: loaded };
    if (keptOf === index) keep(path, ready);
    show(ready);
  } catch (error) {
    const left = status.skipped.find((one) => one.path.replace(/\/+$/, "") === path);
    show(left ? leftOutState(left, path) : { state: "failed", path, ...wordsOf(error) });
  }
}

function pause(millis: number): Promise<true> {
  return new Promise((resolve) => setTimeout(() => resolve(true), millis));
}

function keep(path: string, state: FileState): void {
  kept.set(path, state);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}

/** The symbols around a line (1-based), outermost first. */
export function enclosing(outline: readonly OutlineEntry[], line: number): OutlineEntry[] {
  return outline
    .filter(({ symbol }) => symbol.start_line <= line && line <= symbol.end_line)
    .sort((a, b) => a.symbol.start_line - b.symbol.start_line || b.symbol.end_line - a.symbol.end_line);
}

/** A folder that was left out has nothing to show; nor has a link, which may lead anywhere. */
function leftOutState({ path: listed, message, code }: SkippedFile, path: string): FileState {
  const reason = message || code;
  if (!listed.endsWith("/") && code !== "link") return { state: "left-out", path, reason };
  return {
    state: "failed",
    path,
    message: `It was left out of the index: ${reason}.`,
    help: "The shield in the footer lists all files that were left out, with their reasons.",
  };
}
