/**
 * The server of shared indexes as a Node process: versions in a folder or in S3, tools by the Worker's own handler, which reads the versions by
 * ranges as it does in a Worker. It listens on this machine only, unless told otherwise; `node/http-guard.ts` says by which names it may
 * be asked.
 */

import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";

import { PortolanError } from "../errors.js";
import { AllowedHosts, guardedServer, refusalOf, refuse, type Refusal } from "../node/http-guard.js";
import { besideThis } from "../node/place.js";
import { answerWith, listenOn, type ListenOptions, type OpenServer } from "../node/web-server.js";
import type { Request as PlatformRequest, Response as PlatformResponse } from "../platform.js";
import { Access } from "./access.js";
import type { ToolBucket, ToolObject } from "./bucket.js";
import { sharedServer, type AnyAuditLine, type SharedOptions, type Tools } from "./handler.js";
import { MemoryLimiter } from "./limiter.js";
import { METHODS, methodsAt } from "./methods.js";
import { streamOf } from "./serving.js";
import type { ObjectStore } from "./store.js";
import { TokenList } from "./tokens.js";
import { Versions } from "./versions.js";

/** A whole file may take its time; a body that stalls is cut off by the handler. */
const LIMITS = { requestTimeout: 31 * 60_000 };
const SNAPSHOT_BYTES = String(1024 ** 3);

export interface SharedServerOptions extends ListenOptions {
  readonly store: ObjectStore;
  /** Further names under which it may be asked. */
  readonly allowedHosts: readonly string[];
  /** Origins of pages that may ask. */
  readonly origins: readonly string[];
  /** The address of this server as tokens of CI name it. */
  readonly audience?: string | undefined;
  /** Patterns of repositories that everybody may read. */
  readonly public: readonly string[];
  /** Asked where a request names no repository. */
  readonly defaultRepository?: string | undefined;
  /** Decrypts versions that are encrypted, to answer queries from them; without it they are only stored. */
  readonly passphrase?: string | undefined;
  readonly audit: (line: AnyAuditLine) => void;
  readonly complain: (error: unknown) => void;
  /** In place of the tools of the package, in tests. */
  readonly tools?: Tools | undefined;
  readonly limits?: SharedOptions["limits"] | undefined;
  readonly rates?: SharedOptions["rates"] | undefined;
}

/** Starts it. Rejects with `serve.failed` where the port is taken. */
export async function serveShared(options: SharedServerOptions): Promise<OpenServer> {
  const handle = sharedServer({
    versions: new Versions(options.store),
    access: new Access({
      tokens: new TokenList(options.store, undefined, options.audit),
      audience: options.audience,
      public: options.public,
    }),
    limiter: new MemoryLimiter(),
    tools: options.tools ?? (await toolsHere(options)),
    others: models(),
    origins: options.origins,
    audit: options.audit,
    complain: options.complain,
    defaultRepository: options.defaultRepository,
    openapi: openapiHere(),
    ...(options.limits && { limits: options.limits }),
    ...(options.rates && { rates: options.rates }),
  });
  const hosts = new AllowedHosts(options.host, options.allowedHosts);
  const server = guardedServer(
    async (request, response) => {
      const refusal = refusalOf(request, hosts, METHODS, { anyOrigin: true });
      if (refusal) return refuseAsJson(response, refusal);
      const { remoteAddress: address } = request.socket;
      const answer = (asked: Request) => handle(asked as unknown as PlatformRequest, { address }) as never;
      await answerWith(request, response, answer);
    },
    (error, response) => {
      if (!isGone(error)) options.complain(error);
      if (response.headersSent || response.destroyed) return void response.destroy();
      refuseAsJson(response, { status: 500, message: "the request could not be answered" });
    },
    LIMITS,
  );
  return listenOn(server, options);
}

const CODES: Record<number, string> = {
  403: "access.origin",
  405: "request.method",
  414: "request.too-large",
  421: "request.host",
  431: "request.too-large",
  500: "internal.error",
};

/** Refuses a request that never reaches the handler, in its form: a method that the address does not have before a body that it cannot have. */
function refuseAsJson(response: ServerResponse, given: Refusal): void {
  const { method = "", url = "" } = response.req;
  const allowed = methodsAt(url.split("?", 1)[0] ?? "") ?? METHODS;
  const isMethod = [400, 405].includes(given.status) && !allowed.some((one) => one === method);
  const methods = allowed.join(", ");
  const refusal = isMethod ? { status: 405, message: `methods: ${methods}` } : given;
  const { status, message } = refusal;
  const text = JSON.stringify({ code: CODES[status] ?? "request.invalid", message, help: "" });
  refuse(response, refusal, { "cache-control": "no-store", ...(isMethod && { allow: methods }) }, text);
}

function isGone(error: unknown): boolean {
  const { code, name } = error as { code?: string; name?: string };
  return name === "AbortError" || ["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE"].includes(code ?? "");
}

/** The Worker's handler, in this process. */
async function toolsHere({ defaultRepository, passphrase }: SharedServerOptions): Promise<Tools> {
  const place = (file: string) => besideThis(`../../edge/${file}`);
  const compiled = (file: URL) => new WebAssembly.Module(readFileSync(file) as Uint8Array<ArrayBuffer>);
  try {
    const { initSync } = await import(place("wasm/edge.js").href);
    initSync({ module: compiled(place("wasm/edge_bg.wasm")) });
    const { useModule } = await import(place("sealed.mjs").href);
    useModule(compiled(besideThis("../../wasm/seal_bg.wasm")));
    const { default: answers } = await import(place("answers.mjs").href);
    const env = {
      DEFAULT_REPOSITORY: defaultRepository ?? "",
      MAX_SNAPSHOT_BYTES: SNAPSHOT_BYTES,
      WHOLE_SNAPSHOT_BYTES: String(256 * 1024 * 1024),
      REFRESH_SECONDS: "1",
      CACHE_CONTROL: "private, no-cache",
      CORS_ORIGIN: "",
      ...(passphrase !== undefined && { PASSPHRASE: passphrase }),
    };
    const context = { waitUntil: (work: Promise<unknown>) => void work.catch(() => {}) };
    return (request, bucket, mayRead) =>
      answers.fetch(request, { ...env, SNAPSHOTS: bucket, mayRead }, context) as Promise<PlatformResponse>;
  } catch (error) {
    throw new PortolanError(
      "serve.failed",
      "this installation has no handler of queries (portolan/edge)",
      "install the published package, or build it: cargo xtask build edge pkg",
      { cause: error },
    );
  }
}

/** The description of the routes that the package has. */
function openapiHere(): string | undefined {
  try {
    return readFileSync(besideThis("../../edge/openapi.json"), "utf8");
  } catch {
    return undefined; // built without the Worker
  }
}

/** The model that the package has, under the name by which indexes ask for it. */
function models(): ToolBucket {
  let name: Promise<string> | undefined;
  const files = { onnx: "model/code-embed-128.int8.bin", "tokenizer.json": "model/tokenizer.json" } as const;
  const bytesOf = (file: string) => readFileSync(besideThis(`../../${file}`));
  const nameHere = async () => {
    const { initSync, StaticModel } = await import("../../wasm/reader.js");
    initSync({ module: readFileSync(besideThis("../../wasm/reader_bg.wasm")) });
    const model = new StaticModel(bytesOf(files.onnx), bytesOf(files["tokenizer.json"]));
    try {
      return model.name;
    } finally {
      model.free();
    }
  };
  return {
    async get(key): Promise<ToolObject | null> {
      const [, asked, kind] = /^models\/([\w-]+)\.(onnx|tokenizer\.json)$/.exec(key) ?? [];
      if (asked === undefined) return null;
      name ??= nameHere();
      if ((await name) !== asked) return null;
      const bytes = bytesOf(files[kind as keyof typeof files]);
      const pieces = async function* () {
        yield new Uint8Array(bytes);
      };
      return { key, etag: asked, size: bytes.length, uploaded: new Date(0), body: streamOf(pieces()), pieces };
    },
    list: async () => ({ objects: [], truncated: false }),
  };
}
