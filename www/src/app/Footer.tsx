//! The status line: work under way or what is open, and where the code is.

import { plural } from "../state/format.ts";
import { Icon } from "../controls/Icon.tsx";
import { ProgressLine } from "../progress/Progress.tsx";
import { remark } from "../state/notices.ts";
import { job, repository, type Repository } from "../state/repository.ts";
import { shieldOpen, statement, verdict } from "../state/watch.ts";

export function Footer({ inside }: { inside: boolean }) {
  const open = repository.value;
  return (
    <footer class="footer">
      <div class="footer-start">
        {inside && job.value ? (
          <ProgressLine />
        ) : remark.value !== "" ? (
          <span>{remark.value}</span>
        ) : inside && open ? (
          <Counts {...open} />
        ) : null}
      </div>
      <button
        type="button"
        class="footer-privacy"
        data-state={verdict.value.state}
        title="Requests of this page, files left out, details of the index"
        onClick={() => (shieldOpen.value = true)}
      >
        <Icon name={verdict.value.state === "sent" ? "warning" : "shield"} size={13} /> {statement.value}
      </button>
    </footer>
  );
}

function Counts({ status }: Pick<Repository, "status">) {
  return (
    <span>
      {plural(status.n_files, "file")}
      <span class="footer-more"> · {plural(status.n_symbols, "definition")}</span>
      {status.skipped.length > 0 && (
        <span class="footer-more"> · {status.skipped.length.toLocaleString("en")} left out</span>
      )}
    </span>
  );
}
