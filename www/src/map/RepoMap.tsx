//! The repository map: files and their definitions within a token budget, to read or to copy.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { MapOrder, MapResponse } from "portolan";
import { count, plural } from "../state/format.ts";
import { Icon } from "../controls/Icon.tsx";
import { PathsField } from "../controls/PathsField.tsx";
import { hashOf, link, navigate } from "../state/navigation.ts";
import { notify, wordsOf } from "../state/notices.ts";
import type { Repository } from "../state/repository.ts";
import { globsOf } from "../state/search-fields.ts";
import { type MapFile, mapFiles } from "./map.ts";
import "./map.css";

const sizes = [512, 1024, 2048, 4096, 8192, 16384];

type Asked =
  | { state: "running" }
  | { state: "done"; map: MapResponse }
  | { state: "failed"; message: string; help: string };

export function RepoMap({ repository }: { repository: Repository }) {
  const [tokens, setTokens] = useState(2048);
  const [order, setOrder] = useState<MapOrder>("centrality");
  const { within } = link.value;
  const asked = useMap(repository, tokens, order, within);
  return (
    <section class="map" aria-label="Repository map" aria-busy={asked.state === "running"}>
      <header>
        <h1>Repository map</h1>
        <p>Files with their definitions, within a token budget: a summary for a language model.</p>
      </header>
      <div class="filters">
        <label class="filter-field">
          <span>Tokens</span>
          <select value={tokens} onChange={(event) => setTokens(Number(event.currentTarget.value))}>
            {sizes.map((size) => (
              <option key={size} value={size}>
                {size.toLocaleString("en")}
              </option>
            ))}
          </select>
        </label>
        <label class="filter-field">
          <span>First</span>
          <select value={order} onChange={(event) => setOrder(event.currentTarget.value as MapOrder)}>
            <option value="centrality">files that most code depends on</option>
            <option value="symbols">files with the most definitions</option>
          </select>
        </label>
        <PathsField value={within} onInput={(within) => navigate({ within }, "replace")} />
        {asked.state === "done" && asked.map.text !== "" && (
          <button type="button" class="button" onClick={() => void copy(asked.map.text)}>
            <Icon name="copy" size={14} /> Copy
          </button>
        )}
      </div>
      {asked.state === "failed" && (
        <div class="empty" role="alert">
          <strong>The map failed</strong>
          <p>{asked.message}</p>
          {asked.help !== "" && <p>{asked.help}</p>}
        </div>
      )}
      {asked.state === "done" && <Files map={asked.map} />}
    </section>
  );
}

/** Files drawn at once, and by each "more". */
const moreFiles = 60;

/** The map, asked for again when what it depends on changes. */
function useMap({ index, revision }: Repository, tokens: number, order: MapOrder, within: string): Asked {
  const [asked, setAsked] = useState<Asked>({ state: "running" });
  useEffect(() => {
    let isWanted = true;
    index.map({ max_tokens: tokens, order, paths: globsOf(within) }).then(
      (map) => isWanted && setAsked({ state: "done", map }),
      (error: unknown) => isWanted && setAsked({ state: "failed", ...wordsOf(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [index, revision, tokens, order, within]);
  return asked;
}

function Files({ map }: { map: MapResponse }) {
  const files = useMemo(() => mapFiles(map.text), [map]);
  const [shown, setShown] = useState(moreFiles);
  if (files.length === 0) {
    return (
      <div class="empty" role="status">
        <strong>Nothing to show</strong>
        <p>{map.n_more > 0 ? "No file fits this number of tokens." : "No file here has definitions."}</p>
      </div>
    );
  }
  const rest = map.n_more > 0 ? `, ${plural(map.n_more, "more file")} did not fit` : "";
  return (
    <>
      <p class="results-summary" role="status">
        {plural(map.n_files, "file")}, {plural(map.n_tokens, "token")}
        <span>{rest}</span>
      </p>
      <ol class="map-files">
        {files.slice(0, shown).map((file) => (
          <FileRow key={file.path} file={file} />
        ))}
      </ol>
      {shown < files.length && (
        <button type="button" class="button map-more" onClick={() => setShown(shown + moreFiles)}>
          Show more
        </button>
      )}
    </>
  );
}

function FileRow({ file: { path, entries, more } }: { file: MapFile }) {
  return (
    <li>
      <a class="map-path" href={hashOf({ path, lines: null })}>
        {path}
      </a>
      <ul>
        {entries.map(({ kind, name }, at) => (
          <li key={at}>
            <span class="map-kind">{kind}</span> {name}
          </li>
        ))}
        {more > 0 && <li class="map-kind">and {count(more)} more</li>}
      </ul>
    </li>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify("info", "Map copied");
  } catch {
    notify("warning", "The browser did not allow copying", "The command line prints the same: portolan map.");
  }
}
