/**
 * Keeps indexes current while `portolan mcp` runs: builds the one that is missing, and follows changes. All work is done in a worker thread,
 * whose index answers the server; its file is for the next start, and for others.
 */

import { setTimeout as pause } from "node:timers/promises";

import { createPortolan } from "../client.js";
import type { CodeIndex } from "../code-index.js";
import { UsageError, type Command } from "../commands/options.js";
import { withSettings } from "../config/settings-file.js";
import { fromThrown, PortolanError } from "../errors.js";
import { Heard, watchWith } from "../indexing/watching.js";
import type { CallContext } from "../mcp/host.js";
import type { Current, Keeper, KeptIndex } from "../mcp/keeper.js";
import { bindIndex } from "../node/bind-index.js";
import { spawnEmbed, spawnIndex, storeHere } from "../node/client-host.js";
import { writeSnapshot } from "../node/file-store.js";
import { isOwnIndex } from "../node/own-index.js";
import { remember } from "../node/registry.js";
import { indexPathOf } from "../node/root.js";
import { watchInput } from "../node/watch.js";
import type { FileChanges, Progress } from "../types.js";
import { visible } from "../visible.js";
import { counted, inShards, repositoriesOf, workOptions } from "./index-command.js";
import { sizeAt } from "./sharded-index.js";

/** Saving costs more than an update: it waits for a pause. */
const SAVE_AFTER_MS = 3_000;
/** Files that nobody asks about are taken in so long after the last change. */
const DEBOUNCE_MS = 1_000;
/** A question waits so long for changes of files; then it is answered without them, and says so. */
const FRESH_MS = 2_000;
/** Where the system does not tell of changes at once, looking at all files takes at most this part of the time. */
const LOOKING = 1 / 4;
const REST_MS = 1_000;
/** Where it does, so long after an answer all files are looked at nevertheless: of a file mapped into memory it does not tell. */
const LOOK_AGAIN_MS = 10_000;
/** Maximum number of looks for a question, where files change all the time. */
const MAX_LOOKS = 3;

export interface KeeperOptions {
  /** Whether changes are followed after an index was built. */
  readonly watches: boolean;
  /** A file of settings in place of those of the repositories. */
  readonly config?: string | undefined;
  /** Tells a person what went wrong. */
  readonly complain: (text: string) => void;
}

export class IndexKeeper implements Keeper {
  private readonly kept = new Map<string, Kept>();
  private readonly building = new Map<string, Promise<KeptIndex>>();
  private readonly usable = new Map<string, Promise<Kept>>();
  /** Those of them that answer while they are still built. */
  private readonly answering = new Set<string>();
  private readonly progress = new Map<string, Progress>();
  private readonly stop = new AbortController();

  constructor(private readonly options: KeeperOptions) {}

  index(root: string, context?: CallContext): Promise<KeptIndex> {
    const known = this.building.get(root);
    // Who has an answer already may have changed files since: that run may not have them.
    if (known) return this.answering.has(root) ? known.then(() => this.index(root, context)) : known;
    const made = this.made(root, context).finally(() => {
      this.building.delete(root);
      this.answering.delete(root);
      this.progress.delete(root);
    });
    this.building.set(root, made);
    return made;
  }

  /** The build under way, if there is one, and its progress. */
  pending(root: string): { done: Promise<unknown>; progress: () => Progress | undefined } | undefined {
    const done = this.usable.get(root) ?? this.building.get(root);
    return this.building.has(root) && done ? { done, progress: () => this.progress.get(root) } : undefined;
  }

  isKept(root: string): boolean {
    return this.usable.has(root);
  }

  async current(root: string): Promise<Current | undefined> {
    const kept = await this.usable.get(root)?.catch(() => undefined);
    return kept?.current();
  }

  close(): void {
    this.stop.abort();
    for (const kept of this.kept.values()) kept.close();
    this.kept.clear();
  }

  private async made(root: string, context: CallContext | undefined): Promise<KeptIndex> {
    const kept = this.kept.get(root);
    const onProgress = (progress: Progress) => {
      this.progress.set(root, progress);
      context?.onProgress(progress.done, progress.total, progress.phase);
    };
    if (kept) return kept.update(onProgress);
    const sharded = await madeInShards(root, this.options, onProgress);
    if (sharded) return sharded;
    const making = Kept.make(root, this.options, this.stop.signal, onProgress);
    if (this.options.watches) this.usable.set(root, making);
    const made = await making.catch((error: unknown) => {
      this.usable.delete(root);
      throw error;
    });
    this.answering.add(root);
    try {
      await made.whole;
    } finally {
      // Without its vectors, or unwritten, it still answers by words, and follows its files.
      if (this.options.watches && !this.stop.signal.aborted) this.kept.set(root, made);
      else {
        this.usable.delete(root);
        made.close();
      }
    }
    return made.last;
  }
}

/** The summary of an index that is made anew in shards. It is not kept: one memory may not hold it, and its file answers. */
async function madeInShards(
  root: string,
  { config, complain }: KeeperOptions,
  onProgress: (progress: Progress) => void,
): Promise<KeptIndex | undefined> {
  const command = await commandOf(root, config);
  const target = command.options.output ?? indexPathOf(root);
  const size = sizeAt(target);
  if (!size) return undefined;
  const line = { show: onProgress, note: complain, end: () => {} };
  const { index, n_files, seconds } = await inShards(command, root, target, size, line);
  return { root, index, n_files, seconds };
}

/** An index that is kept: the one in the worker, and where it is written. */
class Kept {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private readonly heard = new Heard();
  /** Milliseconds since 1970 at which the index had all that the files were. */
  private looked_at = Date.now();
  private again: NodeJS.Timeout | undefined;
  /** Not looked at again before. */
  private rested_at = 0;
  /** Settles when it has all that it will have, and is written. */
  whole: Promise<void> = Promise.resolve();
  private isWhole = false;

  private constructor(
    private readonly index: CodeIndex,
    private readonly root: string,
    private readonly target: string,
    private readonly command: Command,
    private readonly options: KeeperOptions,
    public last: KeptIndex,
  ) {}

  /** Resolves as soon as questions can be asked. */
  static async make(
    root: string,
    options: KeeperOptions,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<Kept> {
    const { config } = options;
    const command = await commandOf(root, config);
    const target = command.options.output ?? indexPathOf(root);
    const work = await workOptions(command, target, root);
    const started = performance.now();
    let changes: FileChanges | undefined;
    const portolan = createPortolan({ spawnIndex, spawnEmbed, store: storeHere });
    const index = await portolan.index(root, {
      ...work,
      signal,
      onProgress,
      onChanges: (found) => (changes = found),
      onWarning: ({ message, code }) => options.complain(`${message} [${code}]`),
      onUpdate: (what) => what === "vectors" && kept?.saveLater(),
    });
    const none = { root, index: target, n_files: 0, n_symbols: 0, seconds: 0 };
    let kept: Kept | undefined;
    const made = new Kept(index, root, target, command, options, none);
    kept = made;
    made.whole = (async () => {
      try {
        await index.complete;
        // An index that is as it was need not be written again.
        await made.save(started, changes, changes === undefined || isChanged(changes) || !isOwnIndex(target));
      } finally {
        made.isWhole = true;
        if (options.watches && !signal.aborted) made.watch(signal);
      }
    })();
    return made;
  }

  /** The index with what the files are now, where that is quick; as it was made while it gets its vectors. */
  async current(): Promise<Current> {
    const late = pause(FRESH_MS, "behind" as const, { ref: false });
    const state = this.isWhole ? await Promise.race([this.follow(), late]) : "unknown";
    return { index: this.index, looked_at: this.looked_at, isExact: state === "exact", isBehind: state === "behind" };
  }

  /** Takes in what the files are now; it is behind where files changed meanwhile, again and again. */
  private async follow(): Promise<"exact" | "unknown" | "behind"> {
    for (let n_looks = 0; n_looks < MAX_LOOKS; ) {
      // It may have begun before the last change.
      if (this.looking) await this.looking;
      const now = Date.now();
      const isCurrent = await this.heard.isQuiet();
      if (this.looking) continue;
      if (isCurrent === true) {
        this.looked_at = now;
        this.lookAgain();
        return "exact";
      }
      if (isCurrent === undefined && performance.now() < this.rested_at) return "unknown";
      n_looks++;
      await this.look();
      if (isCurrent === undefined) return "unknown";
    }
    return "behind";
  }

  private lookAgain(): void {
    this.again ??= setTimeout(() => {
      this.again = undefined;
      if (!this.looking) void this.look();
    }, LOOK_AGAIN_MS).unref();
  }

  private look(): Promise<void> {
    const started = performance.now();
    const now = Date.now();
    this.looking = this.updated()
      .then((changes) => {
        this.looked_at = now;
        if (isChanged(changes)) this.saveLater();
      })
      .catch((error: unknown) => this.complain(error))
      .finally(() => {
        this.looking = undefined;
        const took = performance.now() - started;
        this.rested_at = performance.now() + Math.min(REST_MS, took * (1 / LOOKING - 1));
      });
    return this.looking;
  }

  private async updated(onProgress?: (progress: Progress) => void): Promise<FileChanges> {
    const { count } = this.heard;
    const onFolders = (folders: readonly string[]) => this.heard.walked(folders, count);
    try {
      return await this.index.update(undefined, { onFolders, ...(onProgress && { onProgress }) });
    } catch (error) {
      this.heard.missed();
      throw error;
    }
  }

  async update(onProgress: (progress: Progress) => void): Promise<KeptIndex> {
    const started = performance.now();
    const changes = await this.updated(onProgress);
    await this.save(started, changes, isChanged(changes) || !isOwnIndex(this.target));
    return this.last;
  }

  close(): void {
    clearTimeout(this.timer);
    clearTimeout(this.again);
    this.index.close();
  }

  private complain(error: unknown): void {
    const { message, code } = fromThrown(error);
    this.options.complain(`${message} [${code}]`);
  }

  /** Listens in the thread that questions come to: what happened before one is heard before it. */
  private watch(signal: AbortSignal): void {
    const onError = (error: unknown) => {
      if (!signal.aborted) this.complain(error);
    };
    const host = { watch: watchInput };
    const round = () => this.look();
    watchWith(this.heard, { host, input: this.root, debounceMs: DEBOUNCE_MS, signal, onError, round }).catch(onError);
  }

  private saveLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.save(performance.now(), undefined, true).catch((error: unknown) => this.complain(error));
    }, SAVE_AFTER_MS);
    // The process need not wait for it: the next start brings the index up to date.
    this.timer.unref();
  }

  private async save(started: number, changes: FileChanges | undefined, isWritten: boolean): Promise<void> {
    // One that was made in shards meanwhile stays.
    if (isWritten && !sizeAt(this.target)) {
      const bytes = await this.index.save();
      writeSnapshot(this.target, (give) => give(0, bytes), repositoriesOf(this.command, this.root));
      bindIndex(this.target, this.root);
    }
    const { n_files, n_symbols } = await this.index.status();
    remember(this.root, this.target, { n_files, n_symbols });
    this.last = {
      root: this.root,
      index: this.target,
      n_files,
      n_symbols,
      ...(changes && { changes: counted(changes) }),
      seconds: Number(((performance.now() - started) / 1000).toFixed(3)),
    };
  }
}

/** `portolan index ROOT` with the settings that hold there. */
async function commandOf(root: string, config: string | undefined): Promise<Command> {
  try {
    return await withSettings({
      name: "index",
      operands: [root],
      options: { ...(config !== undefined && { config }) },
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new PortolanError("settings.invalid", error.message, error.hint, { cause: error });
  }
}

function isChanged({ added, modified, deleted, renamed }: FileChanges): boolean {
  return added.length + modified.length + deleted.length + renamed.length > 0;
}

/** Tells on stderr, since stdout carries messages. */
export function complainOnStderr(text: string): void {
  process.stderr.write(`portolan mcp: ${visible(text)}\n`);
}
