/** From changes on the disk to rounds: one after a pause, never two at once, whatever goes wrong. */

import { isAbort, PortolanError } from "../errors.js";
import type { SessionHost } from "../host.js";
import type { Input } from "../types.js";
import type { Updater } from "./updater.js";

/**
 * Runs until cancelled.
 *
 * @param round brings the index up to date.
 * @param updater what the last round was made with: it knows the folders.
 */
export async function watchWith(
  host: SessionHost,
  input: Input | undefined,
  first: Updater,
  debounceMs: number,
  signal: AbortSignal,
  onError: (error: unknown) => void,
  round: () => Promise<void>,
  updater: () => Updater | undefined,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let dirty = false;
  const run = () => {
    if (running) {
      dirty = true;
      return;
    }
    running = round()
      .catch((error: unknown) => {
        if (!isAbort(error)) onError(error);
      })
      .finally(() => {
        running = undefined;
        // Nobody heard of files written in a new folder between the look at it and now.
        const hasNew = watcher?.folders(updater()?.folders ?? []) ?? false;
        if ((dirty || hasNew) && !signal.aborted) later();
        dirty = false;
      });
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(run, debounceMs);
  };
  const watcher = input === undefined ? undefined : host.watch?.(input, later, onError);
  if (!watcher)
    throw new PortolanError(
      "watch.unsupported",
      "changes of this input cannot be heard here",
      "call update() when something may have changed",
    );
  watcher.folders(first.folders);
  run(); // what changed before anybody listened, and which folders there are
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  clearTimeout(timer);
  watcher.close();
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
