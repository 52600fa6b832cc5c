//! A tree as the rows that are seen, and what the keys of the keyboard do on it. Follows Windows Explorer: right opens, then
//! enters; left closes, then leaves.

export interface TreeNode {
  readonly id: string;
  readonly name: string;
  /** Whether it can be opened; its children are not asked for before it is. */
  readonly branch: boolean;
  readonly children: readonly TreeNode[];
}

export interface Row<N extends TreeNode> {
  readonly node: N;
  /** 1-based, as `aria-level` counts. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Undefined for a leaf. */
  readonly expanded: boolean | undefined;
}

/** The rows from top to bottom; children of closed nodes are left out. */
export function visibleRows<N extends TreeNode>(roots: readonly N[], isOpen: (node: N) => boolean): Row<N>[] {
  const rows: Row<N>[] = [];
  const pending: { node: N; level: number; position: number; siblings: number }[] = [];
  const push = (nodes: readonly N[], level: number) => {
    for (let at = nodes.length - 1; at >= 0; at -= 1)
      pending.push({ node: nodes[at] as N, level, position: at + 1, siblings: nodes.length });
  };
  push(roots, 1);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const expanded = next.node.branch ? isOpen(next.node) : undefined;
    rows.push({ ...next, expanded });
    if (expanded) push(next.node.children as readonly N[], next.level + 1);
  }
  return rows;
}

/** The effect of a key: move to a row, open or close the active one, or choose it. */
export type Action = { to: number } | { toggle: number } | { choose: number };

/** Returns the action of a key at row `at`; null for other keys. */
export function actionOf<N extends TreeNode>(
  rows: readonly Row<N>[],
  at: number,
  key: string,
  page: number,
): Action | null {
  const row = rows[at];
  const last = rows.length - 1;
  if (!row)
    return rows.length > 0 && (key === "ArrowDown" || key === "ArrowUp" || key === "Home" || key === "End")
      ? { to: key === "ArrowUp" || key === "End" ? last : 0 }
      : null;
  switch (key) {
    case "ArrowDown":
      return { to: Math.min(last, at + 1) };
    case "ArrowUp":
      return { to: Math.max(0, at - 1) };
    case "PageDown":
      return { to: Math.min(last, at + page) };
    case "PageUp":
      return { to: Math.max(0, at - page) };
    case "Home":
      return { to: 0 };
    case "End":
      return { to: last };
    case "ArrowRight":
      return row.expanded === undefined ? null : row.expanded ? { to: at + 1 } : { toggle: at };
    case "ArrowLeft":
      return row.expanded ? { toggle: at } : { to: parentOf(rows, at) };
    case "Enter":
    case " ":
      return { choose: at };
    default:
      return null;
  }
}

function parentOf<N extends TreeNode>(rows: readonly Row<N>[], at: number): number {
  const level = rows[at]?.level ?? 1;
  for (let above = at - 1; above >= 0; above -= 1) if ((rows[above]?.level ?? level) < level) return above;
  return at;
}

/** The next row after `at` whose name starts with the typed letters, going round; -1 if there is none. */
export function typeAhead<N extends TreeNode>(rows: readonly Row<N>[], at: number, letters: string): number {
  const wanted = letters.toLowerCase();
  // One letter steps on to the next; more letters may still mean the row stood on.
  const first = wanted.length === 1 ? 1 : 0;
  for (let offset = first; offset <= rows.length; offset += 1) {
    const index = (Math.max(0, at) + offset) % rows.length;
    if (rows[index]?.node.name.toLowerCase().startsWith(wanted)) return index;
  }
  return -1;
}
