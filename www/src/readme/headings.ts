//! Orders of a document's headings below those of the page.

const DEEPEST = 6;

/**
 * Returns the order of each heading of a document whose first one comes below a heading of order `above`. Documents skip orders, and
 * begin with any; here each heading is at most one order below the one before.
 */
export function headingLevels(levels: readonly number[], above: number): number[] {
  const open: number[] = [];
  return levels.map((level) => {
    while (open.length > 0 && (open.at(-1) ?? 0) >= level) open.pop();
    open.push(level);
    return Math.min(DEEPEST, above + open.length);
  });
}
