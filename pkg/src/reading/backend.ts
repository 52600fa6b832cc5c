/** The one interface behind `CodeIndex`: an index in a worker, or in this thread. */

import type { StructuralRequest, StructuralResponse } from "../../wasm/reader.js";
import type { AbortSignal } from "../platform.js";
import type { Question, Questions } from "../rpc/protocol.js";
import type { FileChanges, FileEdits, SaveOptions, Staleness, Stored, UpdateOptions, WatchOptions } from "../types.js";

/** Where the answers come from: a worker, or this thread. */
export interface Backend {
  ask<Q extends Question>(question: Q, request: Questions[Q][0]): Promise<Questions[Q][1]>;
  highlights(path: string, text?: string): Promise<Uint32Array>;
  locals(path: string): Promise<Uint32Array>;
  structural(
    request: StructuralRequest,
    signal: AbortSignal | undefined,
    onProgress?: (done: number, total: number) => void,
  ): Promise<StructuralResponse>;
  /** The files that have changed since; absent where they are not available. */
  stale?(): Promise<Staleness | undefined>;
  save(options: SaveOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Stores the index; absent where it lives in the caller's own thread. */
  keep?(name: string): Promise<Stored>;
  /** Brings the index up to date; absent where nothing can be indexed. */
  update?(edits: FileEdits | undefined, options: UpdateOptions): Promise<FileChanges>;
  watch?(options: WatchOptions): Promise<void>;
  close(): void;
}
