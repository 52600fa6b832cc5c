//! Work under way: in full while there is nothing else to see, else in the status line.

import { Icon } from "../controls/Icon.tsx";
import { progressWords } from "../state/progress-words.ts";
import { type Job, job } from "../state/repository.ts";
import "./progress.css";

function words({ what, name, progress }: Job): string {
  if (progress) return progressWords(progress);
  return what === "open" ? `Opening ${name}` : "Starting";
}

function Bar({ running: { share } }: { running: Job }) {
  return share === null ? <progress aria-label="Progress" /> : <progress aria-label="Progress" value={share} max={1} />;
}

const phases = ["reading", "parsing", "building", "embedding", "saving"] as const;
const phaseNames: Record<(typeof phases)[number], string> = {
  reading: "Read",
  parsing: "Parse",
  building: "Build",
  embedding: "Meaning",
  saving: "Save",
};

/** The work in full, with its phases. */
export function ProgressCard({ job: running }: { job: Job }) {
  const phase = running.progress?.phase;
  const at = phase === undefined ? -1 : phases.indexOf(phase);
  return (
    <section class="progress-card" aria-label="Indexing">
      <p class="progress-title">{running.what === "open" ? `Opening ${running.name}` : `Indexing ${running.name}`}</p>
      <Bar running={running} />
      <p class="progress-words">{words(running)}</p>
      {running.what === "index" && (
        <ol class="progress-phases">
          {phases.map((phase, index) => (
            <li
              key={phase}
              data-state={index < at ? "done" : index === at ? "now" : "later"}
              aria-current={index === at ? "step" : undefined}
            >
              {index < at && <Icon name="check" size={11} />}
              {phaseNames[phase]}
            </li>
          ))}
        </ol>
      )}
      <button type="button" class="button" onClick={running.cancel}>
        Cancel
      </button>
    </section>
  );
}

/** The work in one line. */
export function ProgressLine() {
  const running = job.value;
  if (!running) return null;
  return (
    <span class="progress-line">
      <Bar running={running} />
      <span class="progress-line-words">{words(running)}</span>
      <button type="button" class="text-button" onClick={running.cancel}>
        Cancel
      </button>
    </span>
  );
}
