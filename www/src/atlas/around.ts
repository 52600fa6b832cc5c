//! The neighbourhood of a symbol, which grows by click: new nodes surround the one that was opened, and nothing that is there moves.

import { type SubgraphResponse, type SymbolRef, visible, type WalkEdge } from "portolan";
import type { Line, Picture, Thing } from "./picture.ts";
import type { Theme } from "./scene.ts";

export interface Grown {
  readonly nodes: readonly SymbolRef[];
  readonly places: ReadonlyMap<number, { x: number; y: number }>;
  readonly edges: readonly WalkEdge[];
  /** Nodes whose neighbours were asked for. */
  readonly opened: ReadonlySet<number>;
}

export const nothing: Grown = { nodes: [], places: new Map(), edges: [], opened: new Set() };

/** Distance between a node and its first neighbours. */
const step = 100;
const golden = Math.PI * (3 - Math.sqrt(5));
/** Nodes nearer than this overlap. */
const apart = 42;

/** Adds the neighbours of a node. The same clicks give the same picture. */
export function grow(grown: Grown, middle: number, answer: SubgraphResponse): Grown {
  const places = new Map(grown.places);
  const centre = places.get(middle) ?? { x: 0, y: 0 };
  places.set(middle, centre);
  // Outwards from the first node, so that a new neighbourhood opens into free space.
  const away = Math.atan2(centre.y, centre.x);
  const known = new Set(grown.nodes.map(({ id }) => id));
  const fresh = answer.nodes.filter(({ id }) => !known.has(id));
  let turn = 0;
  for (const { id } of fresh) {
    if (places.has(id)) continue;
    let spot = centre;
    do {
      turn += 1;
      const distance = step * Math.sqrt(1 + turn / 6);
      const angle = away + turn * golden;
      spot = { x: centre.x + Math.cos(angle) * distance * 1.5, y: centre.y + Math.sin(angle) * distance };
    } while (turn < 4_000 && isTaken(spot, places));
    places.set(id, spot);
  }
  const edges = new Map(grown.edges.map((edge) => [keyOf(edge), edge]));
  for (const edge of answer.edges) edges.set(keyOf(edge), edge);
  return {
    nodes: [...grown.nodes, ...fresh],
    places,
    edges: [...edges.values()],
    opened: new Set([...grown.opened, middle]),
  };
}

/** The picture of a neighbourhood: opened nodes are larger. */
export function pictureOfGrown(grown: Grown, colour: (node: SymbolRef) => string, theme: Theme): Picture {
  const numbers = new Map(grown.nodes.map(({ id }, at) => [id, at]));
  const things: Thing[] = grown.nodes.map((node) => ({
    ...(grown.places.get(node.id) ?? { x: 0, y: 0 }),
    r: grown.opened.has(node.id) ? 12 : 8,
    label: visible(node.qualified_name || node.name),
    colour: colour(node),
  }));
  const lines: Line[] = grown.edges.flatMap((edge) => {
    const [source, target] = [numbers.get(edge.source), numbers.get(edge.target)];
    if (source === undefined || target === undefined) return [];
    return [{ source, target, width: edge.kind === "CALLS" ? 1.6 : 0.9, colour: theme.line }];
  });
  return { title: grown.nodes[0]?.qualified_name ?? "", things, lines, ink: theme.ink, ground: theme.ground };
}

function isTaken(spot: { x: number; y: number }, places: ReadonlyMap<number, { x: number; y: number }>): boolean {
  for (const { x, y } of places.values()) if (Math.hypot(x - spot.x, y - spot.y) < apart) return true;
  return false;
}

function keyOf({ source, target, kind }: WalkEdge): string {
  return `${source} ${target} ${kind}`;
}
