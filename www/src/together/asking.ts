//! One question to several saved repositories: each is opened in workers of its own, a few at a time, and stays open for the next one.

import { type CodeIndex, Portolan } from "portolan";
import { wordsOf } from "../state/notices.ts";
import { repository } from "../state/repository.ts";
import { type FileResults, fromHits, fromRegex } from "../state/search.ts";
import { userLanguages } from "../state/user-languages.ts";

export const kinds = ["auto", "names", "uses", "regex"] as const;
export type Kind = (typeof kinds)[number];

/** A definition or a use. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly kind: string;
  /** The line of code, for a use. */
  readonly text: string;
}

/** The answer of one repository. */
export type Reply =
  | { readonly state: "waiting" | "opening" | "asking" }
  | { readonly state: "failed"; readonly message: string; readonly help: string; readonly code: string }
  | {
      readonly state: "done";
      readonly files: readonly FileResults[];
      readonly places: readonly Place[];
      readonly total: number;
      readonly truncated: boolean;
    };

/** Indexes that are open at once; each has its own memory. */
const mostOpen = 6;
const hitsEach = 6;
const placesEach = 12;

/** Opens saved indexes by name and closes the one used longest ago when there are too many. */
export class OpenIndexes {
  readonly #open = new Map<string, Promise<CodeIndex>>();
  readonly #openIndex: (name: string) => Promise<CodeIndex>;

  constructor(openIndex: (name: string) => Promise<CodeIndex> = openSaved) {
    this.#openIndex = openIndex;
  }

  get(name: string): Promise<CodeIndex> {
    const known = this.#open.get(name);
    this.#open.delete(name);
    const index = known ?? this.#openIndex(name);
    this.#open.set(name, index);
    index.catch(() => this.#open.delete(name));
    const [oldest] = this.#open.keys();
    if (this.#open.size > mostOpen && oldest !== undefined && oldest !== name) this.drop(oldest);
    return index;
  }

  /** Closes one: it was changed, renamed or deleted. */
  drop(name: string): void {
    const index = this.#open.get(name);
    this.#open.delete(name);
    void index?.then(
      (known) => known.close(),
      () => {},
    );
  }

  close(): void {
    for (const name of [...this.#open.keys()]) this.drop(name);
  }
}

function openSaved(name: string): Promise<CodeIndex> {
  return Portolan.open(name, { grammars: userLanguages.peek() });
}

/** Asks each of `names`, two at a time, and tells each step. Ends when `signal` does. */
export async function askAll(
  open: OpenIndexes,
  names: readonly string[],
  question: { readonly query: string; readonly kind: Kind },
  signal: AbortSignal,
  onReply: (name: string, reply: Reply) => void,
): Promise<void> {
  const left = [...names];
  const tell = (name: string, reply: Reply) => !signal.aborted && onReply(name, reply);
  for (const name of names) tell(name, { state: "waiting" });
  const run = async () => {
    for (let name = left.shift(); name !== undefined && !signal.aborted; name = left.shift()) {
      try {
        tell(name, { state: "opening" });
        const own = repository.peek();
        // The open repository answers as it is: it may be newer than what is saved.
        const index = own?.name === name ? own.index : await open.get(name);
        if (signal.aborted) return;
        tell(name, { state: "asking" });
        tell(name, await answerOf(index, question.query, question.kind));
      } catch (error) {
        tell(name, { state: "failed", ...wordsOf(error) });
      }
    }
  };
  await Promise.all([run(), run()]);
}

async function answerOf(index: CodeIndex, query: string, kind: Kind): Promise<Reply> {
  if (kind === "names") {
    const { symbols } = await index.find({ symbol: query, fuzzy: true, limit: placesEach });
    const places = symbols.map((symbol) => ({
      path: symbol.path,
      line: symbol.line,
      name: symbol.qualified_name,
      kind: symbol.kind,
      text: "",
    }));
    return { state: "done", files: [], places, total: places.length, truncated: places.length === placesEach };
  }
  if (kind === "uses") return usesOf(index, query);
  if (kind === "regex") {
    const answer = fromRegex(await index.regex({ pattern: query, context_lines: 0, limit: placesEach }), 0);
    return { state: "done", files: answer.files, places: [], total: answer.total, truncated: answer.truncated };
  }
  const answer = fromHits(await index.search({ query, limit: hitsEach }), 0);
  return {
    state: "done",
    files: answer.files,
    places: [],
    total: answer.total,
    truncated: answer.shown < answer.total,
  };
}

/** Uses of a name; a repository that has no such name has none. */
async function usesOf(index: CodeIndex, query: string): Promise<Reply> {
  try {
    const { references, total } = await index.references({ symbol: query, limit: placesEach });
    const places = references.map(({ path, line, text }) => ({ path, line, name: "", kind: "", text }));
    return { state: "done", files: [], places, total, truncated: places.length < total };
  } catch (error) {
    if (wordsOf(error).code !== "symbol.not-found") throw error;
    return { state: "done", files: [], places: [], total: 0, truncated: false };
  }
}

/** Repositories with an answer first; those of the same state keep their order. */
export function ordered(names: readonly string[], replies: ReadonlyMap<string, Reply>): string[] {
  const rank = (name: string) => {
    const reply = replies.get(name);
    if (reply?.state === "done") return reply.total > 0 ? 0 : 3;
    return reply?.state === "failed" ? 2 : 1;
  };
  return [...names].sort((a, b) => rank(a) - rank(b));
}
