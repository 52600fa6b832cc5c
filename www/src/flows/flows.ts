//! Flows of the list: what begins them in words, and the few that a typed word means.

import type { ProcessSummary } from "portolan";

export const entryKinds = ["main", "route", "handler", "exported", "uncalled", "test"] as const;
export type EntryKind = (typeof entryKinds)[number];

const words: Record<EntryKind, string> = {
  main: "starts the program",
  route: "registered route",
  handler: "handler",
  exported: "exported",
  uncalled: "called by nothing here",
  test: "test",
};

/** Why a flow begins where it does. */
export function entryWords(kind: string): string {
  return words[kind as EntryKind] ?? kind.replaceAll("_", " ");
}

/** Flows whose label, first or last path holds every word typed. */
export function matching(flows: readonly ProcessSummary[], typed: string): readonly ProcessSummary[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return flows;
  return flows.filter(({ label, entry, terminal }) => {
    const text = `${label} ${entry.path} ${terminal.path}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** A label's two ends: `FastAPI.include_router → for_include`. */
export function endsOf(label: string): readonly [string, string] {
  const at = label.indexOf(" → ");
  return at < 0 ? [label, ""] : [label.slice(0, at), label.slice(at + 3)];
}
