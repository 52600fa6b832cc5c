/** Asks a server of shared indexes, for the commands. A token goes to that server alone: redirects are not followed. */

import { PortolanError } from "../errors.js";
import { pause } from "../sleep.js";
import { AT_ONCE, collected, inParallel } from "./store.js";
import type {
  NearestAnswer,
  NearestCommit,
  Piece,
  PruneAnswer,
  PruneRequest,
  VersionList,
  VersionManifest,
  VersionOffer,
  VersionRequest,
  VersionSummary,
} from "./types.js";

const MAX_JSON = 32 * 1024 * 1024;
const LIMIT_MS = 120_000;
const FILE_MS = 30 * 60_000;
/** Times that a server which does not answer is asked again. */
const RETRIES = 4;
/** Times that a server is asked again which says that it is busy: a pruning may take a while. */
const MAX_BUSY = 30;
/** Ranges nearer to each other than this are one request. */
const NEAR = 32_768;

/** A server and the token for it. */
export interface ServerAccess {
  /** Base address, without a stroke at the end. */
  readonly server: string;
  readonly token?: string | undefined;
}

/** A piece and its place in the file. */
export interface PlacedPiece extends Piece {
  readonly offset: number;
}

/** Asks a server of shared indexes about one repository. */
export class SharedClient {
  constructor(
    private readonly access: ServerAccess,
    private readonly repository: string,
    private readonly fetcher: typeof fetch = fetch,
  ) {}

  offer(request: VersionRequest): Promise<VersionOffer> {
    return this.json("POST", "/versions", request);
  }

  list(): Promise<VersionList> {
    return this.json("GET", "/versions");
  }

  manifest(version: string): Promise<VersionManifest> {
    return this.json("GET", `/versions/${encodeURIComponent(version)}`);
  }

  nearest(commits: readonly NearestCommit[]): Promise<NearestAnswer> {
    return this.json("POST", "/nearest", { commits });
  }

  switchTo(version: string): Promise<VersionSummary> {
    return this.json("POST", "/current", { version });
  }

  prune(rules: PruneRequest): Promise<PruneAnswer> {
    return this.json("POST", "/prune", rules);
  }

  /** Uploads a piece; one that broke off is sent again. */
  async putPiece(digest: string, bytes: Uint8Array): Promise<void> {
    await drained(await this.asked("PUT", `/pieces/${digest}`, { body: bytes as BodyInit }));
  }

  /**
   * Fetches pieces of a version, some requests at a time, neighbours in one. `take` gets the bytes of each; it compares them with the digest.
   */
  async pieces(
    version: string,
    wanted: readonly PlacedPiece[],
    take: (piece: PlacedPiece, bytes: Uint8Array) => Promise<void>,
  ): Promise<void> {
    await inParallel(runsOf(wanted), AT_ONCE, async (run) => {
      const [start, end] = [run[0]?.offset ?? 0, endOf(run.at(-1) as PlacedPiece)];
      const headers = { range: `bytes=${start}-${end - 1}` };
      const path = `/index?version=${version}`;
      const response = await this.asked("GET", path, { headers }, FILE_MS);
      if (response.status !== 206 && start !== 0) throw this.failed(new Error("the server sends no ranges"));
      const bytes = await collected(bodyOf(response), end - start);
      if (bytes.length !== end - start) throw this.failed(new Error("the answer broke off"));
      for (const piece of run) await take(piece, bytes.subarray(piece.offset - start, endOf(piece) - start));
    });
  }

  private async json<T>(method: string, path: string, request?: object): Promise<T> {
    const headers = { "content-type": "application/json" };
    const init = request && { headers, body: JSON.stringify(request) };
    const response = await this.asked(method, path, init);
    const text = new TextDecoder().decode(await collected(bodyOf(response), MAX_JSON));
    try {
      return JSON.parse(text) as T;
    } catch {
      throw this.failed(new Error("its answer is no JSON; is it a server of shared indexes?"));
    }
  }

  private async asked(method: string, path: string, init: RequestInit = {}, limit_ms = LIMIT_MS): Promise<Response> {
    const { server, token } = this.access;
    const url = `${server}/v1/repos/${encodeURIComponent(this.repository)}${path}`;
    const headers = { ...(init.headers as object), ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    for (let n_tries = 0; ; n_tries++) {
      let response: Response;
      try {
        const signal = AbortSignal.timeout(limit_ms);
        response = await this.fetcher(url, { ...init, method, headers, redirect: "error", signal });
      } catch (error) {
        if (n_tries >= RETRIES || (error as Error).name === "TimeoutError") throw this.failed(error);
        await pause(200 * 2 ** n_tries);
        continue;
      }
      if (response.ok) return response;
      const wait_s = Number(response.headers.get("retry-after") ?? 1);
      const isBusy = [429, 503].includes(response.status) && wait_s <= 60;
      const error = await this.refusal(response);
      if (!isBusy || n_tries >= MAX_BUSY) throw error;
      await pause(wait_s * 1000);
    }
  }

  /** The error that the server tells. */
  private async refusal(response: Response): Promise<PortolanError> {
    const text = new TextDecoder().decode(await collected(bodyOf(response), MAX_JSON).catch(() => new Uint8Array()));
    try {
      const { code, message, help } = JSON.parse(text) as Record<string, unknown>;
      if (typeof code === "string" && /^[a-z]+\.[a-z-]+$/.test(code))
        return new PortolanError(code, String(message), typeof help === "string" ? help : "");
    } catch {
      // no answer of ours
    }
    return this.failed(new Error(`it answers ${response.status}`));
  }

  private failed(error: unknown): PortolanError {
    const { message, cause } = error as Error & { cause?: Error };
    const reason = cause?.message || message;
    return new PortolanError("remote.failed", `${this.access.server}: ${reason}`, "is the server there?", {
      cause: error,
    });
  }
}

/** Pieces in runs of neighbours. */
function runsOf(wanted: readonly PlacedPiece[]): PlacedPiece[][] {
  const runs: PlacedPiece[][] = [];
  for (const piece of [...wanted].sort((a, b) => a.offset - b.offset)) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    // A run is in memory as a whole.
    const isNear = run && last && piece.offset <= endOf(last) + NEAR;
    if (isNear && endOf(piece) - (run[0] as PlacedPiece).offset <= MAX_RUN) run.push(piece);
    else runs.push([piece]);
  }
  return runs;
}

const MAX_RUN = 16 * 1024 * 1024;

function endOf({ offset, n_bytes }: PlacedPiece): number {
  return offset + n_bytes;
}

function bodyOf({ body }: Response): AsyncIterable<Uint8Array> {
  return (body ?? []) as unknown as AsyncIterable<Uint8Array>;
}

async function drained(response: Response): Promise<void> {
  await response.arrayBuffer();
}
