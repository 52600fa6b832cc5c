/**
 * Notes about answers that are not whole: shards and repositories that are missing, and lists that were cut. An agent that is not told
 * takes what it sees for all there is.
 */

import type { MissingShard } from "../answers.js";
import { quantity } from "../quantity.js";

/** Fields of such answers. */
export interface Incomplete {
  readonly missing_shards?: readonly (MissingShard & { readonly repo?: string })[];
  readonly n_missing_shards?: number;
  readonly n_repositories?: number;
  readonly more_repositories?: boolean;
  readonly late?: { readonly n_repositories: number; readonly repositories: readonly string[] };
  readonly failed?: readonly unknown[] | undefined;
  readonly n_failed?: number;
  /** Of a search of every repository. */
  readonly hits?: readonly unknown[];
  readonly total?: number;
  /** Of list_repos. */
  readonly repositories?: readonly unknown[];
  readonly truncated?: boolean;
}

/** Names in a note. */
const MAX_NAMED = 5;

/** Whether repositories or shards are missing in the answer of a search. */
export function isPartial({ missing_shards, late, failed }: Incomplete): boolean {
  return missing_shards !== undefined || late !== undefined || failed !== undefined;
}

/** Returns the notes, a line each; none where nothing is missing. */
export function missingNotes(answer: Incomplete): string[] {
  const { repositories, truncated, n_repositories, hits = [], total = 0 } = answer;
  return [
    ...(repositories !== undefined && truncated === true
      ? [
          `Note: these are the first ${repositories.length} repositories, and there are more: \`repo\` takes their names, too.`,
        ]
      : []),
    ...(n_repositories === undefined ? [] : [askedNote(n_repositories, answer)]),
    ...(n_repositories !== undefined && hits.length < total
      ? [`… ${hits.length} of ${quantity(total, "hit")}: raise limit or max_bytes, or name one repository`]
      : []),
    ...shardsNote(answer),
  ];
}

function askedNote(n_repositories: number, { more_repositories, late, n_failed, failed = [] }: Incomplete): string {
  const asked = `${quantity(n_repositories, "repository", "repositories")} asked`;
  const n_failures = n_failed ?? failed.length;
  return [
    `Note: ${asked}${more_repositories === true ? "; there are more, which were not: name one in repo" : ""}.`,
    ...(late === undefined
      ? []
      : [
          `${late.n_repositories} of them did not answer in time, and their hits are missing: ${some(late.repositories, late.n_repositories)}. Ask again, or name one in repo.`,
        ]),
    ...(n_failures > 0 ? [`${n_failures} of them failed.`] : []),
  ].join(" ");
}

function shardsNote({ missing_shards, n_missing_shards }: Incomplete): string[] {
  if (missing_shards === undefined) return [];
  const named = missing_shards.map(
    ({ repo, shard, n_files, code }) =>
      `${repo === undefined ? "" : `${repo} `}shard ${shard} (${quantity(n_files, "file")}, ${code})`,
  );
  const n_shards = n_missing_shards ?? named.length;
  return [
    `Note: ${quantity(n_shards, "shard")} did not answer, and hits in ${n_shards === 1 ? "its" : "their"} files are missing: ${some(named, n_shards)}. Ask again.`,
  ];
}

function some(names: readonly string[], n_names: number): string {
  const shown = names.slice(0, MAX_NAMED);
  return `${shown.join(", ")}${shown.length < n_names ? ", …" : ""}`;
}
