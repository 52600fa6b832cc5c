/** Builders of an index: a new one, or one that continues an earlier index. */

import { CodeIndex, CodeIndexBuilder } from "../../wasm/engine.js";
import type { ErrorBody } from "../../wasm/reader.js";
import { engineInstance } from "../engine/engine-instance.js";
import type { MemoryBudget } from "../engine/memory-budget.js";
import { fromThrown, PortolanError, toBody } from "../errors.js";
import type { Store } from "../host.js";
import type { WorkOptions } from "../rpc/protocol.js";
import type { UserGrammars } from "../grammars/user-grammars.js";
import type { UserGrammar } from "../types.js";

export function newBuilder(name: string, options: WorkOptions, users: UserGrammars): CodeIndexBuilder {
  const builder = engineInstance.own(new CodeIndexBuilder(name, options.source ?? {}));
  for (const { name, extensions } of users.languages) builder.addLanguage(name, extensions);
  return builder;
}

/** The builder of an index from before, if there is one and it can be brought up to date: it was made with the same recipe. */
export async function builderFromBefore(
  store: () => Store,
  name: string,
  options: WorkOptions,
  recipe: string,
  budget: MemoryBudget,
  warn: (warning: ErrorBody) => void,
): Promise<CodeIndexBuilder | undefined> {
  try {
    const bytes = options.previous === "stored" ? await storedHere(store(), name) : options.previous;
    if (bytes === undefined) return undefined;
    budget.forUpdate(bytes.length);
    return reopened(bytes, options, recipe);
  } catch (error) {
    const { message } = fromThrown(engineInstance.caught(error, "to open the index from before"));
    warn(
      toBody(
        new PortolanError(
          "previous.unusable",
          `the index from before cannot be brought up to date (${message}), so everything is indexed anew`,
        ),
      ),
    );
    return undefined;
  }
}

async function storedHere(store: Store, name: string): Promise<Uint8Array | undefined> {
  if (store.isForeign?.(name) === true) throw new PortolanError("index.untrusted", "it was not made here");
  return store.get(name);
}

function reopened(bytes: Uint8Array, options: WorkOptions, recipe: string): CodeIndexBuilder | undefined {
  const index = engineInstance.own(CodeIndex.open(bytes));
  try {
    const builder = engineInstance.own(CodeIndexBuilder.reopen(index, options.source ?? {}));
    if (builder.isMadeBy(recipe)) {
      if (options.name !== undefined) builder.setName(options.name);
      return builder;
    }
    engineInstance.free(builder);
    return undefined;
  } finally {
    engineInstance.free(index);
  }
}

/**
 * Returns how files are read, and by their text admitted, as text that is kept with the index: an index that was made otherwise cannot be
 * brought up to date. The native program writes the same (`crates/portolan/src/indexing.rs`).
 */
export async function recipeOf({ chunks, grammars = [], source = {} }: Recipe): Promise<string> {
  const read = await Promise.all(grammars.map(describe));
  const sizes = [chunks?.target, chunks?.max, chunks?.min];
  const isUsual = read.length === 0 && sizes.every((size) => size === undefined);
  const { includeGenerated = false, languages = [] } = source;
  return [
    ...(isUsual ? [] : [JSON.stringify({ chunks: sizes, grammars: read })]),
    ...(includeGenerated ? ["with generated files"] : []),
    ...(languages.length > 0 ? [`only ${languages.join(", ")}`] : []),
  ].join("; ");
}

type Recipe = Pick<WorkOptions, "chunks" | "grammars" | "source">;

async function describe({ name, extensions, wasm, queries }: UserGrammar): Promise<unknown> {
  // A compiled module has no digest: such an index is built from scratch.
  const digest =
    wasm instanceof Uint8Array ? hex(await crypto.subtle.digest("SHA-256", new Uint8Array(wasm))) : crypto.randomUUID();
  return { name, extensions, digest, queries };
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
