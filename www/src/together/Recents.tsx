//! The saved repositories: which are asked, and what can be done with each: update, rename, delete.

import { useState } from "preact/hooks";
import type { SavedIndex } from "portolan";
import { Icon } from "../controls/Icon.tsx";
import { age, bytes, count, plural } from "../state/format.ts";
import { emptyLink, encodeLink } from "../state/link.ts";
import { deleteSaved } from "../state/repository.ts";
import { nameProblem, renameSaved, updateSaved } from "./recents.ts";

interface Props {
  entries: readonly SavedIndex[];
  chosen: readonly string[];
  onChoose(name: string, on: boolean): void;
  /** The saved index of this name is another one now, or gone. */
  onChanged(name: string): void;
}

export function Recents({ entries, chosen, onChoose, onChanged }: Props) {
  return (
    <section class="card recents" aria-label="Repositories">
      <h2>
        Repositories <span class="card-count">{count(entries.length)}</span>
      </h2>
      <ul class="rows">
        {entries.map((entry) => (
          <Recent
            key={entry.name}
            entry={entry}
            entries={entries}
            on={chosen.includes(entry.name)}
            onChoose={(on) => onChoose(entry.name, on)}
            onChanged={() => onChanged(entry.name)}
          />
        ))}
      </ul>
    </section>
  );
}

type Doing = { what: "nothing" | "rename" | "delete" } | { what: "update"; words: string; stop: AbortController };

function Recent({
  entry,
  entries,
  on,
  onChoose,
  onChanged,
}: {
  entry: SavedIndex;
  entries: readonly SavedIndex[];
  on: boolean;
  onChoose(on: boolean): void;
  onChanged(): void;
}) {
  const { name } = entry;
  const [doing, setDoing] = useState<Doing>({ what: "nothing" });
  const rest = () => setDoing({ what: "nothing" });
  const update = async () => {
    const stop = new AbortController();
    const tell = (words: string) => setDoing({ what: "update", words, stop });
    tell("Updating…");
    await updateSaved(name, stop.signal, tell);
    onChanged();
    rest();
  };
  return (
    <li class="recent">
      <label class="recent-name">
        <input type="checkbox" checked={on} onChange={(event) => onChoose(event.currentTarget.checked)} />
        <span>{name}</span>
      </label>
      <p class="recent-facts">
        {plural(entry.n_files, "file")} · {bytes(entry.n_bytes)} · {age(entry.saved_at, Date.now())}
      </p>
      {doing.what === "rename" ? (
        <Renaming entry={entry} entries={entries} onDone={rest} onChanged={onChanged} />
      ) : doing.what === "update" ? (
        <p class="recent-actions" role="status">
          {doing.words}
          <button type="button" class="text-button" onClick={() => doing.stop.abort()}>
            Cancel
          </button>
        </p>
      ) : doing.what === "delete" ? (
        <p class="recent-actions">
          <button
            type="button"
            class="button button-danger button-small"
            onClick={() => {
              onChanged();
              void deleteSaved(name);
            }}
          >
            <Icon name="trash" size={13} /> Delete {name}
          </button>
          <button type="button" class="text-button" onClick={rest}>
            Keep
          </button>
        </p>
      ) : (
        <p class="recent-actions">
          <a href={encodeLink({ ...emptyLink, repository: name })}>
            Open<span class="unseen"> {name}</span>
          </a>
          <Action label="Update" of={name} onClick={() => void update()} />
          <Action label="Rename" of={name} onClick={() => setDoing({ what: "rename" })} />
          <Action label="Delete" of={name} onClick={() => setDoing({ what: "delete" })} />
        </p>
      )}
    </li>
  );
}

function Action({ label, of, onClick }: { label: string; of: string; onClick(): void }) {
  return (
    <button type="button" class="text-button" onClick={onClick}>
      {label}
      <span class="unseen"> {of}</span>
    </button>
  );
}

function Renaming({
  entry,
  entries,
  onDone,
  onChanged,
}: {
  entry: SavedIndex;
  entries: readonly SavedIndex[];
  onDone(): void;
  onChanged(): void;
}) {
  const [name, setName] = useState(entry.name);
  const [busy, setBusy] = useState(false);
  const problem = nameProblem(name, entry.name, entries);
  const rename = async () => {
    if (problem !== "" || busy) return;
    if (name.trim() === entry.name) return onDone();
    setBusy(true);
    onChanged();
    const isDone = await renameSaved(entry.name, name.trim());
    setBusy(false);
    if (isDone) onDone();
  };
  return (
    <form
      class="recent-actions"
      onSubmit={(event) => {
        event.preventDefault();
        void rename();
      }}
    >
      <input
        aria-label={`New name of ${entry.name}`}
        class="view-input"
        value={name}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && onDone()}
      />
      <button type="submit" class="button button-small" disabled={problem !== "" || busy}>
        {busy ? "Saving…" : "Rename"}
      </button>
      <button type="button" class="text-button" onClick={onDone}>
        Cancel
      </button>
      {problem !== "" && <span role="alert">{problem}</span>}
    </form>
  );
}
