//! The start page: what this is, the ways in, and what is saved in this browser.

import { useState } from "preact/hooks";
import type { SavedIndex, StorageState } from "portolan";
import { age, bytes, plural } from "../state/format.ts";
import { Icon } from "../controls/Icon.tsx";
import { Ingest } from "../ingest/Ingest.tsx";
import { Languages } from "../languages/Languages.tsx";
import { ProgressCard } from "../progress/Progress.tsx";
import { emptyLink, encodeLink } from "../state/link.ts";
import { deleteSaved, job, keepForGood, missing, repository, saved, storage } from "../state/repository.ts";
import "./start.css";

export function Start() {
  const running = job.value;
  return (
    <main class="start">
      <div class="start-inner">
        <h1>Find your way in a code base</h1>
        <p class="start-lead">
          Portolan indexes a repository in this tab: search by words, meaning or name, read the code, follow its calls.
          The code stays on this machine; nothing is sent anywhere.
        </p>
        {missing.value !== "" && !running && (
          <p class="start-missing" role="alert">
            <Icon name="info" /> The link is about “{missing.value}”, which is not saved in this browser. Open its
            folder, archive or saved index under the same name to follow the link.
          </p>
        )}
        {running && !running.usable ? (
          <ProgressCard job={running} />
        ) : (
          <div class="start-ways">
            <Ingest />
            <p class="start-note">
              Or drop a folder, a .zip, a .tar.gz or a saved index anywhere on this page. Files matched by .gitignore
              are skipped.
            </p>
          </div>
        )}
        <SavedList />
        <Languages />
      </div>
    </main>
  );
}

function SavedList() {
  const known = saved.value;
  const open = repository.value;
  const entries = known.state === "ready" ? known.entries : [];
  const unsaved = open && !entries.some((entry) => entry.name === open.name) ? open : null;
  return (
    <section class="saved" aria-label="Repositories in this browser">
      <h2>In this browser</h2>
      {known.state === "unavailable" && (
        <p class="saved-note" role="status">
          <Icon name="warning" /> This browser does not let the page store anything (a private window does this), so an
          index lasts until the tab is closed.
        </p>
      )}
      {known.state === "ready" && entries.length === 0 && !unsaved && (
        <p class="saved-note">Nothing yet. Indexes are stored here, so that the next visit starts with them.</p>
      )}
      {(entries.length > 0 || unsaved) && (
        <ul class="saved-list">
          {unsaved && (
            <li>
              <a class="saved-link" href={encodeLink({ ...emptyLink, repository: unsaved.name })}>
                <span class="saved-name">{unsaved.name}</span>
                <span class="saved-facts">{plural(unsaved.files.length, "file")} · open in this tab only</span>
              </a>
            </li>
          )}
          {entries.map((entry) => (
            <SavedRow key={entry.name} entry={entry} />
          ))}
        </ul>
      )}
      {entries.length > 0 && storage.value && <Space storage={storage.value} />}
    </section>
  );
}

/** From here on little is left. */
const tightShare = 0.8;

function Space({ storage: { persisted, used, quota } }: { storage: StorageState }) {
  const tight = quota !== undefined && used > quota * tightShare;
  return (
    <p class="saved-note saved-space">
      {tight && <Icon name="warning" />}
      <span>
        {bytes(used)}
        {quota !== undefined && ` of ${bytes(quota)}`} used, with the page's own parts
        {tight && ": delete indexes that you no longer need"}.{" "}
        {persisted ? "Kept until you delete it." : "The browser may delete it when space runs low. "}
        {!persisted && (
          <button type="button" class="text-button" onClick={() => void keepForGood()}>
            Ask it not to
          </button>
        )}
      </span>
    </p>
  );
}

function SavedRow({ entry }: { entry: SavedIndex }) {
  const [asking, setAsking] = useState(false);
  return (
    <li>
      <a class="saved-link" href={encodeLink({ ...emptyLink, repository: entry.name })}>
        <span class="saved-name">{entry.name}</span>
        <span class="saved-facts">
          {plural(entry.n_files, "file")} · {bytes(entry.n_bytes)} · indexed {age(entry.saved_at, Date.now())}
        </span>
      </a>
      {asking ? (
        <span class="saved-ask">
          <button type="button" class="button button-danger" onClick={() => void deleteSaved(entry.name)}>
            Delete
          </button>
          <button type="button" class="button" onClick={() => setAsking(false)}>
            Keep
          </button>
        </span>
      ) : (
        <button
          type="button"
          class="icon-button"
          aria-label={`Delete ${entry.name}`}
          title="Delete from this browser"
          onClick={() => setAsking(true)}
        >
          <Icon name="trash" size={14} />
        </button>
      )}
    </li>
  );
}
