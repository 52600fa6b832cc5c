/** Objects in an R2 bucket, through the binding of a Worker. Documents are objects that are replaced by their etag. */

import {
  collected,
  conflict,
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

interface R2Object {
  readonly key: string;
  readonly etag: string;
  readonly size: number;
  readonly uploaded: Date;
  /** Absent where a condition did not hold. */
  readonly body?: AsyncIterable<Uint8Array>;
}

/** The part of R2's binding that is used; `R2Bucket` of `@cloudflare/workers-types` is one. */
export interface R2Bucket {
  head(key: string): Promise<R2Object | null>;
  get(key: string, options?: object): Promise<R2Object | null>;
  put(key: string, value: Uint8Array, options?: object): Promise<R2Object | null>;
  delete(keys: string | string[]): Promise<void>;
  list(options: object): Promise<{ objects: R2Object[]; truncated: boolean; cursor?: string }>;
}

/** Documents are below this, so that a list of objects has none of them. */
const DOCUMENTS = "documents/";

/** A store in an R2 bucket. */
export class R2Store implements ObjectStore {
  /** @param prefix of all keys, empty or ending with `/`: a bucket may have other objects. */
  constructor(
    private readonly bucket: R2Bucket,
    private readonly prefix = "shared/",
  ) {}

  async head(key: string): Promise<ObjectHead | undefined> {
    const object = await this.asked("head", this.place(key), (place) => this.bucket.head(place));
    return object ? headOf(key, object) : undefined;
  }

  async get(key: string, range?: ByteRange): Promise<ObjectBody | undefined> {
    const options = range && { range };
    const object = await this.asked("get", this.place(key), (place) => this.bucket.get(place, options));
    const body = object?.body;
    return object && body ? { ...headOf(key, object), body, cancel: () => canceled(body) } : undefined;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.asked("put", this.place(key), (place) => this.bucket.put(place, bytes));
  }

  async delete(keys: readonly string[]): Promise<void> {
    const places = keys.map((key) => this.place(key));
    // R2 takes a thousand at once.
    for (let at = 0; at < places.length; at += PAGE)
      await this.asked("delete", "objects", () => this.bucket.delete(places.slice(at, at + PAGE)));
  }

  async list(prefix: string, cursor?: string): Promise<ObjectPage> {
    return this.page(`${this.prefix}objects/`, prefix, cursor);
  }

  async readDocument(key: string): Promise<StoredDocument | undefined> {
    const object = await this.asked("get", this.document(key), (place) => this.bucket.get(place));
    return object?.body ? { bytes: await collected(object.body, MAX_DOCUMENT), etag: object.etag } : undefined;
  }

  async writeDocument(key: string, bytes: Uint8Array, etag: string | undefined): Promise<string> {
    const onlyIf = etag === undefined ? new Headers({ "if-none-match": "*" }) : { etagMatches: etag };
    const object = await this.asked("put", this.document(key), (place) => this.bucket.put(place, bytes, { onlyIf }));
    if (object === null) throw conflict(key);
    return object.etag;
  }

  async deleteDocument(key: string): Promise<void> {
    await this.asked("delete", this.document(key), (place) => this.bucket.delete(place));
  }

  async listDocuments(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.page(`${this.prefix}${DOCUMENTS}`, prefix, cursor);
      keys.push(...page.objects.map(({ key }) => key));
      cursor = page.cursor;
    } while (cursor !== undefined);
    return keys;
  }

  private async page(folder: string, prefix: string, cursor: string | undefined): Promise<ObjectPage> {
    const options = { prefix: folder + prefix, limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const page = await this.asked("list", prefix, () => this.bucket.list(options));
    const objects = page.objects.map((object) => headOf(object.key.slice(folder.length), object));
    return { objects, cursor: page.truncated ? page.cursor : undefined };
  }

  private place(key: string): string {
    return `${this.prefix}objects/${partsOf(key).join("/")}`;
  }

  private document(key: string): string {
    return `${this.prefix}${DOCUMENTS}${partsOf(key).join("/")}`;
  }

  private async asked<T>(verb: string, place: string, ask: (place: string) => Promise<T>): Promise<T> {
    try {
      return await ask(place);
    } catch (error) {
      throw storeFailed(`the bucket did not ${verb} ${place}`, error);
    }
  }
}

function canceled(body: AsyncIterable<Uint8Array>): void {
  (body as { cancel?: () => Promise<void> }).cancel?.().catch(() => {});
}

function headOf(key: string, { size, uploaded }: R2Object): ObjectHead {
  return { key, n_bytes: size, written_at: uploaded.getTime() };
}
