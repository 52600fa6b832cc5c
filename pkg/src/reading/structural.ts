/**
 * Structural search: parsing workers read the pattern and look for it, texts come from the open index. Only files that have
 * the words of a pattern are parsed. Answers are in path order, whichever worker was faster.
 */

import type {
  StructuralFiles,
  StructuralFilesRequest,
  StructuralPlan,
  StructuralRequest,
  StructuralResponse,
} from "../../wasm/reader.js";
import { abortError, fromThrown, PortolanError } from "../errors.js";
import { engineFor, GUEST_LOAD_MS } from "../grammars/guests.js";
import type { SessionHost } from "../host.js";
import type { PatternBatch, PatternFile, PatternResult, ParseProtocol } from "../rpc/protocol.js";
import { PatternAnswer } from "./pattern-answer.js";
import { plainRequest } from "./request-limits.js";
import { Caller, withTimeout } from "../rpc/rpc.js";
import type { UserGrammars } from "../grammars/user-grammars.js";

/** The index that is searched. */
export interface PatternSource {
  structuralFiles(request: StructuralFilesRequest): StructuralFiles;
  text(path: string): string;
}

const MAX_WORKERS = 4;
/** Number of files that are worth a worker of their own. */
const FILES_PER_WORKER = 16;
const BATCH_BYTES = 256 * 1024;
const BATCH_FILES = 32;
/** A worker that says nothing so long after its time is ended. */
const GRACE_MS = 2_000;

/** Told now and then: files looked at, and files to look at. */
export type PatternProgress = (done: number, total: number) => void;

/** One search under way. */
interface Search {
  readonly request: StructuralRequest;
  readonly languages: string[];
  readonly grammars: Record<string, WebAssembly.Module>;
  readonly started: number;
  readonly signal: AbortSignal | undefined;
}

export class StructuralSearch {
  private readonly workers = new Set<Caller<ParseProtocol>>();
  private idle: Caller<ParseProtocol>[] = [];
  /** Workers hold one pattern at a time: searches follow one another. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly host: SessionHost,
    private readonly users: UserGrammars,
  ) {}

  search(
    source: PatternSource,
    request: StructuralRequest,
    signal?: AbortSignal,
    onProgress?: PatternProgress,
  ): Promise<StructuralResponse> {
    const run = this.last.then(() => this.run(source, plainRequest(request) as StructuralRequest, signal, onProgress));
    this.last = run.catch(() => {});
    return run;
  }

  close(): void {
    for (const worker of this.workers) worker.close();
    this.workers.clear();
    this.idle = [];
  }

  private async run(
    source: PatternSource,
    request: StructuralRequest,
    signal: AbortSignal | undefined,
    onProgress: PatternProgress | undefined,
  ): Promise<StructuralResponse> {
    if (signal?.aborted) throw abortError(signal.reason);
    const stop = () => this.close(); // what is under way rejects
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await this.find(source, request, signal, onProgress);
    } catch (error) {
      throw signal?.aborted ? abortError(signal.reason) : error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  private async find(
    source: PatternSource,
    request: StructuralRequest,
    signal: AbortSignal | undefined,
    onProgress: PatternProgress | undefined,
  ): Promise<StructuralResponse> {
    const filter = { paths: request.paths ?? [], languages: request.languages ?? [] };
    const { languages } = source.structuralFiles(filter);
    const search: Search = {
      request,
      languages,
      grammars: await this.grammars(languages),
      started: Date.now(),
      signal,
    };
    const first = await this.ready(search);
    const { plan } = first;
    const { files } = source.structuralFiles({ ...filter, words: plan.words });
    const answer = new PatternAnswer(plan);
    const batches = batchesOf(source, files);
    let n_done = 0;
    const lane = async (ready: Ready): Promise<void> => {
      let worker: Caller<ParseProtocol> | undefined = ready.worker;
      while (!answer.isEnough()) {
        const next = batches.next();
        if (next.done === true) break;
        const place = answer.begin(next.value);
        const left = plan.max_millis - (Date.now() - search.started);
        if (left <= 0) break;
        worker ??= (await this.ready(search)).worker;
        const { limit, max_steps } = plan;
        const result = await this.ask(worker, { files: next.value, limit, max_steps, max_millis: left }, left);
        answer.end(place, result);
        n_done += next.value.length;
        onProgress?.(n_done, files.length);
        if (result.is_lost) worker = undefined;
      }
      if (worker) this.idle.push(worker);
    };
    const n_lanes = Math.max(
      1,
      Math.min(this.host.parallelism, MAX_WORKERS, Math.ceil(files.length / FILES_PER_WORKER)),
    );
    const others = Array.from({ length: n_lanes - 1 }, () => this.ready(search).then(lane));
    await Promise.all([lane(first), ...others]);
    return answer.response();
  }

  private async grammars(languages: readonly string[]): Promise<Record<string, WebAssembly.Module>> {
    const load = async (language: string) => {
      const name = this.users.grammarOf(language);
      return [name, await this.host.assets.grammar(name).catch(() => undefined)] as const;
    };
    const loaded = await Promise.all(languages.map(load));
    return Object.fromEntries(loaded.filter((pair): pair is [string, WebAssembly.Module] => pair[1] !== undefined));
  }

  /** A worker that has read the pattern. */
  private async ready({ request, languages, grammars }: Search): Promise<Ready> {
    const worker = this.idle.pop() ?? (await this.start());
    try {
      const plan = await withTimeout(worker.call("readPattern", { request, languages, grammars }), GUEST_LOAD_MS);
      return { worker, plan };
    } catch (error) {
      // One whose engine stopped at the pattern, or that does not answer, reads no other.
      if (fromThrown(error).code.startsWith("internal") || isTimeout(error)) this.end(worker);
      else if (this.workers.has(worker)) this.idle.push(worker);
      throw error;
    }
  }

  private async start(): Promise<Caller<ParseProtocol>> {
    const worker = new Caller<ParseProtocol>(this.host.spawn("parse"));
    this.workers.add(worker);
    const { languages } = this.users;
    const engine = await engineFor(this.host.assets, languages);
    await worker.call("start", { engine, languages, guests: languages.length > 0 });
    return worker;
  }

  /** Returns the matches of a batch. A worker that fails or stays silent costs the file it was at, and is ended. */
  private async ask(worker: Caller<ParseProtocol>, batch: PatternBatch, left: number): Promise<PatternResult> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<PatternResult>((resolve) => {
      timer = setTimeout(() => resolve(lost()), left + GRACE_MS);
    });
    try {
      const result = await Promise.race([worker.call("findPattern", batch), silence]);
      if (result.is_lost) this.end(worker);
      return result;
    } finally {
      clearTimeout(timer);
    }
  }

  private end(worker: Caller<ParseProtocol>): void {
    this.workers.delete(worker);
    worker.close();
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof PortolanError && error.code === "worker.timeout";
}

interface Ready {
  readonly worker: Caller<ParseProtocol>;
  readonly plan: StructuralPlan;
}

function lost(): PatternResult {
  return { matches: [], truncated: false, timed_out: true, n_files: 0, n_steps: [], is_lost: true };
}

function* batchesOf(source: PatternSource, files: StructuralFiles["files"]): Generator<PatternFile[], undefined> {
  let batch: PatternFile[] = [];
  let n_bytes = 0;
  for (const { path, language } of files) {
    const text = source.text(path);
    batch.push({ path, language, text });
    n_bytes += text.length;
    if (n_bytes < BATCH_BYTES && batch.length < BATCH_FILES) continue;
    yield batch;
    [batch, n_bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
