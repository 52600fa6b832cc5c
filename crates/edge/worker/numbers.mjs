// @ts-check
// Numbers of requests, as clients of several languages write them.

/** A text, or a number that is whole and written with a fraction. Linear: no part of it can match in two ways. */
const TEXT_OR_FRACTION = /"[^"\\]*(?:\\.[^"\\]*)*"|(-?\d+)\.0+(?![\deE])/gs;

/**
 * Writes `9.0` as `9`: JSON Schema calls both an integer, and clients of some languages send the former. Cypher has both kinds of numbers.
 * @param {string} body
 * @param {string} pathname
 */
export function wholeNumbers(body, pathname) {
  if (pathname === "/v1/cypher" || !/\d\.0/.test(body)) return body;
  return body.replace(TEXT_OR_FRACTION, (all, whole) => whole ?? all);
}
