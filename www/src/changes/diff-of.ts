//! Pairs of texts as a diff of git.

import { formatPatch, structuredPatch } from "diff";

/** Texts by path; undefined where the side has no such file. */
export interface Sides {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The page can draw and answer between files: many differences take seconds. */
const restMillis = 12;

/** Texts that differ as a diff of git. */
export async function diffOf(sides: readonly Sides[]): Promise<string> {
  const patches: string[] = [];
  let since = performance.now();
  for (const side of sides) {
    patches.push(patchOf(side));
    if (performance.now() - since < restMillis) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
  return patches.join("");
}

function patchOf({ path, before, after }: Sides): string {
  const patch = structuredPatch(`a/${path}`, `b/${path}`, before ?? "", after ?? "", undefined, undefined, {
    context: 3,
  });
  if (before === undefined) return formatPatch({ ...patch, isGit: true, isCreate: true, oldFileName: "/dev/null" });
  if (after === undefined) return formatPatch({ ...patch, isGit: true, isDelete: true, newFileName: "/dev/null" });
  return formatPatch({ ...patch, isGit: true });
}
