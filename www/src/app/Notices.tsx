//! Errors and warnings, in words, until they are read.

import { Icon } from "../controls/Icon.tsx";
import { dismiss, notices, spoken } from "../state/notices.ts";

export function Notices() {
  return (
    <>
      <div class="notices">
        {notices.value.map(({ id, tone, title, help, code }) => (
          <div key={id} class={`notice notice-${tone}`} role={tone === "info" ? "status" : "alert"}>
            <span class="notice-icon">
              <Icon name={tone === "info" ? "check" : "warning"} />
            </span>
            <div>
              <p class="notice-title">{title}</p>
              {help !== "" && <p class="notice-help">{help}</p>}
              {code !== "" && code !== "internal" && <p class="notice-code">{code}</p>}
            </div>
            <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
              <Icon name="close" size={14} />
            </button>
          </div>
        ))}
      </div>
      <div class="unseen" aria-live="polite">
        {spoken.value}
      </div>
    </>
  );
}
