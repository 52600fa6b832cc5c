/**
 * Answers that were given lately, so that a question that is asked again costs no search: bounded in bytes and in time, and dropped when the
 * index changes.
 */

import type { CacheLimits } from "../types.js";
import type { Backend } from "./backend.js";

const SECONDS = 300;
const BYTES = 8 * 1024 * 1024;
/** Tools whose answers take longer to find than to copy, and depend on nothing but the index and the request. */
const TOOLS: ReadonlySet<string> = new Set([
  "search",
  "assemble",
  "query",
  "map",
  "impact",
  "communities",
  "processes",
]);

interface Kept {
  readonly answer: unknown;
  readonly n_bytes: number;
  readonly until: number;
}

export class AnswerCache {
  /** In the order in which they were last asked for. */
  private readonly kept = new Map<string, Kept>();
  private n_bytes = 0;
  /** Counts the states of the index: an answer that was on its way while it changed is not kept. */
  private state = 0;
  private readonly milliseconds: number;
  private readonly maxBytes: number;

  constructor(
    { seconds = SECONDS, bytes = BYTES }: CacheLimits = {},
    private readonly now: () => number = Date.now,
  ) {
    this.milliseconds = seconds * 1000;
    this.maxBytes = bytes;
  }

  /** The answer that is kept, as a copy of its own, or else that of `ask`. */
  async answer<T>(tool: string, request: unknown, ask: () => Promise<T>): Promise<T> {
    const key = TOOLS.has(tool) ? keyOf(tool, request) : undefined;
    if (key === undefined || this.milliseconds === 0) return ask();
    const known = this.kept.get(key);
    if (known && known.until > this.now()) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return structuredClone(known.answer) as T;
    }
    const { state } = this;
    const answer = await ask();
    if (state === this.state) this.keep(key, answer);
    return answer;
  }

  /** Forgets everything: the index is another. */
  drop(): void {
    this.kept.clear();
    this.n_bytes = 0;
    this.state++;
  }

  private keep(key: string, answer: unknown): void {
    const n_bytes = 2 * (key.length + (JSON.stringify(answer)?.length ?? 0));
    this.forget(key);
    if (n_bytes > this.maxBytes) return;
    this.kept.set(key, { answer: structuredClone(answer), n_bytes, until: this.now() + this.milliseconds });
    this.n_bytes += n_bytes;
    for (const oldest of this.kept.keys()) {
      if (this.n_bytes <= this.maxBytes) break;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    this.n_bytes -= this.kept.get(key)?.n_bytes ?? 0;
    this.kept.delete(key);
  }
}

/** Nothing for a request that is no plain data: the engine says what is wrong with it. */
function keyOf(tool: string, request: unknown): string | undefined {
  try {
    return typeof request === "object" && request !== null ? `${tool} ${JSON.stringify(request)}` : undefined;
  } catch {
    return undefined;
  }
}

/** The same answers, kept for a while. */
export function cached(backend: Backend, cache: AnswerCache): Backend {
  const { update, watch } = backend;
  return {
    ...backend,
    ask: (question, request) => cache.answer(question, request, () => backend.ask(question, request)),
    ...(update && {
      async update(edits, options) {
        cache.drop();
        try {
          return await update.call(backend, edits, options);
        } finally {
          cache.drop();
        }
      },
    }),
    ...(watch && {
      watch: ({ onChanges, ...options }) =>
        watch.call(backend, {
          ...options,
          onChanges(changes, milliseconds) {
            cache.drop();
            onChanges?.(changes, milliseconds);
          },
        }),
    }),
    close() {
      cache.drop();
      backend.close();
    },
  };
}
