//! Errors and warnings, in words, until they are read.

import { useLayoutEffect, useRef } from "preact/hooks";
import { raise } from "../controls/dialog.ts";
import { Icon } from "../controls/Icon.tsx";
import { dismiss, notices, spoken } from "../state/notices.ts";

export function Notices() {
  const list = useRef<HTMLElement>(null);
  const shown = notices.value;
  // In the browser's top layer, and last in it: a dialog that is open, or the code, never hides a message.
  useLayoutEffect(() => {
    const box = list.current;
    if (!box?.showPopover) return;
    if (shown.length === 0) box.hidePopover();
    else raise(box);
  }, [shown]);
  return (
    <>
      <section ref={list} class="notices" popover="manual" aria-label="Messages">
        {shown.map(({ id, tone, title, help, code }) => (
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
      </section>
      <div class="unseen" aria-live="polite">
        {spoken.value}
      </div>
    </>
  );
}
