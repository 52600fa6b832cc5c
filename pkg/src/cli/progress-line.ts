/** Progress as one line of a terminal that is written over; nothing where there is no terminal. */

import type { WriteStream } from "node:tty";

import type { Progress } from "../types.js";

const INTERVAL_MS = 80;
const CLEAR = "\r\x1b[2K";

export class ProgressLine {
  private readonly active: boolean;
  private lastTime = 0;

  constructor(
    private readonly stream: Pick<WriteStream, "write"> & { isTTY?: boolean },
    quiet: boolean,
  ) {
    this.active = stream.isTTY === true && !quiet;
  }

  show({ phase, done, total, unchanged, waiting }: Progress): void {
    const now = performance.now();
    if (waiting) {
      const time = new Date(waiting.until).toISOString().slice(11, 19);
      this.note(`portolan: ${waiting.host} allows no more requests before ${time} UTC: waiting`);
      return;
    }
    if (!this.active || now - this.lastTime < INTERVAL_MS) return;
    this.lastTime = now;
    this.stream.write(
      `${CLEAR}${phase} ${total > 1 ? `${done}/${total}` : ""}${unchanged ? `, ${unchanged} unchanged` : ""}`,
    );
  }

  /** Writes a line that stays, above the progress. */
  note(line: string): void {
    this.end();
    this.lastTime = 0;
    this.stream.write(`${line}\n`);
  }

  end(): void {
    if (this.active) this.stream.write(CLEAR);
  }
}
