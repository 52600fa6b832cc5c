/** How files are read, in words that are kept with the index: an index that was made otherwise cannot be brought up to date. */

import type { WorkOptions } from "../rpc/protocol.js";
import type { UserGrammar } from "../types.js";

export async function recipeOf({ chunks, grammars = [] }: Pick<WorkOptions, "chunks" | "grammars">): Promise<string> {
  const read = await Promise.all(grammars.map(describe));
  const sizes = [chunks?.target, chunks?.max, chunks?.min];
  if (read.length === 0 && sizes.every((size) => size === undefined)) return "";
  return JSON.stringify({ chunks: sizes, grammars: read });
}

async function describe({ name, extensions, wasm, queries }: UserGrammar): Promise<unknown> {
  // Nobody can look into a compiled module: such an index is made anew.
  const digest =
    wasm instanceof Uint8Array ? hex(await crypto.subtle.digest("SHA-256", new Uint8Array(wasm))) : crypto.randomUUID();
  return { name, extensions, digest, queries };
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
