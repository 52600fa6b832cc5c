/** Commands that walk the code graph, and those about execution flows and functional areas. */

import type { CodeIntelligenceRequest, IntelligenceCommand, WalkDirection, WalkOrder } from "../answers.js";
import { MANY_BYTES } from "./change-commands.js";
import { fraction, operand, operands, UsageError, wholeNumber, type Command } from "../commands/options.js";
import * as print from "./print-graph.js";
import { answer, type Question } from "./question.js";

const INTELLIGENCE: readonly IntelligenceCommand[] = [
  "find",
  "refs",
  "callers",
  "callees",
  "similar",
  "graph",
  "query",
];

const subgraph = (command: Command): Question => {
  const request = { from: operand(command, "SYMBOL"), ...walk(command) };
  return (index) => answer(command, index.subgraph(request), print.subgraph);
};

export const GRAPH_COMMANDS: Record<string, (command: Command) => Question> = {
  graph: subgraph,
  traverse(command) {
    const order = oneOf<WalkOrder>(command.options.order, "order", ["breadth", "depth"]);
    const request = { from: operand(command, "SYMBOL"), ...walk(command), ...(order === undefined ? {} : { order }) };
    return (index) => answer(command, index.traverse(request), print.traversal);
  },
  paths(command) {
    const [from, to] = operands(command, ["FROM", "TO"]) as [string, string];
    const request = { from, to, ...walk(command) };
    return (index) => answer(command, index.paths(request), print.paths);
  },
  cycles(command) {
    const from = command.operands.length === 0 ? {} : { from: operand(command, "SYMBOL") };
    const { direction: _, ...words } = walk(command);
    return (index) => answer(command, index.cycles({ ...from, ...words }), print.cycles);
  },
  subgraph,
  processes(command) {
    const symbol = command.operands.length === 0 ? {} : { symbol: operand(command, "SYMBOL") };
    const request = { ...symbol, ...page(command), entry_kinds: command.options.entry ?? [] };
    return (index) => answer(command, index.processes(request), print.processes);
  },
  process(command) {
    const request = { process: operand(command, "PROCESS") };
    return (index) => answer(command, index.process(request), print.process);
  },
  communities(command) {
    const request = page(command);
    return (index) => answer(command, index.communities(request), print.communities);
  },
  community(command) {
    const request = { community: operand(command, "COMMUNITY"), ...page(command) };
    return (index) => answer(command, index.community(request), print.community);
  },
  "code-intelligence"(command) {
    const [word, symbol] = operands(command, ["COMMAND", "SYMBOL"]) as [string, string];
    const asked = oneOf<IntelligenceCommand>(word, "COMMAND", INTELLIGENCE) as IntelligenceCommand;
    const { direction: _, edges: __, nodes: ___, ...bounds } = walk(command);
    const request: CodeIntelligenceRequest = { command: asked, symbol, ...bounds };
    return (index) => answer(command, index.codeIntelligence(request), print.intelligence);
  },
};

/** The options by which a walk is told where to go. */
function walk({ options }: Command) {
  const direction = oneOf<WalkDirection>(options.direction, "direction", ["out", "in", "both"]);
  const depth = wholeNumber(options.depth, "depth", 1);
  const limit = wholeNumber(options.limit, "limit", 1);
  const sure = fraction(options["min-confidence"], "min-confidence");
  return {
    edges: options.edge ?? [],
    nodes: options.node ?? [],
    ...(direction === undefined ? {} : { direction }),
    ...(depth === undefined ? {} : { depth }),
    ...(limit === undefined ? {} : { limit }),
    ...(sure === undefined ? {} : { min_confidence: sure }),
  };
}

function page({ options }: Command) {
  const limit = wholeNumber(options.limit, "limit", 1);
  const offset = wholeNumber(options.offset, "offset", 0);
  const max_bytes = wholeNumber(options["max-bytes"], "max-bytes", 256);
  return {
    ...(limit === undefined ? {} : { limit, max_bytes: MANY_BYTES }),
    ...(offset === undefined ? {} : { offset }),
    ...(max_bytes === undefined ? {} : { max_bytes }),
  };
}

function oneOf<T extends string>(value: string | undefined, what: string, words: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const known = words.find((word) => word === value);
  if (known === undefined) throw new UsageError(`${what} is one of ${words.join(", ")}, not "${value}"`);
  return known;
}
