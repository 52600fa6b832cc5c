//! On a narrow page the side panels are drawers over the code, one at a time.

import { effect, signal } from "@preact/signals";
import { link } from "./navigation.ts";

export const narrow = signal(false);
export const drawer = signal<"left" | "right" | null>(null);

/** Follows the width of the page; a new file closes the drawer, a new symbol opens its own. */
export function keepDrawers(): void {
  const query = matchMedia("(max-width: 900px)");
  const measure = () => (narrow.value = query.matches);
  measure();
  query.addEventListener("change", measure);
  let last = link.peek();
  effect(() => {
    const now = link.value;
    if (now.symbol !== last.symbol && now.path === last.path) drawer.value = now.symbol === "" ? null : "right";
    else if (now !== last) drawer.value = null;
    last = now;
  });
}
