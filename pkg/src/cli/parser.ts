/** The parser for questions of the command line; loaded only for those that need one. */

import type { AnsweringIndex } from "../reading/answering.js";
import { nodeSessionHost } from "../node/session-host.js";
import { ParserTools } from "../reading/parser-tools.js";
import type { UserGrammar } from "../types.js";

export function parserTools(index: AnsweringIndex, grammars: readonly UserGrammar[]): ParserTools {
  return ParserTools.for(index, nodeSessionHost(), grammars);
}
