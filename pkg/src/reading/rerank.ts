/**
 * The first hits of a search in another order: by a cross-encoder, a language model, or whatever else a caller has.
 *
 * Off unless asked for: reading query and passage together costs a whole run of a model for each hit.
 */

import type { SearchRequest, SearchResponse } from "../../wasm/reader.js";
import type { Backend } from "./backend.js";
import { PortolanError } from "../errors.js";
import type { Port } from "../host.js";
import type { EmbedProtocol } from "../rpc/protocol.js";
import { Caller } from "../rpc/rpc.js";
import type { Passage, RerankModel, RerankOptions } from "../types.js";

/** Hits that are looked at again where nothing is said. */
const DEFAULT_TOP = 20;

/** Searches, then puts the first hits in the order of their scores; those beyond `top` stay where they were. */
export async function searchReranked(
  backend: Backend,
  request: SearchRequest,
  { rerank, top = DEFAULT_TOP }: RerankOptions,
  search = (asked: SearchRequest) => backend.ask("search", asked),
): Promise<SearchResponse> {
  const { offset = 0, limit = 10 } = request;
  const response = await search({
    ...request,
    offset: 0,
    limit: Math.min(200, Math.max(top, offset + limit)),
  });
  const looked = response.hits.slice(0, top);
  const passages = await Promise.all(looked.map((hit) => passageOf(backend, hit)));
  const scores = Array.from(passages.length > 0 ? await rerank(request.query, passages) : []);
  if (scores.length !== passages.length || scores.some((score) => typeof score !== "number" || Number.isNaN(score))) {
    throw new PortolanError(
      "rerank.scores",
      `${scores.length} scores for ${passages.length} passages, or one that is no number`,
      "the function gives one number for each passage, higher where it fits better",
    );
  }
  const order = looked.map((hit, place) => ({ hit, score: Number(scores[place]) }));
  order.sort((one, other) => other.score - one.score); // stable: equal scores keep their order
  const hits = [...order.map(({ hit }) => hit), ...response.hits.slice(top)];
  return { ...response, hits: hits.slice(offset, offset + limit) };
}

async function passageOf(
  backend: Backend,
  { path, start_line, end_line, symbol }: SearchResponse["hits"][number],
): Promise<Passage> {
  const { text } = await backend.ask("file_text", { path });
  const lines = text.split("\n").slice(start_line - 1, end_line);
  return { path, start_line, end_line, ...(symbol ? { symbol } : {}), text: lines.join("\n") };
}

/** A cross-encoder that runs in a worker of its own. */
export class CrossEncoder {
  private constructor(
    /** The model's name. */
    readonly name: string,
    private readonly caller: Caller<EmbedProtocol>,
  ) {}

  static async start(port: Port, model: RerankModel): Promise<CrossEncoder> {
    const caller = new Caller<EmbedProtocol>(port);
    try {
      const { name } = await caller.call("startScoring", model);
      return new CrossEncoder(name, caller);
    } catch (error) {
      caller.close();
      throw error;
    }
  }

  /** Give it as `rerank`. A passage is read with its path before it. */
  readonly score = (query: string, passages: readonly Passage[]): Promise<Float32Array> => {
    const encoded = passages.map(({ path, text }) => new TextEncoder().encode(`${path}\n${text}`));
    const ends = new Uint32Array(encoded.length);
    const texts = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    encoded.forEach((bytes, place) => {
      texts.set(bytes, at);
      ends[place] = at += bytes.length;
    });
    return this.caller.call("score", { query, texts, ends }, { transfer: [texts.buffer, ends.buffer] });
  };

  /** Ends the worker. */
  close(): void {
    this.caller.close();
  }
}
