/** From files to file units: read, put into batches by grammar, parsed by workers and, where that helps, by this thread. */

import type { Admitted, CodeIndexBuilder, FileChanges } from "../../wasm/engine.js";
import type { ErrorBody } from "../../wasm/reader.js";
import { release } from "../bytes.js";
import { LeftOut } from "./left-out.js";
import { PortolanError, toBody } from "../errors.js";
import { GRAMMAR_HELP } from "../grammars/loader.js";
import { GUEST_BATCH_MS, isGuest, MAX_GUEST_WORKERS } from "../grammars/guests.js";
import type { IndexingContext } from "./pipeline.js";
import { ParsePool, type Batch } from "./parse-pool.js";
import type { ParseFile, ParseProtocol, ParseResult } from "../rpc/protocol.js";
import type { Caller } from "../rpc/rpc.js";
import { messageOf, type FoundFile } from "./walk.js";

/** Large enough that messages cost nothing, small enough that the last batch keeps no worker waiting. */
const BATCH_BYTES = { first: 48 * 1024, min: 24 * 1024, max: 192 * 1024 };
const BATCH_FILES = 48;
/** Batches that a worker is given where the bytes suffice: the first comes soon, the last is short. */
const BATCHES_OF_A_WORKER = 8;
/** Where this thread parses, too, it is soon done with each. */
const SHARED_BATCH_BYTES = { ...BATCH_BYTES, first: 16 * 1024, min: 8 * 1024 };
/** A worker takes as long to come up as this thread to parse so much. */
const BYTES_ALONE = 100_000;
/** Workers have that much to do while files are listed. */
const TURN_MS = 3;

/** A file that is new or another than before. */
export interface ChangedFile {
  readonly admitted: Admitted;
  readonly bytes: Uint8Array;
}

/** Lets messages come in, where timers do not make that take milliseconds. */
function turn(): Promise<void> | undefined {
  const { setImmediate } = globalThis as { setImmediate?: (then: () => void) => void };
  return setImmediate && new Promise((resolve) => setImmediate(resolve));
}

export async function readFile(
  builder: CodeIndexBuilder,
  path: string,
  file: FoundFile["file"],
): Promise<Uint8Array | undefined> {
  try {
    const bytes = file.read();
    return bytes instanceof Uint8Array ? bytes : await bytes;
  } catch (error) {
    builder.skipUnreadable(path, messageOf(error));
    return undefined;
  }
}

/** A file that was written so lately may be written again within the same tick of the disk's clock. */
const TOO_FRESH_MS = 2_000;

export function stamp(builder: CodeIndexBuilder, path: string, size: number, modified: number | undefined): void {
  if (modified !== undefined && Date.now() - modified > TOO_FRESH_MS) builder.stamp(path, size, modified);
}

/** Workers that start when there is something to parse, and stay for the next round. */
export class LazyParsing {
  private parsing: Parsing | undefined;

  constructor(private readonly context: IndexingContext) {}

  /** Parses added and modified files; renamed ones keep their facts. */
  async parse(files: readonly ChangedFile[], changes: FileChanges): Promise<void> {
    const renamed = new Set(changes.renamed.map(({ to }) => to));
    const rest = files.filter(({ admitted }) => !renamed.has(admitted.path));
    if (rest.length === 0) return;
    const parsing = this.started();
    try {
      await parsing.changed(rest);
      await parsing.finish();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** A worker for what else there is to do. */
  worker(): Caller<ParseProtocol> {
    return this.started().worker();
  }

  private started(): Parsing {
    this.parsing ??= new Parsing(this.context, true);
    return this.parsing;
  }

  /** The parser in this thread, where there is one and it was needed. */
  here(): Caller<ParseProtocol> | undefined {
    return this.parsing?.here();
  }

  close(): void {
    this.parsing?.close();
    this.parsing = undefined;
  }
}

/** Workers that parse, and the batches on the way to them. */
export class Parsing {
  private readonly pool: ParsePool;
  /** Workers for grammars that the user brings; they read nothing else. */
  private guests: Promise<ParsePool> | undefined;
  private readonly grammars = new Map<string, Promise<WebAssembly.Module | undefined>>();
  private readonly running = new Set<Promise<void>>();
  /** Batches being filled, by grammar. */
  private readonly batches = new Map<string | undefined, { files: ParseFile[]; n_bytes: number }>();
  private failure: unknown;
  private batchBytes = BATCH_BYTES.max;
  /** When messages last had their turn. */
  private turnedAt = 0;
  /** Files that were read, of those that are listed. */
  private n_read = 0;
  private n_parsed = 0;
  private n_admitted = 0;
  /** Bytes of the files that there is room for. */
  private n_taken = 0;
  private readonly left: LeftOut;
  /** Bytes of the files that are being parsed. */
  private readonly sizes = new Map<string, number>();
  /** Those of them whose bytes nobody else has. */
  private readonly owned = new Map<string, Uint8Array>();
  /** Resolves when the work is cancelled, so that nothing waits for a slow grammar. */
  private readonly cancelled: Promise<void>;

  /** Whether this thread parses, too. */
  private readonly parsesHere: boolean;
  private readonly batchLimits: typeof BATCH_BYTES;

  /** @param few whether there is likely so little to parse that no worker is needed. */
  constructor(
    private readonly context: IndexingContext,
    private readonly few = false,
  ) {
    const { signal, host, n_workers } = context;
    this.left = new LeftOut(context);
    const here = few || context.parsesHere ? host.parserHere : undefined;
    this.parsesHere = here !== undefined;
    this.batchLimits = this.parsesHere ? SHARED_BATCH_BYTES : BATCH_BYTES;
    this.cancelled = new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    this.pool = new ParsePool({
      spawn: () => context.host.spawn("parse"),
      here,
      lazy: few,
      size: n_workers,
      engine: context.engine,
      chunks: context.chunks,
      languages: context.languages,
      grammar: (name) => this.grammar(name),
      onResult: (result) => this.take(result),
    });
  }

  async files(found: readonly FoundFile[]): Promise<void> {
    const n_bytes = found.reduce((sum, { size }) => sum + size, 0);
    const caution = this.context.budget?.caution(n_bytes);
    if (caution) this.context.onWarning(toBody(caution));
    this.context.budget?.forTexts(n_bytes);
    this.plan(n_bytes);
    while (this.n_read < found.length) await this.read(found);
  }

  /** Reads and parses the next of the files, up to `end`, into the builder that the context has now. */
  async upTo(found: readonly FoundFile[], end: number): Promise<void> {
    if (this.n_read === 0) this.plan(found.reduce((sum, { size }) => sum + size, 0));
    while (this.n_read < end) await this.read(found);
    await this.finish();
  }

  /** While files are still listed: as many of them as there are workers waiting for. */
  async ahead(found: readonly FoundFile[]): Promise<void> {
    this.batchBytes = this.batchLimits.first;
    while (this.n_read < found.length && this.pool.hasRoom()) await this.read(found);
    // A walk that never waits would keep what workers answer waiting.
    if (performance.now() < this.turnedAt + TURN_MS) return;
    await turn();
    this.turnedAt = performance.now();
  }

  /** Reads the next file. */
  private async read(found: readonly FoundFile[]): Promise<void> {
    const next = found[this.n_read];
    if (!next) return;
    const { path, size, modified, file } = next;
    const { builder, meter } = this.context;
    if (!this.hasRoom(path, size)) return meter.report("reading", ++this.n_read, found.length, path);
    const bytes = await readFile(builder, path, file);
    const admitted = bytes && builder.add(path, bytes);
    stamp(builder, path, size, modified);
    meter.report("reading", ++this.n_read, found.length, path);
    if (!admitted) return;
    if (file.handsOver === true) this.owned.set(admitted.path, bytes);
    await this.enqueue(admitted, bytes);
  }

  async archive(bytes: Uint8Array): Promise<void> {
    const { builder, meter } = this.context;
    meter.report("reading", 0, 1);
    const admitted = builder.addArchive(bytes);
    meter.report("reading", admitted.length, admitted.length);
    for (const file of admitted) {
      const bytes = builder.bytesOf(file.path);
      if (this.hasRoom(file.path, bytes.length)) await this.enqueue(file, bytes);
    }
  }

  async changed(files: readonly ChangedFile[]): Promise<void> {
    this.n_parsed = this.n_admitted = 0;
    this.plan(files.reduce((sum, { bytes }) => sum + bytes.length, 0));
    for (const { admitted, bytes } of files) await this.enqueue(admitted, bytes);
  }

  async finish(): Promise<void> {
    for (const grammar of [...this.batches.keys()]) await this.send(grammar);
    while (this.running.size > 0) {
      await Promise.race([...this.running, this.cancelled]);
      this.check();
    }
    this.check();
    this.context.meter.report("parsing", this.n_parsed, this.n_parsed);
    this.left.tell();
  }

  close(): void {
    this.pool.close();
    void this.guests?.then((pool) => pool.close()).catch(() => {});
  }

  /** Bytes of the files that were taken in. */
  get n_bytes(): number {
    return this.n_taken;
  }

  /** The parser in this thread, if there is one. */
  here(): Caller<ParseProtocol> | undefined {
    return this.pool.here();
  }

  /** A worker for what else there is to do. */
  worker(): Caller<ParseProtocol> {
    return this.pool.worker();
  }

  /** When everything is parsed: up to `n` of the workers, at least one, for the work beside building. The others are closed. */
  keep(n: number): Caller<ParseProtocol>[] {
    void this.guests?.then((pool) => pool.close());
    return this.pool.keep(n);
  }

  /** Whether there is memory for one more file. From the first one on for which there is none, files are left out. */
  private hasRoom(path: string, n_bytes: number): boolean {
    const { budget } = this.context;
    if (!budget || (!this.left.isAny && budget.fits(this.n_taken + n_bytes))) {
      this.n_taken += n_bytes;
      return true;
    }
    this.left.add(path, n_bytes);
    return false;
  }

  /** Sizes batches by what there is to parse, and starts the workers for them. */
  private plan(n_bytes: number): void {
    const share = n_bytes / ((this.context.n_workers + Number(this.parsesHere)) * BATCHES_OF_A_WORKER);
    this.batchBytes = Math.min(this.batchLimits.max, Math.max(this.batchLimits.min, share));
    if (!this.few || !this.parsesHere || n_bytes > BYTES_ALONE) this.pool.expect(Math.ceil(n_bytes / this.batchBytes));
  }

  private async enqueue({ path, grammar }: Admitted, bytes: Uint8Array): Promise<void> {
    this.n_admitted++;
    this.sizes.set(path, bytes.length);
    let batch = this.batches.get(grammar);
    if (!batch) {
      batch = { files: [], n_bytes: 0 };
      this.batches.set(grammar, batch);
    }
    batch.files.push({ path, bytes });
    batch.n_bytes += bytes.length;
    if (grammar !== undefined) void this.grammar(grammar); // compiles while the batch fills
    if (batch.n_bytes >= this.batchBytes || batch.files.length >= BATCH_FILES) await this.send(grammar);
  }

  private async send(grammar: string | undefined): Promise<void> {
    this.check();
    const files = this.batches.get(grammar)?.files ?? [];
    this.batches.delete(grammar);
    if (files.length === 0) return;
    const batch: Batch = { files, grammars: new Set(grammar === undefined ? [] : [grammar]) };
    const submitted = this.poolFor(grammar).then((pool) => pool.submit(batch));
    await Promise.race([submitted, this.cancelled]);
    this.check();
    const { done } = await submitted;
    const running = done
      .catch((error: unknown) => {
        this.failure ??= error;
      })
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  private async poolFor(grammar: string | undefined): Promise<ParsePool> {
    if (!isGuest(grammar)) return this.pool;
    this.guests ??= this.startGuests();
    return this.guests;
  }

  private async startGuests(): Promise<ParsePool> {
    const { host, chunks, languages, n_workers } = this.context;
    return new ParsePool({
      spawn: () => host.spawn("parse"),
      size: Math.min(n_workers, MAX_GUEST_WORKERS),
      engine: await host.assets.guestEngine(),
      chunks,
      languages,
      guests: true,
      timeoutMs: GUEST_BATCH_MS,
      grammar: (name) => this.grammar(name),
      onResult: (result) => this.take(result),
    });
  }

  private check(): void {
    this.context.signal.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
  }

  private take(result: Pick<ParseResult, "units" | "warnings">): void {
    const read: Uint8Array[] = [];
    for (const { path, unit } of result.units) {
      this.context.budget?.noteParsed(this.sizes.get(path) ?? 0, unit.length);
      this.sizes.delete(path);
      this.context.builder.put(path, unit);
      read.push(unit, this.owned.get(path) ?? unit);
      this.owned.delete(path);
    }
    release(read);
    for (const warning of result.warnings) this.warnOnce(warning);
    this.context.budget?.keep();
    this.n_parsed += result.units.length;
    this.context.meter.report("parsing", this.n_parsed, this.n_admitted, result.units.at(-1)?.path);
  }

  private readonly warned = new Set<string>();

  private warnOnce(warning: ErrorBody): void {
    if (this.warned.has(warning.message)) return;
    this.warned.add(warning.message);
    this.context.onWarning(warning);
  }

  /** Fetched and compiled once, then posted to each worker that needs it. */
  private grammar(name: string): Promise<WebAssembly.Module | undefined> {
    let module = this.grammars.get(name);
    if (!module) {
      module = this.fetchGrammar(name);
      this.grammars.set(name, module);
    }
    return module;
  }

  private async fetchGrammar(name: string): Promise<WebAssembly.Module | undefined> {
    try {
      return await this.context.host.assets.grammar(name);
    } catch (error) {
      const message = `the grammar for ${name} could not be loaded: ${messageOf(error)}`;
      const help = error instanceof PortolanError && error.code === "grammar.unknown" ? error.help : GRAMMAR_HELP;
      this.warnOnce(toBody(new PortolanError("grammar.load", message, help)));
      return undefined;
    }
  }
}
