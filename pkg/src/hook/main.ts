/**
 * `portolan hook`: an event of an agent as JSON on stdin, what the index knows about it as JSON on stdout. It runs between an
 * agent and its tools, so whatever is wrong (no index, a damaged one, strange input) ends in silence and exit code 0.
 *
 * A server that runs beside the agent has the index open and answers in a few milliseconds; where there is none, the index is opened here.
 */

import { readSync } from "node:fs";
import { resolve } from "node:path";

import { writeAll } from "../node/output.js";
import { MAX_EVENT, type Program, readEvent } from "./event.js";
import { keptText } from "./kept.js";
import { answeredThere } from "./live-client.js";
import { openBriefly } from "./open.js";
import { askedAbout, askedAt, foundFor } from "./said.js";

/** Runs the hook, or with `augment PATTERN` prints what there is to say about a pattern. Always ends with 0. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const [command, ...rest] = argv;
    const text = command === "hook" ? await answerTo(readAll(), rest) : about(rest.join(" "));
    if (text !== "") writeAll(`${text}\n`);
  } catch {
    // An agent's search must never fail because of us.
  }
  return 0;
}

/**
 * The hook's answer to an event; empty where it has nothing to say. Rejects on anything unexpected.
 *
 * @param operands the program and the name of the event, where the event itself does not tell them.
 */
async function answerTo(text: string, operands: readonly string[]): Promise<string> {
  const [program, name] = operands;
  const event = readEvent(text, program as Program | undefined, name);
  const asked = event && askedAt({ ...event, cwd: resolve(event.cwd) });
  const found = asked && foundFor(asked.folder);
  if (!event || !asked || !found) return "";
  const make = async () => {
    const there = await answeredThere(found, { text, operands, cwd: process.cwd() });
    return there ?? asked.say(openBriefly(found.file), found.root);
  };
  const said = asked.isSame ? await keptText(found.index, make) : await make();
  return said === "" ? "" : JSON.stringify(event.answer(said));
}

function about(pattern: string): string {
  const asked = askedAbout(pattern, ".");
  const found = asked && foundFor(asked.folder);
  return asked && found ? asked.say(openBriefly(found.file), found.root) : "";
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
