//! The outline of a file as a tree.

import type { OutlineEntry, Symbol as Definition } from "portolan";
import type { TreeNode } from "../controls/rows.ts";

export interface OutlineNode extends TreeNode {
  readonly children: OutlineNode[];
  branch: boolean;
  readonly symbol: Definition;
}

/** Roots in source order. An entry whose parent is not there is a root. */
export function outlineTree(entries: readonly OutlineEntry[]): OutlineNode[] {
  const nodes = entries.map(
    ({ symbol }, index): OutlineNode => ({ id: String(index), name: symbol.name, branch: false, children: [], symbol }),
  );
  const roots: OutlineNode[] = [];
  entries.forEach(({ parent }, index) => {
    const node = nodes[index] as OutlineNode;
    // Parents come before their children, so a chain of parents always ends.
    const above = typeof parent === "number" && parent < index ? nodes[parent] : undefined;
    (above ? above.children : roots).push(node);
    if (above) above.branch = true;
  });
  return roots;
}

/** Id of the innermost entry around a line (1-based); empty if there is none. */
export function innermost(entries: readonly OutlineEntry[], line: number): string {
  let found = "";
  let size = Number.POSITIVE_INFINITY;
  entries.forEach(({ symbol }, index) => {
    const lines = symbol.end_line - symbol.start_line;
    if (symbol.start_line <= line && line <= symbol.end_line && lines <= size) {
      found = String(index);
      size = lines;
    }
  });
  return found;
}
