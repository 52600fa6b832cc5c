/**
 * An index that answers in this thread: a thin layer over the wasm class, which the engine and the small reading
 * artifact both have.
 */

import * as reader from "../../wasm/reader.js";
import type { StructuralFiles, StructuralFilesRequest, UserLanguageEntry } from "../../wasm/reader.js";
import { fromThrown, PortolanError } from "../errors.js";
import type { Assets, OwnModel, PieceFile, WriteSnapshot } from "../host.js";
import { Instance, type Glue } from "../engine/instance.js";
import type { Question, Questions } from "../rpc/protocol.js";
import { Reopening, shownQuestion, type Origin } from "../engine/reopening.js";
import { besideOf } from "./beside.js";
import { bundledIndex } from "../storage/bundled-index.js";
import { plainRequest } from "./request-limits.js";
import type { OpenLimits } from "../types.js";

/** The reading artifact's instance in this thread. */
export const readerInstance = new Instance({
  initSync: (input) => reader.initSync(input),
  restart: (reader as Partial<Glue>).restart,
  restarted: (reader as Partial<Glue>).restarted,
});

/** The methods that both artifacts' `CodeIndex` has. */
export interface WasmIndex {
  /** A tool by its name: see `Tools`. */
  ask(tool: string, request: unknown): unknown;
  edges(): Questions["edges"][1];
  /** Whether this tool could compare meanings: there are vectors, and no model to embed queries with yet. */
  wantsModel(tool: string): boolean;
  setModel(model: Uint8Array, tokenizer: Uint8Array): void;
  /** The same, where `read` gives pieces of the model's file of `n_bytes`. */
  setModelRows?(lookup: Uint8Array, n_bytes: number, read: (start: number, end: number) => Uint8Array): void;
  /** The vector of a text that is asked about next. */
  setVector(text: string, vector: Float32Array, model: string): void;
  /** The snapshot's file: see `WriteSnapshot`. */
  saveTo(give: Parameters<WriteSnapshot>[0]): void;
  /** Whether a graph over the vectors would pay; `always`: whether there can be one. */
  wantsNeighbours(always: boolean): boolean;
  /** Returns the vectors that the graph is built of: rows of `nNumbers()` numbers. */
  vectorRows(): Int8Array;
  nNumbers(): number;
  setNeighbours(numbers: Uint32Array): void;
  /** Which files a structural search has to look at. */
  structuralFiles(request: StructuralFilesRequest): StructuralFiles;
  /** The user's languages when the index was made. */
  userLanguages(): UserLanguageEntry[];
  /** Returns the name of the index. */
  name(): string;
  save(): Uint8Array;
  free(): void;
}

/** An index as the rest of the package uses it. Where a question stops the engine, the next one finds the index opened again. */
export class AnsweringIndex {
  private readonly reopening: Reopening<WasmIndex>;
  private model: { readonly loading: Promise<void>; readonly instance: number } | undefined;

  /** @param whole the file it was opened of, where saving would lose some of it. */
  constructor(
    wasm: WasmIndex,
    private readonly assets: Assets,
    private readonly origin: Origin<WasmIndex>,
    private readonly whole?: () => Uint8Array,
  ) {
    this.reopening = new Reopening(wasm, origin);
  }

  /** The wasm class, opened again if its instance was replaced. For calls other than questions. */
  get wasm(): WasmIndex {
    return this.reopening.get();
  }

  /** Whether it went with its instance, and only its owner can make it again. */
  get isGone(): boolean {
    return this.reopening.isLost && !this.origin.reopen;
  }

  async ask<Q extends Question>(question: Q, request: Questions[Q][0]): Promise<Questions[Q][1]> {
    checkTool(question);
    const asked = plainRequest(request) as Questions[Q][0];
    if (this.run(question, (wasm) => wasm.wantsModel(question)))
      await (this.assets.own ? this.embed(asked, this.assets.own) : this.loadedModel());
    return this.answer(question, asked);
  }

  /** Answers at once, without waiting for the model. The request is plain and within its limits. */
  answer<Q extends Question>(question: Q, request: Questions[Q][0]): Questions[Q][1] {
    const ask = (wasm: WasmIndex) => (question === "edges" ? wasm.edges() : wasm.ask(question, request));
    return this.run(() => shownQuestion(question, request), ask) as Questions[Q][1];
  }

  /** Calls the wasm class; its errors become ours. A trap costs this call only. */
  run<T>(what: string | (() => string), call: (wasm: WasmIndex) => T): T {
    try {
      return this.reopening.call(() => (typeof what === "string" ? what : what()), call);
    } catch (error) {
      throw fromThrown(error);
    }
  }

  /** The snapshot's bytes, a copy of their own. */
  save(): Uint8Array<ArrayBuffer> {
    return this.whole
      ? (this.whole() as Uint8Array<ArrayBuffer>)
      : (this.run("save", (wasm) => wasm.save()) as Uint8Array<ArrayBuffer>);
  }

  /** The snapshot's bytes, piece by piece: see `WriteSnapshot`. */
  saveTo(give: Parameters<WriteSnapshot>[0]): void {
    if (this.whole) give(0, this.whole() as Uint8Array<ArrayBuffer>);
    else this.run("save", (wasm) => wasm.saveTo(give));
  }

  structuralFiles(request: StructuralFilesRequest): StructuralFiles {
    return this.run("structural", (wasm) => wasm.structuralFiles(request));
  }

  userLanguages(): UserLanguageEntry[] {
    return this.run("status", (wasm) => wasm.userLanguages());
  }

  /** Returns the name of the index. */
  name(): string {
    return this.run("status", (wasm) => wasm.name());
  }

  /** Loads the text of a file, if it has to be fetched. */
  async prepareText(_path: string): Promise<void> {}

  /** A file's text. */
  text(path: string): string {
    return this.answer("file_text", plainRequest({ path }) as { path: string }).text;
  }

  free(): void {
    this.reopening.free();
  }

  /** Ends what answers queries beside it. */
  close(): void {
    this.free();
    this.assets.own?.close();
  }

  /** Loaded once for each instance: an index that was opened again has none. */
  private loadedModel(): Promise<void> {
    const instance = this.reopening.number;
    if (this.model?.instance !== instance) this.model = { loading: this.loadModel(), instance };
    return this.model.loading;
  }

  /** Without the model, or with another one than the index was made with, search continues with words and names. */
  private async loadModel(): Promise<void> {
    const rows = this.assets.modelRows?.();
    if (rows && this.wasm.setModelRows) {
      const read = (start: number, end: number) => rows.model.read(start, end);
      const set = (wasm: WasmIndex) => wasm.setModelRows?.(rows.lookup, rows.model.n_bytes, read);
      if (this.takes(set, "model.unusable")) return;
    }
    const files = await this.assets.model().catch(() => undefined);
    if (files) this.takes((wasm) => wasm.setModel(files.model, files.tokenizer));
  }

  /** Sets a model. False for a fault with this code; one that the index was not made with is left out. */
  private takes(set: (wasm: WasmIndex) => void, unusable?: string): boolean {
    try {
      this.run("to load the model", set);
    } catch (error) {
      const code = error instanceof PortolanError ? error.code : undefined;
      if (code !== undefined && code === unusable) return false;
      if (code !== "vectors.mismatch") throw error;
    }
    return true;
  }

  /** Sets the vector of the query, by the caller's model. Refuses a model other than the index's. */
  private async embed(request: unknown, own: OwnModel): Promise<void> {
    const { query, symbol } = request as { query?: unknown; symbol?: unknown };
    const text = query ?? symbol;
    if (typeof text !== "string" || text === "") return;
    const { name, vector } = await own.query(text);
    this.run("to compare meanings", (wasm) => wasm.setVector(text, vector, name));
  }
}

/** No tool has a longer name. */
const MAX_TOOL = 64;

/** Refuses a name that is no text or is too long before the engine gets it. */
function checkTool(question: unknown): void {
  if (typeof question === "string" && question.length <= MAX_TOOL) return;
  const given = typeof question === "string" ? `has ${question.length} letters` : `is a ${typeof question}`;
  throw new PortolanError("request.tool", `there is no such tool: its name ${given}`, "names are those of the methods");
}

/** Opens a snapshot with the reading artifact. Sections are read when a question asks for them: bytes must stay as they are. */
export async function openSnapshot(
  assets: Assets,
  snapshot: Uint8Array | PieceFile,
  limits?: OpenLimits,
): Promise<AnsweringIndex> {
  return openWith(await assets.module("reader"), assets, snapshot, limits);
}

/** Like `openSnapshot`, with the reading artifact loaded. */
export function openWith(
  module: WebAssembly.Module,
  assets: Assets,
  snapshot: Uint8Array | PieceFile,
  limits?: OpenLimits,
): AnsweringIndex {
  const instance = readerInstance;
  const inShards = snapshot instanceof Uint8Array ? bundledIndex(snapshot) : undefined;
  if (inShards) return openWith(module, assets, inShards, limits);
  if (snapshot instanceof Uint8Array) {
    const reopen = () => {
      instance.start(module);
      return limited(reader.CodeIndex.open(snapshot), limits);
    };
    const whole = hidesPaths(snapshot) ? () => snapshot.slice() : undefined;
    return new AnsweringIndex(opened(reopen), assets, { instance, reopen }, whole);
  }
  const { n_bytes } = snapshot;
  const reopen = () => {
    instance.start(module);
    const read = (start: number, end: number) => snapshot.read(start, end);
    return limited(reader.CodeIndex.openFrom(n_bytes, read, [], besideOf(snapshot)), limits);
  };
  const wasm = opened(reopen);
  const head = snapshot.read(0, Math.min(N_HEAD, n_bytes));
  const whole = hidesPaths(head) ? () => snapshot.read(0, n_bytes).slice() : undefined;
  return new AnsweringIndex(wasm, assets, { instance, reopen }, whole);
}

/** The index, whose sections take no more than the caller allows. */
export function limited<I extends { limitMemory(bytes: number): void }>(index: I, limits: OpenLimits | undefined): I {
  if (limits?.unpackedBytes !== undefined) index.limitMemory(limits.unpackedBytes);
  return index;
}

/** Opens for the first time. A snapshot that stops the engine at once is refused, and the other indexes of this thread live on. */
export function opened(open: () => WasmIndex): WasmIndex {
  return guarded(() => readerInstance.run("to open the index", open));
}

/** Number of bytes that hold the names of all sections. */
const N_HEAD = 2048;

/** Returns true if a snapshot's paths are encrypted: a section that readers skip, and would not write again, has the originals. */
function hidesPaths(snapshot: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(snapshot.subarray(0, N_HEAD)).includes("originals");
}

/** Errors of the wasm side as ours. */
export function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw fromThrown(error);
  }
}
