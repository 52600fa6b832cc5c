//! A value that is used when it has been the same for a while: a field that starts work waits for the writer to pause.

import { useEffect, useState } from "preact/hooks";

/** The value as it was before the last pause of `millis`. The first one is there at once. */
export function useCalm<T>(value: T, millis: number): T {
  const [calm, setCalm] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), millis);
    return () => clearTimeout(timer);
  }, [value, millis]);
  return calm;
}

/** Runs `work` for each item, at most `width` at a time; the results are in the order of the items. */
export async function side<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const run = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, run));
  return results;
}
