/** The worker that reads the history of a git repository. Ending it cancels: a walk over commits is one long step. */

import type { GitHistory } from "../../wasm/history.js";
import { PortolanError } from "../errors.js";
import type { Assets, Port } from "../host.js";
import type {
  BlamedFile,
  ComparedCommits,
  CompareRequest,
  FileChurn,
  FileHistory,
  HistoryProtocol,
  HistorySummary,
  OpenedGit,
  References,
} from "../rpc/history-protocol.js";
import { serve } from "../rpc/rpc.js";

/** The files of `.git` by names with `/`, read synchronously. */
export interface GitFiles {
  size(name: string): number | undefined;
  read(name: string, start: number, end: number): Uint8Array;
  list(folder: string): string[];
  /** Every name below a folder. */
  below(folder: string): string[];
}

export type { GitSource, OpenedGit } from "../rpc/history-protocol.js";

/** Bytes of all texts of a comparison. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Names of commits that are listed, of each kind. */
const MOST_NAMES = 5_000;
const MOST_PACKED = 64 * 1024 * 1024;

export function serveHistory<Source = OpenedGit>(
  port: Port,
  assets: Assets,
  open: (source: Source) => Promise<GitFiles>,
): void {
  let history: GitHistory | undefined;
  const read = () => {
    if (history) return history;
    throw new PortolanError("history.not-read", "the history has not been read yet", "call read first");
  };
  serve<HistoryProtocol<Source>>(port, {
    async read(source) {
      const [files, { initSync, GitHistory }, module] = await Promise.all([
        open(source),
        import("../../wasm/history.js"),
        assets.module("history"),
      ]);
      initSync({ module });
      if (history) history.update(files);
      else history = new GitHistory(files);
      return { ...(history.summary() as Omit<HistorySummary, "references">), references: referencesIn(files) };
    },
    churn: () => read().churn() as FileChurn[],
    file: ({ path, limit }) => read().file(path, limit) as FileHistory | undefined,
    blame({ path, at }) {
      const history = read();
      const blamed = history.blame(path, at) as Omit<BlamedFile, "text">;
      const object = history.fileAt(path, at);
      const bytes = object === undefined ? undefined : history.contents(object);
      return { ...blamed, text: new TextDecoder().decode(bytes) };
    },
    compare: (request) => compare(read(), request),
  });
}

function compare(history: GitHistory, { old, new: after, sinceParted }: CompareRequest): ComparedCommits {
  const { files, ...found } = history.compare(old, after, sinceParted === true) as Omit<ComparedCommits, "files"> & {
    files: { path: string; old?: string; new?: string }[];
  };
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let left = MOST_BYTES;
  const textOf = (object: string): string | undefined => {
    const bytes = left > 0 ? history.contents(object) : undefined;
    left -= bytes?.length ?? 0;
    if (bytes === undefined || left < 0 || bytes.includes(0)) return undefined;
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined; // no UTF-8
    }
  };
  const left_out: string[] = [];
  const texts: { path: string; before?: string; after?: string }[] = [];
  for (const { path, old: one, new: other } of files) {
    if (one === other) continue; // its mode alone differs
    const before = one === undefined ? undefined : textOf(one);
    const text = other === undefined ? undefined : textOf(other);
    if ((one !== undefined && before === undefined) || (other !== undefined && text === undefined)) left_out.push(path);
    else
      texts.push({ path, ...(before === undefined ? {} : { before }), ...(text === undefined ? {} : { after: text }) });
  }
  return { ...found, files: texts, left_out };
}

/** The names of commits. They are shown, and come back as questions: the reader of the history checks them. */
export function referencesIn(files: GitFiles): References {
  const names = new Set(files.below("refs"));
  const packed = textIn(files, "packed-refs");
  for (const [, name] of packed.matchAll(/^[0-9a-f]{40} (refs\/\S+)$/gm)) if (name !== undefined) names.add(name);
  const sorted = [...names].sort();
  const below = (folder: string) =>
    sorted.flatMap((name) => (name.startsWith(folder) ? [name.slice(folder.length)] : [])).slice(0, MOST_NAMES);
  const [, head = ""] = /^ref: refs\/heads\/(\S+)/.exec(textIn(files, "HEAD")) ?? [];
  const remotes = below("refs/remotes/").filter((name) => !name.endsWith("/HEAD"));
  return { head, branches: below("refs/heads/"), tags: below("refs/tags/"), remotes };
}

function textIn(files: GitFiles, name: string): string {
  const size = files.size(name) ?? 0;
  return size === 0 || size > MOST_PACKED ? "" : new TextDecoder().decode(files.read(name, 0, size));
}
