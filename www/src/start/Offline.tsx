//! Offline use: what is kept, and the choice to keep everything.

import { bytes } from "../state/format.ts";
import { dropParts, keepEverything, type Parts, parts, savesData, stopKeeping } from "../state/offline.ts";
import { settings } from "../state/settings.ts";

export function Offline() {
  const now = parts.value;
  if (!now) return null;
  return (
    <section class="offline" aria-label="Offline use">
      <h3>Offline use</h3>
      <p class="saved-note">
        <span>
          {words(now)} <Ways now={now} />
        </span>
      </p>
      {now.working && <progress aria-label="Fetched for offline use" value={now.kept} max={now.total} />}
    </section>
  );
}

function words({ working, kept, total }: Parts): string {
  if (working) return `Fetching for offline use: ${bytes(kept)} of ${bytes(total)}.`;
  if (kept >= total) return `Everything is kept: the page indexes any language without a network (${bytes(total)}).`;
  const start = "The page starts without a network, with the parts that you have used.";
  return settings.value.keepsAll && savesData() ? `${start} Your browser asks to save data: the rest waits.` : start;
}

function Ways({ now: { working, kept, total } }: { now: Parts }) {
  if (working)
    return (
      <button type="button" class="text-button" onClick={stopKeeping}>
        Stop
      </button>
    );
  if (kept >= total)
    return (
      <button type="button" class="text-button" onClick={dropParts}>
        Keep only what is used
      </button>
    );
  return (
    <button type="button" class="text-button" onClick={keepEverything}>
      Keep everything for offline use ({bytes(total - kept)})
    </button>
  );
}
