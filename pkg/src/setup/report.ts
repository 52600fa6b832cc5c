/** The report of set-up for people. */

import { CLIENTS } from "./clients.js";
import type { Change, SetUpReport } from "./setup.js";

export function report({ undo, dry_run, clients, changes, warnings }: SetUpReport): string {
  if (clients.length === 0) return undo ? "nothing was set up\n" : `no agent was found on this machine; ${NAME_ONE}\n`;
  const lines = clients.flatMap((id) => {
    const own = changes.filter(({ client }) => client === id);
    return [CLIENTS.find((client) => client.id === id)?.name ?? id, ...brief(own)];
  });
  const last = dry_run
    ? "nothing was changed"
    : undo
      ? "undone"
      : "done; restart your agents. `portolan setup --undo` removes it";
  return `${[...lines, ...warnings.map((text) => `warning: ${text}`), last].join("\n")}\n`;
}

const NAME_ONE = `name one: ${CLIENTS.map(({ id }) => `--${id}`).join(", ")}`;

/** A line for each file, one for all files of a folder of ours. */
function brief(changes: readonly Change[]): string[] {
  const rows = new Map<string, { count: number; noun: string }>();
  for (const { state, about, file, message } of changes) {
    const place = /[\\/]hooks[\\/]portolan[\\/]/.test(file)
      ? file.replace(/([\\/]hooks[\\/]portolan)[\\/].*/, "$1")
      : file;
    const row = `  ${state.padEnd(9)} ${about.padEnd(11)} ${place}${message ? `: ${message}` : ""}`;
    rows.set(row, { count: (rows.get(row)?.count ?? 0) + 1, noun: place === file ? "entries" : "files" });
  }
  return [...rows].map(([row, { count, noun }]) => (count > 1 ? `${row} (${count} ${noun})` : row));
}
