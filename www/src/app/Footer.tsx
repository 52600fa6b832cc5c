//! The status line: work under way or what is open, and where the code is.

import { plural } from "../state/format.ts";
import { Icon } from "../controls/Icon.tsx";
import { ProgressLine } from "../progress/Progress.tsx";
import { hashOf } from "../state/navigation.ts";
import { remark } from "../state/notices.ts";
import { job, repository, type Repository } from "../state/repository.ts";

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
      {inside && open ? (
        <a
          class="footer-privacy"
          href={hashOf({ path: "", lines: null, query: "", symbol: "" })}
          title="Contents of the index, skipped files, storage"
        >
          <Icon name="shield" size={13} /> Code stays in this tab
        </a>
      ) : (
        <span class="footer-privacy">
          <Icon name="shield" size={13} /> Code stays in this tab
        </span>
      )}
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
