//! Where the index is kept, and the ways to keep it.

import { useState } from "preact/hooks";
import { Icon } from "../controls/Icon.tsx";
import { plural } from "../state/format.ts";
import { job, keepHere, type Repository, saved } from "../state/repository.ts";
import { sampleName } from "../state/sample.ts";
import { askToSave, saveAsItIs } from "../state/save.ts";
import { isSharedName } from "../state/shared.ts";
import { shieldOpen } from "../state/watch.ts";

export function Where({ repository: { index, name, status } }: { repository: Repository }) {
  const { n_shards } = status;
  const { state: kept, error } = index.stored;
  // Work that was cancelled saves nothing any more.
  const state = kept === "saving" && job.value === null ? "off" : kept;
  const where: Record<typeof state, string> = {
    saved:
      "The index is saved in this browser, where only this site can read it. Deleting it on the start page, or clearing the site's data, removes it.",
    saving: "The index is being saved in this browser.",
    off: "The index is in the memory of this tab and is lost when you close it.",
    unavailable: "This browser does not allow storage, so the index is only in the memory of this tab.",
    quota: "There was no space left to save the index, so it is only in the memory of this tab.",
  };
  return (
    <section>
      <h2>Where the index is</h2>
      <p class="overview-note">
        {n_shards === undefined ? where[state] : inShards(n_shards, isSharedName(name))}
        {error && state !== "saved" && ` (${error.message})`}
      </p>
      <p class="overview-actions">
        {n_shards === undefined && (
          <>
            {state === "off" && job.value === null && name !== sampleName && <Keep name={name} />}
            <button type="button" class="button" onClick={() => void saveAsItIs({ name, index })}>
              <Icon name="download" size={14} /> Save the index to a file
            </button>
            <button type="button" class="button" onClick={() => askToSave({ name, index })}>
              <Icon name="shield" size={14} /> Save an encrypted copy…
            </button>
          </>
        )}
        <button type="button" class="text-button" onClick={() => (shieldOpen.value = true)}>
          {status.skipped.length === 0
            ? "Requests and details"
            : `${plural(status.skipped.length, "path")} left out: reasons and details`}
        </button>
      </p>
    </section>
  );
}

function inShards(n_shards: number, isShared: boolean): string {
  if (isShared)
    return `The index came from this server in ${plural(n_shards, "shard")}. The page reads of them what a question needs, and they are gone when you close the tab.`;
  return `The index is in ${plural(n_shards, "file")} beside its root on your disk; the page reads of them what a question needs. Open all of them again when you come back.`;
}

/** Offers to save what was opened from a file. */
function Keep({ name }: { name: string }) {
  const [busy, setBusy] = useState(false);
  const known = saved.value;
  if (known.state !== "ready") return null;
  const replaces = known.entries.some((entry) => entry.name === name);
  return (
    <button
      type="button"
      class="button"
      disabled={busy}
      onClick={() => {
        setBusy(true);
        void keepHere().finally(() => setBusy(false));
      }}
    >
      {busy ? "Saving…" : replaces ? `Keep in this browser, replacing the stored ${name}` : "Keep in this browser"}
    </button>
  );
}
