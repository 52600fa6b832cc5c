// @ts-check
// Records questions that stopped the wasm: which errors mean that, and how often it happened to which repository. The
// instance is made anew after each, which every open index pays for: one that stops it again and again is not asked for a while.

import { Failure } from "./wasm/edge.js";

const MAX_STOPS = 20;
const WINDOW_MILLIS = 60_000;
/** Repositories whose stops are kept: names come from requests. */
const MAX_NAMES = 100;

/** The glue's message about an instance, or an object, that an earlier trap left unusable. */
const REFUSED =
  /terminated|unreachable|already borrowed|recursive use of an object|ownership of Rust value|stale object/i;

/**
 * Whether the wasm stopped in the middle of something: a trap, a stack overflow, no memory.
 * @param {unknown} error
 * @returns {error is Error}
 */
export function isStop(error) {
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return true;
  return error instanceof Error && REFUSED.test(error.message);
}

export class Stops {
  /** @type {Map<string, number[]>} */
  #times = new Map();

  /** @param {string} repository */
  note(repository) {
    const times = this.#recent(repository);
    this.#times.delete(repository);
    this.#times.set(repository, [...times, Date.now()]);
    const [oldest] = this.#times.keys();
    if (this.#times.size > MAX_NAMES && oldest !== undefined) this.#times.delete(oldest);
  }

  /**
   * Refuses a question to a repository whose questions stopped the wasm too often.
   * @param {string} repository
   */
  check(repository) {
    if (this.#recent(repository).length < MAX_STOPS) return;
    throw new Failure(
      "index.failed",
      `${repository} is not asked for a minute: its questions stopped the engine ${MAX_STOPS} times`,
      "ask again later; other repositories are answered",
    );
  }

  /** @param {string} repository */
  #recent(repository) {
    return (this.#times.get(repository) ?? []).filter((time) => Date.now() - time < WINDOW_MILLIS);
  }
}
