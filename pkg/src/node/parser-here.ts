/** A parser in this thread: nothing has to come up for it, and nothing travels. */

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

import type { Port } from "../host.js";
import { besideThis } from "./place.js";

/** Batches for it are small: what takes so long hangs. */
const TIMEOUT_MS = 10_000;

/**
 * Another one each time, with an engine of its own: after a trap or a hang that is of no use any more. Nothing but its port holds it, so
 * that its memory goes when that is closed.
 */
export function parserHere(timeoutMs = TIMEOUT_MS): Port {
  const require = createRequire(besideThis("./"));
  const path = fileURLToPath(besideThis("./parse.cjs"));
  const { parseAt } = require(path) as { parseAt(port: Port): void };
  delete require.cache[path];
  let answering: ((message: unknown) => void) | undefined;
  let onAnswer: (message: unknown) => void = () => {};
  let onFailure: (error: Error) => void = () => {};
  const later = (deliver: () => void) => void setImmediate(() => answering && deliver());
  parseAt({
    post: (message) => later(() => onAnswer(message)),
    listen(onMessage) {
      answering = onMessage;
    },
    onFailure: () => {},
    awaiting: () => {},
    close: () => {},
    shares: true,
  });
  return {
    post: (message) => later(() => inTime(timeoutMs, () => answering?.(message), onFailure)),
    listen(onMessage) {
      onAnswer = onMessage;
    },
    onFailure(handler) {
      onFailure = handler;
    },
    awaiting: () => {},
    close() {
      answering = undefined;
    },
  };
}

const UNDER_WAY = Symbol.for("portolan.under-way");
/** Only a script can be stopped from outside, so a script is what calls. */
const CALL = `globalThis[Symbol.for(${JSON.stringify(Symbol.keyFor(UNDER_WAY))})]()`;
let script: Script | undefined;

/** Calls, for so long at most. */
function inTime(timeout: number, call: () => void, onFailure: (error: Error) => void): void {
  const shared = globalThis as { [UNDER_WAY]?: () => void };
  shared[UNDER_WAY] = call;
  try {
    script ??= new Script(CALL);
    script.runInThisContext({ timeout });
  } catch (error) {
    onFailure(error as Error);
  } finally {
    delete shared[UNDER_WAY];
  }
}
