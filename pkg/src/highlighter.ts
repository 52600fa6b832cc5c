/** Highlighting for the code view: a parsing worker of its own, started when first asked. */

import type { SessionHost } from "./host.js";
import type { ParseProtocol } from "./protocol.js";
import { Caller } from "./rpc.js";
import type { LanguageInit } from "./user-grammars.js";

export class Highlighter {
  private caller: Caller<ParseProtocol> | undefined;
  private started: Promise<unknown> | undefined;
  private readonly sent = new Set<string>();

  constructor(
    private readonly host: SessionHost,
    private readonly languages: readonly LanguageInit[] = [],
  ) {}

  /** Triples of start, end (UTF-16 units in the text) and class number. Without a grammar: none. */
  async highlights(path: string, text: string): Promise<Uint32Array<ArrayBuffer>> {
    const caller = await this.ready();
    const grammars: Record<string, WebAssembly.Module> = {};
    const grammar = await caller.call("grammarOf", { path, text });
    if (grammar !== null && !this.sent.has(grammar)) {
      const module = await this.host.assets.grammar(grammar).catch(() => undefined);
      if (module) grammars[grammar] = module;
      this.sent.add(grammar);
    }
    try {
      return await caller.call("highlights", { path, text, grammars });
    } catch (error) {
      this.close(); // its instance may be broken; the next text gets a new one
      throw error;
    }
  }

  close(): void {
    this.caller?.close();
    this.caller = undefined;
    this.started = undefined;
    this.sent.clear();
  }

  private async ready(): Promise<Caller<ParseProtocol>> {
    if (!this.caller) {
      this.caller = new Caller<ParseProtocol>(this.host.spawn("parse"));
      const { caller } = this;
      this.started = this.host.assets
        .module("engine")
        .then((engine) => caller.call("start", { engine, languages: this.languages }));
    }
    const { caller } = this;
    await this.started;
    return caller;
  }
}
