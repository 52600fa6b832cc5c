/**
 * Makes an index again whose engine stopped: opens the stored copy if that is the same, else indexes the input once more and puts in the
 * edits since.
 */

import { PortolanError } from "../errors.js";
import type { WorkOptions } from "../rpc/protocol.js";
import type { FileEdits, FileInput, Input } from "../types.js";
import type { Emit } from "./current-index.js";
import type { StorePlace } from "./stored-copy.js";

/** So often within `WINDOW_MS`; an engine that stops again and again is too small for the index. */
const MAX_REMAKES = 3;
const WINDOW_MS = 600_000;

/** An order to make an index. */
export interface MakeRequest {
  readonly input: Input;
  readonly options: WorkOptions;
  readonly emit: Emit;
}

export class Recovery {
  private made: MakeRequest | undefined;
  private isVectorless = false;
  /** The last edit of each path; nothing where it was deleted. */
  private readonly edits = new Map<string, FileInput | undefined>();
  private storedAs: StorePlace | undefined;
  private running: Promise<void> | undefined;
  private readonly times: number[] = [];

  /** An index is made of this from now on. */
  began(made: MakeRequest): void {
    this.made = made;
    this.edits.clear();
    this.storedAs = undefined;
    this.isVectorless = false;
  }

  /** Whether the engine stopped while it took vectors in: an index that is made again goes without. */
  get leavesVectorsOut(): boolean {
    return this.isVectorless;
  }

  leaveVectorsOut(): void {
    this.isVectorless = true;
  }

  /** Updates it; without edits by checking all files. */
  updated(edits: FileEdits | undefined): void {
    this.storedAs = undefined;
    if (!edits) return void this.edits.clear();
    for (const path of edits.deleted ?? []) this.edits.set(path, undefined);
    for (const file of edits.files ?? []) this.edits.set(file.path, file);
  }

  /** Notes that the stored copy equals the index. */
  stored(as: StorePlace): void {
    this.storedAs = as;
  }

  /** The edits to put in again; nothing where there are none. */
  pendingEdits(): FileEdits | undefined {
    if (this.edits.size === 0) return undefined;
    const entries = [...this.edits];
    return {
      files: entries.flatMap(([, file]) => file ?? []),
      deleted: entries.flatMap(([path, file]) => (file ? [] : path)),
    };
  }

  /** Runs one of the two, once for all callers that wait. Rejects with `index.failed` after too many attempts. */
  run(fromStore: (as: StorePlace) => Promise<boolean>, anew: (made: MakeRequest) => Promise<void>): Promise<void> {
    this.running ??= this.runOnce(fromStore, anew).finally(() => (this.running = undefined));
    return this.running;
  }

  private async runOnce(
    fromStore: Parameters<Recovery["run"]>[0],
    anew: Parameters<Recovery["run"]>[1],
  ): Promise<void> {
    const now = Date.now();
    while (this.times[0] !== undefined && now - this.times[0] > WINDOW_MS) this.times.shift();
    if (this.times.length === MAX_REMAKES)
      throw new PortolanError(
        "index.failed",
        `the engine stopped ${MAX_REMAKES + 1} times within ${WINDOW_MS / 60_000} minutes, and the index with it`,
        "index less of it, or store it and open what is stored",
      );
    this.times.push(now);
    if (this.storedAs && (await fromStore(this.storedAs))) return;
    if (!this.made) throw new PortolanError("index.failed", "the engine stopped, and the index with it", "index again");
    await anew(this.made);
  }
}
