/**
 * Files that somebody picks for a query, such as a language model that sees the list of paths, joined with the hits of the search: each
 * list gives a hit a share of its reciprocal rank (Cormack, Clarke and Büttcher 2009), weighted 0.6 for the search and 0.4 for the choice.
 */

import type { Hit, SearchRequest, SearchResponse } from "../../wasm/reader.js";
import { PortolanError } from "../errors.js";
import type { FileSelection } from "../types.js";

const WEIGHTS = [0.6, 0.4] as const;
/** Hits of each list that are joined where nothing is said. */
const TOP = 20;
const MAX_CHOSEN = 50;
/** The constant of reciprocal ranks; the first of a list gets 1. */
const K = 60;

type Search = (request: SearchRequest) => Promise<SearchResponse>;

/** Searches, asks for files, and joins both. Rejects with `select.files` where the function gives anything but paths of the index. */
export async function searchWithFiles(
  search: Search,
  paths: () => Promise<readonly string[]>,
  request: SearchRequest,
  { selectFiles, ensemble = WEIGHTS, top = TOP }: FileSelection & { readonly top?: number | undefined },
): Promise<SearchResponse> {
  const { offset = 0, limit = 10 } = request;
  const wanted = Math.min(200, Math.max(top, offset + limit));
  const [found, all] = await Promise.all([search({ ...request, offset: 0, limit: wanted }), paths()]);
  const chosen = checked(await selectFiles(request.query, all), new Set(all));
  const beside =
    chosen.length === 0
      ? []
      : (await search({ ...request, offset: 0, limit: 200, ungrouped: false, paths: chosen.map(asGlob) })).hits;
  const hits = joined(found.hits, inOrder(beside, chosen), ensemble);
  return {
    ...found,
    total: found.total + hits.length - found.hits.length,
    hits: hits.slice(offset, offset + limit),
  };
}

/** The best hit of each chosen file, in the order of the choice. */
function inOrder(hits: readonly Hit[], chosen: readonly string[]): Hit[] {
  const best = new Map<string, Hit>();
  for (const hit of hits) if (!best.has(hit.path)) best.set(hit.path, hit);
  return chosen.flatMap((path) => best.get(path) ?? []);
}

function joined(found: readonly Hit[], chosen: readonly Hit[], [first, second]: readonly [number, number]): Hit[] {
  const placeOf = ({ path, start_line }: Hit) => `${path}:${start_line}`;
  const scores = new Map<string, { hit: Hit; score: number }>();
  const add = (hits: readonly Hit[], weight: number) =>
    hits.forEach((hit, rank) => {
      const known = scores.get(placeOf(hit)) ?? { hit, score: 0 };
      scores.set(placeOf(hit), { ...known, score: known.score + (weight * (K + 1)) / (K + 1 + rank) });
    });
  add(found, first);
  add(chosen, second);
  const all = [...scores.values()].sort((one, other) => other.score - one.score);
  return all.map(({ hit, score }) => ({ ...hit, score }));
}

function checked(chosen: unknown, known: ReadonlySet<string>): string[] {
  if (!Array.isArray(chosen) || chosen.some((path) => typeof path !== "string"))
    throw new PortolanError(
      "select.files",
      "the function that selects files gave no list of paths",
      "give paths of the list that it gets, the best first; an empty list selects none",
    );
  // A language model may name files that there are not.
  return [...new Set(chosen as string[])].filter((path) => known.has(path)).slice(0, MAX_CHOSEN);
}

/** A glob that matches this path only. */
function asGlob(path: string): string {
  return `/${path.replace(/[*?[\]{}]/g, (sign) => `[${sign}]`)}`;
}
