/**
 * An index that answers in this thread: a thin layer over the wasm class, which the engine and the small reading
 * artifact both have.
 */

import { CodeIndex as ReaderIndex, initSync as initReader } from "../wasm/reader.js";
import type { StructuralFiles, StructuralFilesRequest, UserLanguageEntry } from "../wasm/reader.js";
import { fromThrown, isTrap, PortolanError } from "./errors.js";
import type { Assets, OwnModel, PieceFile, WriteSnapshot } from "./host.js";
import type { Question, Questions } from "./protocol.js";

/** What both artifacts' `CodeIndex` can do. */
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
  /** What the graph is built of: rows of `nNumbers()` numbers. */
  vectorRows(): Int8Array;
  nNumbers(): number;
  setNeighbours(numbers: Uint32Array): void;
  /** Which files a structural search has to look at. */
  structuralFiles(request: StructuralFilesRequest): StructuralFiles;
  /** The languages that the user brought when the index was made. */
  userLanguages(): UserLanguageEntry[];
  /** What the index is called. */
  name(): string;
  save(): Uint8Array;
  free(): void;
}

/** An index as the rest of the package uses it. */
export class AnsweringIndex {
  private model: Promise<void> | undefined;

  constructor(
    readonly wasm: WasmIndex,
    private readonly assets: Assets,
    /** The file it was opened of, where saving would lose some of it. */
    private readonly whole?: () => Uint8Array,
  ) {}

  async ask<Q extends Question>(question: Q, request: Questions[Q][0]): Promise<Questions[Q][1]> {
    if (guarded(() => this.wasm.wantsModel(question))) {
      if (this.assets.own) await this.embed(request, this.assets.own);
      else {
        this.model ??= this.loadModel();
        await this.model;
      }
    }
    return answer(this, question, request);
  }

  /** The snapshot's bytes, a copy of their own. */
  save(): Uint8Array<ArrayBuffer> {
    return this.whole
      ? (this.whole() as Uint8Array<ArrayBuffer>)
      : (guarded(() => this.wasm.save()) as Uint8Array<ArrayBuffer>);
  }

  /** The snapshot's bytes, piece by piece: see `WriteSnapshot`. */
  saveTo(give: Parameters<WriteSnapshot>[0]): void {
    if (this.whole) give(0, this.whole() as Uint8Array<ArrayBuffer>);
    else guarded(() => this.wasm.saveTo(give));
  }

  structuralFiles(request: StructuralFilesRequest): StructuralFiles {
    return guarded(() => this.wasm.structuralFiles(request));
  }

  userLanguages(): UserLanguageEntry[] {
    return guarded(() => this.wasm.userLanguages());
  }

  /** What the index is called. */
  name(): string {
    return guarded(() => this.wasm.name());
  }

  /** Has the text of a file at hand, where it may have to be fetched. */
  async prepareText(_path: string): Promise<void> {}

  /** A file's text. */
  text(path: string): string {
    return answer(this, "file_text", { path }).text;
  }

  free(): void {
    this.wasm.free();
  }

  /** Ends what answers queries beside it. */
  close(): void {
    this.free();
    this.assets.own?.close();
  }

  /** Without the model, and with another than the index was made with, search goes on with words and names. */
  private async loadModel(): Promise<void> {
    const rows = this.assets.modelRows?.();
    const setRows = this.wasm.setModelRows?.bind(this.wasm);
    if (
      rows &&
      setRows &&
      this.takes(
        () => setRows(rows.lookup, rows.model.n_bytes, (start, end) => rows.model.read(start, end)),
        "model.unusable",
      )
    )
      return;
    const files = await this.assets.model().catch(() => undefined);
    if (files) this.takes(() => this.wasm.setModel(files.model, files.tokenizer));
  }

  /** Sets a model. False for a fault with this code; one that the index was not made with is left out. */
  private takes(set: () => void, unusable?: string): boolean {
    try {
      guarded(set);
    } catch (error) {
      const code = error instanceof PortolanError ? error.code : undefined;
      if (code !== undefined && code === unusable) return false;
      if (code !== "vectors.mismatch") throw error;
    }
    return true;
  }

  /** Gives the index the vector of what is asked about, by the caller's model. One that the index was not made with is refused. */
  private async embed(request: unknown, own: OwnModel): Promise<void> {
    const { query, symbol } = request as { query?: unknown; symbol?: unknown };
    const text = query ?? symbol;
    if (typeof text !== "string" || text === "") return;
    const { name, vector } = await own.query(text);
    guarded(() => this.wasm.setVector(text, vector, name));
  }
}

/** Opens a snapshot with the reading artifact. Sections are read when a question asks for them: bytes must stay as they are. */
export async function openSnapshot(assets: Assets, snapshot: Uint8Array | PieceFile): Promise<AnsweringIndex> {
  return openWith(await assets.module("reader"), assets, snapshot);
}

/** As `openSnapshot`, with the reading artifact at hand. */
export function openWith(reader: WebAssembly.Module, assets: Assets, snapshot: Uint8Array | PieceFile): AnsweringIndex {
  initReader({ module: reader });
  if (snapshot instanceof Uint8Array)
    return new AnsweringIndex(
      guarded(() => ReaderIndex.open(snapshot)),
      assets,
      hidesPaths(snapshot) ? () => snapshot.slice() : undefined,
    );
  const wasm = guarded(() =>
    ReaderIndex.openFrom(snapshot.n_bytes, (start: number, end: number) => snapshot.read(start, end), []),
  );
  const { n_bytes } = snapshot;
  return new AnsweringIndex(
    wasm,
    assets,
    hidesPaths(snapshot.read(0, Math.min(N_HEAD, n_bytes))) ? () => snapshot.read(0, n_bytes).slice() : undefined,
  );
}

/** So many bytes hold the names of all sections. */
const N_HEAD = 2048;

/** Whether a snapshot's paths are obfuscated: what they were lies in a section that readers pass over, and that they would not write again. */
function hidesPaths(snapshot: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(snapshot.subarray(0, N_HEAD)).includes("originals");
}

/** Answers at once, without waiting for the model. */
export function answer<Q extends Question>(
  index: AnsweringIndex,
  question: Q,
  request: Questions[Q][0],
): Questions[Q][1] {
  const { wasm } = index;
  return guarded(() => (question === "edges" ? wasm.edges() : wasm.ask(question, request))) as Questions[Q][1];
}

/** Errors of the wasm side as ours; a trap leaves the instance unusable, which the message says. */
export function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!isTrap(error)) throw fromThrown(error);
    const message = `the index stopped working: ${(error as Error).message}`;
    throw new PortolanError("internal.trap", message, "open the index again", { cause: error });
  }
}
