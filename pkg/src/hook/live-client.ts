/** The hook's side of a question to a server that has the index open. */

import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Net from "node:net";

import { identityOf } from "../node/user-folder.js";
import { addressesOf, type LiveAnswer, type LiveRequest } from "./live.js";
import type { Found } from "./said.js";

/** A server that takes longer has other work; the hook then asks the index itself. */
const DEADLINE_MS = 100;
/** No moment has more to say: 1,000 tokens. */
const MAX_ANSWER = 64 * 1024;
/** Others have ended without a word, or are busy. */
const MAX_TRIES = 2;

/** The text of a server; nothing where none answers in time. Never rejects. */
export async function answeredThere(
  { index, file }: Found,
  request: Omit<LiveRequest, "identity">,
): Promise<string | undefined> {
  try {
    const identity = identityOf(file);
    const addresses = identity === undefined ? [] : addressesOf(index);
    const until = performance.now() + DEADLINE_MS;
    for (const address of addresses.slice(0, MAX_TRIES)) {
      const said = await answeredAt(address, JSON.stringify({ ...request, identity }), until - performance.now());
      if (said !== undefined) return said;
    }
  } catch {
    // no user folder, or one that cannot be read
  }
  return undefined;
}

function answeredAt(address: string, request: string, milliseconds: number): Promise<string | undefined> {
  if (milliseconds <= 0) return Promise.resolve(undefined);
  // Loaded where a server is: it takes some milliseconds.
  const { connect } = createRequire(import.meta.url)("node:net") as typeof Net;
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let n_bytes = 0;
    const socket = connect({ path: address, allowHalfOpen: true });
    const end = (said: string | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(said);
    };
    const timer = setTimeout(() => end(undefined), milliseconds);
    socket.on("data", (piece: Buffer) => {
      pieces.push(piece);
      n_bytes += piece.length;
      if (n_bytes > MAX_ANSWER) end(undefined);
    });
    socket.on("end", () => end(saidIn(Buffer.concat(pieces).toString("utf8"))));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // Nobody listens there any more.
      if (error.code === "ECONNREFUSED") rmSync(address, { force: true });
      end(undefined);
    });
    socket.end(request);
  });
}

function saidIn(text: string): string | undefined {
  try {
    const { said } = JSON.parse(text) as LiveAnswer;
    return typeof said === "string" ? said : undefined;
  } catch {
    return undefined; // it ended in the middle of its answer
  }
}
