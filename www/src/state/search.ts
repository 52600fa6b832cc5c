//! The query of the link, answered: ranked hits by file, the lines that a regular expression matches, or code of a form.

import type {
  Explanation,
  FoldedHit,
  SearchRequest,
  SearchResponse,
  RegexResponse,
  StructuralCapture,
  StructuralResponse,
  UnreadLanguage,
} from "portolan";
import { batch, effect, signal } from "@preact/signals";
import type { Link, QueryMode } from "./link.ts";
import { link } from "./navigation.ts";
import { wordsOf } from "./notices.ts";
import { repository, type Repository } from "./repository.ts";
import { formOf, globsOf } from "./search-fields.ts";

/** A passage that answers. */
export interface Passage {
  readonly key: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string;
  readonly kind: string;
  /** Line of the first character of the text, 1-based. */
  readonly textLine: number;
  readonly text: string;
  readonly marks: readonly (readonly [number, number])[];
  readonly why: readonly string[];
  readonly explanation: Explanation | null;
  /** Captures of the metavariables in this match. */
  readonly captures?: readonly StructuralCapture[];
}

/** The passages of one file, best first, and further places in it without their text. */
export interface FileResults {
  readonly path: string;
  readonly passages: readonly Passage[];
  readonly more: readonly FoldedHit[];
}

/** The answer to a query. */
export interface Answer {
  readonly files: readonly FileResults[];
  /** Hits there are; with a regular expression, matching lines found so far. */
  readonly total: number;
  readonly shown: number;
  /** The detected intent of the query (`symbol`, `conceptual`, …) and the layers that answered; empty for a regular expression. */
  readonly intent: string;
  readonly layers: string;
  readonly truncated: boolean;
  readonly millis: number;
  /** Tells that nothing has the name that was asked for, or that nothing uses it. */
  readonly note?: string;
  /** Of a form: languages that cannot read it, and whether the time was up before all was looked at. */
  readonly unread?: readonly UnreadLanguage[];
  readonly timedOut?: boolean;
  /** Languages that it was looked for in. */
  readonly languages?: readonly string[];
}

export type Search =
  | { state: "idle" }
  | { state: "running"; before: Answer | null }
  | { state: "done"; answer: Answer }
  | { state: "failed"; message: string; help: string };

export const search = signal<Search>({ state: "idle" });
/** Number of hits requested; "more" increases it. */
export const limit = signal(0);
/** Whether scores are explained. */
export const explaining = signal(false);
/** Index of the passage selected with j and k in the flat list; -1 before the first. */
export const active = signal(-1);
/** Whether the reader has chosen that passage: a better answer moves the mark with it. Else the mark stays at its place. */
let isChosen = false;

/** Moves the mark to a passage that the reader chooses. */
export function choose(at: number): void {
  active.value = at;
  isChosen = at >= 0;
}

/** Marks the first passage of whatever answer there is. */
export function markFirst(): void {
  active.value = 0;
  isChosen = false;
}

/** Where the passage at `at` is in a better answer to the same question; the same place where it has gone. */
export function placeIn(better: Search, shown: Search, at: number): number {
  const chosen = passagesOf(shown)[at]?.key;
  const place = passagesOf(better).findIndex(({ key }) => key === chosen);
  return place < 0 ? at : place;
}

function show(result: Search): void {
  batch(() => {
    if (isChosen) active.value = placeIn(result, search.peek(), active.peek());
    search.value = result;
  });
}

const firstLimit = 30;
const mostHits = 200;
const regexLimit = 500;
const formLimit = 300;
// A form has every file parsed that holds its words: it waits for the writer to pause.
const formTypingMillis = 150;
// Words are asked for at once. Meaning waits for a pause, or the words of the next letter would wait for it.
const meaningTypingMillis = 60;

/** Asks for more hits of the same query. */
export function showMore(): void {
  limit.value = Math.min(mostHits, limit.peek() + 40);
}

/** Whether asking for more would give more. */
export function hasMore(answer: Answer, mode: QueryMode): boolean {
  return mode !== "regex" && mode !== "form" && answer.shown < answer.total && limit.value < mostHits;
}

/** Answers the query of the link from now on, and again when the link or the repository changes. */
export function keepSearching(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let lastQuestion = "";
  let running = new AbortController();
  const oneAtATime = latest();
  const stop = effect(() => {
    const open = repository.value;
    const { query, mode, ignoreCase, wholeWord, within, language, kind } = link.value;
    const explain = explaining.value;
    const question = JSON.stringify([query, mode, ignoreCase, wholeWord, within, language, kind]);
    if (question !== lastQuestion)
      batch(() => {
        limit.value = firstLimit;
        choose(-1);
      });
    const wanted = limit.value;
    clearTimeout(timer);
    asked += 1;
    running.abort();
    running = new AbortController();
    const { signal: ended } = running;
    const turn = asked;
    if (!open || query.trim() === "") {
      search.value = { state: "idle" };
      lastQuestion = question;
      return;
    }
    const last = search.peek();
    search.value = {
      state: "running",
      before: last.state === "done" ? last.answer : last.state === "running" ? last.before : null,
    };
    const isSame = lastQuestion === question;
    const typesForm = mode === "form" && lastQuestion !== "" && !isSame;
    lastQuestion = question;
    const answer = async () => {
      for await (const result of ask(open, link.peek(), { wanted, explain, isSame, stop: ended })) {
        if (turn !== asked) break;
        show(result);
      }
    };
    if (typesForm) timer = setTimeout(() => oneAtATime(answer), formTypingMillis);
    else oneAtATime(answer);
  });
  return () => {
    stop();
    asked += 1;
    running.abort();
  };
}

/**
 * Runs one piece of work at a time: the first at once, and after it the one that was given last. Letters that are typed faster than they
 * are answered make no queue, and nobody waits for a fixed time.
 */
export function latest(): (work: () => Promise<void>) => void {
  let next: (() => Promise<void>) | null = null;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    while (next) {
      const work = next;
      next = null;
      await work();
    }
    isRunning = false;
  };
  return (work) => {
    next = work;
    if (!isRunning) void run();
  };
}

interface Asked {
  /** Maximum number of hits. */
  readonly wanted: number;
  readonly explain: boolean;
  /** Whether the same question is answered on the page. */
  readonly isSame: boolean;
  readonly stop: AbortSignal;
}

/** The answers, each better than the one before: words are there while the model for meaning still loads. */
async function* ask(
  open: Repository,
  { query, mode, ignoreCase, wholeWord, within, language, kind }: Link,
  { wanted, explain, isSame, stop }: Asked,
): AsyncGenerator<Search> {
  const start = performance.now();
  const paths = globsOf(within);
  const languages = language === "" ? [] : [language];
  const kinds = kind === "" ? [] : [kind];
  try {
    if (mode === "regex") {
      const answer = await open.index.regex({
        pattern: query,
        ignore_case: ignoreCase,
        whole_word: wholeWord,
        paths,
        languages,
        context_lines: 1,
        limit: regexLimit,
      });
      yield { state: "done", answer: fromRegex(answer, performance.now() - start) };
      return;
    }
    if (mode === "form") {
      const answer = await open.index.structural(
        { ...formOf(query), paths, languages, limit: formLimit },
        { signal: stop },
      );
      yield { state: "done", answer: fromForm(answer, performance.now() - start) };
      return;
    }
    const request = { query, mode, limit: wanted, paths, languages, kinds, explain };
    const answered = async (request: SearchRequest): Promise<Search> => {
      const asked = performance.now();
      const response = await open.index.search(request);
      return { state: "done", answer: fromHits(response, performance.now() - asked) };
    };
    // More of an answer that is shown, or its explanation: words alone would replace it by less meanwhile.
    if (!isSame && (mode === "auto" || mode === "hybrid")) {
      yield await answered({ ...request, mode: "lexical" });
      if (!(await paused(meaningTypingMillis, stop))) return;
    }
    yield await answered(request);
  } catch (error) {
    const { message, help } = wordsOf(error);
    yield { state: "failed", message, help };
  }
}

/** Resolves with true after `millis` milliseconds, or with false as soon as it is stopped. */
export function paused(millis: number, stop: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve(false);
    const end = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      stop.removeEventListener("abort", end);
      resolve(true);
    }, millis);
    stop.addEventListener("abort", end, { once: true });
  });
}

/** Groups the matches of a structural search by file. */
export function fromForm(response: StructuralResponse, millis: number): Answer {
  const byPath = new Map<string, { passages: Passage[]; more: FoldedHit[] }>();
  for (const { path, start_line, end_line, range, text, captures: all } of response.matches) {
    // The whole piece is shown already.
    const captures = all.filter(({ name }) => name !== "match");
    const key = `${path}:${start_line}:${range.start.character}`;
    // The text before the match on its line is not known here; indent by its column instead.
    const indented = " ".repeat(Math.min(40, range.start.character)) + text;
    entry(byPath, path).passages.push({
      key,
      path,
      startLine: start_line,
      endLine: end_line,
      symbol: "",
      kind: "",
      textLine: start_line,
      text: indented,
      marks: [],
      why: [],
      explanation: null,
      captures,
    });
  }
  const { matches, truncated, timed_out: timedOut, unread, languages } = response;
  return {
    files: filesOf(byPath),
    total: matches.length,
    shown: matches.length,
    intent: "",
    layers: "",
    truncated,
    millis,
    unread,
    timedOut,
    languages,
  };
}

/** Hits of a search as passages by file, in their order. */
export function fromHits(response: SearchResponse, millis: number): Answer {
  const byPath = new Map<string, { passages: Passage[]; more: FoldedHit[] }>();
  for (const hit of response.hits) {
    const file = entry(byPath, hit.path);
    file.more.push(...hit.more);
    file.passages.push({
      key: `${hit.path}:${hit.start_line}`,
      path: hit.path,
      startLine: hit.start_line,
      endLine: hit.end_line,
      symbol: hit.symbol ?? "",
      kind: hit.kind ?? "",
      textLine: hit.snippet.start_line,
      text: hit.snippet.text,
      marks: hit.snippet.marks,
      why: hit.why,
      explanation: hit.explanation ?? null,
    });
  }
  return {
    files: filesOf(byPath),
    total: response.total,
    shown: response.hits.length,
    intent: response.intent,
    layers: response.mode,
    truncated: false,
    millis,
    ...(response.note !== undefined && { note: response.note }),
  };
}

/** Matching lines with the lines around them; lines that touch become one passage. */
export function fromRegex(response: RegexResponse, millis: number): Answer {
  const byPath = new Map<string, { passages: Passage[]; more: FoldedHit[] }>();
  for (const match of response.matches) {
    const { passages } = entry(byPath, match.path);
    const lines = [...match.before, match.text, ...match.after];
    const textLine = match.line - match.before.length;
    const offset = match.before.reduce((sum, line) => sum + line.length + 1, 0);
    const marks = match.marks.map(([start, end]) => [start + offset, end + offset] as const);
    const last = passages.at(-1);
    if (last && textLine <= last.endLine + 1)
      passages[passages.length - 1] = joined(last, match.line, lines, textLine, match.marks);
    else
      passages.push({
        key: `${match.path}:${match.line}`,
        path: match.path,
        startLine: match.line,
        endLine: textLine + lines.length - 1,
        symbol: "",
        kind: "",
        textLine,
        text: lines.join("\n"),
        marks,
        why: [],
        explanation: null,
      });
  }
  return {
    files: filesOf(byPath),
    total: response.matches.length,
    shown: response.matches.length,
    intent: "",
    layers: "",
    truncated: response.truncated,
    millis,
  };
}

// `endLine` of a passage of a regular expression is the last line of its text.
function joined(
  last: Passage,
  line: number,
  lines: readonly string[],
  textLine: number,
  marks: readonly (readonly [number, number])[],
): Passage {
  const kept = last.text.split("\n");
  const fresh = lines.slice(last.endLine + 1 - textLine);
  const all = [...kept, ...fresh];
  const offset = all.slice(0, line - last.textLine).reduce((sum, text) => sum + text.length + 1, 0);
  return {
    ...last,
    endLine: last.endLine + fresh.length,
    text: all.join("\n"),
    marks: [...last.marks, ...marks.map(([start, end]) => [start + offset, end + offset] as const)],
  };
}

function entry(
  byPath: Map<string, { passages: Passage[]; more: FoldedHit[] }>,
  path: string,
): { passages: Passage[]; more: FoldedHit[] } {
  const found = byPath.get(path) ?? { passages: [], more: [] };
  byPath.set(path, found);
  return found;
}

function filesOf(byPath: ReadonlyMap<string, { passages: Passage[]; more: FoldedHit[] }>): FileResults[] {
  return [...byPath].map(([path, { passages, more }]) => ({ path, passages, more }));
}

/** The passages in the order they are shown. */
export function passagesOf(state: Search): readonly Passage[] {
  const answer = state.state === "done" ? state.answer : state.state === "running" ? state.before : null;
  return answer ? answer.files.flatMap((file) => file.passages) : [];
}
