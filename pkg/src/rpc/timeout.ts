/** A promise that is given up after a while. */

import { PortolanError } from "../errors.js";

/** Rejects with `worker.timeout` where the promise has not settled by then. What it waits for goes on: whoever asked ends it. */
export function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(new PortolanError("worker.timeout", `no answer for ${Number((milliseconds / 1000).toPrecision(2))} s`)),
      milliseconds,
    );
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
