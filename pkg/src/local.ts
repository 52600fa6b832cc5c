/** An index in this thread, as a backend: for Node and Workers, where a question takes a millisecond or two. */

import { answer, openSnapshot } from "./answering.js";
import type { Backend } from "./code-index.js";
import { PortolanError } from "./errors.js";
import type { Assets } from "./host.js";

/** Opens a snapshot here. `highlights` needs a parser; a host without one says so. */
export async function openLocal(
  assets: Assets,
  bytes: Uint8Array,
  highlights?: (path: string, text: string) => Promise<Uint32Array>,
): Promise<{ backend: Backend; name: string }> {
  const index = await openSnapshot(assets, bytes);
  const backend: Backend = {
    ask: (question, request) => index.ask(question, request),
    async highlights(path) {
      if (!highlights) throw new PortolanError("host.unsupported", "nothing can be highlighted here: there is no parser");
      return highlights(path, answer(index, "fileText", path).text);
    },
    save: async () => index.save(),
    close: () => index.free(),
  };
  return { backend, name: answer(index, "status", null).name };
}
