/** The index that questions go to. It outlives the runs that make and replace it. */

import type { CodeIndex } from "../../wasm/engine.js";
import { engineInstance } from "../engine/engine-instance.js";
import { fromThrown, isAbort, isOfEarlierInstance, isTrap, PortolanError, toBody } from "../errors.js";
import type { UserGrammars } from "../grammars/user-grammars.js";
import type { SessionHost } from "../host.js";
import { AnsweringIndex } from "../reading/answering.js";
import { ParserTools } from "../reading/parser-tools.js";
import type { IndexEvent } from "../rpc/protocol.js";
import type { EmbeddingModel } from "../types.js";
import { withModel } from "./own-model.js";
import { addNeighbours } from "./vector-graph.js";

export type Emit = (event: IndexEvent) => void;

export class CurrentIndex {
  private index: AnsweringIndex | undefined;
  private parserTools: ParserTools;
  private modelHost: SessionHost;
  /** Aborted when another index takes the place of this one. */
  private lifetime = new AbortController();
  private waiting: (() => void)[] = [];

  constructor(private readonly given: SessionHost) {
    this.modelHost = given;
    this.parserTools = new ParserTools(given);
  }

  /** The host, with the caller's model. */
  get host(): SessionHost {
    return this.modelHost;
  }

  /** Highlighting and structural search, with the languages that the index was made with. */
  get tools(): ParserTools {
    return this.parserTools;
  }

  /** Whether the engine stopped and the index went with it. */
  get isGone(): boolean {
    return this.index?.isGone === true;
  }

  /** Throws `index.closed` where there is none. */
  get(): AnsweringIndex {
    if (!this.index) throw new PortolanError("index.closed", "nothing is indexed or opened yet");
    return this.index;
  }

  /** Sets the model of indexes that are made or opened from now on. */
  useModel(model: EmbeddingModel | undefined): void {
    this.modelHost.assets.own?.close();
    this.modelHost = withModel(this.given, model);
  }

  useTools(tools: ParserTools): void {
    this.parserTools.close();
    this.parserTools = tools;
  }

  useGrammars(grammars?: UserGrammars): void {
    this.parserTools.close();
    this.parserTools = new ParserTools(this.host, grammars);
  }

  /** Answers from this index from now on, and frees the one before. */
  replace(index: CodeIndex | AnsweringIndex): void {
    this.lifetime.abort();
    this.lifetime = new AbortController();
    const old = this.index;
    const instance = engineInstance;
    this.index = index instanceof AnsweringIndex ? index : new AnsweringIndex(index, this.host.assets, { instance });
    old?.free();
    this.wake();
  }

  /** Resolves when there is another index, or at `wake`. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Replaces the index by the one that has vectors. Without them search continues with words and names, with a warning. */
  async addVectors(compute: () => Promise<CodeIndex | undefined>, emit: Emit, onStop: () => void): Promise<void> {
    try {
      const index = await compute();
      if (!index) return;
      this.replace(index);
      emit({ type: "vectors" });
    } catch (error) {
      if (isAbort(error)) throw error;
      const caught = engineInstance.caught(error, "to take vectors in");
      // Everything else went with the engine. It is made again, without what stopped it.
      if (isTrap(error)) {
        if (!isOfEarlierInstance(error)) onStop();
        throw caught;
      }
      const reason = fromThrown(error).message;
      const body = new PortolanError(
        "embedding.failed",
        `no vectors: ${reason}`,
        "search goes on with words and names",
      );
      emit({ type: "warning", warning: toBody(body) });
    }
  }

  /** Has queries by meaning follow a graph instead of looking at every vector. Whether the index has a graph now that it had not. */
  async addGraph(approximate: boolean | undefined, signal: AbortSignal, emit: Emit): Promise<boolean> {
    try {
      return await addNeighbours(this.host, this.get(), approximate === true, signal);
    } catch (error) {
      if (isAbort(error)) throw error;
      const reason = fromThrown(error).message;
      const body = new PortolanError(
        "approximate.failed",
        `no graph over the vectors: ${reason}`,
        "search looks at every vector instead",
      );
      emit({ type: "warning", warning: toBody(body) });
      return false;
    }
  }

  /** As `addGraph`, in the background and only as long as the index is this one; then calls `onAdded`. */
  addGraphLater(approximate: boolean | undefined, emit: Emit, onAdded: () => Promise<void>): void {
    const { signal } = this.lifetime;
    if (approximate === false) return;
    const add = async () => {
      if (await this.addGraph(approximate, signal, emit)) await onAdded();
    };
    void add().catch(() => {}); // only where the index was replaced
  }

  close(): void {
    this.lifetime.abort();
    this.parserTools.close();
    this.index?.close();
    this.index = undefined;
  }
}
