//! Squarified treemap (Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000): folders and files as nested boxes whose areas are
//! their lines.

/** A file that a treemap shows. */
export interface Leaf {
  readonly path: string;
  readonly size: number;
}

/** A box; a folder's `at` is -1. */
export interface Box {
  readonly path: string;
  /** The last part of the path; of folders with one entry the parts that were joined. */
  readonly name: string;
  /** Place of the file in the list. */
  readonly at: number;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** Folders around it that are shown. */
  readonly depth: number;
  /** Files in it. */
  readonly count: number;
}

interface Node {
  name: string;
  path: string;
  at: number;
  size: number;
  count: number;
  children: Map<string, Node>;
}

interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Room for a folder's name, and around its contents. */
export const heading = 18;
const padding = 3;
/** Boxes with shorter sides are not drawn: their folder shows that they are there. */
const least = 3;

/** The boxes of the files below a folder (`""` for all), folders before their contents. */
export function treemap(leaves: readonly Leaf[], folder: string, width: number, height: number): Box[] {
  const root = treeOf(leaves, folder);
  const boxes: Box[] = [];
  const open: { node: Node; place: Place; depth: number }[] = [
    { node: root, place: { x: 0, y: 0, w: width, h: height }, depth: 0 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, place, depth } = next;
    if (node !== root)
      boxes.push({ path: node.path, name: node.name, at: node.at, ...place, depth, count: node.count });
    const inner = node === root ? place : insideOf(place);
    if (node.children.size === 0 || inner.w < least * 2 || inner.h < least * 2) continue;
    const children = [...node.children.values()].map(joined);
    children.sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1));
    const places = squarify(
      children.map(({ size }) => size),
      inner,
    );
    for (const [at, child] of children.entries()) {
      const taken = places[at];
      if (taken && taken.w >= least && taken.h >= least) open.push({ node: child, place: taken, depth: depth + 1 });
    }
  }
  return boxes.sort((a, b) => a.depth - b.depth);
}

/** Places for sizes in descending order, which fill a box in rows that are as square as possible. */
export function squarify(sizes: readonly number[], { x, y, w, h }: Place): Place[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const scale = total > 0 ? (w * h) / total : 0;
  const places: Place[] = [];
  let start = 0;
  while (start < sizes.length) {
    const side = Math.min(w, h);
    let end = start;
    let sum = 0;
    let worst = Number.POSITIVE_INFINITY;
    while (end < sizes.length) {
      const area = sum + (sizes[end] ?? 0) * scale;
      const ratio = worstRatio((sizes[start] ?? 0) * scale, (sizes[end] ?? 0) * scale, area, side);
      if (ratio > worst) break;
      worst = ratio;
      sum = area;
      end += 1;
    }
    if (end === start) end += 1;
    const thick = side > 0 ? sum / side : 0;
    let along = 0;
    for (let at = start; at < end; at += 1) {
      const length = thick > 0 ? ((sizes[at] ?? 0) * scale) / thick : 0;
      places.push(w >= h ? { x, y: y + along, w: thick, h: length } : { x: x + along, y, w: length, h: thick });
      along += length;
    }
    if (w >= h) {
      x += thick;
      w = Math.max(0, w - thick);
    } else {
      y += thick;
      h = Math.max(0, h - thick);
    }
    start = end;
  }
  return places;
}

/** The worst ratio of sides in a row of this area, by its largest and its smallest box. */
function worstRatio(largest: number, smallest: number, area: number, side: number): number {
  if (area === 0 || smallest === 0 || side === 0) return Number.POSITIVE_INFINITY;
  const square = (side * side) / (area * area);
  return Math.max(square * largest, 1 / (square * smallest));
}

function insideOf({ x, y, w, h }: Place): Place {
  const top = h > heading * 2 ? heading : padding;
  return { x: x + padding, y: y + top, w: Math.max(0, w - 2 * padding), h: Math.max(0, h - top - padding) };
}

function treeOf(leaves: readonly Leaf[], folder: string): Node {
  const root: Node = { name: "", path: folder, at: -1, size: 0, count: 0, children: new Map() };
  const start = folder === "" ? "" : `${folder}/`;
  for (const [at, { path, size }] of leaves.entries()) {
    if (!path.startsWith(start)) continue;
    const parts = path.slice(start.length).split("/");
    // A file without lines is there, too.
    const weight = Math.max(1, size);
    let node = root;
    for (const [depth, name] of parts.entries()) {
      node.size += weight;
      node.count += 1;
      let child = node.children.get(name);
      if (!child) {
        child = {
          name,
          path: start + parts.slice(0, depth + 1).join("/"),
          at: -1,
          size: 0,
          count: 0,
          children: new Map(),
        };
        node.children.set(name, child);
      }
      node = child;
    }
    node.size += weight;
    node.count += 1;
    node.at = at;
  }
  return root;
}

/** A folder with nothing but a folder in it, as one. */
function joined(node: Node): Node {
  let [only, ...others] = node.children.values();
  let result = node;
  while (only && others.length === 0 && only.at < 0) {
    result = { ...only, name: `${result.name}/${only.name}` };
    [only, ...others] = only.children.values();
  }
  return result;
}
