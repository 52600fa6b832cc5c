//! The text whose places the view shows. It may be long and is the user's own: it stays in this tab, and no link holds it.

import { signal } from "@preact/signals";
import { openView } from "./navigation.ts";

export interface Pasted {
  readonly text: string;
  /** Counts the texts: two may be alike. */
  readonly turn: number;
}

export const pasted = signal<Pasted | null>(null);

let turn = 0;

/** Shows the places of a text. */
export function showPlaces(text: string): void {
  turn += 1;
  pasted.value = { text, turn };
}

/** Opens the view with a text. */
export function locateText(text: string): void {
  showPlaces(text);
  openView("locate");
}
