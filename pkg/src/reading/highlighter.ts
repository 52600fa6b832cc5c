/** Highlighting and local names for the code view: a parsing worker of its own, started when first asked. */

import { engineFor, GUEST_LOAD_MS } from "../grammars/guests.js";
import type { SessionHost } from "../host.js";
import type { LanguageInit, ParseProtocol } from "../rpc/protocol.js";
import { Caller, withTimeout } from "../rpc/rpc.js";

export class Highlighter {
  private caller: Caller<ParseProtocol> | undefined;
  private started: Promise<unknown> | undefined;
  private readonly sent = new Set<string>();

  constructor(
    private readonly host: SessionHost,
    private readonly languages: readonly LanguageInit[] = [],
  ) {}

  /** Triples of start, end (UTF-16 units in the text) and class number. Without a grammar: none. */
  highlights(path: string, text: string): Promise<Uint32Array<ArrayBuffer>> {
    return this.columns("highlights", path, text);
  }

  /** Rows of local names, as `CodeIndex.locals` describes them. Without a grammar: none. */
  locals(path: string, text: string): Promise<Uint32Array<ArrayBuffer>> {
    return this.columns("locals", path, text);
  }

  private async columns(
    question: "highlights" | "locals",
    path: string,
    text: string,
  ): Promise<Uint32Array<ArrayBuffer>> {
    const caller = await this.ready();
    const grammars: Record<string, WebAssembly.Module> = {};
    const grammar = await caller.call("grammarOf", { path, text });
    if (grammar !== null && !this.sent.has(grammar)) {
      const module = await this.host.assets.grammar(grammar).catch(() => undefined);
      if (module) grammars[grammar] = module;
      this.sent.add(grammar);
    }
    try {
      return await withTimeout(caller.call(question, { path, text, grammars }), GUEST_LOAD_MS);
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
      const { languages } = this;
      this.started = engineFor(this.host.assets, languages).then((engine) =>
        caller.call("start", { engine, languages, guests: languages.length > 0 }),
      );
    }
    const { caller } = this;
    await this.started;
    return caller;
  }
}
