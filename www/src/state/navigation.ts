//! Where the page is: the link as a signal, kept equal to the URL's hash, and the browser's history as back and forward.

import { batch, signal } from "@preact/signals";
import { changed, decodeLink, emptyLink, encodeLink, type Link, type Place, type View, type ViewArgs } from "./link.ts";

/** The link shown now. Change it by {@link navigate} only. */
export const link = signal<Link>(typeof location === "undefined" ? emptyLink : decodeLink(location.hash));

/** One of two panes of the code; `left` where there is one. */
export type Side = "left" | "right";

/** State of the panes when this history entry was left; null when it is entered for the first time. */
export const restored = signal<Readonly<Record<Side, unknown>> | null>(null);

/** Counts up whenever somebody asks to see the lines of the link, also if they are the same as before. */
export const linesAsked = signal(0);

/** `push` makes a step that back undoes; `replace` is for typing and for what follows from another change. */
export type How = "push" | "replace";

// State of each history entry when it was left. In memory only: after a reload the link restores the place.
const places = new Map<number, Readonly<Record<Side, unknown>>>();
let entry = 0;
let nextEntry = 1;
const nothing = () => null;
const takers: Record<Side, () => unknown> = { left: nothing, right: nothing };
const capture = () => ({ left: takers.left(), right: takers.right() });

/** Says how to remember the place within the file of a pane (scroll position) when an entry is left. */
export function rememberBy(side: Side, take: (() => unknown) | null): void {
  takers[side] = take ?? nothing;
}

/** Goes to the link with the changes applied. No step is made where nothing changes. */
export function navigate(change: Partial<Link>, how: How = "push"): void {
  const next = changed(link.peek(), change);
  const hash = encodeLink(next);
  if (hash === encodeLink(link.peek())) return;
  if (how === "push") {
    places.set(entry, capture());
    entry = nextEntry;
    nextEntry += 1;
    history.pushState({ entry }, "", hash);
  } else {
    history.replaceState({ entry }, "", hash);
  }
  batch(() => {
    restored.value = null;
    if (change.lines && change.beside === undefined) linesAsked.value += 1;
    link.value = next;
  });
}

/** Makes the other pane the active one: links then open there. No step of the history. */
export function swapPanes(): void {
  const { path, lines, beside, onRight } = link.peek();
  if (!beside) return;
  const change = { path: beside.path, lines: beside.lines, beside: { path, lines }, onRight: !onRight };
  navigate(change, "replace");
}

/** Shows a file in the other pane, which becomes the active one; splits the code where it has one pane. */
export function openBeside(place: Place, symbol?: string): void {
  const { path, lines, onRight } = link.peek();
  if (path === "") {
    openFile(place.path, place.lines?.from, place.lines?.to, symbol);
    return;
  }
  const change = { ...place, beside: { path, lines }, onRight: !onRight };
  navigate({ ...change, ...(symbol === undefined ? {} : { symbol }) });
  if (place.lines) linesAsked.value += 1;
}

/** The hash of the link with the changes applied, for an anchor. */
export function hashOf(change: Partial<Link>): string {
  return encodeLink(changed(link.value, change));
}

/** Shows lines of a file; `symbol` also shows a symbol beside it. */
export function openFile(path: string, from?: number, to = from, symbol?: string): void {
  const lines = from === undefined ? null : { from, to: to ?? from };
  navigate({ path, lines, ...(symbol === undefined ? {} : { symbol }) });
}

/** Shows a view in the middle; files, results and the symbol give way to it. */
export function openView(view: View, args: ViewArgs = {}): void {
  navigate({ ...emptyMiddle, view, args });
}

/** The hash of a view, for an anchor. */
export function hashOfView(view: View, args: ViewArgs = {}): string {
  return hashOf({ ...emptyMiddle, view, args });
}

const emptyMiddle = { path: "", lines: null, query: "", symbol: "", mode: "auto" } as const;

/** Changes what the open view is asked; an empty value takes the name out. */
export function askView(change: ViewArgs, how: How = "push"): void {
  const args = { ...link.peek().args, ...change };
  navigate({ args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== "")) }, how);
}

/** The address of the present view, for the clipboard. */
export function address(): string {
  return new URL(encodeLink(link.peek()), location.href).href;
}

/** Follows the browser's back, forward and typed addresses. */
export function followHistory(): void {
  const state: unknown = history.state;
  entry = entryOf(state) ?? 0;
  nextEntry = entry + 1;
  history.replaceState({ entry }, "");
  addEventListener("popstate", (event) => {
    places.set(entry, capture());
    const known = entryOf(event.state);
    entry = known ?? nextEntry;
    nextEntry = Math.max(nextEntry, entry + 1);
    // A followed anchor or a typed address made this entry: give it its number.
    if (known === null) history.replaceState({ entry }, "");
    batch(() => {
      restored.value = places.get(entry) ?? null;
      if (restored.value === null) linesAsked.value += 1;
      link.value = decodeLink(location.hash);
    });
  });
  // An anchor to where we are makes no event, but the reader may have scrolled away from it.
  addEventListener("click", (event) => {
    const anchor = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
    if (anchor && anchor.getAttribute("href") === encodeLink(link.peek())) linesAsked.value += 1;
  });
}

function entryOf(state: unknown): number | null {
  const value = (state as { entry?: unknown } | null)?.entry;
  return typeof value === "number" ? value : null;
}
