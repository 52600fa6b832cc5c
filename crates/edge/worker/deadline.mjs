// @ts-check
// Promises with a deadline.

/**
 * The result of `work`, or the error of `late` once the time is over; the work is not waited for any longer.
 * @template T
 * @param {number} millis
 * @param {Promise<T>} work
 * @param {() => unknown} late
 * @returns {Promise<T>}
 */
export async function within(millis, work, late) {
  let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  const end = new Promise((_, reject) => {
    timer = setTimeout(() => reject(late()), millis);
  });
  work.catch(() => {}); // an error that comes too late is nobody's
  try {
    return /** @type {T} */ (await Promise.race([work, end]));
  } finally {
    clearTimeout(timer);
  }
}
