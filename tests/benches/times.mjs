// How the benches time questions.
import { performance } from "node:perf_hooks";

/** Milliseconds of each question in each of `n_rounds` rounds but the first, which warms up. */
export async function time(n_rounds, inputs, ask) {
  const times = [];
  for (let round = 0; round < n_rounds; round += 1) {
    for (const input of inputs) {
      const start = performance.now();
      // A symbol that is ambiguous or not there is an answer, too.
      await ask(input).catch(() => {});
      if (round > 0) times.push(performance.now() - start);
    }
  }
  return times;
}

/** The value that a share `q` of them does not pass. */
export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}

/** To a thousandth. */
export function round(value) {
  return Math.round(value * 1000) / 1000;
}

/** For `Portolan.open` and `index`: a question asked again is answered again, not from the answers that an index keeps. */
export const UNCACHED = { cache: { seconds: 0 } };
