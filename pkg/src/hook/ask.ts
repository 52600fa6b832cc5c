/** Questions of the hook to an open index. */

/** Puts a question to an open index; throws what the index throws. */
export type Ask = (tool: Question, request: object) => unknown;

type Question = "communities" | "context" | "files" | "find" | "impact" | "locate" | "outline" | "processes" | "search";

/** A query that finds nothing adds nothing. Errors of the index itself are passed on. */
export function asked<T>(ask: Ask, tool: Question, request: object): T | undefined {
  try {
    return ask(tool, request) as T;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error;
    return undefined;
  }
}
