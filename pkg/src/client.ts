/** The object that callers start from, over the abilities of a host. */

import { CodeIndex } from "./code-index.js";
import type { Backend } from "./reading/backend.js";
import { abortError, fromThrown, PortolanError } from "./errors.js";
import type { FileEntry, StructuralRequest } from "../wasm/reader.js";
import type { Port, Store } from "./host.js";
import { joined } from "./rpc/long-answers.js";
import type { File, URL as Url } from "./platform.js";
import {
  WORK_OPTIONS,
  type IndexEvent,
  type IndexProtocol,
  type Offered,
  type StoredState,
  type WorkOptions,
} from "./rpc/protocol.js";
import { checkEdits, checkFiles, checkInput, checkSnapshot } from "./indexing/input-limits.js";
import { checkLimits } from "./storage/open-limits.js";
import { plainRequest } from "./reading/request-limits.js";
import { AnswerCache, cached } from "./reading/answer-cache.js";
import { CrossEncoder } from "./reading/rerank.js";
import { Caller } from "./rpc/rpc.js";
import { persist, storageState } from "./storage/indexed-db.js";
import type {
  FileChanges,
  FileEdits,
  FileInput,
  IndexOptions,
  IndexState,
  Input,
  OpenLimits,
  RerankModel,
  SavedIndex,
  StorageState,
  Stored,
  UpdateOptions,
  WatchOptions,
} from "./types.js";

/** How to open a snapshot. */
export interface OpenOptions extends Pick<IndexOptions, "name" | "signal" | "grammars" | "model" | "cache"> {
  /** Of an encrypted snapshot. A wrong one rejects with `seal.passphrase`. */
  readonly passphrase?: string;
  /** Of a snapshot with obfuscated paths: they are as they were. Another key rejects with `seal.key`; without one it opens as it is. */
  readonly pathKey?: string;
  /** The most that opening it may cost, where it comes from somebody else. */
  readonly limits?: OpenLimits;
}

/** The package's face. */
export interface Portolan {
  /** Indexes, and returns the index as soon as it answers; `index.complete` resolves when vectors are in, too. */
  index(input: Input, options?: IndexOptions): Promise<CodeIndex>;
  /**
   * Opens a snapshot by its bytes, or a stored one by its name (Node: also a file by its path). A page can also give the files of one that
   * its user chose, which are read in pieces when a question needs them: a snapshot, or the root of an index in shards with its shards.
   */
  open(snapshot: Uint8Array | string | readonly File[], options?: OpenOptions): Promise<CodeIndex>;
  /** Loads a cross-encoder of yours: its `score` puts the first hits of a search in a better order. Takes seconds; `close()` ends it. */
  crossEncoder(model: RerankModel): Promise<CrossEncoder>;
  /**
   * Opens a snapshot on a web server. Only what questions read is fetched, by ranges of the file; a server that knows no ranges sends
   * all of it once.
   */
  openRemote(
    url: string | Url,
    options?: Pick<OpenOptions, "name" | "signal" | "limits" | "cache">,
  ): Promise<CodeIndex>;
  /** The stored indexes. Rejects with `storage.unavailable` where nothing can be stored. */
  list(): Promise<SavedIndex[]>;
  /** Deletes a stored index; one that is open stays usable. */
  delete(name: string): Promise<void>;
  /** Asks the browser to keep stored indexes when space gets short, as `store: true` does on a page. Whether it will. */
  persist(): Promise<boolean>;
  /** How much is stored, and how much may be. */
  storage(): Promise<StorageState>;
}

/** The parts that differ between hosts. */
export interface ClientHost {
  /** Starts a worker that owns one index; absent where nothing can be indexed. */
  readonly spawnIndex?: () => Port;
  /** Starts a worker that runs a model; absent where none can be run. */
  readonly spawnEmbed?: () => Port;
  /** Opens in this thread; where absent, a worker opens. */
  readonly openHere?: (
    snapshot: Uint8Array | string,
    options: OpenOptions,
  ) => Promise<{ backend: Backend; name: string }>;
  /** As `openHere`, by ranges of a file on a server. */
  readonly openRemoteHere?: (url: string, limits?: OpenLimits) => Promise<{ backend: Backend; name: string }>;
  readonly store: () => Store;
}

export function createPortolan(host: ClientHost): Portolan {
  return {
    async index(input, options = {}) {
      if (!host.spawnIndex)
        throw new PortolanError(
          "host.read-only",
          "nothing can be indexed here",
          "index in a browser or in Node, then open the snapshot here",
        );
      checkInput(input);
      // Only a page may ask, and an index that was asked for once should be there the next time.
      if (options.store === true) void persist();
      return indexInWorker(host.spawnIndex(), input, options);
    },
    async open(snapshot, options = {}) {
      if (options.signal?.aborted) throw abortError(options.signal.reason);
      checkSnapshot(snapshot);
      checkLimits(options.limits);
      if (!host.openHere) return openInWorker(host, snapshot, options);
      if (Array.isArray(snapshot)) throw new PortolanError("host.unsupported", "only a page opens `File`s", FILES_HERE);
      const { backend, name } = await host.openHere(snapshot as Uint8Array | string, options);
      return new CodeIndex(cached(backend, new AnswerCache(options.cache)), opened(options.name ?? name));
    },
    async crossEncoder(model) {
      if (!host.spawnEmbed) throw new PortolanError("host.unsupported", "no model can be run here");
      return CrossEncoder.start(host.spawnEmbed(), model);
    },
    async openRemote(url, options = {}) {
      if (options.signal?.aborted) throw abortError(options.signal.reason);
      checkLimits(options.limits);
      if (!host.openRemoteHere) return openInWorker(host, { url: absolute(url) }, options);
      const { backend, name } = await host.openRemoteHere(String(url), options.limits);
      return new CodeIndex(cached(backend, new AnswerCache(options.cache)), opened(options.name ?? name));
    },
    list: () => host.store().list(),
    delete: (name) => host.store().delete(name),
    persist,
    storage: storageState,
  };
}

/** Resolves at `usable`; the call to the worker continues until everything is done. */
function indexInWorker(port: Port, input: Input, options: IndexOptions): Promise<CodeIndex> {
  const caller = new Caller<IndexProtocol>(port);
  const { onProgress, onWarning, onUpdate, onChanges, onReadme, signal, name, store } = options;
  const work = workOptions(options);
  const cache = new AnswerCache(options.cache);
  return new Promise((resolve, reject) => {
    const rest = new AbortController();
    let usable = false;
    // Before there is an index everything ends at once; after that only the remaining work does.
    const stop = () => (usable ? rest.abort() : caller.close(abortError(signal?.reason)));
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const onEvent = (event: IndexEvent) => {
      if (event.type === "folders") return;
      if (event.type !== "progress" && event.type !== "stored") cache.drop();
      if (event.type === "progress") onProgress?.(event.progress);
      else if (event.type === "warning") onWarning?.(fromThrown(event.warning));
      else if (event.type === "readme") onReadme?.(event.readme);
      else if (event.type === "vectors") onUpdate?.("vectors");
      else if (event.type === "changes") onChanges?.(event.changes);
      else if (event.type === "stored") takeStored(state, event.stored, onUpdate);
      else if (usable) onUpdate?.("files");
      else {
        usable = true;
        resolve(new CodeIndex(cached(workerBackend(caller, told), cache), Object.assign(state, { name: event.name })));
      }
    };
    const complete = handOver(caller, input)
      .then((given) =>
        caller.call(
          "index",
          { input: given, options: work },
          { signal: rest.signal, onEvent: onEvent as (event: unknown) => void },
        ),
      )
      .then(() => {})
      .finally(() => signal?.removeEventListener("abort", stop));
    const state: IndexState = { name: name ?? "", stored: { state: store === true ? "saving" : "off" }, complete };
    const told: Told = {
      ...options,
      onUpdate(what) {
        cache.drop();
        onUpdate?.(what);
      },
      onStored: (stored) => takeStored(state, stored, onUpdate),
    };
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
  const files: readonly (File | FileInput)[] = isList
    ? input
    : typeof input === "object" && "files" in input
      ? input.files
      : [];
  if (!isList) checkFiles(files as readonly FileInput[]);
  if (files.length <= FILES_PER_MESSAGE) return input;
  for (let start = 0; start < files.length; start += FILES_PER_MESSAGE)
    await caller.call("offer", files.slice(start, start + FILES_PER_MESSAGE));
  return { offered: isList ? "list" : "files" };
}

/** Everything that a worker opens. */
type Opened = Uint8Array | string | readonly File[] | { url: string };

const FILES_HERE = "give the path of the file, in Node, or its bytes";

function source(snapshot: Opened, { passphrase, pathKey }: OpenOptions) {
  if (typeof snapshot === "string") return { name: snapshot };
  if (Array.isArray(snapshot)) return { files: snapshot as readonly File[], passphrase, pathKey };
  return "url" in snapshot ? snapshot : { bytes: snapshot as Uint8Array, passphrase, pathKey };
}

/** A worker's addresses are relative to its script, a page's to the page. */
function absolute(url: string | Url): string {
  const base = (globalThis as { location?: { href: string } }).location?.href;
  return new URL(String(url), base).href;
}

async function openInWorker(host: ClientHost, snapshot: Opened, options: OpenOptions): Promise<CodeIndex> {
  if (!host.spawnIndex) throw new PortolanError("host.unsupported", "snapshots cannot be opened here");
  const { name, signal, grammars, model, limits } = options;
  const caller = new Caller<IndexProtocol>(host.spawnIndex());
  const stop = () => caller.close(abortError(signal?.reason));
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const request = { ...source(snapshot, options), grammars, model, limits };
    const answer = (await caller.call("open", request)) as { name: string };
    const state = opened(name ?? answer.name);
    if (typeof snapshot === "string") state.stored = { state: "saved" };
    return new CodeIndex(cached(workerBackend(caller), new AnswerCache(options.cache)), state);
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

type Told = Pick<IndexOptions, "onWarning" | "onUpdate"> & { readonly onStored?: (stored: StoredState) => void };

/** Resolves when the files as they are now can be asked about; vectors follow. */
function update(
  caller: Caller<IndexProtocol>,
  edits: FileEdits | undefined,
  { onProgress, onFolders, signal }: UpdateOptions,
  told: Told,
): Promise<FileChanges> {
  return new Promise((resolve, reject) => {
    const onEvent = (event: IndexEvent) => {
      if (event.type === "changes") resolve(event.changes);
      else if (event.type === "progress") onProgress?.(event.progress);
      else if (event.type === "folders") onFolders?.(event.folders);
      else if (event.type === "warning") told.onWarning?.(fromThrown(event.warning));
      else if (event.type === "vectors") told.onUpdate?.("vectors");
      else if (event.type === "stored") told.onStored?.(event.stored);
    };
    caller.call("update", { edits }, { signal, onEvent }).catch(reject);
  });
}

const DEBOUNCE_MS = 1_000;

function watch(
  caller: Caller<IndexProtocol>,
  { debounceMs = DEBOUNCE_MS, onChanges, onError, signal }: WatchOptions,
  told: Told,
): Promise<void> {
  const onEvent = (event: IndexEvent) => {
    if (event.type === "changes") onChanges?.(event.changes, event.milliseconds);
    else if (event.type === "warning") onError?.(fromThrown(event.warning));
    else if (event.type === "vectors") told.onUpdate?.("vectors");
    else if (event.type === "stored") told.onStored?.(event.stored);
  };
  return caller.call("watch", { debounce_ms: debounceMs }, { signal, onEvent }).then(() => {});
}

function workerBackend(caller: Caller<IndexProtocol>, told: Told = {}): Backend {
  return {
    async update(edits, options) {
      checkEdits(edits);
      return update(caller, edits, options, told);
    },
    watch: (options) => watch(caller, options, told),
    async ask(question, request) {
      const parts: FileEntry[][] = [];
      const asked = plainRequest(request);
      const last = await caller.call(
        "ask",
        { question, request: asked },
        { onEvent: ({ files }) => parts.push(files) },
      );
      return joined(parts, last) as never;
    },
    highlights: (path, text) => caller.call("highlights", { path, text }) as Promise<Uint32Array>,
    locals: (path) => caller.call("locals", path) as Promise<Uint32Array>,
    structural: async (request, signal, onProgress) =>
      caller.call("structural", plainRequest(request) as StructuralRequest, {
        signal,
        onEvent: onProgress && (({ done, total }) => onProgress(done, total)),
      }),
    stale: async () => (await caller.call("stale", null)) ?? undefined,
    async keep(name) {
      const { state, error } = await caller.call("keep", name);
      return error ? { state, error: fromThrown(error) } : { state };
    },
    save: ({ onPhase, signal, ...how }) =>
      caller.call("save", how, { signal, onEvent: ({ phase }) => onPhase?.(phase) }),
    close: () => caller.close(),
  };
}

function takeStored(state: IndexState, { state: now, error }: StoredState, onUpdate: IndexOptions["onUpdate"]): void {
  state.stored = (error ? { state: now, error: fromThrown(error) } : { state: now }) satisfies Stored;
  if (now === "saved") onUpdate?.("saved");
}

function workOptions(options: IndexOptions): WorkOptions {
  const given = WORK_OPTIONS.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]]));
}
