/** Where the wasm files, grammars and the model are, for browsers: addresses that the page gives to its workers, and fetching by them. */

import type { Asset, CoreOptions } from "../asset.js";
import { PortolanError, stale } from "../errors.js";
import { MAX_GUEST_MEMORY } from "../grammars/guests.js";
import type { Artifact, Assets, ModelFiles } from "../host.js";
import { withMemoryLimit } from "../grammars/wasm-sections.js";

/** Where files are. Plain data, so that it goes from a page to its workers: one list decides what a build takes along. */
export interface Places {
  /** Addresses by the keys of `Asset`. */
  readonly files: Readonly<Record<string, string>>;
  /** The folder that `portolan assets` wrote, where that is what is used. */
  readonly folder?: string;
}

/** Where `portolan assets` puts the workers' scripts. */
export const SCRIPTS = "workers/";

/** Artifacts that every index needs. The last two are small, and no build can foresee when they are wanted. */
const CORE: Asset = {
  engine: () => new URL("../../wasm/engine_bg.wasm", import.meta.url),
  reader: () => new URL("../../wasm/reader_bg.wasm", import.meta.url),
  seal: () => new URL("../../wasm/seal_bg.wasm", import.meta.url),
  hnsw: () => new URL("../../wasm/hnsw_bg.wasm", import.meta.url),
};

/** The places of these assets. */
export function placesOf(assets: CoreOptions["assets"]): Places {
  if (typeof assets === "string") return { files: {}, folder: folderAt(assets) };
  const all = [CORE, ...assets].flatMap((asset) => Object.entries(asset));
  return { files: Object.fromEntries(all.map(([key, address]) => [key, absolute(String(address()))])) };
}

function folderAt(address: string): string {
  const folder = absolute(address);
  return folder.endsWith("/") ? folder : `${folder}/`;
}

/** An address as workers can use it, whose own address is another one. Next makes of `new URL` one without a host. */
function absolute(address: string): string {
  const { href, origin } = globalThis.location ?? {};
  return new URL(address, href?.startsWith("blob:") ? origin : href).href;
}

/** Where `portolan assets` puts a file. */
function inFolder(key: string): string {
  const [kind, name] = key.split(" ");
  if (kind === "grammar") return `grammars/tree-sitter-${name}.wasm`;
  if (kind === "model") return "model/code-embed-128.int8.bin";
  return kind === "tokenizer" ? "model/tokenizer.json" : `wasm/${kind}_bg.wasm`;
}

/** Fetches each file once, when first wanted. A failed fetch is forgotten, so that the next try is a new one. */
export class FetchedAssets implements Assets {
  private readonly modules = new Map<string, Promise<WebAssembly.Module>>();
  private files: Promise<ModelFiles> | undefined;
  private guest: Promise<WebAssembly.Module> | undefined;

  constructor(private readonly places: Places) {}

  async module(artifact: Artifact): Promise<WebAssembly.Module> {
    const help = "import portolan/onnx and name it in createPortolan({ assets })";
    return this.compiled(artifact, this.place(artifact, "asset.left-out", `this build has no ${artifact}.wasm`, help));
  }

  async guestEngine(): Promise<WebAssembly.Module> {
    this.guest ??= fetchBytes(this.place("engine", "asset.left-out", "this build has no engine.wasm", ""))
      .then((bytes) => WebAssembly.compile(withMemoryLimit(bytes, MAX_GUEST_MEMORY)))
      .catch((error: unknown) => {
        this.guest = undefined;
        throw error;
      });
    return this.guest;
  }

  async grammar(name: string): Promise<WebAssembly.Module> {
    if (!/^\w+$/.test(name)) throw new PortolanError("grammar.unknown", `no grammar can be named ${name}`);
    const help = `import portolan/grammars/${name} and name it in createPortolan({ assets })`;
    const key = `grammar ${name}`;
    const place = this.place(key, "grammar.unknown", `this build has no grammar for ${name}`, help);
    const { folder } = this.places;
    return this.compiled(key, place).catch((error: unknown) => {
      if (folder === undefined || !(error instanceof PortolanError && error.code === "asset.unavailable")) throw error;
      const again = `write the folder again with portolan assets, and ${name} among its languages`;
      throw new PortolanError("grammar.unknown", error.message, again, { cause: error });
    });
  }

  model(): Promise<ModelFiles> {
    this.files ??= this.fetchModel().catch((error: unknown) => {
      this.files = undefined;
      throw error;
    });
    return this.files;
  }

  private async fetchModel(): Promise<ModelFiles> {
    const help = "import portolan/model and name it in createPortolan({ assets }), or index with embeddings: false";
    const place = (key: string) => this.place(key, "asset.left-out", "this build has no model", help);
    const [model, tokenizer] = await Promise.all([fetchBytes(place("model")), fetchBytes(place("tokenizer"))]);
    return { model, tokenizer };
  }

  private place(key: string, code: string, message: string, help: string): URL {
    const { files, folder } = this.places;
    const address = files[key] ?? (folder === undefined ? undefined : folder + inFolder(key));
    if (address === undefined) throw new PortolanError(code, message, help);
    return new URL(address);
  }

  private compiled(key: string, url: URL): Promise<WebAssembly.Module> {
    let module = this.modules.get(key);
    if (!module) {
      module = compile(url).catch((error: unknown) => {
        this.modules.delete(key);
        throw error;
      });
      this.modules.set(key, module);
    }
    return module;
  }
}

async function compile(url: URL): Promise<WebAssembly.Module> {
  const response = await fetchOk(url);
  // Streaming needs the MIME type; servers that do not send it are served, too, only a little slower.
  const streams = response.headers.get("content-type")?.startsWith("application/wasm") === true;
  try {
    return await (streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()));
  } catch (error) {
    if (error instanceof WebAssembly.CompileError)
      throw stale(`${url.pathname} is no WebAssembly that this browser can read`, error);
    throw error;
  }
}

async function fetchBytes(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetchOk(url);
  return new Uint8Array(await response.arrayBuffer());
}

async function fetchOk(url: URL): Promise<Response> {
  const help =
    "a page that was replaced by a newer version since it was opened finds its parts again when it is reloaded; otherwise check that the files of the package are served beside the page";
  const response = await fetch(url).catch((error: unknown) => {
    throw new PortolanError(
      "asset.unavailable",
      `${url.pathname} could not be fetched: ${(error as Error).message}`,
      help,
      { cause: error },
    );
  });
  // A host that answers every unknown address with a page has this part no more.
  const isPage = response.headers.get("content-type")?.startsWith("text/html") === true;
  if (response.ok && isPage)
    throw new PortolanError(
      "asset.unavailable",
      `${url.pathname} could not be fetched: the server answers with a page`,
      help,
    );
  if (response.ok) return response;
  // A server that says in words why it has a part not yet (`cargo xtask serve` builds beside serving) is quoted.
  if (response.status === 503 && response.headers.get("content-type")?.startsWith("text/plain") === true) {
    const why = (await response.text().catch(() => "")).trim().slice(0, 300);
    if (why) throw new PortolanError("asset.unavailable", why, "try again when the server has it");
  }
  throw new PortolanError("asset.unavailable", `${url.pathname} could not be fetched: status ${response.status}`, help);
}
