/** Pauses. */

import { abortError } from "./errors.js";
import type { AbortSignal } from "./platform.js";

/** Rejects with the signal's reason as soon as it is aborted. */
export function sleep(millis: number, signal: AbortSignal): Promise<void> {
  const live = signal as globalThis.AbortSignal;
  return new Promise((resolve, reject) => {
    if (live.aborted) return reject(abortError(live.reason));
    const end = () => {
      clearTimeout(timer);
      reject(abortError(live.reason));
    };
    const timer = setTimeout(() => {
      live.removeEventListener("abort", end);
      resolve();
    }, millis);
    live.addEventListener("abort", end, { once: true });
  });
}

/** A pause that nothing ends. */
export function pause(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}
