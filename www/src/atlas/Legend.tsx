//! The meaning of the colours.

import type { Colours } from "./colours.ts";

/** `isSoft` says that the colours are those of boxes. */
export function Legend({ colours, isSoft }: { colours: Colours; isSoft: boolean }) {
  return (
    <section aria-label="Colours">
      <h2 class="atlas-small">Colours</h2>
      <ul class="atlas-legend">
        {colours.legend.map(({ label, soft, strong }) => (
          <li key={label}>
            <svg width="12" height="12" aria-hidden="true" focusable="false">
              <rect x="1" y="1" width="10" height="10" rx="3" fill={isSoft ? soft : strong} stroke={strong} />
            </svg>
            {label === "" ? "unknown" : label}
          </li>
        ))}
      </ul>
    </section>
  );
}
