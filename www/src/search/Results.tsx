//! The results of the query by file: in full in the middle of the page, or dense beside an open file.

import { useEffect, useRef } from "preact/hooks";
import { count, plural, splitPath } from "../controls/format.ts";
import { Kind } from "../controls/Kind.tsx";
import { hashOf, link, navigate } from "../state/navigation.ts";
import { repository } from "../state/repository.ts";
import { active, type Answer, type FileResults, hasMore, type Passage, passagesOf, search, showMore } from "../state/search.ts";
import { Why } from "./Why.tsx";
import { denseLine, snippetLines } from "./snippet.ts";
import "./results.css";

export function Results({ dense = false }: { dense?: boolean }) {
  const state = search.value;
  const answer = state.state === "done" ? state.answer : state.state === "running" ? state.before : null;
  return (
    <section class={dense ? "results results-dense" : "results"} aria-label="Search results" aria-busy={state.state === "running"}>
      {!dense && <Filters />}
      {state.state === "failed" && <Failure message={state.message} help={state.help} />}
      {answer && <Summary answer={answer} dense={dense} />}
      {answer && answer.shown === 0 && state.state === "done" && <Nothing />}
      {answer && answer.shown > 0 && <List answer={answer} dense={dense} />}
      {state.state === "idle" && <p class="empty">Type a question, some words or a name.</p>}
    </section>
  );
}

function Filters() {
  const { mode, within, ignoreCase, wholeWord } = link.value;
  return (
    <div class="filters">
      <label class="filter-field">
        <span>In paths</span>
        <input value={within} placeholder="src !test *.ts" spellcheck={false} autocomplete="off" onInput={(event) => navigate({ within: event.currentTarget.value }, "replace")} />
      </label>
      {mode === "regex" && (
        <>
          <Toggle label="Any case" on={ignoreCase} onChange={(on) => navigate({ ignoreCase: on }, "replace")} />
          <Toggle label="Whole words" on={wholeWord} onChange={(on) => navigate({ wholeWord: on }, "replace")} />
        </>
      )}
    </div>
  );
}

function Toggle({ label, on, onChange }: { label: string; on: boolean; onChange(on: boolean): void }) {
  return (
    <button type="button" class="toggle" aria-pressed={on} onClick={() => onChange(!on)}>
      {label}
    </button>
  );
}

const intents: Record<string, string> = { symbol: "a name", definition: "a definition", callers: "callers", test: "tests", schema: "a schema", conceptual: "a question" };
const layerWords: Record<string, string> = { lexical: "words", vector: "meaning", hybrid: "words and meaning" };

function Summary({ answer, dense }: { answer: Answer; dense: boolean }) {
  if (answer.shown === 0) return null;
  const { mode } = link.value;
  const places = mode === "regex" ? `${plural(answer.total, "line")}${answer.truncated ? " and more" : ""} in ${plural(answer.files.length, "file")}` : answer.shown < answer.total ? `${count(answer.shown)} of ${plural(answer.total, "result")}` : plural(answer.total, "result");
  const how = answer.layers === "" ? "" : ` · by ${layerWords[answer.layers] ?? answer.layers}`;
  const intent = answer.intent === "" || !intents[answer.intent] ? "" : ` · read as ${intents[answer.intent]}`;
  return (
    <p class="results-summary" role="status">
      {places}
      {!dense && <span>{`${how}${intent} · ${answer.millis < 10 ? answer.millis.toFixed(1) : Math.round(answer.millis)} ms`}</span>}
    </p>
  );
}

function List({ answer, dense }: { answer: Answer; dense: boolean }) {
  const box = useRef<HTMLOListElement>(null);
  const current = passagesOf(search.value)[active.value]?.key ?? "";
  useEffect(() => {
    if (current !== "") box.current?.querySelector("[data-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <>
      <ol class="results-list" ref={box}>
        {answer.files.map((file) => (
          <FileCard key={file.path} file={file} current={current} dense={dense} />
        ))}
      </ol>
      {hasMore(answer, link.value.mode) && (
        <button type="button" class="button results-more" onClick={showMore}>
          Show more
        </button>
      )}
    </>
  );
}

function FileCard({ file, current, dense }: { file: FileResults; current: string; dense: boolean }) {
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
        <PassageCard key={passage.key} passage={passage} current={passage.key === current} dense={dense} />
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

function PassageCard({ passage, current, dense }: { passage: Passage; current: boolean; dense: boolean }) {
  const lines = snippetLines(passage.text, passage.textLine, passage.marks);
  const marked = lines.filter((line) => line.pieces.some((piece) => piece.marked)).slice(0, 2);
  const shown = dense ? (marked.length > 0 ? marked : lines.slice(0, 1)).map(denseLine) : lines;
  const { from = 0 } = link.value.lines ?? {};
  const opened = link.value.path === passage.path && from === passage.startLine;
  return (
    <div class="passage" data-current={current || undefined} data-opened={opened || undefined}>
      <a class="passage-link" href={hashOf({ path: passage.path, lines: { from: passage.startLine, to: passage.endLine } })}>
        {passage.symbol !== "" && (
          <span class="passage-symbol">
            <Kind kind={passage.kind} />
            <span>{passage.symbol}</span>
          </span>
        )}
        <code class="snippet">
          {shown.map(({ number, pieces }) => (
            <span key={number} class="snippet-line">
              <span class="snippet-number">{number}</span>
              <span class="snippet-text">{pieces.map((piece, at) => (piece.marked ? <mark key={at}>{piece.text}</mark> : piece.text))}</span>
            </span>
          ))}
        </code>
      </a>
      {!dense && passage.why.length > 0 && <Why passage={passage} />}
    </div>
  );
}

function Failure({ message, help }: { message: string; help: string }) {
  return (
    <div class="empty" role="alert">
      <strong>{link.value.mode === "regex" ? "This pattern cannot be searched" : "The search failed"}</strong>
      <p>{message}</p>
      {help !== "" && <p>{help}</p>}
    </div>
  );
}

function Nothing() {
  const { query, mode, within } = link.value;
  const files = plural(repository.value?.files.length ?? 0, "file");
  return (
    <div class="empty" role="status">
      <strong>Nothing found for “{query}”</strong>
      <p>
        Searched {files} {within === "" ? "" : `in paths that match “${within}” `}
        {mode === "regex" ? "by regular expression." : mode === "lexical" ? "by words." : mode === "vector" ? "by meaning." : "by words and by meaning."}
      </p>
      <p class="empty-actions">
        {within !== "" && <button type="button" class="button" onClick={() => navigate({ within: "" })}>Search all paths</button>}
        {mode !== "auto" && <button type="button" class="button" onClick={() => navigate({ mode: "auto" })}>Search by words and meaning</button>}
        {mode !== "regex" && <button type="button" class="button" onClick={() => navigate({ mode: "regex", query: literal(query), ignoreCase: true })}>Search this exact text</button>}
      </p>
    </div>
  );
}

/** A pattern that matches the text itself. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|#&~-]/g, "\\$&");
}
