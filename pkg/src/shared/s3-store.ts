/**
 * Objects in S3, or in a server that speaks as S3 does; docs/shared.md has those that are tested. Requests are signed by aws4fetch. Documents
 * are replaced with `If-Match` and created with `If-None-Match: *`; a server without these is refused by `checkConditions`.
 */

import { AwsClient } from "./aws.js";

import { PortolanError } from "../errors.js";
import { sha256 } from "./digest.js";
import {
  AT_ONCE,
  collected,
  conflict,
  inParallel,
  MAX_DOCUMENT,
  PAGE,
  partsOf,
  storeFailed,
  type ByteRange,
  type ObjectBody,
  type ObjectHead,
  type ObjectPage,
  type ObjectStore,
  type StoredDocument,
} from "./store.js";

/** The bucket, its server, and the key for it. */
export interface S3Options {
  readonly bucket: string;
  /** Of all keys, empty or ending with `/`. */
  readonly prefix: string;
  /** Base address of the server; the bucket is the first part of paths there. Default: Amazon's of the region. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** A request that takes longer has failed. */
const LIMIT_MS = 60_000;
const RETRIES = 3;
const MAX_LIST = 8 * 1024 * 1024;

/** A store in S3, or in a server with its API. */
export class S3Store implements ObjectStore {
  private readonly client: AwsClient;
  private readonly base: string;

  constructor(
    private readonly options: S3Options,
    private readonly fetcher: typeof fetch = fetch,
  ) {
    const { accessKeyId, secretAccessKey, sessionToken, region, endpoint, bucket } = options;
    this.client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      service: "s3",
      region,
      retries: RETRIES,
      initRetryMs: 100,
    });
    this.base =
      endpoint === undefined
        ? `https://${bucket}.s3.${region}.amazonaws.com`
        : `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  }

  async head(key: string): Promise<ObjectHead | undefined> {
    const response = await this.ask("HEAD", this.place(key));
    return response.status === 404 ? undefined : headOf(key, response);
  }

  async get(key: string, range?: ByteRange): Promise<ObjectBody | undefined> {
    if (range?.length === 0) {
      const head = await this.head(key);
      return head && { ...head, body: nothing(), cancel: () => {} };
    }
    const headers = range && { range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
    const response = await this.ask("GET", this.place(key), { headers });
    if (response.status === 404) return undefined;
    if (range && response.status !== 206) {
      await response.body?.cancel();
      throw new PortolanError("store.failed", "the S3 server sends no ranges", "use another one");
    }
    return { ...headOf(key, response), body: bodyOf(response), cancel: () => void response.body?.cancel() };
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await drained(await this.ask("PUT", this.place(key), { body: bytes }));
  }

  async delete(keys: readonly string[]): Promise<void> {
    await inParallel(keys, AT_ONCE, async (key) => drained(await this.ask("DELETE", this.place(key))));
  }

  list(prefix: string, cursor?: string): Promise<ObjectPage> {
    return this.page("objects/", prefix, cursor);
  }

  async readDocument(key: string): Promise<StoredDocument | undefined> {
    const response = await this.ask("GET", this.document(key));
    if (response.status === 404) return undefined;
    const bytes = await collected(bodyOf(response), MAX_DOCUMENT);
    return { bytes, etag: etagOf(response) };
  }

  async writeDocument(key: string, bytes: Uint8Array, etag: string | undefined): Promise<string> {
    const headers = etag === undefined ? { "if-none-match": "*" } : { "if-match": etag };
    const response = await this.ask("PUT", this.document(key), { body: bytes, headers });
    await drained(response);
    // 409: two writers at the same moment; 404: it was deleted.
    if ([404, 409, 412].includes(response.status)) throw conflict(key);
    return etagOf(response);
  }

  async deleteDocument(key: string): Promise<void> {
    await drained(await this.ask("DELETE", this.document(key)));
  }

  async listDocuments(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.page("documents/", prefix, cursor);
      keys.push(...page.objects.map(({ key }) => key));
      cursor = page.cursor;
    } while (cursor !== undefined);
    return keys;
  }

  /**
   * Makes sure that the server replaces a document only under its condition. Without that two writers could lose a version, so nothing is
   * stored there. Rejects with `store.unsupported`.
   */
  async checkConditions(): Promise<void> {
    const key = `check/${crypto.randomUUID()}`;
    const bytes = new TextEncoder().encode("portolan");
    const etag = await this.writeDocument(key, bytes, undefined);
    const isRefused = (mark: string | undefined) =>
      this.writeDocument(key, bytes, mark).then(
        () => false,
        (error: PortolanError) => error.code === "store.conflict",
      );
    const isSafe = (await isRefused(undefined)) && (await isRefused('"00000000000000000000000000000000"'));
    if (isSafe) await this.writeDocument(key, new TextEncoder().encode("again"), etag);
    await this.deleteDocument(key);
    if (isSafe) return;
    throw new PortolanError(
      "store.unsupported",
      "this S3 server replaces objects whatever If-Match and If-None-Match say",
      "use one that honours both, such as SeaweedFS 4.48, or a folder",
    );
  }

  private async page(folder: string, prefix: string, cursor: string | undefined): Promise<ObjectPage> {
    const start = this.options.prefix + folder;
    const query = new URLSearchParams({
      "list-type": "2",
      "encoding-type": "url",
      "max-keys": String(PAGE),
      prefix: start + prefix,
      ...(cursor !== undefined && { "continuation-token": cursor }),
    });
    const response = await this.ask("GET", `?${query}`);
    const text = new TextDecoder().decode(await collected(bodyOf(response), MAX_LIST));
    const objects = [...text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, entry = ""]) => ({
      key: decodeURIComponent(elementOf(entry, "Key").replaceAll("+", " ")).slice(start.length),
      n_bytes: Number(elementOf(entry, "Size")),
      written_at: Date.parse(elementOf(entry, "LastModified")),
    }));
    const isMore = elementOf(text, "IsTruncated") === "true";
    return { objects, cursor: isMore ? elementOf(text, "NextContinuationToken") : undefined };
  }

  private place(key: string): string {
    return `/${this.options.prefix}objects/${partsOf(key).join("/")}`;
  }

  private document(key: string): string {
    return `/${this.options.prefix}documents/${partsOf(key).join("/")}`;
  }

  /** Asks the server; its answer is one of success, of a missing object, or of a condition that did not hold. */
  private async ask(
    method: string,
    path: string,
    { body, headers = {} }: { body?: Uint8Array; headers?: Record<string, string> | undefined } = {},
  ): Promise<Response> {
    try {
      // The server compares the body with it.
      const digest: Record<string, string> = body ? { "x-amz-content-sha256": await sha256(body) } : {};
      const init = {
        method,
        headers: { ...headers, ...digest },
        ...(body && { body: body as BodyInit }),
        signal: AbortSignal.timeout(LIMIT_MS),
      };
      const response = await this.sent(`${this.base}${path}`, init);
      if (response.ok || response.status === 404 || [409, 412].includes(response.status)) return response;
      const text = new TextDecoder().decode(await collected(bodyOf(response), 64 * 1024));
      throw new Error(`${response.status} ${elementOf(text, "Code")}`.trim());
    } catch (error) {
      // The path, not the address: that of a presigned request would hold a signature.
      throw storeFailed(`the S3 server did not answer ${method} ${path.split("?", 1)[0]}`, error);
    }
  }

  /** Signs and sends; again where the server is busy. */
  private async sent(url: string, init: RequestInit): Promise<Response> {
    for (let n_tries = 0; ; n_tries++) {
      const response = await this.fetcher(await this.client.sign(url, init));
      if (n_tries >= RETRIES || (response.status < 500 && response.status !== 429)) return response;
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** n_tries));
    }
  }
}

/** The store that an address `s3://BUCKET/PREFIX` and the variables of the environment name. Throws `options.invalid`. */
export function s3Store(address: string, env: Record<string, string | undefined>): S3Store {
  const [, bucket = "", path = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*))?$/.exec(address) ?? [];
  const prefix = path === "" || path.endsWith("/") ? path : `${path}/`;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: session } = env;
  if (bucket === "") throw invalid(`${address} is no address of a bucket`, "write s3://BUCKET or s3://BUCKET/PREFIX");
  if (prefix !== "") partsOf(prefix.slice(0, -1));
  if (!accessKeyId || !secretAccessKey)
    throw invalid("there are no credentials for S3", "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? "us-east-1";
  return new S3Store({ bucket, prefix, endpoint, region, accessKeyId, secretAccessKey, sessionToken: session });
}

function invalid(message: string, help: string): PortolanError {
  return new PortolanError("options.invalid", message, help);
}

function headOf(key: string, { headers }: Response): ObjectHead {
  const total = /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1];
  const written = Date.parse(headers.get("last-modified") ?? "");
  return {
    key,
    n_bytes: Number(total ?? headers.get("content-length") ?? 0),
    written_at: Number.isNaN(written) ? 0 : written,
  };
}

function etagOf({ headers }: Response): string {
  const etag = headers.get("etag");
  if (etag) return etag;
  throw new PortolanError("store.failed", "the S3 server gives objects no ETag");
}

function bodyOf({ body }: Response): AsyncIterable<Uint8Array> {
  return (body as unknown as AsyncIterable<Uint8Array> | null) ?? nothing();
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function drained(response: Response): Promise<void> {
  await response.arrayBuffer();
}

/** The text of an element of S3's XML, whose values are plain. */
function elementOf(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
