/** The files for which there is no memory: each is listed in the index, the first causes a warning at once, their number one at the end. */

import { toBody } from "../errors.js";
import type { IndexingContext } from "./pipeline.js";

export class LeftOut {
  private n_files = 0;
  private n_bytes = 0;

  constructor(private readonly context: IndexingContext) {}

  /** Whether a file was left out: then those after it are, too. */
  get isAny(): boolean {
    return this.n_files > 0;
  }

  add(path: string, n_bytes: number): void {
    const { budget, builder, onWarning } = this.context;
    builder.leaveOut(path, "memory", "there was no memory for more files");
    if (budget && !this.isAny) onWarning(toBody(budget.full(path)));
    this.n_files++;
    this.n_bytes += n_bytes;
  }

  /** Returns how many there were, and starts from zero. */
  tell(): void {
    const { budget, onWarning } = this.context;
    if (budget && this.isAny) onWarning(toBody(budget.leftOut(this.n_files, this.n_bytes)));
    this.n_files = this.n_bytes = 0;
  }
}
