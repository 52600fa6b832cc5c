/** Checks that edited files still parse, by indexing them alone. */

import type { Portolan } from "../client.js";
import type { Reparse } from "./refactor.js";

/** A check with this Portolan: in Node or in a page, where there is a parser. */
export function reparseWith(portolan: Pick<Portolan, "index">): Reparse {
  return async (edited) => {
    if (edited.length === 0) return new Set();
    const encoder = new TextEncoder();
    const index = await portolan.index(
      { files: edited.map(({ path, text }) => ({ path, bytes: encoder.encode(text) })) },
      { name: "edited", embeddings: false },
    );
    try {
      await index.complete;
      const { problems, skipped } = await index.status();
      return new Set([...problems, ...skipped].map(({ path }) => path));
    } finally {
      index.close();
    }
  };
}
