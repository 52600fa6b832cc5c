//! Positions of a small directed graph, layer by layer from left to right: the same every time.

import type { Graph } from "./results.ts";

export interface Placed {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

export const boxWidth = 168;
export const boxHeight = 26;
const gapX = 64;
const gapY = 14;

/** The place of each node by number, its upper left corner, and the size of the whole. */
export function layout({ nodes, edges }: Pick<Graph, "nodes" | "edges">): {
  readonly places: ReadonlyMap<number, Placed>;
  readonly width: number;
  readonly height: number;
} {
  const layers = ordered(layersOf({ nodes, edges }), edges);
  const tallest = Math.max(0, ...layers.map((layer) => layer.length));
  const places = new Map<number, Placed>();
  layers.forEach((layer, column) => {
    const top = ((tallest - layer.length) * (boxHeight + gapY)) / 2;
    for (const [row, id] of layer.entries())
      places.set(id, { id, x: column * (boxWidth + gapX), y: top + row * (boxHeight + gapY) });
  });
  return {
    places,
    width: Math.max(0, layers.length * (boxWidth + gapX) - gapX),
    height: Math.max(0, tallest * (boxHeight + gapY) - gapY),
  };
}

/** The layer of a node is its longest distance from a node that nothing leads to; edges that close a cycle do not count. */
function layersOf({ nodes, edges }: Pick<Graph, "nodes" | "edges">): number[][] {
  const next = new Map<number, number[]>(nodes.map(({ id }) => [id, []]));
  for (const { source, target } of edges) if (source !== target) next.get(source)?.push(target);
  const order = withoutCycles(
    nodes.map(({ id }) => id),
    next,
  );
  const rank = new Map<number, number>(order.map((id) => [id, 0]));
  const position = new Map(order.map((id, at) => [id, at]));
  for (const id of order)
    for (const target of next.get(id) ?? [])
      if ((position.get(target) ?? 0) > (position.get(id) ?? 0))
        rank.set(target, Math.max(rank.get(target) ?? 0, (rank.get(id) ?? 0) + 1));
  const layers: number[][] = [];
  for (const { id } of nodes) {
    const layer = rank.get(id) ?? 0;
    while (layers.length <= layer) layers.push([]);
    layers[layer]?.push(id);
  }
  return layers.filter((layer) => layer.length > 0);
}

/** The nodes, sources before targets except along edges that close a cycle. Iterative: a chain may be long. */
function withoutCycles(ids: readonly number[], next: ReadonlyMap<number, readonly number[]>): number[] {
  const seen = new Set<number>();
  const finished: number[] = [];
  const entered = new Set([...next.values()].flat());
  for (const root of [...ids.filter((id) => !entered.has(id)), ...ids]) {
    if (seen.has(root)) continue;
    seen.add(root);
    const open = [{ id: root, at: 0 }];
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const target = next.get(top.id)?.[top.at];
      top.at += 1;
      if (target === undefined) {
        finished.push(top.id);
        open.pop();
      } else if (!seen.has(target)) {
        seen.add(target);
        open.push({ id: target, at: 0 });
      }
    }
  }
  return finished.reverse();
}

/** Orders each layer by the mean place of what leads to it, so that fewer edges cross. */
function ordered(layers: readonly number[][], edges: Graph["edges"]): number[][] {
  const before = new Map<number, number[]>();
  for (const { source, target } of edges) before.set(target, [...(before.get(target) ?? []), source]);
  const place = new Map<number, number>();
  return layers.map((layer) => {
    const weight = (id: number, own: number) => {
      const known = (before.get(id) ?? []).flatMap((source) => place.get(source) ?? []);
      return known.length === 0 ? own : known.reduce((sum, at) => sum + at, 0) / known.length;
    };
    const weighed = layer.map((id, own) => ({ id, weight: weight(id, own), own }));
    weighed.sort((a, b) => a.weight - b.weight || a.own - b.own);
    const sorted = weighed.map(({ id }) => id);
    for (const [at, id] of sorted.entries()) place.set(id, at);
    return sorted;
  });
}
