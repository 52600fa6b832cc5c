/**
 * The pool of parsing workers: batches in, file units out. A worker that breaks costs the one file it broke on: the
 * worker is replaced, the file is read as plain text, and the rest of its batch is parsed by the next worker.
 */

import { PortolanError } from "../errors.js";
import type { Port } from "../host.js";
import type { LanguageInit, ParseFile, ParseProtocol, ParseResult } from "../rpc/protocol.js";
import { Caller, withTimeout } from "../rpc/rpc.js";
import type { ChunkOptions } from "../types.js";

/** A grammar by name, or undefined where it cannot be had (the language is then read as text). */
export type GrammarSource = (name: string) => Promise<WebAssembly.Module | undefined>;

/** Files to parse and the grammars that they need. */
export interface Batch {
  readonly files: readonly ParseFile[];
  readonly grammars: ReadonlySet<string>;
}

/** The parts of the pool. */
export interface PoolConfig {
  readonly spawn: () => Port;
  /** A parser in this thread, which helps where all workers are busy; absent where they suffice. */
  readonly here?: (() => Port) | undefined;
  /** Workers at most. */
  readonly size: number;
  /** Whether to start a worker when `expect` says so, or where there is no parser here (default: the first one at once). */
  readonly lazy?: boolean;
  readonly engine: WebAssembly.Module;
  /** Sizes of chunks. */
  readonly chunks?: ChunkOptions | undefined;
  /** Languages that the user brings. */
  readonly languages?: readonly LanguageInit[] | undefined;
  /** Whether grammars are those of a user. */
  readonly guests?: boolean | undefined;
  readonly grammar: GrammarSource;
  /** Time after which a silent worker counts as hanging (default half a minute, more for large batches). */
  readonly timeoutMs?: number;
  /** Bytes of files with workers at once (default 16 MB). A file that is larger goes alone. */
  readonly maxBytes?: number;
  /** Receives results in any order. Files whose units are there are not read again. */
  readonly onResult: (result: Pick<ParseResult, "units" | "warnings">) => void;
}

/** Two batches for each worker: the next one waits in its mailbox while it parses. */
const BATCHES_PER_WORKER = 2;
/** This thread reads files and takes results in: it parses no more than this at a stretch. */
const MAX_BYTES_HERE = 256 * 1024;
/** Wasm memory never shrinks: a worker above this is replaced by a fresh one. */
const MAX_WORKER_MEMORY = 384 * 1024 * 1024;
/** A larger one is not kept for work after parsing: its memory is free, but is not returned to the system. */
const MAX_KEPT_MEMORY = 128 * 1024 * 1024;
/** Bytes of files that are with workers at once, if one file alone is not larger: reading waits for parsing. */
const MAX_BYTES_UNDER_WAY = 16 * 1024 * 1024;
/** No batch takes so long unless the parser hangs: the slowest language is read twenty times as fast, and workers take seconds to start. */
const TIMEOUT_MS = { base: 30_000, perByte: 1 / 16 };
/** A grammar that hangs on this many files alone, and parses none between them, is disabled: each of the others would cost as much. */
const MAX_HANGS = 3;

interface Member {
  readonly caller: Caller<ParseProtocol>;
  readonly ready: Promise<unknown>;
  /** Grammars that it has, or gets with a batch that is on its way. */
  readonly knows: Set<string>;
  /** Those that it was sent. */
  readonly sent: Set<string>;
  load: number;
  /** Bytes of its memory, if known. */
  memory: number;
  retired: boolean;
  /** It parses in this thread. */
  readonly isHere: boolean;
}

export class ParsePool {
  private readonly members: Member[] = [];
  private readonly waiting: (() => void)[] = [];
  /** Files alone that each grammar has hung on since it read one. */
  private readonly hangs = new Map<string, number>();
  private closed = false;
  /** Bytes of the files that are with workers. */
  private n_bytes = 0;
  /** Workers that may start. */
  private size: number;

  /** Starts the first worker, unless it is lazy and there is a parser here; the others when there is work for them. */
  constructor(private readonly config: PoolConfig) {
    const { here, lazy, size } = config;
    this.size = here && lazy ? 0 : size;
    if (this.size > 0) this.members.push(this.start());
    if (here) this.members.push(this.start(here(), true));
  }

  /** Resolves once the batch is handed over; it waits while all workers are busy. `done` resolves with its results delivered. */
  async submit(batch: Batch): Promise<{ done: Promise<void> }> {
    const member = await this.free(batch);
    return { done: this.parse(member, batch) };
  }

  /** Whether a batch would be taken at once, by a worker that is there or by one more. */
  hasRoom(): boolean {
    const isFree = this.n_workers() < this.size || this.members.some(hasPlace);
    return isFree && this.n_bytes < (this.config.maxBytes ?? MAX_BYTES_UNDER_WAY) / 2;
  }

  /** Starts as many workers as there will be batches, so that none is awaited later. */
  expect(n_batches: number): void {
    this.size = Math.min(this.config.size, Math.max(this.size, n_batches));
    while (this.n_workers() < Math.min(this.size, n_batches)) this.members.push(this.start());
  }

  /** The parser in this thread, if there is one. */
  here(): Caller<ParseProtocol> | undefined {
    return this.members.find(({ isHere }) => isHere)?.caller;
  }

  /** A worker for what else there is to do; one is started where there is none. */
  worker(): Caller<ParseProtocol> {
    const there = this.members.find(({ isHere }) => !isHere);
    if (there) return there.caller;
    const started = this.start();
    this.members.push(started);
    return started.caller;
  }

  /** Up to `n` workers, at least one, for the work that remains when everything is parsed; the others are closed, which frees their memory. */
  keep(n: number): Caller<ParseProtocol>[] {
    for (const { caller } of this.members.filter(({ isHere }) => isHere)) caller.close();
    const members = this.members
      .splice(0)
      .filter(({ isHere }) => !isHere)
      .sort((a, b) => a.memory - b.memory);
    const small = members.findIndex(({ memory }) => memory > MAX_KEPT_MEMORY);
    for (const { caller } of members.splice(small < 0 ? n : Math.min(n, small))) caller.close();
    if (members.length === 0) members.push(this.start());
    this.members.push(...members);
    return members.map(({ caller }) => caller);
  }

  close(): void {
    this.closed = true;
    for (const member of this.members) member.caller.close();
    for (const wake of this.waiting.splice(0)) wake();
  }

  private n_workers(): number {
    return this.members.reduce((n, { isHere }) => n + Number(!isHere), 0);
  }

  private start(port = this.config.spawn(), isHere = false): Member {
    const caller = new Caller<ParseProtocol>(port);
    const ready = caller.call("start", {
      engine: this.config.engine,
      chunks: this.config.chunks,
      languages: this.config.languages,
      guests: this.config.guests,
    });
    ready.catch(() => {}); // the next batch of this worker gets the error
    return { caller, ready, knows: new Set(), sent: new Set(), load: 0, memory: 0, retired: false, isHere };
  }

  private async free(batch: Batch): Promise<Member> {
    const n_bytes = bytesIn(batch);
    for (;;) {
      if (this.closed) throw new PortolanError("index.closed", "the index was closed");
      const hasRoom = this.n_bytes === 0 || this.n_bytes + n_bytes <= (this.config.maxBytes ?? MAX_BYTES_UNDER_WAY);
      const member = hasRoom ? this.choose(batch.grammars, n_bytes) : undefined;
      if (member) {
        member.load++;
        for (const name of batch.grammars) member.knows.add(name);
        this.n_bytes += n_bytes;
        return member;
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /**
   * A worker with room, best one that knows the grammars: to prepare one costs as much as parsing a hundred files, so
   * a language of few files stays with one worker. This thread parses what no worker takes.
   */
  private choose(grammars: ReadonlySet<string>, n_bytes: number): Member | undefined {
    const isNew = (member: Member) => Number([...grammars].some((name) => !member.knows.has(name)));
    const free = this.members.filter((member) => hasPlace(member) && !member.isHere);
    const [best] = free.sort((a, b) => isNew(a) - isNew(b) || a.load - b.load);
    if (best !== undefined && (best.load === 0 || isNew(best) === 0)) return best;
    const here = this.members.find(({ isHere }) => isHere);
    const fits = here !== undefined && n_bytes <= MAX_BYTES_HERE;
    if (this.n_workers() < Math.max(this.size, fits ? 0 : 1)) {
      const started = this.start();
      this.members.push(started);
      return started;
    }
    return best ?? (fits && hasPlace(here) ? here : undefined);
  }

  private async parse(member: Member, given: Batch): Promise<void> {
    const batch = this.withoutGivenUp(given);
    const n_bytes = bytesIn(given);
    let again: Batch[] = [];
    try {
      const result = await this.run(member, batch);
      member.memory = result.memory;
      this.config.onResult(result);
      for (const name of batch.grammars) this.hangs.delete(name);
      if (result.crashed) {
        this.replace(member);
        again = member.isHere
          ? restOf(batch, result.units.length)
          : afterCrash(batch, result.units.length, result.crashed.message);
      } else if (result.memory > MAX_WORKER_MEMORY) {
        this.retire(member);
      }
    } catch (error) {
      if (this.closed || error instanceof StartFailure) throw error;
      // The worker is gone without a word; which file it was shows when each is tried alone. A batch that only waited
      // in the mailbox of a lost worker is tried again as it is. So is what this thread could not read: a worker may.
      const onlyWaited = member.retired || member.isHere;
      this.replace(member);
      if (!onlyWaited && batch.files.length === 1)
        for (const name of batch.grammars) this.hangs.set(name, (this.hangs.get(name) ?? 0) + 1);
      again = onlyWaited ? [batch] : afterLoss(batch, error as Error);
    } finally {
      member.load--;
      this.n_bytes -= n_bytes;
      this.waiting.shift()?.();
    }
    for (const rest of again) await (await this.submit(rest)).done;
  }

  /** Files of a grammar that was given up are read as text. */
  private withoutGivenUp(batch: Batch): Batch {
    const name = [...batch.grammars].find((name) => (this.hangs.get(name) ?? 0) >= MAX_HANGS);
    if (name === undefined) return batch;
    const crash = `the grammar for ${name} did not answer on ${MAX_HANGS} files and was given up`;
    return { files: batch.files.map((file) => ({ ...file, crash: file.crash ?? crash })), grammars: new Set() };
  }

  private async run(member: Member, batch: Batch): Promise<ParseResult> {
    const modules = await Promise.all(
      [...batch.grammars].map(async (name) => [name, await this.config.grammar(name)] as const),
    );
    // From here to the call nothing waits: a later batch that relies on a grammar must not overtake the one that brings it.
    const grammars: Record<string, WebAssembly.Module> = {};
    for (const [name, module] of modules) {
      if (module && !member.sent.has(name)) grammars[name] = module;
      member.sent.add(name);
    }
    const files = batch.files as ParseFile[];
    // It waits in the worker's mailbox until that has started: this thread may be busy then.
    const parsed = withTimeout(
      member.caller.call("parse", { files, grammars }),
      this.config.timeoutMs ?? TIMEOUT_MS.base + bytesIn(batch) * TIMEOUT_MS.perByte,
    );
    const [started] = await Promise.allSettled([member.ready, parsed]);
    if (started.status === "rejected" && !member.retired && !member.isHere) throw startFailure(started.reason as Error);
    return parsed;
  }

  /** The worker's instance is lost: another takes its place, except that of this thread. Batches in its mailbox reject and are tried again. */
  private replace(member: Member): void {
    if (member.retired || this.closed) return;
    member.retired = true;
    const place = this.members.indexOf(member);
    if (place >= 0) this.members.splice(place, 1, ...(member.isHere ? [] : [this.start()]));
    member.caller.close();
  }

  /** As `replace`, but its present batch is finished first. */
  private retire(member: Member): void {
    if (member.retired || this.closed) return;
    if (member.load > 1) return; // its next result asks again
    this.replace(member);
  }
}

function hasPlace({ load, isHere }: Member): boolean {
  return load < (isHere ? 1 : BATCHES_PER_WORKER);
}

function bytesIn({ files }: Batch): number {
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** No worker can start: trying the files again would not help. */
class StartFailure extends PortolanError {}

function startFailure(error: Error): StartFailure {
  // The request cannot be met, or the worker's artifacts are of different versions: another worker would fail alike.
  if (error instanceof PortolanError && ["options.invalid", "asset.stale"].includes(error.code))
    return new StartFailure(error.code, error.message, error.help);
  return new StartFailure("worker.start", `a parsing worker could not start: ${error.message}`, "", { cause: error });
}

function restOf({ files, grammars }: Batch, n_done: number): Batch[] {
  return [{ files: files.slice(n_done), grammars }];
}

/** The files of a batch after the one that broke the parser, and that one as plain text. */
function afterCrash(batch: Batch, n_done: number, message: string): Batch[] {
  const culprit = batch.files[n_done];
  const rest = batch.files.slice(n_done + 1);
  const batches: Batch[] = [];
  if (culprit && culprit.crash === undefined)
    batches.push({ files: [{ ...culprit, crash: message }], grammars: new Set() });
  if (rest.length > 0) batches.push({ files: rest, grammars: batch.grammars });
  return batches;
}

function afterLoss(batch: Batch, error: Error): Batch[] {
  const [only, ...others] = batch.files;
  if (!only) return [];
  if (others.length > 0) return batch.files.map((file) => ({ files: [file], grammars: batch.grammars }));
  if (only.crash !== undefined) throw error;
  return [{ files: [{ ...only, crash: error.message }], grammars: new Set() }];
}
