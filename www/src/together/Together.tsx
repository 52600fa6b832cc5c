//! Several saved repositories asked together: choose them, ask once, read the answers side by side.

import { useEffect, useRef, useState } from "preact/hooks";
import { Kind as KindMark } from "../controls/Kind.tsx";
import { plural } from "../state/format.ts";
import { emptyLink, encodeLink } from "../state/link.ts";
import { askView, link } from "../state/navigation.ts";
import { saved } from "../state/repository.ts";
import { snippetLines } from "../search/snippet.ts";
import { useCalm } from "../views/calm.ts";
import { Choice, Frame, Nothing } from "../views/Frame.tsx";
import { askAll, type Kind, kinds, OpenIndexes, ordered, type Place, type Reply } from "./asking.ts";
import { Recents } from "./Recents.tsx";
import "../search/filters.css";
import "../search/results.css";
import "./together.css";

const kindWords: Record<Kind, string> = {
  auto: "words and meaning",
  names: "definitions by name",
  uses: "uses of a name",
  regex: "regular expression",
};
const mostChosen = 8;
const typingMillis = 250;
/** In a link names are separated by line breaks, which no name has. */
const between = "\n";

export function Together() {
  const known = saved.value;
  const entries = known.state === "ready" ? known.entries : [];
  const { q = "", how = "auto", in: named = "" } = link.value.args;
  const kind = kinds.find((one) => one === how) ?? "auto";
  const wanted = named === "" ? null : named.split(between);
  const chosen = entries
    .map(({ name }) => name)
    .filter((name, at) => (wanted ? wanted.includes(name) : at < mostChosen));
  const open = useOpenIndexes();
  const replies = useReplies(open, chosen, useCalm(q, typingMillis), kind);
  const choose = (name: string, on: boolean) => {
    const next = entries.map((entry) => entry.name).filter((one) => (one === name ? on : chosen.includes(one)));
    askView({ in: next.join(between) || between }, "replace");
  };
  return (
    <main class="together">
      <Frame
        title="Ask several repositories"
        words="One question to the repositories saved in this browser. Each is opened here; nothing is sent anywhere."
        controls={
          <>
            <label class="symbol-field">
              <span>Ask</span>
              <input
                type="search"
                value={q}
                placeholder="words, a question, a name"
                spellcheck={false}
                autocomplete="off"
                onInput={(event) => askView({ q: event.currentTarget.value }, "replace")}
              />
            </label>
            <Choice<Kind>
              label="For"
              value={kind}
              options={kinds.map((one) => [one, kindWords[one]] as const)}
              onChange={(next) => askView({ how: next === "auto" ? "" : next }, "replace")}
            />
          </>
        }
      >
        {known.state === "unavailable" && (
          <Nothing title="This browser stores nothing">
            <p>A private window does this. Open repositories in a normal window to ask them together.</p>
          </Nothing>
        )}
        {known.state === "ready" && entries.length === 0 && (
          <Nothing title="No repository is saved yet">
            <p>
              <a href="#/">Open a folder or an archive</a>; each one stays here for the next visit.
            </p>
          </Nothing>
        )}
        {entries.length > 0 && (
          <div class="view-columns">
            <div class="view-main">
              {q.trim() === "" ? (
                <p class="view-hint">
                  {chosen.length === 0
                    ? "Choose repositories to ask."
                    : `The question goes to ${plural(chosen.length, "repository", "repositories")}.`}
                </p>
              ) : (
                ordered(chosen, replies).map((name) => (
                  <Answer key={name} name={name} query={q} reply={replies.get(name) ?? { state: "waiting" }} />
                ))
              )}
            </div>
            <Recents entries={entries} chosen={chosen} onChoose={choose} onChanged={(name) => open.drop(name)} />
          </div>
        )}
      </Frame>
    </main>
  );
}

/** Indexes that this view has open; closed when it is left. */
function useOpenIndexes(): OpenIndexes {
  const open = useRef<OpenIndexes | null>(null);
  open.current ??= new OpenIndexes();
  useEffect(() => () => open.current?.close(), []);
  return open.current;
}

function useReplies(
  open: OpenIndexes,
  names: readonly string[],
  query: string,
  kind: Kind,
): ReadonlyMap<string, Reply> {
  const [replies, setReplies] = useState<ReadonlyMap<string, Reply>>(new Map());
  useEffect(() => {
    setReplies(new Map());
    if (query.trim() === "") return;
    const stop = new AbortController();
    void askAll(open, names, { query: query.trim(), kind }, stop.signal, (name, reply) =>
      setReplies((last) => new Map(last).set(name, reply)),
    );
    return () => stop.abort();
  }, [open, names.join(between), query, kind]);
  return replies;
}

const stateWords = { waiting: "Waiting…", opening: "Opening…", asking: "Asking…" };

function Answer({ name, query, reply }: { name: string; query: string; reply: Reply }) {
  return (
    <section class="card" aria-label={name} aria-busy={reply.state !== "done" && reply.state !== "failed"}>
      <h2>
        <a class="together-name" href={encodeLink({ ...emptyLink, repository: name, query })}>
          {name}
        </a>
        <span class="card-count" role="status">
          {reply.state === "done"
            ? reply.total === 0
              ? "nothing found"
              : `${plural(reply.total, "result")}${reply.truncated ? " and more" : ""}`
            : reply.state === "failed"
              ? ""
              : stateWords[reply.state]}
        </span>
      </h2>
      {reply.state === "failed" && (
        <div class="empty" role="alert">
          <p>{reply.message}</p>
          {reply.help !== "" && <p>{reply.help}</p>}
          {reply.code !== "" && <p class="view-code">{reply.code}</p>}
        </div>
      )}
      {reply.state === "done" && reply.places.length > 0 && <Places name={name} places={reply.places} />}
      {reply.state === "done" && reply.files.length > 0 && <Passages name={name} reply={reply} />}
    </section>
  );
}

function Places({ name, places }: { name: string; places: readonly Place[] }) {
  return (
    <ul class="rows">
      {places.map((place) => (
        <li key={`${place.path}:${place.line}:${place.name}`} class="row">
          {place.kind !== "" && <KindMark kind={place.kind} />}
          <a
            class="row-name"
            href={encodeLink({
              ...emptyLink,
              repository: name,
              path: place.path,
              lines: { from: place.line, to: place.line },
              symbol: place.name === "" ? "" : `${place.path}#${place.name}`,
            })}
          >
            {place.name || place.text.trim()}
          </a>
          <span class="row-path">
            <bdi dir="ltr">{`${place.path}:${place.line}`}</bdi>
          </span>
        </li>
      ))}
    </ul>
  );
}

const linesEach = 4;

function Passages({ name, reply }: { name: string; reply: Extract<Reply, { state: "done" }> }) {
  return (
    <ul class="rows">
      {reply.files
        .flatMap(({ passages }) => passages)
        .map(({ key, path, startLine, endLine, symbol, kind, text, textLine, marks }) => (
          <li key={key}>
            <a
              class="passage-link"
              href={encodeLink({ ...emptyLink, repository: name, path, lines: { from: startLine, to: endLine } })}
            >
              <span class="together-place">
                {symbol !== "" && <KindMark kind={kind} />}
                {symbol !== "" && <span class="together-symbol">{symbol}</span>}
                <span class="row-path">
                  <bdi dir="ltr">{`${path}:${startLine}`}</bdi>
                </span>
              </span>
              <code class="snippet">
                {snippetLines(text, textLine, marks)
                  .slice(0, linesEach)
                  .map(({ number, pieces }) => (
                    <span key={number} class="snippet-line">
                      <span class="snippet-number">{number}</span>
                      <span class="snippet-text">
                        {pieces.map((piece, at) => (piece.marked ? <mark key={at}>{piece.text}</mark> : piece.text))}
                      </span>
                    </span>
                  ))}
              </code>
            </a>
          </li>
        ))}
    </ul>
  );
}
