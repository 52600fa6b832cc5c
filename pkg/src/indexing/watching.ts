/** From changes on the disk to rounds: one after a pause, never two at once, whatever goes wrong. */

import { isAbort, PortolanError } from "../errors.js";
import type { SessionHost, Watcher } from "../host.js";
import type { Input } from "../types.js";

/** Changes of a folder as they are heard, and whether the last walk over it saw all of them. */
export class Heard {
  private watcher: Watcher | undefined;
  private onNew = () => {};
  private n_heard = 0;
  /** The number of those that the last walk saw; none where it may have missed some. */
  private n_seen: number | undefined;

  /** Counts changes before a walk. */
  get count(): number {
    return this.n_heard;
  }

  /** Begins to listen to a folder; `onChange` comes for each change. False where this input cannot be heard. */
  listen({ host, input, onError }: Pick<Following, "host" | "input" | "onError">, onChange: () => void): boolean {
    const heard = () => {
      this.n_heard++;
      onChange();
    };
    this.onNew = onChange;
    this.n_seen = undefined;
    this.watcher = input === undefined ? undefined : host.watch?.(input, heard, onError);
    return this.watcher !== undefined;
  }

  /** Notes a walk over all files: the folders that it went into, and `count` before it. */
  walked(folders: readonly string[], count: number): void {
    if (!this.watcher) return;
    // Nobody heard of files written in a new folder between the look at it and now.
    const hasNew = this.watcher.folders(folders);
    this.n_seen = hasNew ? undefined : count;
    if (hasNew || count !== this.n_heard) this.onNew();
  }

  /** Notes that a walk failed. */
  missed(): void {
    this.n_seen = undefined;
  }

  /** Whether nothing has changed since the last walk, where the system tells at once. */
  async isQuiet(): Promise<boolean | undefined> {
    const { watcher } = this;
    const isSettled = await watcher?.settled?.();
    return isSettled === true && watcher === this.watcher ? this.n_seen === this.n_heard : undefined;
  }

  close(): void {
    this.watcher?.close();
    this.watcher = undefined;
    this.n_seen = undefined;
  }
}

/** How a folder is followed. */
export interface Following {
  readonly host: Pick<SessionHost, "watch">;
  readonly input: Input | undefined;
  /** Milliseconds without changes before a round. */
  readonly debounceMs: number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Brings the index up to date, and tells what is heard of its walk. */
  readonly round: () => Promise<void>;
}

/** Runs a round whenever something changes, until cancelled. */
export async function watchWith(heard: Heard, following: Following): Promise<void> {
  const { host, input, debounceMs, signal, onError, round } = following;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let isDirty = false;
  const roundIfNeeded = async () => {
    if ((await heard.isQuiet()) !== true) await round();
  };
  const run = () => {
    clearTimeout(timer);
    if (running) {
      isDirty = true;
      return;
    }
    running = roundIfNeeded()
      .catch((error: unknown) => {
        if (!isAbort(error)) onError(error);
      })
      .finally(() => {
        running = undefined;
        if (isDirty) later();
        isDirty = false;
      });
  };
  const later = () => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(run, debounceMs);
  };
  if (!heard.listen({ host, input, onError }, later))
    throw new PortolanError(
      "watch.unsupported",
      "changes of this input cannot be heard here",
      "call update() when something may have changed",
    );
  run(); // what changed before anybody listened, and which folders there are
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  clearTimeout(timer);
  heard.close();
  await running;
}

/** Does something once after many reasons for it. */
export class Pause {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly milliseconds: number,
    private readonly work: () => Promise<void>,
  ) {}

  later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), this.milliseconds);
  }

  /** Does at once what waits. */
  async finish(): Promise<void> {
    if (this.timer !== undefined) this.now();
    await this.running;
  }

  private now(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.running = this.running.then(this.work).catch(() => {});
  }
}
