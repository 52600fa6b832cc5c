/** How far an answer got: which of its lists go on, and from where. The engine makes the pages; their `Page` says where each ended. */

import type {
  ContextResponse,
  DetectChangesResponse,
  DepthGroup,
  ImpactResponse,
  Page,
  QueryResponse,
  RelationGroup,
  RenameResponse,
} from "../answers.js";

/** The number of items shown of a list, and its page. */
export type Shown = readonly [n_shown: number, page: Page];

/**
 * The offset at which the rest begins; undefined where nothing is left. The lists of an answer share one offset: the list that
 * got least far says where to go on, so that nothing is passed over.
 */
export function nextOffset(offset: number, shown: readonly Shown[]): number | undefined {
  const open = shown.filter(([, page]) => page.truncated).map(([n_shown]) => n_shown);
  return open.length === 0 ? undefined : offset + Math.max(1, Math.min(...open));
}

/**
 * How many items of each list to ask for instead, where the size of the answer ended a list that comes after others: the others
 * took its place, and all of them would go on from where it got to.
 */
export function evenLimit(shown: readonly Shown[]): number | undefined {
  const open = shown.filter(([, page]) => page.truncated).map(([n_shown]) => n_shown);
  const least = Math.min(...open);
  const even = Math.floor(open.reduce((total, n_shown) => total + n_shown, 0) / open.length);
  return open.length > 1 && even > 2 * least ? even : undefined;
}

export const SHOWN = {
  context: ({ members, members_page, incoming, outgoing, processes, processes_page }: ContextResponse): Shown[] => [
    [members.length, members_page],
    [processes.length, processes_page],
    ...[...incoming, ...outgoing].map(({ relations, page }: RelationGroup): Shown => [relations.length, page]),
  ],
  impact: ({ by_depth, page, affected_processes, processes_page }: ImpactResponse): Shown[] => [
    [inGroups(by_depth), page],
    [affected_processes.length, processes_page],
  ],
  detect_changes: (answer: DetectChangesResponse): Shown[] => [
    [answer.changed_files.length, answer.files_page],
    [answer.changed_symbols.length, answer.symbols_page],
    [answer.affected_processes.length, answer.processes_page],
    [inGroups(answer.dependants), answer.dependants_page],
  ],
  query: ({ processes, processes_page, definitions, definitions_page }: QueryResponse): Shown[] => [
    [processes.length, processes_page],
    // The bucket beside the flows: its own limit ends it, and one page of it is enough.
    [definitions.length, { ...definitions_page, truncated: definitions_page.truncated && processes_page.truncated }],
  ],
  rename: ({ changes, page }: RenameResponse): Shown[] => [
    [changes.reduce((total, { edits }) => total + edits.length, 0), page],
  ],
};

function inGroups(groups: readonly DepthGroup[]): number {
  return groups.reduce((total, { symbols }) => total + symbols.length, 0);
}

const encoder = new TextEncoder();

/**
 * As many of `items` as fit `max_bytes` of JSON; one always. For lists that are made here, of several indexes or of the lines of a
 * file; the engine cuts its own by the same rule (`crates/api/src/answer/budget.rs`), and `tests/pages.json` has cases for both.
 */
export function fitting<T>(items: readonly T[], max_bytes: number): T[] {
  let left = max_bytes;
  const count = items.findIndex((item) => {
    left -= encoder.encode(JSON.stringify(item)).length + 1;
    return left < 0;
  });
  return count < 0 ? [...items] : items.slice(0, Math.max(1, count));
}

/** The lists of an answer, and those of the answers in it. */
export function listsOf(answer: Readonly<Record<string, unknown>>): unknown[][] {
  return Object.values(answer).flatMap((value) => {
    if (Array.isArray(value)) return [value];
    return isRecord(value) ? Object.values(value).filter((list): list is unknown[] => Array.isArray(list)) : [];
  });
}

/** The answer with each of these lists cut to `max_bytes` of JSON, and whether one was. */
export function cutLists(
  answer: Readonly<Record<string, unknown>>,
  max_bytes: number,
): { readonly answer: Record<string, unknown>; readonly is_cut: boolean } {
  let is_cut = false;
  const fit = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    const fits = fitting(value, max_bytes);
    is_cut ||= fits.length < value.length;
    return fits;
  };
  const entries = Object.entries(answer).map(([key, value]) => {
    const inner = isRecord(value) ? Object.entries(value).map(([name, inner]) => [name, fit(inner)]) : undefined;
    return [key, inner ? Object.fromEntries(inner) : fit(value)];
  });
  return { answer: Object.fromEntries(entries), is_cut };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
