/**
 * Work that is done once for all requests that want its result meanwhile. A Worker may not wait in one request for the input and output of
 * another: such waiting ends with an error, or never. So the others look every few milliseconds whether the work has ended.
 */

import { pause } from "../sleep.js";

const LOOK_MS = 5;

interface Work<T> {
  result?: { readonly value: T } | { readonly error: unknown };
}

export interface Joined<T> {
  readonly value: T;
  /** Whether this call did the work. */
  readonly isOwn: boolean;
}

export class JoinedWork<T> {
  private readonly running = new Map<string, Work<T>>();

  /** @param patience_ms how long one call waits for the work of another, which ends without a word where its request is cut off. */
  constructor(private readonly patience_ms: number) {}

  /**
   * Does the work, unless another call does work of this key; then waits for that. After the patience it throws what `late` makes, or
   * without it does the work itself. Rejects with the error of the work.
   */
  async run(key: string, work: () => Promise<T>, late?: () => unknown): Promise<Joined<T>> {
    const other = this.running.get(key);
    if (other) {
      const result = await this.resultOf(other);
      if (result) return { value: result.value, isOwn: false };
      this.forget(key, other);
      if (late) throw late();
      return this.run(key, work);
    }
    const own: Work<T> = {};
    this.running.set(key, own);
    try {
      const value = await work();
      own.result = { value };
      return { value, isOwn: true };
    } catch (error) {
      own.result = { error };
      throw error;
    } finally {
      this.forget(key, own);
    }
  }

  /** Forgets what is being done; calls that wait for it still get its result. */
  clear(): void {
    this.running.clear();
  }

  /** The result of another call; nothing after the patience. */
  private async resultOf(work: Work<T>): Promise<{ readonly value: T } | undefined> {
    for (let waited_ms = 0; waited_ms < this.patience_ms; waited_ms += LOOK_MS) {
      await pause(LOOK_MS);
      if (work.result === undefined) continue;
      if ("error" in work.result) throw work.result.error;
      return work.result;
    }
    return undefined;
  }

  private forget(key: string, work: Work<T>): void {
    if (this.running.get(key) === work) this.running.delete(key);
  }
}
