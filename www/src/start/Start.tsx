//! The start page: what this is, the ways in, and what is saved in this browser.

import { useEffect, useState } from "preact/hooks";
import type { SavedIndex, StorageState } from "portolan";
import { age, bytes, plural } from "../state/format.ts";
import { Icon, type IconName } from "../controls/Icon.tsx";
import { SourceBox } from "../away/SourceBox.tsx";
import { Ingest } from "../ingest/Ingest.tsx";
import { Languages } from "../languages/Languages.tsx";
import { loadOverview } from "../host/OverviewHost.tsx";
import { Readme } from "../readme/Readme.tsx";
import { ProgressCard } from "../progress/Progress.tsx";
import { emptyLink, encodeLink } from "../state/link.ts";
import { deleteSaved, job, keepForGood, missing, repository, saved, storage } from "../state/repository.ts";
import { asked } from "../state/remote.ts";
import { hasShared } from "../state/shared.ts";
import { Offline } from "./Offline.tsx";
import { Picture } from "./Picture.tsx";
import { Shared } from "./Shared.tsx";
import "./start.css";

export function Start() {
  const running = job.value;
  const isWorking = running !== null && !running.usable;
  useEffect(() => {
    // Its code comes while the files are read.
    if (isWorking) void loadOverview().catch(() => {});
  }, [isWorking]);
  return (
    <main class="start">
      <div class="start-inner">
        <div class="start-top">
          <div class="start-hero">
            <h1>Find your way in a code base</h1>
            <p class="start-lead">
              Portolan indexes a repository in this tab: search by words, meaning or name, read the code, follow its
              calls.
            </p>
            {missing.value !== "" && !running && asked.value === null && (
              <p class="start-missing" role="alert">
                <Icon name="info" /> The link is about “{missing.value}”, which is not saved in this browser. Open its
                folder, archive or saved index under the same name to follow the link.
              </p>
            )}
            {running && isWorking ? (
              <ProgressCard job={running} />
            ) : (
              <div class="start-ways">
                <SourceBox />
                <Ingest />
                <p class="start-note">
                  Or drop a folder, a .zip, a .tar.gz or a saved index anywhere on this page. Files matched by
                  .gitignore are skipped.
                </p>
              </div>
            )}
          </div>
          {!isWorking && <Picture />}
        </div>
        {running && isWorking ? <Readme name={running.name} /> : <Reasons />}
        {hasShared && <Shared />}
        <SavedList />
        <section class="start-settings" aria-label="Settings">
          <h2>Settings</h2>
          <Languages />
          <Offline />
        </section>
      </div>
    </main>
  );
}

const why: readonly [IconName, string, string][] = [
  ["shield", "Private, and you can check it", "No code leaves this machine. The shield below lists every request."],
  ["compass", "Answers, not only matches", "Who calls this? What breaks if it changes? How does a request flow?"],
  ["check", "Nothing to install", "Twenty languages, in any browser, and without a network after the first visit."],
];

function Reasons() {
  return (
    <ul class="start-why">
      {why.map(([icon, title, words]) => (
        <li key={title}>
          <Icon name={icon} size={18} />
          <span>
            <strong>{title}</strong> {words}
          </span>
        </li>
      ))}
    </ul>
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
      {entries.length > 0 && (
        <p class="saved-note">
          <a href={encodeLink({ ...emptyLink, view: "together" })}>
            {entries.length > 1 ? "Ask them together, update or rename them" : "Update or rename it"}
          </a>
        </p>
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
