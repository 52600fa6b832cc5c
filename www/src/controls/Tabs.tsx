//! Tabs with one panel: arrow keys move between them, as the ARIA pattern asks.

import type { ComponentChildren } from "preact";
import { count } from "../state/format.ts";
import "./tabs.css";

interface Props<T extends string> {
  label: string;
  value: T;
  tabs: readonly { id: T; label: string; count?: number }[];
  onChange(next: T): void;
  children: ComponentChildren;
}

export function Tabs<T extends string>({ label, value, tabs, onChange, children }: Props<T>) {
  const name = label.replaceAll(/\W+/g, "-").toLowerCase();
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === value);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.id);
    document.getElementById(`${name}-${next.id}`)?.focus();
  };
  return (
    <div class="tabs">
      <div class="tabs-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${name}-${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab.id === value}
            aria-controls={`${name}-panel`}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && <span class="tabs-count">{count(tab.count)}</span>}
          </button>
        ))}
      </div>
      <div class="tabs-panel" id={`${name}-panel`} role="tabpanel" aria-labelledby={`${name}-${value}`} tabIndex={-1}>
        {children}
      </div>
    </div>
  );
}
