//! How risky a change is, and why.

import type { ComponentChildren } from "preact";
import type { Risk } from "portolan";

/** The level and its reasons; between them what the change reaches. */
export function RiskCard({ risk, children }: { risk: Risk; children: ComponentChildren }) {
  return (
    <section class="card" aria-label="Risk">
      <h2>
        Risk <span class={`risk risk-${risk.level}`}>{risk.level}</span>
      </h2>
      <p>{children}</p>
      {risk.reasons.length > 0 && (
        <ul class="impact-reasons">
          {risk.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
