/**
 * A snapshot on a web server, of which only what questions read is fetched: by ranges of its file. A server that knows no ranges
 * sends the whole file once.
 */

import { CodeIndex as ReaderIndex } from "../../wasm/reader.js";
import { AnsweringIndex, guarded, limited, opened, readerInstance, type WasmIndex } from "./answering.js";
import { PortolanError } from "../errors.js";
import { FETCH_LIMITS, fetchWithin, type Answer, type FetchLimits } from "./fetching.js";
import type { Assets } from "../host.js";
import type { Question, Questions } from "../rpc/protocol.js";
import { isBundle } from "../storage/bundle.js";
import type { OpenLimits } from "../types.js";

/** Name, first byte, end. */
type Wanted = [name: string, start: number, end: number];

/** The methods of the wasm class for an index whose sections come one by one. */
interface PartialIndex extends WasmIndex {
  missing(tool: string): Wanted[];
  missingBlocks(): Wanted[];
  provide(name: string, bytes: Uint8Array): void;
}

/** Ranges nearer to each other than this are fetched at once: a request costs more than the bytes between. */
const NEAR = 32_768;
/** A query whose blocks are still missing after this many rounds has failed. */
const MAX_ROUNDS = 64;

/** Reads pieces of a file on a server. */
export class RangeFile {
  n_bytes = 0;
  /** Bytes that have come over the wire, and in how many answers. */
  readonly fetched = { n_bytes: 0, n_requests: 0 };
  private whole: Uint8Array | undefined;
  private version: string | undefined;

  constructor(
    private readonly url: string,
    private readonly fetcher: typeof fetch = fetch,
    private readonly limits: FetchLimits = FETCH_LIMITS,
  ) {}

  /** The first bytes, and the length of the file. */
  async open(n_bytes: number): Promise<Uint8Array> {
    const answer = await this.request(0, n_bytes);
    this.version = versionOf(answer.response);
    const range = rangeOf(answer.response);
    if (range && (range.start !== 0 || range.total > this.limits.maxBytes)) {
      answer.cancel();
      throw this.unfit(`bytes ${range.start} of ${range.total} were sent, not the first`);
    }
    const bytes = await this.body(answer, range ? n_bytes : this.limits.maxBytes);
    if (!range) this.whole = bytes;
    this.n_bytes = range ? range.total : bytes.length;
    return bytes.subarray(0, n_bytes);
  }

  /** Bytes of the file; neighbours in one request. */
  async read(ranges: readonly (readonly [start: number, end: number])[]): Promise<Uint8Array[]> {
    const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
    const runs: { start: number; end: number }[] = [];
    for (const [start, end] of sorted) {
      const last = runs.at(-1);
      if (last && start <= last.end + NEAR) last.end = Math.max(last.end, end);
      else runs.push({ start, end });
    }
    const pieces = this.whole
      ? []
      : await Promise.all(runs.map(async ({ start, end }) => ({ start, bytes: await this.piece(start, end) })));
    return ranges.map(([start, end]) => {
      if (this.whole) return this.whole.subarray(start, end);
      const piece = pieces.findLast((piece) => piece.start <= start) as (typeof pieces)[number]; // each range is in a run
      return piece.bytes.subarray(start - piece.start, end - piece.start);
    });
  }

  private async piece(start: number, end: number): Promise<Uint8Array> {
    const answer = await this.request(start, end);
    const { response } = answer;
    if (versionOf(response) !== this.version) {
      answer.cancel();
      throw new PortolanError(
        "remote.changed",
        `the index at ${this.url} was replaced while it was open`,
        "open it again",
      );
    }
    if (response.status !== 206) {
      this.whole = await this.body(answer, this.limits.maxBytes);
      return this.whole.subarray(start, end);
    }
    const range = rangeOf(response);
    if (range && (range.start !== start || range.total !== this.n_bytes)) {
      answer.cancel();
      throw this.unfit(`bytes ${range.start} of ${range.total} were sent, not ${start} of ${this.n_bytes}`);
    }
    return this.body(answer, end - start);
  }

  private async request(start: number, end: number): Promise<Answer> {
    // Compressed on the way, ranges would mean something else; sections are packed anyway.
    const headers = { range: `bytes=${start}-${end - 1}` };
    const answer = await fetchWithin(this.fetcher, this.url, headers, this.limits);
    const { status, ok } = answer.response;
    if (ok) return answer;
    answer.cancel();
    // The file is shorter than what was asked for.
    if (status === 416 && start === 0) return fetchWithin(this.fetcher, this.url, {}, this.limits);
    throw new PortolanError("remote.failed", `${this.url} cannot be fetched: the server answers ${status}`);
  }

  private async body(answer: Answer, most: number): Promise<Uint8Array> {
    const bytes = await answer.bytes(most);
    this.fetched.n_bytes += bytes.length;
    this.fetched.n_requests += 1;
    return bytes;
  }

  private unfit(what: string): PortolanError {
    return new PortolanError("remote.failed", `${this.url} does not answer what it is asked for: ${what}`);
  }
}

function versionOf(response: Response): string | undefined {
  return response.headers.get("etag") ?? response.headers.get("last-modified") ?? undefined;
}

/** The piece that an answer holds; nothing where it is the whole file. */
function rangeOf(response: Response): { start: number; total: number } | undefined {
  const said = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get("content-range") ?? "");
  const [start, total] = [Number(said?.[1]), Number(said?.[2])];
  return response.status === 206 && Number.isSafeInteger(total) ? { start, total } : undefined;
}

/** An index whose sections are fetched when a question reads them. */
export class RemoteIndex extends AnsweringIndex {
  /** Questions wait for each other: an answer and the blocks that it read belong together. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    partial: PartialIndex,
    assets: Assets,
    readonly file: RangeFile,
    reopen: () => PartialIndex,
  ) {
    super(partial, assets, { instance: readerInstance, reopen });
  }

  override ask<Q extends Question>(question: Q, request: Questions[Q][0]): Promise<Questions[Q][1]> {
    const answer = this.last.then(() => this.askNow(question, request));
    this.last = answer.catch(() => {});
    return answer;
  }

  override async prepareText(path: string): Promise<void> {
    await this.ask("file_text", { path });
  }

  override structuralFiles(): never {
    throw new PortolanError(
      "host.unsupported",
      "a structural search reads all texts",
      "fetch the whole index and open its bytes",
    );
  }

  override save(): never {
    throw new PortolanError(
      "host.unsupported",
      "this index is on a server, and only parts of it are here",
      "download its file",
    );
  }

  override saveTo(): never {
    this.save();
  }

  /** Fetches the sections that a tool reads. */
  async fetchFor(tool: string): Promise<void> {
    await this.provide(this.inParts(tool, (partial) => partial.missing(tool)));
  }

  private async askNow<Q extends Question>(question: Q, request: Questions[Q][0]): Promise<Questions[Q][1]> {
    await this.fetchFor(question);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const answer = await super.ask(question, request).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      const blocks = this.inParts(question, (partial) => partial.missingBlocks());
      if (blocks.length === 0) {
        if ("error" in answer) throw answer.error;
        return answer.value;
      }
      await this.provide(blocks);
    }
    throw new PortolanError("remote.failed", "the texts of the index cannot be read");
  }

  private async provide(wanted: readonly Wanted[]): Promise<void> {
    if (wanted.length === 0) return;
    const pieces = await this.file.read(wanted.map(([, start, end]) => [start, end] as const));
    for (const [at, piece] of pieces.entries()) {
      const [name] = wanted[at] as Wanted;
      this.inParts(name, (partial) => partial.provide(name, piece));
    }
  }

  private inParts<T>(what: string, call: (partial: PartialIndex) => T): T {
    return this.run(what, (wasm) => call(wasm as PartialIndex));
  }
}

/** Opens a snapshot by its address. */
export async function openAddress(
  assets: Assets,
  url: string,
  fetcher?: typeof fetch,
  limits?: FetchLimits,
  opening?: OpenLimits,
): Promise<{ index: RemoteIndex; name: string }> {
  const module = await assets.module("reader");
  readerInstance.start(module);
  const file = new RangeFile(url, fetcher, limits);
  const start = await file.open(guarded(() => ReaderIndex.nStart()));
  if (isBundle(start))
    throw new PortolanError(
      "index.shards",
      `${url} is a version in shards, of which openRemote reads no parts`,
      "fetch the whole file and give its bytes to Portolan.open, or ask the server",
    );
  const open = () => {
    readerInstance.start(module);
    return limited(ReaderIndex.openStart(start, file.n_bytes), opening) as unknown as PartialIndex;
  };
  const index = new RemoteIndex(opened(open) as PartialIndex, assets, file, open);
  await index.fetchFor("name");
  return { index, name: index.name() };
}
