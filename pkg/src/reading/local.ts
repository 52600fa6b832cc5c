/** An index in this thread, as a backend: for Node and Workers, where a question takes a millisecond or two. */

import { openSnapshot, type AnsweringIndex } from "./answering.js";
import type { Backend } from "./backend.js";
import { PortolanError } from "../errors.js";
import type { Assets, PieceFile } from "../host.js";
import { protects } from "../storage/encrypted.js";
import type { OpenLimits } from "../types.js";
import type { ParserTools } from "./parser-tools.js";

/** Opens a snapshot on a server, of which only what questions read is fetched. */
export async function openRemoteLocal(
  assets: Assets,
  url: string,
  parserTools?: (index: AnsweringIndex) => ParserTools,
  limits?: OpenLimits,
): Promise<{ backend: Backend; name: string }> {
  const { openAddress } = await import("./remote.js");
  const { index, name } = await openAddress(assets, url, undefined, undefined, limits);
  return { backend: backendOf(index, assets, parserTools?.(index)), name };
}

/** Opens a snapshot here. Colours and structural search need a parser; a host without one says so. */
export async function openLocal(
  assets: Assets,
  snapshot: Uint8Array | PieceFile,
  parserTools?: (index: AnsweringIndex) => ParserTools,
  limits?: OpenLimits,
): Promise<{ backend: Backend; name: string }> {
  const index = await openSnapshot(assets, snapshot, limits);
  return { backend: backendOf(index, assets, parserTools?.(index)), name: index.name() };
}

function backendOf(index: AnsweringIndex, assets: Assets, tools: ParserTools | undefined): Backend {
  const parser = (): ParserTools => {
    if (!tools) throw new PortolanError("host.unsupported", "there is no parser here", "ask in a page or in Node");
    return tools;
  };
  return {
    ask: (question, request) => index.ask(question, request),
    highlights: async (path, text) => {
      if (text === undefined) await index.prepareText(path);
      return parser().highlights(index, path, text);
    },
    locals: async (path) => {
      await index.prepareText(path);
      return parser().locals(index, path);
    },
    structural: async (request, signal, onProgress) => parser().structural(index, request, signal, onProgress),
    async save({ signal, onPhase, ...how }) {
      signal?.throwIfAborted();
      return protects(how)
        ? (await import("../storage/encryption.js")).protect(assets, index.save(), how, onPhase)
        : index.save();
    },
    close() {
      tools?.close();
      index.close();
    },
  };
}
