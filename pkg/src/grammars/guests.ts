/**
 * Guests: users' grammars. A grammar shares memory with the engine that parses with it, so a hostile one can corrupt
 * that instance. It therefore runs in workers that read only its language, that can be ended, whose engine has a memory
 * limit, and in which nothing compiles text into code.
 */

import type { Assets } from "../host.js";

/** Bytes of memory of an engine with guests. */
export const MAX_GUEST_MEMORY = 512 * 1024 * 1024;
/** Milliseconds that a guest has from its first instruction until it is loaded and its queries are compiled. */
export const GUEST_LOAD_MS = 10_000;
/** Milliseconds for a batch of files; ours take a tenth of that on a slow machine. */
export const GUEST_BATCH_MS = 15_000;
/** Guests are slower to fail than to run: workers for them, at most. */
export const MAX_GUEST_WORKERS = 2;

/** Whether a grammar of this name is a user's: they are named by their place. */
export function isGuest(grammar: string | undefined): boolean {
  return grammar !== undefined && /^user-\d+$/.test(grammar);
}

/** The engine for a worker that may load guests, where there are any. */
export function engineFor(assets: Assets, languages: readonly unknown[]): Promise<WebAssembly.Module> {
  return languages.length === 0 ? assets.module("engine") : assets.guestEngine();
}

/**
 * Takes from this thread the constructors that make functions of text. The engine's bindings can call whatever function they can reach from
 * an object that they are handed, and from any object `constructor.constructor` leads to these.
 */
export function forbidCodeFromText(): void {
  for (const sample of [() => {}, async () => {}, function* () {}, async function* () {}])
    delete (Object.getPrototypeOf(sample) as { constructor?: unknown }).constructor;
}
