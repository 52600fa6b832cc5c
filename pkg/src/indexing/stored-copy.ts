/** The copy of an index that the host's store keeps, where the caller asked for one. */

import type { StoredState } from "../rpc/protocol.js";
import { toStoredState } from "../storage/indexed-db.js";
import type { Input } from "../types.js";
import type { CurrentIndex, Emit } from "./current-index.js";
import type { ProgressMeter } from "./progress.js";
import type { Recovery } from "./recovery.js";

/** Where a copy is kept: the store of this input, under this name. */
export interface StorePlace {
  readonly input: Input | undefined;
  readonly name: string;
}

export class StoredCopy {
  private place: StorePlace | undefined;

  constructor(
    private readonly index: CurrentIndex,
    private readonly recovery: Recovery,
  ) {}

  /** Stores the index there from the next `store` on; nowhere where no place is given. */
  keepAt(place: StorePlace | undefined): void {
    this.place = place;
  }

  get isKept(): boolean {
    return this.place !== undefined;
  }

  /** Stores under another name from now on, where the index is stored at all. */
  rename(name: string): void {
    if (this.place) this.place = { ...this.place, name };
  }

  /** Stores the index, where that was asked for. A failure costs the copy in the store, never the index. */
  async store(meter: ProgressMeter | undefined, emit: Emit): Promise<void> {
    if (!this.place) return;
    const { input, name } = this.place;
    const tell = (stored: StoredState) => emit({ type: "stored", stored });
    tell({ state: "saving" });
    try {
      meter?.report("saving", 0, 1);
      const { n_files } = this.index.get().answer("status", {});
      await this.index.host
        .store(input)
        .put({ name, write: (give) => this.index.get().saveTo(give), n_files, saved_at: Date.now() });
      meter?.report("saving", 1, 1);
      this.recovery.stored({ input, name });
      tell({ state: "saved" });
    } catch (error) {
      const stored = toStoredState(error);
      if (stored.error) emit({ type: "warning", warning: stored.error });
      tell(stored);
    }
  }
}
