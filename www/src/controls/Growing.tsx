//! A long list that is drawn piece by piece, so that the page is never busy for long; soon all of it is there.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Props<T> {
  items: readonly T[];
  /** Number of items drawn at once. */
  step: number;
  /** Draws one, with its key. Called once for each: what else it depends on must be read by the component that it draws. */
  draw(item: T, at: number): VNode;
}

export function Growing<T>({ items, step, draw }: Props<T>) {
  const drawn = useRef<{ items: readonly T[]; rows: VNode[] }>({ items, rows: [] });
  const [, grow] = useState(0);
  if (drawn.current.items !== items) drawn.current = { items, rows: [] };
  const { rows } = drawn.current;
  // Rows that were drawn stay the same objects, and are passed over.
  if (rows.length === 0) rows.push(...items.slice(0, step).map(draw));
  useEffect(() => {
    if (rows.length >= items.length) return;
    const timer = setTimeout(() => {
      rows.push(...items.slice(rows.length, rows.length + step).map((item, at) => draw(item, rows.length + at)));
      grow(rows.length);
    });
    return () => clearTimeout(timer);
  });
  return <>{[...rows]}</>;
}
