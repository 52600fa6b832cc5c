//! Colours of the code in results: read when the results have stayed for a moment, for the first files only, one after the other, so
//! that no question waits for them.

import { effect, signal } from "@preact/signals";
import { repository, type Repository } from "./repository.ts";
import { search } from "./search.ts";

/** The colours of a file, with what it takes to find a line in them. */
export interface FileColours {
  readonly columns: Uint32Array;
  readonly lines: readonly string[];
  /** Offset of each line in UTF-16 units. */
  readonly starts: readonly number[];
}

/** By path, for the repository that is open. */
export const fileColours = signal<ReadonlyMap<string, FileColours>>(new Map());

const stillMillis = 200;
const mostFiles = 12;
/** Larger files take longer to parse than the colours of a few lines are worth. */
const mostBytes = 200_000;

/** Reads the colours of the results from now on. */
export function keepSnippetColours(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;
  let of: Repository["index"] | null = null;
  let revision = 0;
  return effect(() => {
    const open = repository.value;
    const state = search.value;
    clearTimeout(timer);
    turn += 1;
    if (open?.index !== of || open?.revision !== revision) fileColours.value = new Map();
    of = open?.index ?? null;
    revision = open?.revision ?? 0;
    if (!open || state.state !== "done") return;
    const now = turn;
    const paths = state.answer.files.slice(0, mostFiles).map(({ path }) => path);
    timer = setTimeout(() => void read(open, paths, () => now === turn), stillMillis);
  });
}

async function read({ index, files }: Repository, paths: readonly string[], goesOn: () => boolean): Promise<void> {
  const wanted = new Set(paths);
  const sizes = new Map(files.filter(({ path }) => wanted.has(path)).map(({ path, n_bytes }) => [path, n_bytes]));
  for (const path of paths) {
    if (fileColours.peek().has(path) || (sizes.get(path) ?? 0) > mostBytes) continue;
    // A file without colours is still shown.
    const found = await Promise.all([index.text(path), index.highlights(path)]).catch(() => null);
    if (!goesOn()) return;
    if (found) fileColours.value = new Map(fileColours.peek()).set(path, colouredFile(found[0].text, found[1]));
  }
}

/** A text by its lines, with the offset of each. */
export function colouredFile(text: string, columns: Uint32Array): FileColours {
  const lines = text.split("\n");
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { columns, lines, starts };
}
