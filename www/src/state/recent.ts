//! Files and definitions that were opened lately in this tab, by repository, for the palette. A tab that is closed forgets it.

import { effect, signal } from "@preact/signals";
import { link } from "./navigation.ts";

/** A file, or a definition by its selector (`src/a.ts#add`). */
export interface Recent {
  readonly repository: string;
  readonly path: string;
  /** Empty for a file. */
  readonly symbol: string;
}

const most = 60;
const key = "portolan.recent";

export const recent = signal<readonly Recent[]>(stored());

/** The list with one more at its head. */
export function withRecent(list: readonly Recent[], one: Recent): readonly Recent[] {
  const same = (other: Recent) =>
    other.repository === one.repository && other.path === one.path && other.symbol === one.symbol;
  return [one, ...list.filter((other) => !same(other))].slice(0, most);
}

/** Those of a repository, the last one first, without the file that is open. */
export function recentOf(list: readonly Recent[], repository: string, openPath: string): readonly Recent[] {
  return list.filter((one) => one.repository === repository && !(one.symbol === "" && one.path === openPath));
}

/** Remembers from now on. */
export function keepRecent(): void {
  effect(() => {
    const { repository, path, symbol } = link.value;
    if (repository === "" || path === "") return;
    let next = withRecent(recent.peek(), { repository, path, symbol: "" });
    if (symbol.startsWith(`${path}#`)) next = withRecent(next, { repository, path, symbol });
    recent.value = next;
    try {
      sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Storage is off: the list lasts until the page is loaded again.
    }
  });
}

function stored(): readonly Recent[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(list) ? list.filter(isRecent).slice(0, most) : [];
  } catch {
    return [];
  }
}

function isRecent(value: unknown): value is Recent {
  const { repository, path, symbol } = (value ?? {}) as Record<string, unknown>;
  return typeof repository === "string" && typeof path === "string" && typeof symbol === "string";
}
