/** `portolan history`: the searches that were made on this machine, and how long they took. */

import { clearHistory, keepsHistory, pastSearches, type PastSearch } from "../node/history.js";
import { noOperands, wholeNumber, type Command } from "../commands/options.js";
import { quantity } from "../quantity.js";
import { onOneLine } from "../visible.js";

const LIMIT = 20;

export async function history(command: Command): Promise<string> {
  noOperands(command);
  const { options } = command;
  if (options.clear === true) {
    const n_cleared = clearHistory();
    return options.json === true
      ? `${JSON.stringify({ n_cleared })}\n`
      : `forgot ${quantity(n_cleared, "search", "searches")}\n`;
  }
  const all = pastSearches();
  const searches = all.slice(0, wholeNumber(options.limit, "limit", 1) ?? LIMIT);
  const total = all.length;
  const median_milliseconds = median(all.map(({ milliseconds }) => milliseconds));
  if (options.json === true)
    return `${JSON.stringify({ searches, total, median_milliseconds, is_kept: keepsHistory() })}\n`;
  if (total === 0) return `no searches${keepsHistory() ? "" : "; history is off here"}\n`;
  const lines = onOneLine(searches).map(line);
  return `${lines.join("")}${quantity(total, "search", "searches")}, median ${median_milliseconds} ms; --clear forgets them\n`;
}

function line({ at, root, tool, query, milliseconds }: PastSearch): string {
  const time = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  return `${time}  ${String(milliseconds).padStart(5)} ms  ${tool}  ${query}  ${root}\n`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
