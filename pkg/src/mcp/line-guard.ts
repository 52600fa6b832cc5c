/**
 * Guards the reader of MCP messages on stdin: a line that is too long, or nested too deeply, is answered with an error and goes no
 * further. A flood is passed on in portions, so that answers go out and memory stays bounded.
 */

import { Transform, type TransformCallback } from "node:stream";

import { MESSAGE_LIMITS } from "../reading/request-limits.js";
import { refusalOf } from "./refusal.js";

/** Lines passed on before others get their turn. */
const PORTION = 32;
/** Of a line that is too long so much is kept: its id may be in it. */
const KEPT_BYTES = 4096;
const NEWLINE = 0x0a;

export class LineGuard extends Transform {
  private pieces: Buffer[] = [];
  private n_bytes = 0;
  private isTooLong = false;
  private n_passed = 0;

  /** @param answer takes the answer to a line that is refused, with its end. */
  constructor(private readonly answer: (line: string) => void) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.pass(chunk).then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    this.endLine();
    done();
  }

  private async pass(chunk: Buffer): Promise<void> {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, start);
      this.add(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) return;
      this.endLine();
      start = end + 1;
      if (++this.n_passed % PORTION === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  private add(piece: Buffer): void {
    this.n_bytes += piece.length;
    if (this.n_bytes > MESSAGE_LIMITS.characters) {
      if (!this.isTooLong) this.pieces = [Buffer.concat(this.pieces).subarray(0, KEPT_BYTES)];
      this.isTooLong = true;
    } else this.pieces.push(piece);
  }

  private endLine(): void {
    const line = Buffer.concat(this.pieces).toString("utf8");
    const { n_bytes } = this;
    [this.pieces, this.n_bytes, this.isTooLong] = [[], 0, false];
    if (line.trim() === "") return;
    const refusal = refusalOf(line, n_bytes);
    if (refusal) this.answer(`${JSON.stringify(refusal)}\n`);
    else this.push(`${line}\n`);
  }
}
