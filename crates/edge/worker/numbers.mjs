// @ts-check
// Numbers of requests, as clients of several languages write them.

/** A text, closed or not, or a number. A match takes all of it, so no place is looked at twice. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|\d[\d.eE+-]*/gs;
const WHOLE = /^(\d+)\.0+$/;

/**
 * Writes `9.0` as `9`: JSON Schema calls both an integer, and clients of some languages send the former. Cypher has both kinds of numbers.
 * Linear in the body.
 * @param {string} body
 * @param {string} pathname
 */
export function wholeNumbers(body, pathname) {
  if (pathname === "/v1/cypher" || !/\d\.0/.test(body)) return body;
  return body.replace(TOKEN, (token) => WHOLE.exec(token)?.[1] ?? token);
}
