/**
 * Keeps indexes current while `portolan mcp` runs: builds the one that is missing, and follows changes. All work is done in a worker thread;
 * the server sees the new file and opens it.
 */

import { createPortolan } from "../client.js";
import type { CodeIndex } from "../code-index.js";
import { UsageError, type Command } from "../commands/options.js";
import { withSettings } from "../config/settings-file.js";
import { fromThrown, PortolanError } from "../errors.js";
import type { CallContext } from "../mcp/host.js";
import type { Keeper, KeptIndex } from "../mcp/keeper.js";
import { bindIndex } from "../node/bind-index.js";
import { spawnEmbed, spawnIndex, storeHere } from "../node/client-host.js";
import { writeSnapshot } from "../node/file-store.js";
import { isOwnIndex } from "../node/own-index.js";
import { remember } from "../node/registry.js";
import { indexPathOf } from "../node/root.js";
import type { FileChanges, Progress } from "../types.js";
import { visible } from "../visible.js";
import { counted, repositoriesOf, workOptions } from "./index-command.js";

/** Saving costs more than an update: it waits for a pause. */
const SAVE_AFTER_MS = 3_000;

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
  private readonly progress = new Map<string, Progress>();
  private readonly stop = new AbortController();

  constructor(private readonly options: KeeperOptions) {}

  index(root: string, context?: CallContext): Promise<KeptIndex> {
    const known = this.building.get(root);
    if (known) return known;
    const made = this.made(root, context).finally(() => {
      this.building.delete(root);
      this.progress.delete(root);
    });
    this.building.set(root, made);
    return made;
  }

  /** The build under way, if there is one, and its progress. */
  pending(root: string): { done: Promise<unknown>; progress: () => Progress | undefined } | undefined {
    const done = this.building.get(root);
    return done && { done, progress: () => this.progress.get(root) };
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
    const made = await Kept.make(root, this.options, this.stop.signal, onProgress);
    if (this.options.watches && !this.stop.signal.aborted) this.kept.set(root, made);
    else made.close();
    return made.last;
  }
}

/** An index that is kept: the one in the worker, and where it is written. */
class Kept {
  private timer: NodeJS.Timeout | undefined;
  private constructor(
    private readonly index: CodeIndex,
    private readonly root: string,
    private readonly target: string,
    private readonly command: Command,
    private readonly options: KeeperOptions,
    public last: KeptIndex,
  ) {}

  static async make(
    root: string,
    options: KeeperOptions,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<Kept> {
    const { config } = options;
    const command = await commandOf(root, config);
    const target = command.options.output ?? indexPathOf(root);
    const work = await workOptions(command, target);
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
    try {
      await index.complete;
      const made = new Kept(index, root, target, command, options, none);
      kept = made;
      // An index that is as it was need not be written again.
      await made.save(started, changes, changes === undefined || isChanged(changes) || !isOwnIndex(target));
      if (options.watches) made.watch(signal);
      return made;
    } catch (error) {
      index.close();
      throw error;
    }
  }

  async update(onProgress: (progress: Progress) => void): Promise<KeptIndex> {
    const started = performance.now();
    const changes = await this.index.update(undefined, { onProgress });
    await this.save(started, changes, isChanged(changes) || !isOwnIndex(this.target));
    return this.last;
  }

  close(): void {
    clearTimeout(this.timer);
    this.index.close();
  }

  private watch(signal: AbortSignal): void {
    const complain = (error: unknown) => {
      const { message, code } = fromThrown(error);
      if (!signal.aborted) this.options.complain(`${message} [${code}]`);
    };
    const onChanges = (changes: FileChanges) => isChanged(changes) && this.saveLater();
    this.index.watch({ signal, onChanges, onError: complain }).catch(complain);
  }

  private saveLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.save(performance.now(), undefined, true).catch((error: unknown) => {
        const { message, code } = fromThrown(error);
        this.options.complain(`${message} [${code}]`);
      });
    }, SAVE_AFTER_MS);
    // The process need not wait for it: the next start brings the index up to date.
    this.timer.unref();
  }

  private async save(started: number, changes: FileChanges | undefined, isWritten: boolean): Promise<void> {
    if (isWritten) {
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
