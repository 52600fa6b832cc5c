//! Panes of the code: where their files were left, the steps of each, and links that open in the other one.

import { effect, signal } from "@preact/signals";
import { narrow } from "./drawers.ts";
import { decodeLink, type Place } from "./link.ts";
import { link, navigate, openBeside, type Side } from "./navigation.ts";

/** The files that a pane showed, in their order, and the one that it shows now. */
export interface Steps {
  readonly list: readonly Place[];
  readonly at: number;
}

const mostSteps = 60;
const mostPlaces = 100;
const none: Steps = { list: [], at: -1 };

/** The steps of each pane. */
export const steps = signal<Readonly<Record<Side, Steps>>>({ left: none, right: none });

/** The side of the active pane. */
export const activeSide = (): Side => (link.value.onRight ? "right" : "left");

/** The steps after one to `place`: a step back or forth where it is the one before or after, else a new one. */
export function stepped({ list, at }: Steps, place: Place): Steps {
  const isAt = (index: number) => {
    const known = list[index];
    return known?.path === place.path && known.lines?.from === place.lines?.from && known.lines?.to === place.lines?.to;
  };
  for (const index of [at, at - 1, at + 1]) if (isAt(index)) return { list, at: index };
  const now = list[at];
  // The line of a place is often known only when it is left.
  const kept = now?.path === place.path && now.lines === null ? at : at + 1;
  const next = [...list.slice(0, kept), place].slice(-mostSteps);
  return { list: next, at: next.length - 1 };
}

/** Whether the active pane has a step back (-1) or forward (1). */
export function canStep(by: 1 | -1): boolean {
  const { list, at } = steps.value[activeSide()];
  return list[at + by] !== undefined;
}

/** Goes a step back or forward within the active pane. */
export function step(by: 1 | -1): void {
  const { list, at } = steps.peek()[activeSide()];
  const place = list[at + by];
  if (place) navigate({ path: place.path, lines: place.lines });
}

/** Whether the page has room for two panes. */
export const hasRoom = () => !narrow.value;

/** Shows the file in both panes, or closes the pane that is not active. */
export function toggleSplit(): void {
  const { path, lines, beside, onRight } = link.peek();
  if (path === "") return;
  if (beside) closePane(onRight ? "left" : "right");
  else openBeside({ path, lines });
}

/** Closes a pane; the other one has all the room. */
export function closePane(side: Side): void {
  const { beside } = link.peek();
  if (!beside) return;
  const kept: Side = side === "left" ? "right" : "left";
  steps.value = { left: steps.peek()[kept], right: none };
  const isActive = side === activeSide();
  navigate({ ...(isActive ? { path: beside.path, lines: beside.lines } : {}), beside: null });
}

const places = new Map<string, unknown>();

/** Remembers where a file was left. */
export function keepPlace(path: string, place: unknown): void {
  places.delete(path);
  places.set(path, place);
  const [oldest] = places.keys();
  if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest);
}

/** Where a file was left; null where it is opened for the first time. */
export function keptPlace(path: string): unknown {
  return places.get(path) ?? null;
}

/** Follows the panes from now on. Ctrl or ⌘ and a click on a link to a file open it in the other pane. */
export function keepPanes(): void {
  let last = "";
  effect(() => {
    const { repository, path, lines, beside, onRight } = link.value;
    if (repository !== last) {
      last = repository;
      places.clear();
      steps.value = { left: none, right: none };
    }
    if (path === "") return;
    const now = steps.peek();
    const mine = { path, lines };
    steps.value = onRight
      ? { left: beside ? stepped(now.left, beside) : now.left, right: stepped(now.right, mine) }
      : { left: stepped(now.left, mine), right: beside ? stepped(now.right, beside) : now.right };
  });
  addEventListener("click", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.button !== 0) return;
    const anchor = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
    const now = link.peek();
    if (event.defaultPrevented || !anchor || now.path === "" || narrow.peek()) return;
    const to = decodeLink(anchor.getAttribute("href") ?? "");
    if (to.path === "" || to.repository !== now.repository) return;
    event.preventDefault();
    openBeside({ path: to.path, lines: to.lines }, to.symbol);
  });
}
