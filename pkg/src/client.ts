/** The one object that callers start from, made over what a host can do. */

import { CodeIndex, type Backend, type IndexState } from "./code-index.js";
import { abortError, fromThrown, PortolanError } from "./errors.js";
import type { Port, Store } from "./host.js";
import type { IndexEvent, IndexProtocol, Offered, StoredState, WorkOptions } from "./protocol.js";
import { Caller } from "./rpc.js";
import type { FileInput, IndexOptions, Input, SavedIndex, Stored, UserGrammar } from "./types.js";

/** How to open a snapshot. */
export type OpenOptions = Pick<IndexOptions, "name" | "signal" | "grammars">;

/** The package's face. */
export interface Portolan {
  /** Indexes and gives the index as soon as it can be asked; `index.complete` tells when vectors are in, too. */
  index(input: Input, options?: IndexOptions): Promise<CodeIndex>;
  /** Opens a snapshot by its bytes, or a stored one by its name (Node: also a file by its path). */
  open(snapshot: Uint8Array | string, options?: OpenOptions): Promise<CodeIndex>;
  /** The stored indexes. Rejects with `storage.unavailable` where nothing can be stored. */
  list(): Promise<SavedIndex[]>;
  /** Deletes a stored index; one that is open stays usable. */
  delete(name: string): Promise<void>;
}

/** What a host brings. */
export interface ClientHost {
  /** Starts a worker that owns one index; absent where nothing can be indexed. */
  readonly spawnIndex?: () => Port;
  /** Opens in this thread; where absent, a worker opens. */
  readonly openHere?: (snapshot: Uint8Array | string, grammars?: readonly UserGrammar[]) => Promise<{ backend: Backend; name: string }>;
  readonly store: () => Store;
}

export function createPortolan(host: ClientHost): Portolan {
  return {
    async index(input, options = {}) {
      if (!host.spawnIndex) throw new PortolanError("host.read-only", "nothing can be indexed here", "index in a browser or in Node, then open the snapshot here");
      return indexInWorker(host.spawnIndex(), input, options);
    },
    async open(snapshot, options = {}) {
      if (options.signal?.aborted) throw abortError(options.signal.reason);
      if (!host.openHere) return openInWorker(host, snapshot, options);
      const { backend, name } = await host.openHere(snapshot, options.grammars);
      return new CodeIndex(backend, opened(options.name ?? name));
    },
    list: () => host.store().list(),
    delete: (name) => host.store().delete(name),
  };
}

/** Resolves at `usable`; the call to the worker goes on until everything is done. */
function indexInWorker(port: Port, input: Input, options: IndexOptions): Promise<CodeIndex> {
  const caller = new Caller<IndexProtocol>(port);
  const { onProgress, onWarning, onUpdate, signal, name, workers, store, embeddings, source, chunks, scip, grammars } = options;
  const workOptions = withoutUndefined({ name, workers, store, embeddings, source, chunks, scip, grammars }) as WorkOptions;
  return new Promise((resolve, reject) => {
    const rest = new AbortController();
    let usable = false;
    // Before there is an index everything ends at once; after that only what is still to do.
    const stop = () => (usable ? rest.abort() : caller.close(abortError(signal?.reason)));
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const onEvent = (event: IndexEvent) => {
      if (event.type === "progress") onProgress?.(event.progress);
      else if (event.type === "warning") onWarning?.(fromThrown(event.warning));
      else if (event.type === "vectors") onUpdate?.("vectors");
      else if (event.type === "stored") takeStored(state, event.stored, onUpdate);
      else {
        usable = true;
        resolve(new CodeIndex(workerBackend(caller), Object.assign(state, { name: event.name })));
      }
    };
    const complete = handOver(caller, input)
      .then((given) => caller.call("index", { input: given, options: workOptions }, { signal: rest.signal, onEvent: onEvent as (event: unknown) => void }))
      .then(() => {})
      .finally(() => signal?.removeEventListener("abort", stop));
    const state: IndexState = { name: name ?? "", stored: { state: store === true ? "saving" : "off" }, complete };
    complete.catch((error: unknown) => {
      if (!usable) caller.close();
      reject(error as Error);
    });
  });
}

/** Cloning a file for a message takes about a tenth of a millisecond: a thousand at once would hold up the page. */
const FILES_PER_MESSAGE = 100;

/** Gives a long list of files to the worker in parts, each a task of its own. */
async function handOver(caller: Caller<IndexProtocol>, input: Input): Promise<Input | Offered> {
  const isList = Array.isArray(input);
  const files: readonly (File | FileInput)[] = isList ? input : typeof input === "object" && "files" in input ? input.files : [];
  if (files.length <= FILES_PER_MESSAGE) return input;
  for (let start = 0; start < files.length; start += FILES_PER_MESSAGE) await caller.call("offer", files.slice(start, start + FILES_PER_MESSAGE));
  return { offered: isList ? "list" : "files" };
}

async function openInWorker(host: ClientHost, snapshot: Uint8Array | string, { name, signal, grammars }: OpenOptions): Promise<CodeIndex> {
  if (!host.spawnIndex) throw new PortolanError("host.unsupported", "snapshots cannot be opened here");
  const caller = new Caller<IndexProtocol>(host.spawnIndex());
  const stop = () => caller.close(abortError(signal?.reason));
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const request = { ...(typeof snapshot === "string" ? { name: snapshot } : { bytes: snapshot }), grammars };
    const answer = (await caller.call("open", request)) as { name: string };
    const state = opened(name ?? answer.name);
    if (typeof snapshot === "string") state.stored = { state: "saved" };
    return new CodeIndex(workerBackend(caller), state);
  } catch (error) {
    caller.close();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

function opened(name: string): IndexState {
  return { name, stored: { state: "off" }, complete: Promise.resolve() };
}

function workerBackend(caller: Caller<IndexProtocol>): Backend {
  return {
    ask: (question, request) => caller.call("ask", { question, request }) as Promise<never>,
    highlights: (path) => caller.call("highlights", path) as Promise<Uint32Array>,
    structural: (request, signal) => caller.call("structural", request, { signal }),
    save: () => caller.call("save", null) as Promise<Uint8Array<ArrayBuffer>>,
    close: () => caller.close(),
  };
}

function takeStored(state: IndexState, { state: now, error }: StoredState, onUpdate: IndexOptions["onUpdate"]): void {
  state.stored = (error ? { state: now, error: fromThrown(error) } : { state: now }) satisfies Stored;
  if (now === "saved") onUpdate?.("saved");
}

function withoutUndefined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
