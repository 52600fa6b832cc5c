//! Files that were opened, as tabs above the code, by repository. A tab of the browser that is closed forgets them.

import { computed, effect, signal } from "@preact/signals";
import { link, navigate } from "./navigation.ts";

const mostFiles = 40;
const mostRepositories = 20;
const key = "portolan.open-files";

/** Paths by the name of their repository, in the order of the tabs. */
export const openFiles = signal<Readonly<Record<string, readonly string[]>>>(stored());

/** Paths of the open repository. */
export const tabs = computed(() => openFiles.value[link.value.repository] ?? []);

/** A file that was closed last, by repository. */
const closed: { repository: string; path: string; at: number }[] = [];

/** The tabs with one more, behind that of `active`. Of too many the first that is not shown goes. */
export function withTab(list: readonly string[], path: string, active: string, shown: readonly string[]): string[] {
  if (list.includes(path)) return [...list];
  const at = list.indexOf(active);
  const next = at < 0 ? [...list, path] : list.toSpliced(at + 1, 0, path);
  const spare = next.findIndex((one) => one !== path && !shown.includes(one));
  return next.length > mostFiles && spare >= 0 ? next.toSpliced(spare, 1) : next;
}

/** Remembers from now on. */
export function keepOpenFiles(): void {
  let active = "";
  effect(() => {
    const { repository, path, beside } = link.value;
    if (repository === "" || path === "") return;
    const shown = beside ? [beside.path, path] : [path];
    const list = openFiles.peek()[repository] ?? [];
    const next = shown.reduce((known, one) => withTab(known, one, active, shown), [...list]);
    active = path;
    if (next.length !== list.length || next.some((one, at) => one !== list[at])) put(repository, next);
  });
}

function put(repository: string, list: readonly string[]): void {
  const { [repository]: _, ...others } = openFiles.peek();
  const all = Object.entries({ ...others, ...(list.length > 0 ? { [repository]: list } : {}) });
  openFiles.value = Object.fromEntries(all.slice(-mostRepositories));
  try {
    sessionStorage.setItem(key, JSON.stringify(openFiles.peek()));
  } catch {
    // Storage is off: the tabs last until the page is loaded again.
  }
}

/** Closes the tab of a file. A pane that shows it shows the tab beside it; with the last one the overview. */
export function closeTab(path: string): void {
  const { repository, path: active, beside } = link.peek();
  const list = openFiles.peek()[repository] ?? [];
  const at = list.indexOf(path);
  if (at < 0) return;
  closed.push({ repository, path, at });
  const rest = list.toSpliced(at, 1);
  put(repository, rest);
  const isBeside = beside?.path === path;
  if (active !== path) {
    if (isBeside) navigate({ beside: null });
    return;
  }
  const others = rest.filter((one) => one !== beside?.path);
  const before = list.slice(0, at).filter((one) => others.includes(one)).length;
  const next = others[Math.min(before, others.length - 1)];
  if (!beside || isBeside) navigate({ path: next ?? "", lines: null, beside: null });
  else if (next === undefined) navigate({ path: beside.path, lines: beside.lines, beside: null });
  else navigate({ path: next, lines: null });
}

/** Closes all tabs but that of the active pane. */
export function closeOthers(): void {
  const { repository, path } = link.peek();
  put(repository, [path]);
  navigate({ beside: null });
}

/** Shows the file whose tab was closed last. */
export function reopenTab(): void {
  const { repository } = link.peek();
  const at = closed.findLastIndex((one) => one.repository === repository);
  const [last] = at < 0 ? [] : closed.splice(at, 1);
  if (!last) return;
  const list = openFiles.peek()[repository] ?? [];
  if (!list.includes(last.path)) put(repository, list.toSpliced(last.at, 0, last.path));
  navigate({ path: last.path, lines: null });
}

/** Whether a tab was closed that can be opened again. */
export const canReopen = () => closed.some((one) => one.repository === link.value.repository);

/** Shows the next tab, or the one before; after the last comes the first. */
export function cycleTab(by: 1 | -1): void {
  const { repository, path } = link.peek();
  const list = openFiles.peek()[repository] ?? [];
  const next = list[(list.indexOf(path) + by + list.length) % list.length];
  if (next !== undefined) navigate({ path: next, lines: null });
}

function stored(): Readonly<Record<string, readonly string[]>> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    const known = Object.entries(typeof value === "object" && value !== null ? value : {});
    const checked = known.filter((one): one is [string, string[]] => Array.isArray(one[1]) && one[1].every(isText));
    return Object.fromEntries(checked.map(([name, list]) => [name, list.slice(0, mostFiles)]));
  } catch {
    return {};
  }
}

// A declaration: the tabs are read while this file is, before a constant below has a value.
function isText(value: unknown): value is string {
  return typeof value === "string";
}
