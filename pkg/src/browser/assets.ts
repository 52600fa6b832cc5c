/**
 * Where the wasm files, grammars and the model are, for browsers. The one file that names them: bundlers see each
 * `new URL(…, import.meta.url)`, copy the file once, and put its final address here.
 */

import { PortolanError, stale } from "../errors.js";
import type { Artifact, Assets, ModelFiles } from "../host.js";

const ARTIFACTS: Record<Artifact, () => URL> = {
  engine: () => new URL("../../wasm/engine_bg.wasm", import.meta.url),
  onnx: () => new URL("../../wasm/onnx_bg.wasm", import.meta.url),
  reader: () => new URL("../../wasm/reader_bg.wasm", import.meta.url),
  seal: () => new URL("../../wasm/seal_bg.wasm", import.meta.url),
  hnsw: () => new URL("../../wasm/hnsw_bg.wasm", import.meta.url),
};

const GRAMMARS: Record<string, () => URL> = {
  rust: () => new URL("../../grammars/tree-sitter-rust.wasm", import.meta.url),
  python: () => new URL("../../grammars/tree-sitter-python.wasm", import.meta.url),
  javascript: () => new URL("../../grammars/tree-sitter-javascript.wasm", import.meta.url),
  typescript: () => new URL("../../grammars/tree-sitter-typescript.wasm", import.meta.url),
  tsx: () => new URL("../../grammars/tree-sitter-tsx.wasm", import.meta.url),
  go: () => new URL("../../grammars/tree-sitter-go.wasm", import.meta.url),
  java: () => new URL("../../grammars/tree-sitter-java.wasm", import.meta.url),
  c: () => new URL("../../grammars/tree-sitter-c.wasm", import.meta.url),
  cpp: () => new URL("../../grammars/tree-sitter-cpp.wasm", import.meta.url),
  ruby: () => new URL("../../grammars/tree-sitter-ruby.wasm", import.meta.url),
  lua: () => new URL("../../grammars/tree-sitter-lua.wasm", import.meta.url),
  bash: () => new URL("../../grammars/tree-sitter-bash.wasm", import.meta.url),
  elixir: () => new URL("../../grammars/tree-sitter-elixir.wasm", import.meta.url),
  haskell: () => new URL("../../grammars/tree-sitter-haskell.wasm", import.meta.url),
  zig: () => new URL("../../grammars/tree-sitter-zig.wasm", import.meta.url),
  csharp: () => new URL("../../grammars/tree-sitter-csharp.wasm", import.meta.url),
  php: () => new URL("../../grammars/tree-sitter-php.wasm", import.meta.url),
  kotlin: () => new URL("../../grammars/tree-sitter-kotlin.wasm", import.meta.url),
  swift: () => new URL("../../grammars/tree-sitter-swift.wasm", import.meta.url),
  scala: () => new URL("../../grammars/tree-sitter-scala.wasm", import.meta.url),
  dart: () => new URL("../../grammars/tree-sitter-dart.wasm", import.meta.url),
};

const MODEL = () => new URL("../../model/code-embed-128.int8.onnx", import.meta.url);
const TOKENIZER = () => new URL("../../model/tokenizer.json", import.meta.url);

/** Fetches each file once, when first wanted. A failed fetch is forgotten, so that the next try is a new one. */
export class FetchedAssets implements Assets {
  private readonly modules = new Map<string, Promise<WebAssembly.Module>>();
  private files: Promise<ModelFiles> | undefined;

  module(artifact: Artifact): Promise<WebAssembly.Module> {
    return this.compiled(artifact, ARTIFACTS[artifact]());
  }

  async grammar(name: string): Promise<WebAssembly.Module> {
    const url = GRAMMARS[name];
    if (!url) throw new PortolanError("grammar.unknown", `no grammar named ${name} ships with this package`);
    return this.compiled(`grammar ${name}`, url());
  }

  model(): Promise<ModelFiles> {
    this.files ??= this.fetchModel().catch((error: unknown) => {
      this.files = undefined;
      throw error;
    });
    return this.files;
  }

  private async fetchModel(): Promise<ModelFiles> {
    const [model, tokenizer] = await Promise.all([fetchBytes(MODEL()), fetchBytes(TOKENIZER())]);
    return { model, tokenizer };
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
  throw new PortolanError("asset.unavailable", `${url.pathname} could not be fetched: status ${response.status}`, help);
}
