/**
 * The instance of a wasm artifact in this thread, and its replacement after a trap: nothing in the memory of the old one can be trusted.
 *
 * The glue of an artifact holds one instance. Objects of an earlier one are lost; the glue refuses them, and frees none of them in the
 * memory of the new one.
 */

import { isOfEarlierInstance, isTrap, PortolanError, stale } from "../errors.js";

/** The part of an artifact's glue that is used. */
export interface Glue {
  initSync(input: { module: WebAssembly.Module }): unknown;
  /** Absent in an artifact of an older version. */
  readonly restart?: (() => void) | undefined;
  readonly restarted?: (() => unknown) | undefined;
}

export class Instance {
  private n_replaced = 0;
  private isBroken = false;
  private readonly owned = new WeakMap<object, number>();

  constructor(private readonly glue: Glue) {}

  /** Which instance is in force. */
  get number(): number {
    return this.n_replaced;
  }

  /** Makes the first instance, if there is none. */
  start(module: WebAssembly.Module): unknown {
    const exports = this.glue.initSync({ module });
    if (!this.isBroken) return exports;
    this.renew();
    return this.glue.initSync({ module });
  }

  /** Replaces the instance, after a trap. Where there is no memory for a new one the next `start` tries again. */
  replace(): void {
    this.n_replaced++;
    this.isBroken = true;
    try {
      this.renew();
    } catch (error) {
      if (!isTrap(error)) throw error;
    }
  }

  /** Remembers that an object is of the instance in force: see `free`. */
  own<T extends { free(): void }>(object: T): T {
    this.owned.set(object, this.n_replaced);
    return object;
  }

  /** Frees an object, unless it went with its instance: the new one has something else at its address. */
  free(object: { free(): void }): void {
    if (this.owned.get(object) === this.n_replaced) object.free();
    this.owned.delete(object);
  }

  /** The error to throw on, of something that goes beyond one call. After a trap the instance is replaced. */
  caught(error: unknown, what: string): unknown {
    if (!isTrap(error)) return error;
    // An object of an earlier instance stopped nothing in this one.
    if (!isOfEarlierInstance(error)) this.replace();
    return trapped(error, what);
  }

  private renew(): void {
    const { restart, restarted } = this.glue;
    if (!restart || !restarted) throw stale("the WebAssembly of Portolan is of an older version", undefined);
    restart();
    restarted();
    this.isBroken = false;
  }

  /** Runs what uses this instance and nothing that is kept. A trap replaces it, and is thrown as `internal.trap`. */
  run<T>(what: string, call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw this.caught(error, what);
    }
  }
}

/** The error of a question, or another step, at which an instance stopped. */
export function trapped(error: unknown, what: string): PortolanError {
  const reason = error instanceof Error ? error.message : String(error);
  return new PortolanError(
    "internal.trap",
    `the engine stopped and was restarted (${reason}); the question was ${what}`,
    "other questions are answered; if this one stops it again, report it",
    { cause: error },
  );
}
