/** `portolan versions`: lists the versions of a repository on a server, switches, prunes. */

import { noOperands, UsageError, wholeNumber, type Command } from "../commands/options.js";
import { findRoot } from "../node/root.js";
import { SharedClient } from "../shared/client.js";
import type { PruneAnswer, VersionSummary } from "../shared/types.js";
import { nameOf, serverOf } from "../shared/user-server.js";
import { quantity } from "../quantity.js";
import { onOneLine } from "../visible.js";

const LIMIT = 20;

export async function versions(command: Command): Promise<string> {
  noOperands(command);
  const { options } = command;
  if (options.to !== undefined && options.prune === true) throw new UsageError("versions: give either --to or --prune");
  const root = findRoot();
  const name = nameOf(options, root, process.env);
  const client = new SharedClient(await serverOf(options, root, process.env), name);
  const json = (value: object) => `${JSON.stringify(value)}\n`;
  if (options.to !== undefined) {
    const version = await client.switchTo(options.to);
    return options.json === true ? json(version) : `${name} answers from ${line(version, version.id)}`;
  }
  if (options.prune === true) {
    const rules = {
      keep: wholeNumber(options.keep, "keep", 0) ?? 20,
      days: wholeNumber(options.days, "days", 0) ?? 30,
      dry_run: options["dry-run"] === true,
    };
    const answer = await client.prune(rules);
    return options.json === true ? json(answer) : pruned(answer, rules.dry_run);
  }
  const list = await client.list();
  const limit = wholeNumber(options.limit, "limit", 1) ?? LIMIT;
  const total = list.versions.length;
  if (options.json === true) return json({ ...list, versions: list.versions.slice(0, limit), total });
  const lines = onOneLine(list.versions.slice(0, limit)).map((version) => line(version, list.current));
  const more = total > limit ? `${total - limit} more; --limit shows them\n` : "";
  return `${lines.join("")}${more}`;
}

/** `* 3f2a91cd0b1e  1a2b3c4d5e  2026-11-24 03:05  72.3 MB  refs/heads/main  v1.2`. */
function line({ id, source, made_at, n_bytes }: VersionSummary, current: string | undefined): string {
  const { commit = "-", ref = "", tags = [] } = source;
  const time = new Date(made_at).toISOString().slice(0, 16).replace("T", " ");
  const parts = [commit.slice(0, 10).padEnd(10), time, `${(n_bytes / 1e6).toFixed(1)} MB`, ref, tags.join(", ")];
  return `${id === current ? "*" : " "} ${id.slice(0, 12)}  ${parts.join("  ").trimEnd()}\n`;
}

function pruned({ versions, n_pieces, n_bytes, n_kept }: PruneAnswer, isDryRun: boolean): string {
  const what = `${quantity(versions.length, "version")} and ${quantity(n_pieces, "piece")} (${(n_bytes / 1e6).toFixed(1)} MB)`;
  return `${isDryRun ? "would delete" : "deleted"} ${what}; ${quantity(n_kept, "version")} kept\n`;
}
