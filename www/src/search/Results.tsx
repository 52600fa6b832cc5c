//! The results of the query by file: in full in the middle of the page, or dense beside an open file.

import { computed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { count, plural, sentence, splitPath } from "../state/format.ts";
import { Growing } from "../controls/Growing.tsx";
import { Kind } from "../controls/Kind.tsx";
import { PathsField } from "../controls/PathsField.tsx";
import { hashOf, link, navigate } from "../state/navigation.ts";
import { repository } from "../state/repository.ts";
import {
  active,
  choose,
  type Answer,
  type FileResults,
  hasMore,
  type Passage,
  passagesOf,
  search,
  showMore,
} from "../state/search.ts";
import { Facets } from "./Facets.tsx";
import { modes } from "./SearchBox.tsx";
import { Why } from "./Why.tsx";
import { Snippet } from "./Snippet.tsx";
import { denseLine, snippetLines } from "./snippet.ts";
import "./filters.css";
import "./results.css";

export function Results({ dense = false }: { dense?: boolean }) {
  const state = search.value;
  const answer = state.state === "done" ? state.answer : state.state === "running" ? state.before : null;
  return (
    <section
      class={dense ? "results results-dense" : "results"}
      aria-label="Search results"
      aria-busy={state.state === "running"}
      data-query={link.value.query}
      tabIndex={-1}
    >
      {!dense && <Filters />}
      {state.state === "failed" && <Failure message={state.message} help={state.help} />}
      {answer && !dense && link.value.mode !== "form" && <Facets answer={answer} />}
      {answer && <Summary answer={answer} dense={dense} />}
      {answer && answer.shown === 0 && state.state === "done" && <Nothing answer={answer} />}
      {answer && answer.shown > 0 && <List answer={answer} dense={dense} />}
      {state.state === "idle" &&
        (link.value.mode === "form" ? <PatternGuide /> : <p class="empty">Type a question, some words or a name.</p>)}
    </section>
  );
}

function Filters() {
  const { mode, within, ignoreCase, wholeWord, language } = link.value;
  return (
    <div class="filters">
      <Modes />
      <PathsField value={within} onInput={(within) => navigate({ within }, "replace")} />
      {mode === "form" && (
        <label class="filter-field">
          <span>Language</span>
          <select value={language} onChange={(event) => navigate({ language: event.currentTarget.value }, "replace")}>
            <option value="">all that can parse the pattern</option>
            {(repository.value?.status.languages ?? []).map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {mode === "regex" && (
        <>
          <Toggle label="Any case" on={ignoreCase} onChange={(on) => navigate({ ignoreCase: on }, "replace")} />
          <Toggle label="Whole words" on={wholeWord} onChange={(on) => navigate({ wholeWord: on }, "replace")} />
        </>
      )}
    </div>
  );
}

/** The ways to search, each in sight. */
function Modes() {
  const { mode } = link.value;
  return (
    <fieldset class="modes" aria-label="Search by">
      {modes.map(([value, label, title]) => (
        <button
          key={value}
          type="button"
          class="toggle"
          title={title}
          aria-pressed={value === mode}
          onClick={() => navigate({ mode: value }, "replace")}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

function Toggle({ label, on, onChange }: { label: string; on: boolean; onChange(on: boolean): void }) {
  return (
    <button type="button" class="toggle" aria-pressed={on} onClick={() => onChange(!on)}>
      {label}
    </button>
  );
}

const intents: Record<string, string> = {
  symbol: "a name",
  definition: "a definition",
  callers: "callers",
  test: "tests",
  schema: "a schema",
  conceptual: "a question",
};
const layerWords: Record<string, string> = { lexical: "words", vector: "meaning", hybrid: "words and meaning" };

function Summary({ answer, dense }: { answer: Answer; dense: boolean }) {
  if (answer.shown === 0) return null;
  const { mode } = link.value;
  const places =
    mode === "regex" || mode === "form"
      ? `${plural(answer.total, mode === "form" ? "place" : "line")}${answer.truncated ? " and more" : ""} in ${plural(answer.files.length, "file")}`
      : answer.shown < answer.total
        ? `${count(answer.shown)} of ${plural(answer.total, "result")}`
        : plural(answer.total, "result");
  const how = answer.layers === "" ? "" : ` · by ${layerWords[answer.layers] ?? answer.layers}`;
  const intent = answer.intent === "" || !intents[answer.intent] ? "" : ` · read as ${intents[answer.intent]}`;
  return (
    <p class="results-summary" role="status">
      {places}
      {!dense && answer.timedOut && <span> · stopped at the time limit</span>}
      {!dense && (
        <span>{`${how}${intent} · ${answer.millis < 10 ? answer.millis.toFixed(1) : Math.round(answer.millis)} ms`}</span>
      )}
      {answer.note !== undefined && (
        <span class="results-near">{`${sentence(answer.note)}${answer.note.endsWith("?") ? "" : "."}`}</span>
      )}
      {answer.note === undefined && onlyNear(answer) && (
        <span class="results-near">No file contains these words. Similar in meaning:</span>
      )}
    </p>
  );
}

/** Whether no passage was found by a word or a name. */
function onlyNear({ files, layers }: Answer): boolean {
  const byWords = files.some(({ passages }) =>
    passages.some(({ why }) => why.some((reason) => reason !== "meaning" && reason !== "graph")),
  );
  return layers === "hybrid" && !byWords;
}

/** The passage selected with j and k. */
const currentKey = computed(() => passagesOf(search.value)[active.value]?.key ?? "");
const filesAtOnce = 40;

function List({ answer, dense }: { answer: Answer; dense: boolean }) {
  const box = useRef<HTMLOListElement>(null);
  const current = currentKey.value;
  useEffect(() => {
    if (current !== "") box.current?.querySelector("[data-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <>
      <ol class="results-list" ref={box}>
        <Growing
          items={answer.files}
          step={filesAtOnce}
          draw={(file) => <FileCard key={file.path} file={file} dense={dense} />}
        />
      </ol>
      {hasMore(answer, link.value.mode) && (
        <button type="button" class="button results-more" onClick={showMore}>
          Show more
        </button>
      )}
    </>
  );
}

function FileCard({ file, dense }: { file: FileResults; dense: boolean }) {
  const [folder, name] = splitPath(file.path);
  return (
    <li class="result-file">
      <h2 class="result-path">
        <a href={hashOf({ path: file.path, lines: null })} title={file.path}>
          <span class="result-name">{name}</span>
          <span class="result-folder">{folder.replace(/\/$/, "")}</span>
        </a>
      </h2>
      {file.passages.map((passage) => (
        <PassageCard key={passage.key} passage={passage} dense={dense} />
      ))}
      {!dense && file.more.length > 0 && (
        <p class="result-more">
          <span>Also</span>
          {file.more.slice(0, 8).map(({ start_line, end_line, symbol }) => (
            <a key={start_line} href={hashOf({ path: file.path, lines: { from: start_line, to: end_line } })}>
              {symbol ?? "lines"} <span>{`${start_line}–${end_line}`}</span>
            </a>
          ))}
        </p>
      )}
    </li>
  );
}

function PassageCard({ passage, dense }: { passage: Passage; dense: boolean }) {
  const lines = snippetLines(passage.text, passage.textLine, passage.marks);
  const marked = lines.filter((line) => line.pieces.some((piece) => piece.marked)).slice(0, 2);
  const shown = dense ? (marked.length > 0 ? marked : lines.slice(0, 1)).map(denseLine) : lines;
  const { from = 0 } = link.value.lines ?? {};
  const opened = link.value.path === passage.path && from === passage.startLine;
  return (
    <div class="passage" data-current={passage.key === currentKey.value || undefined} data-opened={opened || undefined}>
      <a
        class="passage-link"
        href={hashOf({ path: passage.path, lines: { from: passage.startLine, to: passage.endLine } })}
        aria-current={opened || undefined}
        onClick={() => choose(passagesOf(search.peek()).findIndex(({ key }) => key === passage.key))}
      >
        {passage.symbol !== "" && (
          <span class="passage-symbol">
            <Kind kind={passage.kind} />
            <span>{passage.symbol}</span>
          </span>
        )}
        <Snippet lines={shown} path={dense ? "" : passage.path} />
      </a>
      {!dense && passage.captures && passage.captures.length > 0 && <Captures captures={passage.captures} />}
      {!dense && passage.why.length > 0 && <Why passage={passage} />}
    </div>
  );
}

/** Lists the captures of a match. */
function Captures({ captures }: { captures: NonNullable<Passage["captures"]> }) {
  return (
    <dl class="captures" aria-label="Captures">
      {captures.slice(0, 12).map(({ name, text }, at) => (
        <div key={at}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

const forms: readonly [string, string][] = [
  ["console.log($$$ARGS)", "a call with any arguments"],
  ["if ($COND) { return $A }", "an early return"],
  ["$A === $A", "the same code twice"],
  ["try { $$$BODY } catch ($E) {}", "ignored errors"],
];

function PatternGuide() {
  return (
    <div class="empty pattern-guide">
      <strong>Write a code pattern</strong>
      <p>
        <code>$A</code> matches one node, <code>$$$ARGS</code> any number of neighbours, <code>$_</code> one node
        without a name. A tree-sitter query such as <code>(identifier) @name</code> works, too.
      </p>
      <ul>
        {forms.map(([pattern, words]) => (
          <li key={pattern}>
            <button type="button" class="text-button" onClick={() => navigate({ query: pattern })}>
              <code>{pattern}</code>
            </button>
            <span>{words}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Failure({ message, help }: { message: string; help: string }) {
  const { words, drawing } = failureWords(message);
  return (
    <div class="empty" role="alert">
      <strong>
        {link.value.mode === "regex"
          ? "This regular expression cannot be used"
          : link.value.mode === "form"
            ? "This pattern cannot be used"
            : "The search failed"}
      </strong>
      <p>{words}</p>
      {drawing !== "" && <pre class="failure-place">{drawing}</pre>}
      {help !== "" && <p>{help}</p>}
    </div>
  );
}

/** Splits an error message into a sentence and the lines that mark the position; regular expressions put the sentence last. */
export function failureWords(message: string): { words: string; drawing: string } {
  const [first = "", ...lines] = message.split("\n");
  const error = /^error: (.*)/.exec(lines.at(-1) ?? "");
  if (!error) return { words: first, drawing: lines.join("\n") };
  const [words = ""] = error.slice(1);
  return { words: `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`, drawing: lines.slice(0, -1).join("\n") };
}

function Nothing({ answer }: { answer: Answer }) {
  const { query, mode, within, language } = link.value;
  const unread = answer.unread ?? [];
  const files = plural(repository.value?.files.length ?? 0, "file");
  return (
    <div class="empty" role="status">
      <strong>Nothing found for “{query}”</strong>
      {answer.note?.startsWith("nothing is called") && <p>{sentence(answer.note)}</p>}
      <p>
        Searched {files} {within === "" ? "" : `in paths that match “${within}” `}
        {mode === "regex"
          ? "by regular expression."
          : mode === "form"
            ? "by structure."
            : mode === "lexical"
              ? "by words."
              : mode === "vector"
                ? "by meaning."
                : "by words and by meaning."}
      </p>
      {unread.length === 0 && answer.languages?.length === 0 && (
        <p>Structural search needs parsed code, and no file there is in a parsed language.</p>
      )}
      {answer.timedOut && <p>The search reached its time limit before all files: limit the paths or the language.</p>}
      {unread.length > 0 && (
        <ul class="unread">
          {unread.map(({ language: name, message }) => (
            <li key={name}>
              <strong>{name}</strong> {message}
            </li>
          ))}
        </ul>
      )}
      <p class="empty-actions">
        {mode === "form" && language !== "" && (
          <button type="button" class="button" onClick={() => navigate({ language: "" })}>
            Search every language
          </button>
        )}
        {within !== "" && (
          <button type="button" class="button" onClick={() => navigate({ within: "" })}>
            Search all paths
          </button>
        )}
        {mode !== "auto" && (
          <button type="button" class="button" onClick={() => navigate({ mode: "auto" })}>
            Search by words and meaning
          </button>
        )}
        {mode !== "regex" && (
          <button
            type="button"
            class="button"
            onClick={() => navigate({ mode: "regex", query: literal(query), ignoreCase: true })}
          >
            Search this exact text
          </button>
        )}
      </p>
    </div>
  );
}

/** A pattern that matches the text itself. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|#&~-]/g, "\\$&");
}
