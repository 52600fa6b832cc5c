/**
 * Answers hooks from an index that stays open: the same text as a hook makes by itself. Runs in a thread of `portolan mcp`, so that neither waits for the
 * other.
 */

import { rmSync, unwatchFile, watchFile } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { resolve } from "node:path";

import { jsonShape } from "../reading/request-limits.js";
import { identityOf } from "../node/user-folder.js";
import type { CommunitiesResponse } from "../answers.js";
import { asked, type Ask } from "./ask.js";
import { type Program, readEvent, recordOf, textOf } from "./event.js";
import { addressFor, type LiveAnswer, MAX_REQUEST } from "./live.js";
import { openIndex, type OpenIndex } from "./open.js";
import { askedAt, foundFor, type Found } from "./said.js";

/** Hooks of one user; more at once are refused. */
const MAX_SOCKETS = 16;
/** A hook that has not asked by then never will. */
const SILENT_MS = 2_000;
/** A new index is noticed so long after it was written. */
const LOOK_MS = 2_000;

/** Listens for hooks of the index at `index`, which need not exist yet; resolves when it does. `onLost` is called where the engine has stopped. */
export async function serveHooks(index: string, root: string, onLost: () => void): Promise<{ close(): void }> {
  const address = addressFor(index, root);
  if (address === undefined) return { close() {} };
  const kept = new KeptOpen();
  const look = () => {
    if (identityOf(index) !== undefined) attempt(() => kept.openFor(root), onLost);
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, kept, onLost));
  server.maxConnections = MAX_SOCKETS;
  server.on("error", onLost);
  await listening(server, address);
  watchFile(index, { interval: LOOK_MS }, look);
  look();
  return {
    close() {
      unwatchFile(index, look);
      server.close();
      rmSync(address, { force: true });
    },
  };
}

function listening(server: Server, address: string): Promise<void> {
  // A process of the same number may have left its own.
  rmSync(address, { force: true });
  return new Promise((resolve) => server.listen(address, resolve));
}

/** The index that is open, and what it was opened from. */
class KeptOpen {
  private opened: { readonly index: OpenIndex; readonly identity: string } | undefined;

  /** The open index of a file; of another one, or where it was replaced, that is opened in its place and read once. */
  ask(file: string, identity: string): Ask {
    if (this.opened?.identity === identity) return this.opened.index.ask;
    this.opened?.index.close();
    this.opened = undefined;
    const index = openIndex(file);
    this.opened = { index, identity };
    warm(index.ask);
    return index.ask;
  }

  openFor(folder: string): void {
    const found = foundFor(folder);
    const identity = found && identityOf(found.file);
    if (found && identity !== undefined) this.ask(found.file, identity);
  }
}

/** Asks once what hooks ask, so that the sections are read and the functions compiled before one waits for them. */
function warm(ask: Ask): void {
  const text = "where is the main entry point, and which function does it call?";
  asked(ask, "locate", { text, code: false });
  asked(ask, "search", { query: "main", mode: "lexical" });
  asked(ask, "find", { symbol: "main", fuzzy: true });
  const { communities } = asked<CommunitiesResponse>(ask, "communities", { limit: 1 }) ?? { communities: [] };
  for (const { path, qualified_name } of communities.flatMap(({ central }) => central).slice(0, 1)) {
    const symbol = `${path}#${qualified_name}`;
    asked(ask, "outline", { path });
    asked(ask, "context", { symbol });
    asked(ask, "impact", { symbol });
  }
}

function serve(socket: Socket, kept: KeptOpen, onLost: () => void): void {
  const pieces: Buffer[] = [];
  let n_bytes = 0;
  socket.setTimeout(SILENT_MS, () => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.on("data", (piece: Buffer) => {
    n_bytes += piece.length;
    if (n_bytes > MAX_REQUEST) socket.destroy();
    else pieces.push(piece);
  });
  socket.on("end", () => {
    const said = attempt(() => saidTo(Buffer.concat(pieces).toString("utf8"), kept), onLost);
    const answer: LiveAnswer = said === undefined ? {} : { said };
    socket.end(JSON.stringify(answer));
  });
}

/** The text for a request; nothing where the hook sees another index than is seen here. */
function saidTo(request: string, kept: KeptOpen): string | undefined {
  if (jsonShape(request).fault) return undefined;
  const { text, operands, cwd, identity } = recordOf(JSON.parse(request));
  const [program, name] = Array.isArray(operands) ? operands.map(textOf) : [];
  const event = readEvent(textOf(text), program as Program | undefined, name);
  const question = event && askedAt({ ...event, cwd: resolve(textOf(cwd), event.cwd) });
  const found: Found | undefined = question && foundFor(question.folder);
  if (!question || !found || identity === undefined || identityOf(found.file) !== identity) return undefined;
  return question.say(kept.ask(found.file, textOf(identity)), found.root);
}

/** Whatever goes wrong, the hook asks the index itself. An engine that stopped is of no more use. */
function attempt<T>(run: () => T, onLost: () => void): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) onLost();
    return undefined;
  }
}
