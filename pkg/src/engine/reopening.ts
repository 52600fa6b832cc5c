/**
 * Keeps an index answering when its instance is replaced: opens it again from its bytes at the next question. One that
 * stops the engine again and again is given up, so that the others in this thread live on.
 */

import { isTrap, PortolanError, RESTARTING } from "../errors.js";
import { trapped, type Instance } from "./instance.js";

/** Where an index comes from. */
export interface Origin<I> {
  readonly instance: Instance;
  /** Opens it in the instance that is in force; absent where only its owner can make it again. */
  readonly reopen?: (() => I) | undefined;
}

/** This many traps within a minute pause the index until the minute is over. */
const MAX_TRAPS = 20;
const WINDOW_MS = 60_000;
/** This many traps while an index is opened disable it for good. */
const MAX_FAILED_OPENS = 3;

export class Reopening<I extends { free(): void }> {
  private made: number;
  private failed: PortolanError | undefined;
  private n_failed_opens = 0;
  private traps: number[] = [];

  /** @param now milliseconds (default: the host's clock). */
  constructor(
    private index: I,
    private readonly origin: Origin<I>,
    private readonly now: () => number = Date.now,
  ) {
    this.made = origin.instance.number;
  }

  /** Whether it went with its instance. */
  get isLost(): boolean {
    return this.made !== this.origin.instance.number;
  }

  /** The instance that it is in: what was set in it in another one is gone. */
  get number(): number {
    return this.made;
  }

  /** The index, opened again if it is lost. */
  get(): I {
    if (this.failed) throw this.failed;
    if (!this.isLost) return this.index;
    const { instance, reopen } = this.origin;
    if (!reopen) throw new PortolanError(RESTARTING, "the engine was restarted; the index is made again", "ask again");
    const number = instance.number;
    try {
      this.index = reopen();
      this.made = number;
      this.n_failed_opens = 0;
      return this.index;
    } catch (error) {
      if (isTrap(error)) this.stopped(error);
      throw error instanceof PortolanError || !isTrap(error) ? error : trapped(error, "to open the index again");
    }
  }

  /** Calls the index. A trap replaces the instance and is thrown as `internal.trap`, with `what` was asked. */
  call<T>(what: () => string, run: (index: I) => T): T {
    this.checkRate();
    const index = this.get();
    try {
      return run(index);
    } catch (error) {
      if (!isTrap(error)) throw error;
      this.traps.push(this.now());
      this.origin.instance.replace();
      throw trapped(error, what());
    }
  }

  /** Frees it, where its instance is still there. */
  free(): void {
    if (!this.isLost) this.index.free();
  }

  private stopped(error: unknown): void {
    this.origin.instance.replace();
    if (++this.n_failed_opens < MAX_FAILED_OPENS) return;
    const reason = (error as Error).message;
    this.failed = new PortolanError(
      "index.failed",
      `the index was given up: the engine stopped ${MAX_FAILED_OPENS} times while it was opened (${reason})`,
      "index again, and open the new index",
      { cause: error },
    );
  }

  private checkRate(): void {
    const now = this.now();
    this.traps = this.traps.filter((at) => now - at < WINDOW_MS);
    const [first] = this.traps;
    if (first === undefined || this.traps.length < MAX_TRAPS) return;
    const seconds = Math.max(1, Math.ceil((first + WINDOW_MS - now) / 1000));
    throw new PortolanError(
      "index.failed",
      `the index is not asked for ${seconds} s: its questions stopped the engine ${MAX_TRAPS} times within a minute`,
      "ask again later; other indexes are answered",
    );
  }
}

/** A request as an error shows it: short, and safe whatever the request is. */
export function shownQuestion(question: string, request: unknown): string {
  const fields = typeof request === "object" && request !== null ? Object.entries(request) : [];
  const shown = fields.map(
    ([name, value]) => `${name}: ${typeof value === "object" ? "…" : JSON.stringify(String(value).slice(0, 80))}`,
  );
  const text = `${question} { ${shown.join(", ")} }`;
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
