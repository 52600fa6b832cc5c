/** One search of several repositories: each is asked, and the hits come in one list. */

import type { Hit, MissingShard, SearchRequest, SearchResponse } from "../../wasm/reader.js";
import { fromThrown, PortolanError } from "../errors.js";
import type { AbortSignal } from "../platform.js";

/** An index under a name, such as a `CodeIndex`. */
export interface Searchable {
  readonly name: string;
  search(request: SearchRequest): PromiseLike<SearchResponse>;
}

/** A hit, and the repository that it is in. */
export type HitIn = Hit & { readonly repo: string };

/** The hits of several repositories. */
export interface SearchOfSeveral {
  readonly query: string;
  /** Best first. Scores of different indexes compare roughly: each is a sum of shares of its own best. */
  readonly hits: HitIn[];
  /** Number of hits before `limit`, in all repositories. */
  readonly total: number;
  /** Notes of the repositories, where none of them has a hit or all of them have a note. */
  readonly notes?: { readonly repo: string; readonly note: string }[];
  /** Repositories that could not be searched, and why. */
  readonly failed?: { readonly repo: string; readonly message: string }[];
  /** Shards that did not answer: hits in their files are missing. Only of repositories whose shards are elsewhere. */
  readonly missing_shards?: MissingShardIn[];
}

/** A shard that did not answer, and the repository that it is of. */
export type MissingShardIn = MissingShard & { readonly repo: string };

/** The answer of a server to a search of every repository. Its lists of what is missing have at most 100 entries. */
export interface SearchOfAll extends SearchOfSeveral {
  /** Number of repositories that were to be searched. */
  readonly n_repositories: number;
  /** There are more repositories than one search asks, 10,000: the rest was not asked. */
  readonly more_repositories?: boolean;
  /** Number of repositories that could not be searched. */
  readonly n_failed?: number;
  /** Number of shards that did not answer. */
  readonly n_missing_shards?: number;
  /** Repositories that were not reached in time: how many, and their names. */
  readonly late?: { readonly n_repositories: number; readonly repositories: string[] };
}

const DEFAULT_LIMIT = 10;

/** Searches them one after the other. One that fails costs its own hits; rejects only where `signal` ends it or the request cannot be read. */
export async function searchSeveral(
  repositories: Iterable<Searchable>,
  request: SearchRequest | string,
  {
    signal,
    onProgress,
  }: { signal?: AbortSignal; onProgress?: (done: number, total: number, name: string) => void } = {},
): Promise<SearchOfSeveral> {
  const asked = typeof request === "string" ? { query: request } : request;
  if ((asked.offset ?? 0) > 0)
    throw new PortolanError(
      "request.invalid",
      "search: no paging over several repositories",
      "raise `limit`, or search one repository",
    );
  const all = [...repositories];
  const answers: { repo: string; answer?: SearchResponse; message?: string }[] = [];
  for (const repository of all) {
    signal?.throwIfAborted();
    const repo = repository.name;
    onProgress?.(answers.length, all.length, repo);
    try {
      answers.push({ repo, answer: await repository.search(asked) });
    } catch (error) {
      answers.push({ repo, message: fromThrown(error).message });
    }
  }
  return merged(asked.query, asked.limit ?? DEFAULT_LIMIT, answers);
}

/** Merges the answers of several repositories to the same query. */
export function merged(
  query: string,
  limit: number,
  answers: readonly { readonly repo: string; readonly answer?: SearchResponse; readonly message?: string }[],
): SearchOfSeveral {
  const found = answers.flatMap(({ repo, answer }) => (answer?.hits ?? []).map((hit): HitIn => ({ repo, ...hit })));
  const notes = answers.flatMap(({ repo, answer }) =>
    answer?.note === undefined ? [] : [{ repo, note: answer.note }],
  );
  const failed = answers.flatMap(({ repo, message }) => (message === undefined ? [] : [{ repo, message }]));
  const missing_shards = answers.flatMap(({ repo, answer }) =>
    (answer?.missing_shards ?? []).map((shard): MissingShardIn => ({ repo, ...shard })),
  );
  // That one of several has no such name is no news where another has it.
  const isTold = notes.length > 0 && (found.length === 0 || notes.length === answers.length - failed.length);
  found.sort((one, other) => other.score - one.score); // stable: equal scores keep the order of the repositories
  return {
    query,
    hits: found.slice(0, limit),
    total: answers.reduce((sum, { answer }) => sum + (answer?.total ?? 0), 0),
    ...(isTold && { notes }),
    ...(failed.length > 0 && { failed }),
    ...(missing_shards.length > 0 && { missing_shards }),
  };
}
