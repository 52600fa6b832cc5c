/** Progress events, thinned out: the last one of a phase always, the others at most every 50 ms. */

import type { Phase, Progress } from "../types.js";

const INTERVAL_MS = 50;

export class ProgressMeter {
  private lastPhase: Phase | undefined;
  private lastTime = 0;

  constructor(private readonly emit: (progress: Progress) => void) {}

  report(phase: Phase, done: number, total: number, detail?: string, unchanged?: number): void {
    const now = performance.now();
    const due = phase !== this.lastPhase || done >= total || now - this.lastTime >= INTERVAL_MS;
    if (!due) return;
    this.lastPhase = phase;
    this.lastTime = now;
    this.emit({
      phase,
      done,
      total,
      ...(detail === undefined ? {} : { detail }),
      ...(unchanged === undefined ? {} : { unchanged }),
    });
  }
}
