/** A command whose line has been read. */

import type { CodeIndex } from "../code-index.js";
import { onOneLine } from "../visible.js";
import type { Command } from "../commands/options.js";

/** Asks an open index; gives what goes to stdout. */
export type Question = (index: CodeIndex) => Promise<string>;

/** The answer as one line of JSON, or as text for people. */
export async function answer<T>(command: Command, asked: Promise<T>, text: (response: T) => string): Promise<string> {
  const response = await asked;
  return command.options.json === true ? `${JSON.stringify(response)}\n` : text(onOneLine(response));
}
