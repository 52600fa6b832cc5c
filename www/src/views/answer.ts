//! A question of a view, asked again when it or the index changes; the answer before stays until the next one is there.

import { useEffect, useState } from "preact/hooks";
import type { CodeIndex } from "portolan";
import { wordsOf } from "../state/notices.ts";
import type { Repository } from "../state/repository.ts";

export interface Failure {
  readonly state: "failed";
  readonly message: string;
  readonly help: string;
  readonly code: string;
}

export type Answer<T> =
  | { readonly state: "idle" }
  | { readonly state: "running"; readonly before: T | null }
  | { readonly state: "done"; readonly value: T }
  | Failure;

/** Asks `question` of the open index; null asks nothing. A newer question ends the older one by its signal. */
export function useAnswer<Q, T>(
  { index, revision }: Repository,
  question: Q | null,
  ask: (index: CodeIndex, question: Q, signal: AbortSignal) => Promise<T>,
): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>(question === null ? { state: "idle" } : running<T>(null));
  const asked = question === null ? "" : JSON.stringify(question);
  useEffect(() => {
    if (question === null) return setAnswer({ state: "idle" });
    const stop = new AbortController();
    setAnswer((last) => running(shownOf(last)));
    ask(index, question, stop.signal).then(
      (value) => !stop.signal.aborted && setAnswer({ state: "done", value }),
      (error: unknown) => !stop.signal.aborted && setAnswer({ state: "failed", ...wordsOf(error) }),
    );
    return () => stop.abort();
  }, [index, revision, asked]);
  return answer;
}

/** The answer to show: the newest there is. */
export function shownOf<T>(answer: Answer<T>): T | null {
  return answer.state === "done" ? answer.value : answer.state === "running" ? answer.before : null;
}

function running<T>(before: T | null): Answer<T> {
  return { state: "running", before };
}
