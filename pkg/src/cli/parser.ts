/** What a question of the command line needs a parser for; loaded only then. */

import type { AnsweringIndex } from "../reading/answering.js";
import { nodeSessionHost } from "../node/session-host.js";
import { ParserTools } from "../reading/parser-tools.js";
import type { UserGrammar } from "../types.js";

export function parserTools(index: AnsweringIndex, grammars: readonly UserGrammar[]): ParserTools {
  return ParserTools.for(index, nodeSessionHost(), grammars);
}
