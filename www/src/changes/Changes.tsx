//! Whether the folder is followed, a way to look at it, and what has changed since the repository was opened.

import { age, plural } from "../state/format.ts";
import { hashOf } from "../state/navigation.ts";
import { folder, inWords, looking, lookNow, type Round, rounds, sizeOf, stale } from "../state/changes.ts";
import { staleWords } from "../state/stale-words.ts";
import "./changes.css";

/** One line: how changes come to be known. Nothing where there is no folder. */
export function FolderLine() {
  const now = folder.value;
  if (!now) return null;
  if (now.how === "followed") return <p class="folder-line">Watching the folder for changes.</p>;
  return (
    <p class="folder-line">
      {stale.value && <span class="folder-stale">{staleWords(stale.value)}. </span>}
      <button type="button" class="text-button" disabled={looking.value} onClick={() => void lookNow()}>
        {looking.value ? "Checking…" : wordsOfLook(now.again)}
      </button>
    </p>
  );
}

function wordsOfLook(again: boolean): string {
  if (again) return "Choose the folder again to look for changes";
  return stale.value ? "Read them again" : "Look for changes";
}

/** Lists the changes, one group per update. */
export function Changes() {
  if (rounds.value.length === 0) return null;
  return (
    <section aria-label="Changes">
      <h2>Changed since it was opened</h2>
      <ul class="rounds">
        {rounds.value.map((round) => (
          <RoundRow key={round.at} round={round} />
        ))}
      </ul>
    </section>
  );
}

const shownPaths = 8;

function RoundRow({ round: { at, changes } }: { round: Round }) {
  const { added, modified, deleted, renamed } = changes;
  const marked = [
    ...modified.map((path) => ["modified", path] as const),
    ...added.map((path) => ["added", path] as const),
    ...renamed.map(({ to }) => ["renamed", to] as const),
    ...deleted.map((path) => ["deleted", path] as const),
  ];
  return (
    <li>
      <p>
        {inWords(changes)}, {age(at, Date.now())}
      </p>
      <ul>
        {marked.slice(0, shownPaths).map(([word, path]) => (
          <li key={path}>
            {word === "deleted" ? (
              <code>{path}</code>
            ) : (
              <a href={hashOf({ path, lines: null, query: "", symbol: "", view: "" })}>{path}</a>
            )}{" "}
            <span>{word}</span>
          </li>
        ))}
      </ul>
      {marked.length > shownPaths && (
        <p class="rounds-more">and {plural(sizeOf(changes) - shownPaths, "more file", "more files")}</p>
      )}
    </li>
  );
}
