/** One search of several repositories: each is asked, and the hits come in one list. */

import type { Hit, SearchRequest, SearchResponse } from "../../wasm/reader.js";
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
  // That one of several has no such name is no news where another has it.
  const isTold = notes.length > 0 && (found.length === 0 || notes.length === answers.length - failed.length);
  found.sort((one, other) => other.score - one.score); // stable: equal scores keep the order of the repositories
  return {
    query,
    hits: found.slice(0, limit),
    total: answers.reduce((sum, { answer }) => sum + (answer?.total ?? 0), 0),
    ...(isTold && { notes }),
    ...(failed.length > 0 && { failed }),
  };
}
