/** From an event to the question that it puts to an index, and to the text that an agent reads. */

import { statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

import { madeIndex } from "../node/made-index.js";
import { isOverlay } from "../node/overlay-file.js";
import { isOwnIndex } from "../node/own-index.js";
import { findIndex, rootOfIndex } from "../node/root.js";
import { textBelow } from "../node/text-below.js";
import type { Ask } from "./ask.js";
import { augment } from "./augment.js";
import { candidates } from "./candidates.js";
import { editsOf, type Edited } from "./edits.js";
import { effects } from "./effects.js";
import type { HookEvent } from "./event.js";
import { orientation } from "./orientation.js";
import { patternOfCall } from "./pattern.js";

/** Larger files are not looked into for the place of an edit. */
const MAX_TEXT = 1024 * 1024;

/** A question to the index of a folder. */
export interface Asked {
  readonly folder: string;
  /** Whether the text depends on the index only. */
  readonly isSame: boolean;
  say(ask: Ask, root: string): string;
}

/** An index that was made here. */
export interface Found {
  readonly index: string;
  /** The file to open: of an overlay the whole index that was made of it. */
  readonly file: string;
  /** The folder that it is of. */
  readonly root: string;
}

/** The question of an event; nothing where it asks nothing. */
export function askedAt(event: HookEvent): Asked | undefined {
  const { moment, cwd: folder, prompt, tool, input } = event;
  switch (moment) {
    case "session":
    case "subagent":
      return { folder, isSame: true, say: orientation };
    case "prompt":
      return { folder, isSame: false, say: (ask) => candidates(ask, prompt) };
    case "edit":
      return { folder, isSame: false, say: (ask, root) => effects(ask, editedBelow(event, root)) };
    case "search": {
      const pattern = patternOfCall(tool, input);
      return pattern === undefined ? undefined : askedAbout(pattern, placeOf(folder, input));
    }
  }
}

/** The question about a pattern. */
export function askedAbout(pattern: string, folder: string): Asked | undefined {
  return pattern.trim() === "" ? undefined : { folder, isSame: false, say: (ask) => augment(ask, pattern) };
}

/** The index of a folder, or of one above it. */
export function foundFor(folder: string): Found | undefined {
  const index = findIndex(folder);
  if (index === undefined || !isOwnIndex(index)) return undefined;
  // Of an overlay only what is made already: an agent does not wait for more.
  const file = isOverlay(index) ? madeIndex(index) : index;
  return file === undefined ? undefined : { index, file, root: rootOfIndex(index) };
}

/** The files that were edited, by their paths in the index; those outside are nobody's here. */
function editedBelow(event: HookEvent, root: string): Edited[] {
  const inside = (path: string) => {
    const way = relative(root, resolve(event.cwd, path));
    return way === "" || way.startsWith("..") || isAbsolute(way) ? undefined : way.split(sep).join("/");
  };
  const now = (path: string) => {
    const below = inside(path);
    return below === undefined ? undefined : textBelow(root, below, MAX_TEXT);
  };
  return editsOf(event, now).flatMap(({ path, lines }) => {
    const below = inside(path);
    return below === undefined ? [] : [{ path: below, lines }];
  });
}

/** Where the tool looks: in `path`, if it names a folder or a file, else in the working directory. */
function placeOf(cwd: string, { path }: Record<string, unknown>): string {
  if (typeof path !== "string" || path === "") return cwd;
  const place = resolve(cwd, path);
  const stats = statSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return cwd;
  return stats.isDirectory() ? place : dirname(place);
}
