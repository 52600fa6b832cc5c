/**
 * Calls between a worker and the thread that started it: request, events on the way, one answer; cancel by signal.
 *
 * A protocol is a map from method to `{ request, response, event }`; both ends are typed by it. The same code runs over
 * Web Workers and worker_threads.
 */

import { abortError, closed, fromThrown, PortolanError, toBody } from "../errors.js";
import type { Port } from "../host.js";
import { release } from "../bytes.js";
import type { AbortSignal } from "../platform.js";

/** One method of a protocol. */
export interface Method {
  request: unknown;
  response: unknown;
  event?: unknown;
}

/** A protocol: method names and what goes over the wire for each. */
export type Protocol<P> = { [M in keyof P]: Method };

type EventOf<M extends Method> = M extends { event: infer E } ? E : never;

type Wire =
  | { kind: "call"; id: number; method: string; request: unknown }
  | { kind: "cancel"; id: number }
  | { kind: "event"; id: number; event: unknown }
  | { kind: "answer"; id: number; response: unknown }
  | { kind: "error"; id: number; error: unknown };

/** Options of a call. */
export interface CallOptions<E> {
  signal?: AbortSignal | undefined;
  onEvent?: ((event: E) => void) | undefined;
  transfer?: ArrayBuffer[] | undefined;
}

interface Pending {
  resolve(response: unknown): void;
  reject(error: Error): void;
  onEvent: ((event: never) => void) | undefined;
}

/** The calling end. When the other side dies, every open call rejects with `worker.crashed`. */
export class Caller<P extends Protocol<P>> {
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private failure: Error | undefined;

  constructor(private readonly port: Port) {
    port.listen((message) => this.receive(message as Wire));
    port.onFailure((error) => this.fail(crashed(error)));
  }

  call<M extends keyof P & string>(
    method: M,
    request: P[M]["request"],
    options: CallOptions<EventOf<P[M]>> = {},
  ): Promise<P[M]["response"]> {
    const { signal, onEvent, transfer } = options;
    if (this.failure) return Promise.reject(this.failure);
    if (signal?.aborted) return Promise.reject(abortError(signal.reason));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const onAbort = () => this.port.post({ kind: "cancel", id } satisfies Wire);
      signal?.addEventListener("abort", onAbort, { once: true });
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener("abort", onAbort);
          this.pending.delete(id);
          this.port.awaiting(this.pending.size > 0);
          then(value);
        };
      this.pending.set(id, {
        resolve: settle(resolve),
        reject: settle(reject),
        onEvent: onEvent as Pending["onEvent"],
      });
      this.port.awaiting(true);
      try {
        this.port.post({ kind: "call", id, method, request } satisfies Wire, transfer);
      } catch (error) {
        this.pending.get(id)?.reject(fromThrown(error)); // it cannot be copied, so no answer will come
      }
    });
  }

  /** Ends the other side; open calls reject with `reason`. */
  close(reason: Error = closed()): void {
    this.fail(reason);
    this.port.close();
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const call of [...this.pending.values()]) call.reject(error);
  }

  private receive(message: Wire): void {
    const call = this.pending.get(message.id);
    if (!call) return;
    if (message.kind === "event") call.onEvent?.(message.event as never);
    else if (message.kind === "answer") call.resolve(message.response);
    else if (message.kind === "error") call.reject(fromThrown(message.error));
  }
}

function crashed(error: Error): PortolanError {
  const { code, help } = error instanceof PortolanError ? error : { code: "worker.crashed", help: "" };
  return new PortolanError(code, `a worker stopped: ${error.message}`, help, { cause: error });
}

/** The context of a call, which a handler gets beside the request. */
export interface CallContext<E> {
  readonly signal: AbortSignal;
  emit(event: E): void;
  /** Buffers that the answer hands over instead of copying. */
  transfer(...buffers: ArrayBuffer[]): void;
  /** Frees arrays of the request, of which this end has a copy. */
  done(...arrays: (Uint8Array | Uint32Array)[]): void;
}

/** One function for each method. */
export type Handlers<P extends Protocol<P>> = {
  [M in keyof P]: (
    request: P[M]["request"],
    context: CallContext<EventOf<P[M]>>,
  ) => Promise<P[M]["response"]> | P[M]["response"];
};

/** The answering end. */
export function serve<P extends Protocol<P>>(port: Port, handlers: Handlers<P>): void {
  const running = new Map<number, AbortController>();
  port.listen((received) => {
    const message = received as Wire;
    if (message.kind === "cancel") running.get(message.id)?.abort();
    else if (message.kind === "call") void answer(message);
  });

  async function answer(message: Wire & { kind: "call" }): Promise<void> {
    const { id, method, request } = message;
    const controller = new AbortController();
    running.set(id, controller);
    const transfers: ArrayBuffer[] = [];
    const context: CallContext<unknown> = {
      signal: controller.signal,
      emit: (event) => port.post({ kind: "event", id, event } satisfies Wire),
      transfer: (...buffers) => void transfers.push(...buffers),
      done: (...arrays) => port.shares !== true && release(arrays as Uint8Array[]),
    };
    try {
      const handler = handlers[method as keyof P] as (request: unknown, context: CallContext<unknown>) => unknown;
      const response = await handler(request, context);
      port.post({ kind: "answer", id, response } satisfies Wire, transfers);
    } catch (error) {
      port.post({ kind: "error", id, error: toBody(error) } satisfies Wire);
    } finally {
      running.delete(id);
    }
  }
}

/** Rejects with `worker.timeout` if the promise has not settled by then. The awaited work continues: the caller ends it. */
export function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(new PortolanError("worker.timeout", `no answer for ${Number((milliseconds / 1000).toPrecision(2))} s`)),
      milliseconds,
    );
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
