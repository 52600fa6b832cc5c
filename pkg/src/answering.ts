/**
 * An index that answers in this thread: a thin layer over the wasm class, which the engine and the small reading
 * artifact both have.
 */

import { CodeIndex as ReaderIndex, initSync as initReader } from "../wasm/reader.js";
import { fromThrown, isTrap, PortolanError } from "./errors.js";
import type { Assets } from "./host.js";
import type { Question, Questions } from "./protocol.js";

/** What both artifacts' `CodeIndex` can do. */
type WasmAnswers = { [Q in Question]: Questions[Q][0] extends null ? () => Questions[Q][1] : (request: Questions[Q][0]) => Questions[Q][1] };
export interface WasmIndex extends WasmAnswers {
  /** Whether a query's meaning can be compared: there are vectors, and no model to embed queries with yet. */
  wantsModel(): boolean;
  setModel(model: Uint8Array, tokenizer: Uint8Array): void;
  save(): Uint8Array;
  free(): void;
}

/** An index as the rest of the package uses it. */
export class AnsweringIndex {
  private model: Promise<void> | undefined;

  constructor(
    readonly wasm: WasmIndex,
    private readonly assets: Assets,
  ) {}

  async ask<Q extends Question>(question: Q, request: Questions[Q][0]): Promise<Questions[Q][1]> {
    if (question === "search") await (this.model ??= this.loadModel());
    return answer(this, question, request);
  }

  /** The snapshot's bytes, a copy of their own. */
  save(): Uint8Array<ArrayBuffer> {
    return guarded(() => this.wasm.save()) as Uint8Array<ArrayBuffer>;
  }

  free(): void {
    this.wasm.free();
  }

  /** Without the model, search goes on with words and names. */
  private async loadModel(): Promise<void> {
    if (!this.wasm.wantsModel()) return;
    const files = await this.assets.model().catch(() => undefined);
    if (files) guarded(() => this.wasm.setModel(files.model, files.tokenizer));
  }
}

/** Opens a snapshot with the reading artifact. */
export async function openSnapshot(assets: Assets, bytes: Uint8Array): Promise<AnsweringIndex> {
  initReader({ module: await assets.module("reader") });
  return new AnsweringIndex(guarded(() => ReaderIndex.open(bytes)), assets);
}

/** Answers at once, without waiting for the model. */
export function answer<Q extends Question>(index: AnsweringIndex, question: Q, request: Questions[Q][0]): Questions[Q][1] {
  const method = index.wasm[question] as (request: Questions[Q][0]) => Questions[Q][1];
  return guarded(() => method.call(index.wasm, request));
}

/** Errors of the wasm side as ours; a trap leaves the instance unusable, which the message says. */
function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!isTrap(error)) throw fromThrown(error);
    const message = `the index stopped working: ${(error as Error).message}`;
    throw new PortolanError("internal.trap", message, "open the index again", { cause: error });
  }
}
