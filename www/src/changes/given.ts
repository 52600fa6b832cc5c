//! The diff that the view of changes shows. It is too large for a link, and stays while the page is open.

import { signal } from "@preact/signals";
import { openView } from "../state/navigation.ts";

export interface Given {
  /** Where it came from: the name of a file or folder; empty for a pasted text. */
  readonly name: string;
  readonly diff: string;
  /** The commits of the link that it was made for; empty for a diff that was given. */
  readonly of: string;
  /** Counts the diffs: two may look alike. */
  readonly turn: number;
}

export const given = signal<Given | null>(null);

let turn = 0;

/** Shows a diff in the view. */
export function showDiff(name: string, diff: string, of = ""): void {
  turn += 1;
  given.value = { name, diff, of, turn };
}

/** Shows a diff that was dropped or chosen. */
export async function giveDiff(file: File): Promise<void> {
  showDiff(file.name, await file.text());
  openView("changes");
}
