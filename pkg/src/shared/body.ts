/** Bodies of requests, within limits of size and time. */

import { joined } from "../bytes.js";
import { PortolanError } from "../errors.js";
import { jsonShape } from "../reading/request-limits.js";
import type { Request } from "../platform.js";

/** Limits of requests. */
export interface BodyLimits {
  /** Bytes of a request in JSON. */
  readonly json: number;
  /** Milliseconds without a byte after which a client is gone. */
  readonly stall_ms: number;
  /** Milliseconds for a body of JSON or a piece. */
  readonly small_ms: number;
  /** Milliseconds for a whole file. */
  readonly file_ms: number;
}

/** The limits of a server, if it sets no others. */
export const BODY_LIMITS: BodyLimits = {
  json: 16 * 1024 * 1024,
  stall_ms: 15_000,
  small_ms: 120_000,
  file_ms: 30 * 60_000,
};

/** Bytes of a refused body that are read and dropped: a host closes the connection of a body that was not read to its end. */
const MAX_DRAINED = 16 * 1024 * 1024;
const DRAIN_MS = 5_000;

/** The chunks of a body. Rejects with `request.timeout`, `request.too-large`, and `request.length`, where it breaks off. */
export async function* chunksOf(
  request: Request,
  maximum: number,
  { stall_ms, total_ms }: { stall_ms: number; total_ms: number },
): AsyncGenerator<Uint8Array> {
  const reader = (request as unknown as globalThis.Request).body?.getReader();
  if (!reader) return;
  const deadline = Date.now() + total_ms;
  let n_bytes = 0;
  let isRead = false;
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), Math.min(stall_ms, deadline - Date.now()));
      if (done) break;
      n_bytes += value.length;
      if (n_bytes > maximum) throw tooLarge(maximum);
      yield value;
    }
    isRead = true;
  } finally {
    if (isRead) reader.releaseLock();
    else await dropped(reader, n_bytes);
  }
}

/** All of a body, of `maximum` bytes at most. */
export async function bytesOf(
  request: Request,
  maximum: number,
  { stall_ms, small_ms }: BodyLimits,
): Promise<Uint8Array> {
  const announced = lengthOf(request);
  if (announced !== undefined && announced > maximum) {
    await drain(request);
    throw tooLarge(maximum);
  }
  const pieces: Uint8Array[] = [];
  let n_bytes = 0;
  for await (const piece of chunksOf(request, maximum, { stall_ms, total_ms: small_ms })) {
    pieces.push(piece);
    n_bytes += piece.length;
  }
  if (announced !== undefined && announced !== n_bytes)
    throw new PortolanError("request.length", `${n_bytes} bytes of ${announced} arrived`, "send it again");
  return joined(pieces);
}

/** A body of JSON; an empty one is `{}`. Rejects with `request.json`, `request.depth`, and as `bytesOf`. */
export async function jsonOf(request: Request, limits: BodyLimits): Promise<unknown> {
  const text = new TextDecoder().decode(await bytesOf(request, limits.json, limits));
  if (text.trim() === "") return {};
  const { fault } = jsonShape(text);
  if (fault?.code === "request.depth") throw fault;
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `the body is no JSON: ${(error as Error).message.slice(0, 120)}`;
    throw new PortolanError("request.json", message, "send a JSON object");
  }
}

/** The length that a request announces. */
export function lengthOf(request: Request): number | undefined {
  const header = request.headers.get("content-length");
  return header !== null && /^\d{1,16}$/.test(header) ? Number(header) : undefined;
}

/** Reads and drops a body that nobody wants, up to a limit. */
export async function drain(request: Request): Promise<void> {
  const { body, bodyUsed } = request as unknown as globalThis.Request;
  if (body && !bodyUsed && !body.locked) await dropped(body.getReader(), 0);
}

async function dropped(reader: ReadableStreamDefaultReader<Uint8Array>, n_read: number): Promise<void> {
  const deadline = Date.now() + DRAIN_MS;
  try {
    for (let n_bytes = n_read; n_bytes <= MAX_DRAINED; ) {
      const { done, value } = await inTime(reader.read(), Math.min(1_000, deadline - Date.now()));
      if (done) return;
      n_bytes += value.length;
    }
    await reader.cancel();
  } catch {
    await reader.cancel().catch(() => {});
  }
}

async function inTime<T>(next: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(
        new PortolanError("request.timeout", "the body takes too long", "send it again; pieces that arrived are kept"),
      );
    if (milliseconds <= 0) fail();
    else timer = setTimeout(fail, milliseconds);
  });
  try {
    return await Promise.race([next, late]);
  } catch (error) {
    if (error instanceof PortolanError) throw error;
    throw new PortolanError("request.length", "the body broke off", "send it again", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(maximum: number): PortolanError {
  return new PortolanError("request.too-large", `a body here has at most ${maximum} bytes`, "send less at once");
}
