/** Opens the index that a question is put to, with as little work as can be: a process of one question ends right after. */

import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

import type { UserGrammar } from "../types.js";
import { openWith } from "../answering.js";
import { CodeIndex, type Backend } from "../code-index.js";
import { PortolanError } from "../errors.js";
import { FileAssets } from "../node/assets.js";
import { isSealed } from "../sealed.js";
import type { Command } from "./options.js";

export async function openIndex(path: string, command: Command, grammars: readonly UserGrammar[] = []): Promise<CodeIndex> {
  let bytes = read(path);
  if (isSealed(bytes)) bytes = await (await import("./seal-commands.js")).opened(bytes, command, path);
  // V8 compiles WebAssembly twice, quickly and then for speed. One question ends before the second pays.
  if (command.options.batch === undefined) setFlagsFromString("--liftoff-only");
  setFlagsFromString("--wasm-lazy-compilation");
  setFlagsFromString("--wasm-lazy-validation");
  const files = new FileAssets();
  const { model } = command.options;
  const assets = model === undefined ? files : (await import("./models.js")).assetsWithModel(model);
  const index = openWith(new WebAssembly.Module(files.bytes("reader")), assets, bytes);
  const backend: Backend = {
    ask: (question, request) => index.ask(question, request),
    highlights: () => Promise.reject(new PortolanError("host.unsupported", "there is no parser here")),
    async structural(request, signal) {
      const { parserTools } = await import("./parser.js");
      const tools = parserTools(index, grammars);
      try {
        return await tools.structural(index, request, signal);
      } finally {
        tools.close();
      }
    },
    save: async () => index.save(),
    close: () => index.close(),
  };
  return new CodeIndex(backend, { name: "", stored: { state: "off" }, complete: Promise.resolve() });
}

function read(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new PortolanError(
      missing ? "storage.not-found" : "storage.failed",
      missing ? `there is no index at ${path}` : `${path} cannot be read: ${(error as Error).message}`,
      missing ? "make one with `portolan index`" : "",
      { cause: error },
    );
  }
}
