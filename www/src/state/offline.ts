//! Offline use: the service worker keeps the page itself and the parts that were used; everything else only if the reader chooses so.

import { signal } from "@preact/signals";
import { report, speak } from "./notices.ts";
import { change, settings } from "./settings.ts";

/** Sizes in bytes of the parts that are fetched on first use (engine, grammars, model, sample), and the part of it that is kept. */
export interface Parts {
  readonly total: number;
  readonly kept: number;
  /** The rest is being fetched. */
  readonly working: boolean;
  /** Number of parts that could not be fetched in the last try. */
  readonly failed: number;
  /** The last try ended because the browser gives the site no more space. */
  readonly isFull: boolean;
}

/** The page's requests to its service worker. */
export type Order =
  | { order: "tell" }
  | { order: "keep" }
  | { order: "stop" }
  | { order: "drop" }
  | { order: "seen" }
  | UsedParts;

/** Requests of the page from before the service worker was there. */
export interface UsedParts {
  readonly order: "used";
  readonly addresses: readonly string[];
}

const doing = "fetch everything for offline use";
const full = Object.assign(new Error("the browser gives this site no more space; what came is kept"), {
  code: "storage.quota",
  help: "Free some space on the disk, or delete an index that you no longer need.",
});

/** Null until a service worker answers: development, private windows and plain http have none. */
export const parts = signal<Parts | null>(null);

let post: (order: Order) => void = () => {};

/** Whether the browser asks pages to spend little of the line. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Connects to the service worker, and continues with the reader's earlier choice. */
export function reach(worker: (order: Order) => void): void {
  post = worker;
  post({ order: "tell" });
  // A new version of the page has new parts; where data is to be saved, the reader decides again.
  if (settings.peek().keepsAll && !savesData()) post({ order: "keep" });
}

/** Takes an answer of the service worker. */
export function hear(answer: Parts): void {
  const before = parts.peek();
  parts.value = answer;
  if (!before?.working || answer.working) return;
  if (answer.isFull) report(doing, full, "warning");
  else if (answer.failed > 0) report(doing, new Error("some parts did not come; what came is kept"), "warning");
  else if (answer.kept >= answer.total) speak("Everything is kept for offline use");
}

/** Fetches everything, now and after each update of the page. */
export function keepEverything(): void {
  change({ keepsAll: true });
  post({ order: "keep" });
}

/** Ends the fetching; what has come stays. */
export function stopKeeping(): void {
  change({ keepsAll: false });
  post({ order: "stop" });
}

/** Deletes the parts that were fetched ahead. They are fetched again on first use. */
export function dropParts(): void {
  change({ keepsAll: false });
  post({ order: "drop" });
}
