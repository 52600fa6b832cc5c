/**
 * Languages that a caller brings: a grammar, its queries, the endings of its files. Every parsing worker takes them in in the
 * same order, so that a number means the same language everywhere; a snapshot keeps their names.
 */

import type { ErrorBody, UserLanguageEntry } from "../../wasm/reader.js";
import { fromThrown, PortolanError } from "../errors.js";
import { checkFile } from "./check.js";
import { GUEST_LOAD_MS } from "./guests.js";
import type { Artifact, Assets, ModelFiles, OwnModel, SessionHost } from "../host.js";
import type { WebAssembly as Platform } from "../platform.js";
import type { LanguageInit, ParseProtocol } from "../rpc/protocol.js";
import { Caller, withTimeout } from "../rpc/rpc.js";
import type { UserGrammar } from "../types.js";

export class UserGrammars {
  readonly languages: readonly LanguageInit[];
  private readonly modules = new Map<string, Promise<WebAssembly.Module>>();

  constructor(private readonly grammars: readonly UserGrammar[] = []) {
    // Such a name would be found in every object.
    for (const { name } of grammars)
      if (name in Object.prototype) throw new PortolanError("grammar.name", `a language cannot be named ${name}`);
    this.languages = grammars.map(({ name, extensions, queries }) => ({
      name,
      extensions: extensions.map((extension) => extension.replace(/^\./, "")),
      symbols: queries.symbols,
      references: queries.references ?? "",
      highlights: queries.highlights ?? "",
    }));
  }

  /** In the order of an index that was made before; a language whose grammar is not given again is read as text. */
  static inOrderOf(index: readonly UserLanguageEntry[], grammars: readonly UserGrammar[] = []): UserGrammars {
    const missing = ({ name, extensions }: UserLanguageEntry): UserGrammar => ({
      name,
      extensions,
      wasm: new Uint8Array(),
      queries: { symbols: "" },
    });
    return new UserGrammars(index.map((entry) => grammars.find(({ name }) => name === entry.name) ?? missing(entry)));
  }

  /** The host with these grammars among its own. */
  host(host: SessionHost): SessionHost {
    return this.grammars.length === 0 ? host : { ...host, assets: new AssetsWithGrammars(host.assets, this) };
  }

  /** The name of a language's grammar. */
  grammarOf(language: string): string {
    const place = this.languages.findIndex(({ name }) => name === language);
    return place < 0 ? language : slot(place);
  }

  /** Compiled once; undefined where the name is not of one of these. */
  module(grammar: string): Promise<Platform.Module> | undefined {
    const place = this.grammars.findIndex((_, place) => slot(place) === grammar);
    const given = this.grammars[place];
    if (!given) return undefined;
    let module = this.modules.get(grammar);
    if (!module) {
      module = compile(given);
      this.modules.set(grammar, module);
    }
    return module;
  }

  /**
   * Loads all of them in a worker of their own and compiles their queries, before anything is read.
   *
   * @throws PortolanError `grammar.name` (taken, or no name), `grammar.load` (or no answer in time), `grammar.unusable` (another ABI),
   * `grammar.query`.
   */
  async check(host: SessionHost): Promise<void> {
    if (this.grammars.length === 0) return;
    const grammars: Record<string, WebAssembly.Module> = {};
    for (const { name } of this.languages) {
      const grammar = this.grammarOf(name);
      const module = await this.module(grammar);
      if (module) grammars[grammar] = module;
    }
    const engine = await host.assets.guestEngine();
    const caller = new Caller<ParseProtocol>(host.spawn("parse"));
    try {
      await caller.call("start", { engine, languages: this.languages, guests: true });
      const { warnings } = await withTimeout(caller.call("parse", { files: [], grammars }), GUEST_LOAD_MS).catch(
        silent,
      );
      if (warnings[0]) throw fromThrown(warnings[0] satisfies ErrorBody);
    } finally {
      caller.close();
    }
  }
}

/** As `Language::grammar` names it. */
function slot(place: number): string {
  return `user-${place + 1}`;
}

/** A grammar that hangs or breaks its worker where it is loaded. */
function silent(error: Error): never {
  const { code } = fromThrown(error);
  if (code !== "worker.timeout" && code !== "worker.crashed") throw error;
  throw new PortolanError("grammar.load", `a grammar could not be loaded: ${error.message}`, WANTED, { cause: error });
}

const WANTED = "give the bytes of a tree-sitter-LANG.wasm";

async function compile({ name, wasm }: UserGrammar): Promise<WebAssembly.Module> {
  if (wasm instanceof WebAssembly.Module) return wasm;
  const bytes = wasm as Uint8Array<ArrayBuffer>;
  try {
    checkFile(bytes);
    const module = await WebAssembly.compile(bytes);
    // Where V8 checks functions late, the error would come in the middle of a file.
    if (!WebAssembly.validate(bytes)) throw new Error("a function of it is not valid WebAssembly");
    return module;
  } catch (error) {
    throw new PortolanError(
      "grammar.load",
      `the grammar for ${name} could not be loaded: ${(error as Error).message}`,
      WANTED,
      { cause: error },
    );
  }
}

class AssetsWithGrammars implements Assets {
  constructor(
    private readonly assets: Assets,
    private readonly users: UserGrammars,
  ) {}

  module(artifact: Artifact): Promise<WebAssembly.Module> {
    return this.assets.module(artifact);
  }

  guestEngine(): Promise<WebAssembly.Module> {
    return this.assets.guestEngine();
  }

  grammar(name: string): Promise<WebAssembly.Module> {
    return this.users.module(name) ?? this.assets.grammar(name);
  }

  model(): Promise<ModelFiles> {
    return this.assets.model();
  }

  get own(): OwnModel | undefined {
    return this.assets.own;
  }
}
