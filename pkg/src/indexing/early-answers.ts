/** Answers about the files that are read so far, for repositories that take long to read. */

/** The times of the first answers, and of better ones: each build for them delays the rest a little. */
const AFTER_MS = [3_000, 20_000] as const;
/** Nothing was read yet. */
const AGAIN_MS = 1_000;

export class EarlyAnswers {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private turn = 0;
  private readonly started = performance.now();

  /** @param answer takes the files read so far; returns whether there were any. */
  constructor(private readonly answer: () => boolean) {
    this.wait(AFTER_MS[0]);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private wait(milliseconds: number): void {
    this.timer = setTimeout(() => this.run(), milliseconds);
  }

  private run(): void {
    let any = false;
    try {
      any = this.answer();
    } catch {
      return; // the fault shows when everything is built
    }
    if (!any) {
      this.wait(AGAIN_MS);
      return;
    }
    this.turn++;
    const next = AFTER_MS[this.turn];
    if (next !== undefined) this.wait(Math.max(0, this.started + next - performance.now()));
  }
}
