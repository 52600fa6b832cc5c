/**
 * `portolan hook`: an event of an agent as JSON on stdin, what the index knows about it as JSON on stdout. It runs between an
 * agent and its tools, so whatever is wrong (no index, a damaged one, strange input) ends in silence and exit code 0.
 */

import { readSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

import { writeAll } from "../node/output.js";
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
import { type HookEvent, type Program, readEvent } from "./event.js";
import { keptText } from "./kept.js";
import { openBriefly } from "./open.js";
import { orientation } from "./orientation.js";
import { patternOfCall } from "./pattern.js";

/** No call of a search tool is longer; of an edit that is nothing is said. */
const MAX_EVENT = 1024 * 1024;
/** Larger files are not looked into for the place of an edit. */
const MAX_TEXT = 1024 * 1024;

/** Runs the hook, or with `augment PATTERN` prints what there is to say about a pattern. Always ends with 0. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const [command, ...rest] = argv;
    const text = command === "hook" ? answerTo(readAll(), rest) : about(rest.join(" "), ".");
    if (text !== "") writeAll(`${text}\n`);
  } catch {
    // An agent's search must never fail because of us.
  }
  return 0;
}

/**
 * The hook's answer to an event; empty where it has nothing to say. Throws on anything unexpected.
 *
 * @param from the program and the name of the event, where the event itself does not tell them.
 */
export function answerTo(text: string, [program, name]: readonly string[] = []): string {
  const event = readEvent(text, program as Program | undefined, name);
  const said = event === undefined ? "" : saidAt(event);
  return event === undefined || said === "" ? "" : JSON.stringify(event.answer(said));
}

function saidAt(event: HookEvent): string {
  const { moment, cwd, prompt, tool, input } = event;
  switch (moment) {
    case "session":
    case "subagent":
      return withIndex(cwd, orientation, true);
    case "prompt":
      return withIndex(cwd, (ask) => candidates(ask, prompt));
    case "edit":
      return withIndex(cwd, (ask, root) => effects(ask, editedBelow(event, root)));
    case "search": {
      const pattern = patternOfCall(tool, input);
      return pattern === undefined ? "" : about(pattern, placeOf(cwd, input));
    }
  }
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

function about(pattern: string, folder: string): string {
  return pattern.trim() === "" ? "" : withIndex(folder, (ask) => augment(ask, pattern));
}

/** Asks the index of a folder, or of one above it; `isSame` where the text depends on the index only. */
function withIndex(folder: string, say: (ask: Ask, root: string) => string, isSame = false): string {
  const index = findIndex(folder);
  if (index === undefined || !isOwnIndex(index)) return "";
  // Of an overlay only what is made already: an agent does not wait for more.
  const file = isOverlay(index) ? madeIndex(index) : index;
  if (file === undefined) return "";
  const make = () => say(openBriefly(file), rootOfIndex(index));
  return isSame ? keptText(index, make) : make();
}

/** All of stdin, as long as it is no flood. */
function readAll(): string {
  const pieces: Buffer[] = [];
  let total = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(64 * 1024);
    const n_bytes = readSome(piece);
    if (n_bytes === 0) return Buffer.concat(pieces).toString("utf8");
    total += n_bytes;
    if (total > MAX_EVENT) throw new Error("too long");
    pieces.push(piece.subarray(0, n_bytes));
  }
}

function readSome(into: Buffer): number {
  for (;;) {
    try {
      return readSync(0, into, 0, into.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      // A pipe that is not blocking and has nothing yet.
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
