/** Highlighting, local names and structural search, which need a parser: their parsing workers start at the first question. */

import type { StructuralRequest, StructuralResponse } from "../../wasm/reader.js";
import { PortolanError } from "../errors.js";
import type { AnsweringIndex } from "./answering.js";
import { Highlighter } from "./highlighter.js";
import type { SessionHost } from "../host.js";
import { StructuralSearch, type PatternProgress } from "./structural.js";
import { UserGrammars } from "../grammars/user-grammars.js";
import type { UserGrammar } from "../types.js";

/** UTF-16 units of a path and of a text that are coloured. */
const MOST_PATH = 4_096;
const MOST_TEXT = 5_000_000;

export class ParserTools {
  private readonly highlighter: Highlighter;
  private readonly patterns: StructuralSearch;

  constructor(host: SessionHost, users: UserGrammars = new UserGrammars()) {
    const withGrammars = users.host(host);
    this.highlighter = new Highlighter(withGrammars, users.languages);
    this.patterns = new StructuralSearch(withGrammars, users);
  }

  /** For an opened index: its user's languages, with the grammars that are given for them. */
  static for(index: AnsweringIndex, host: SessionHost, grammars: readonly UserGrammar[] = []): ParserTools {
    return new ParserTools(host, UserGrammars.inOrderOf(index.userLanguages(), grammars));
  }

  highlights(index: AnsweringIndex, path: string, text?: string): Promise<Uint32Array<ArrayBuffer>> {
    if (path.length > MOST_PATH || (text?.length ?? 0) > MOST_TEXT)
      throw new PortolanError(
        "request.size",
        `a path of at most ${MOST_PATH} units and a text of at most ${MOST_TEXT}`,
      );
    return this.highlighter.highlights(path, text ?? index.text(path));
  }

  locals(index: AnsweringIndex, path: string): Promise<Uint32Array<ArrayBuffer>> {
    return this.highlighter.locals(path, index.text(path));
  }

  structural(
    index: AnsweringIndex,
    request: StructuralRequest,
    signal?: AbortSignal,
    onProgress?: PatternProgress,
  ): Promise<StructuralResponse> {
    return this.patterns.search(index, request, signal, onProgress);
  }

  close(): void {
    this.highlighter.close();
    this.patterns.close();
  }
}
