/**
 * `portolan hook`: a PreToolUse event as JSON on stdin, what the index knows about it as JSON on stdout. It runs between an
 * agent and its tools, so whatever is wrong (no index, a damaged one, strange input) ends in silence and exit code 0.
 */

import { readSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { writeAll } from "../node/output.js";
import { isOwnIndex } from "../node/own-index.js";
import { findIndex } from "../node/root.js";
import { jsonShape } from "../reading/request-limits.js";
import { visible } from "../visible.js";
import { augment } from "./augment.js";
import { openBriefly } from "./open.js";
import { patternOfCall } from "./pattern.js";

/** No call of a search tool is longer. */
const MAX_EVENT = 1024 * 1024;

/** Runs the hook, or with `augment PATTERN` prints what there is to say about a pattern. Always ends with 0. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const text = argv[0] === "hook" ? answerTo(readAll()) : about(argv.slice(1).join(" "), ".");
    if (text !== "") writeAll(`${text}\n`);
  } catch {
    // An agent's search must never fail because of us.
  }
  return 0;
}

/** The hook's answer to an event; empty where it has nothing to say. Throws on anything unexpected. */
export function answerTo(event: string): string {
  if (jsonShape(event).fault) return "";
  const {
    hook_event_name: name,
    tool_name: tool,
    tool_input: input,
    cwd,
  } = JSON.parse(event) as Record<string, unknown>;
  if (name !== "PreToolUse") return "";
  const pattern = patternOfCall(tool, input);
  if (pattern === undefined) return "";
  const additionalContext = about(pattern, placeOf(typeof cwd === "string" ? cwd : ".", input));
  if (additionalContext === "") return "";
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext } });
}

/** Where the tool looks: in `path`, if it names a folder or a file, else in the working directory. */
function placeOf(cwd: string, input: unknown): string {
  const { path } = input as { path?: unknown };
  if (typeof path !== "string" || path === "") return cwd;
  const place = resolve(cwd, path);
  const stats = statSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return cwd;
  return stats.isDirectory() ? place : dirname(place);
}

/** Asks the index of a folder, or of one above it, about a pattern. */
function about(pattern: string, folder: string): string {
  const index = findIndex(folder);
  if (index === undefined || pattern.trim() === "" || !isOwnIndex(index)) return "";
  return visible(augment(openBriefly(index), pattern));
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
