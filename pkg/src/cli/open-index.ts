/** Opens the index that a question is put to, with as little work as can be: a process of one question ends right after. */

import type { UserGrammar } from "../types.js";
import { openWith } from "../reading/answering.js";
import { CodeIndex } from "../code-index.js";
import type { Backend } from "../reading/backend.js";
import { PortolanError } from "../errors.js";
import { FileAssets } from "../node/assets.js";
import { brief } from "../node/brief.js";
import { IndexFile } from "../node/index-file.js";
import { madeIndex } from "../node/made-index.js";
import { requireOwnIndex } from "../node/own-index.js";
import { startsAsOverlay } from "../node/overlay-file.js";
import { readRegular } from "../node/safe-files.js";
import { isSealed, N_MAGIC, notEncrypted } from "../storage/encrypted.js";
import type { Command } from "../commands/options.js";

export async function openIndex(
  path: string,
  command: Command,
  grammars: readonly UserGrammar[] = [],
): Promise<CodeIndex> {
  const file = await fileAt(path, command);
  brief(command.options.batch === undefined);
  const files = new FileAssets();
  const { model } = command.options;
  const assets = model === undefined ? files : (await import("../config/models.js")).assetsWithModel(model);
  const index = openWith(new WebAssembly.Module(files.bytes("reader")), assets, file);
  const backend: Backend = {
    ask: (question, request) => index.ask(question, request),
    highlights: () => Promise.reject(new PortolanError("host.unsupported", "there is no parser here")),
    locals: () => Promise.reject(new PortolanError("host.unsupported", "there is no parser here")),
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
    close() {
      index.close();
      if (file instanceof IndexFile) file.close();
    },
  };
  return new CodeIndex(backend, { name: "", stored: { state: "off" }, complete: Promise.resolve() });
}

/** The file, to be read in pieces; all bytes of one that is encrypted, or that is none. */
async function fileAt(path: string, command: Command): Promise<IndexFile | Uint8Array> {
  const file = attempt(path, () => new IndexFile(path));
  const start = attempt(path, () => (file.isRegular ? file.read(0, Math.min(file.n_bytes, N_MAGIC)) : undefined));
  if (start && startsAsOverlay(start)) {
    file.close();
    requireOwnIndex(path);
    return new IndexFile(madeIndex(path) ?? (await (await import("../node/overlay.js")).wholeIndex(path)));
  }
  if (start && !isSealed(start)) {
    if (!expectsEncrypted(command)) return file;
    file.close();
    throw notEncrypted();
  }
  file.close();
  const bytes = attempt(path, () => readRegular(path, { pipes: true }));
  return isSealed(bytes) ? (await import("./seal-commands.js")).opened(bytes, command, path) : bytes;
}

/** Whether a passphrase is named; one in the environment may be for other files. */
function expectsEncrypted({ options }: Command): boolean {
  return options.passphrase === true || options["passphrase-file"] !== undefined;
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof PortolanError) throw error;
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new PortolanError(
      missing ? "storage.not-found" : "storage.failed",
      missing ? `there is no index at ${path}` : `${path} cannot be read: ${(error as Error).message}`,
      missing ? "build one with `portolan index`" : "",
      { cause: error },
    );
  }
}
