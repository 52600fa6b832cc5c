/** Where the wasm files, grammars and the model are, for Node. */

import { readFileSync } from "node:fs";

import { PortolanError } from "../errors.js";
import { MAX_GUEST_MEMORY } from "../grammars/guests.js";
import type { Artifact, Assets, ModelFiles, ModelRows } from "../host.js";
import { withMemoryLimit } from "../grammars/wasm-sections.js";
import { OpenedFile, readBriefly } from "./piece-file.js";
import { besideThis } from "./place.js";

/** Folder of the package. */
const PACKAGE = besideThis("../../");
const MODEL = "model/code-embed-128.int8.bin";

/** Nobody fetches files here, so the engine is the larger one, which takes a seventh less time. */
const fileOf = (artifact: Artifact) => `wasm/${artifact === "engine" ? "engine-node" : artifact}_bg.wasm`;

/** Opened once in a process, and left open. */
let modelRows: ModelRows | undefined;

export class FileAssets implements Assets {
  private readonly modules = new Map<string, Promise<WebAssembly.Module>>();
  private files: Promise<ModelFiles> | undefined;
  private guest: Promise<WebAssembly.Module> | undefined;

  module(artifact: Artifact): Promise<WebAssembly.Module> {
    return this.compiled(new URL(fileOf(artifact), PACKAGE));
  }

  guestEngine(): Promise<WebAssembly.Module> {
    this.guest ??= Promise.resolve().then(() =>
      WebAssembly.compile(withMemoryLimit(readFileSync(new URL(fileOf("engine"), PACKAGE)), MAX_GUEST_MEMORY)),
    );
    return this.guest;
  }

  /** The bytes of an artifact, for callers that compile it themselves, and at once. */
  bytes(artifact: Artifact): Uint8Array<ArrayBuffer> {
    return readBriefly(new URL(fileOf(artifact), PACKAGE));
  }

  async grammar(name: string): Promise<WebAssembly.Module> {
    return this.compiled(placeOfGrammar(name));
  }

  /** The same, compiled before this returns: where functions are compiled when they are called that takes no time to speak of. */
  grammarAtOnce(name: string): WebAssembly.Module {
    return new WebAssembly.Module(readFileSync(placeOfGrammar(name)) as Uint8Array<ArrayBuffer>);
  }

  model(): Promise<ModelFiles> {
    this.files ??= Promise.resolve().then(() => ({
      model: bytesOf(MODEL),
      tokenizer: bytesOf("model/tokenizer.json"),
    }));
    return this.files;
  }

  modelRows(): ModelRows | undefined {
    try {
      modelRows ??= {
        lookup: readFileSync(new URL("model/lookup.bin", PACKAGE)),
        model: new OpenedFile(new URL(MODEL, PACKAGE)),
      };
      return modelRows;
    } catch {
      return undefined; // loading the whole model reports the fault
    }
  }

  private compiled(url: URL): Promise<WebAssembly.Module> {
    const known = this.modules.get(url.href);
    if (known) return known;
    const module = Promise.resolve().then(() => WebAssembly.compile(readFileSync(url) as Uint8Array<ArrayBuffer>));
    this.modules.set(url.href, module);
    return module;
  }
}

function placeOfGrammar(name: string): URL {
  if (!/^\w+$/.test(name))
    throw new PortolanError("grammar.unknown", `no grammar can be named ${JSON.stringify(name)}`);
  return new URL(`grammars/tree-sitter-${name}.wasm`, PACKAGE);
}

/** A file of the package. At once: `node:fs/promises` takes longer to load than the largest of them. */
function bytesOf(file: string): Uint8Array {
  return readFileSync(new URL(file, PACKAGE));
}
