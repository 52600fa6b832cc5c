/** Structural search; and code for readers with a budget of tokens: packed context, the map of the repository. */

import type {
  AssembleRequest,
  AssembleResponse,
  MapOrder,
  MapRequest,
  MapResponse,
  Strictness,
  StructuralMatch,
  StructuralRequest,
  StructuralResponse,
} from "../answers.js";
import { fraction, operand, UsageError, wholeNumber, type Command } from "../commands/options.js";
import { cutOff } from "./print.js";
import { answer, type Question } from "./question.js";
import { userGrammars } from "../config/user-grammars.js";

export const STRUCTURAL_COMMANDS: Record<string, (command: Command) => Question> = {
  structural(command) {
    const request = structuralRequest(command);
    return (index) => answer(command, index.structural(request), matchLines);
  },
  assemble(command) {
    const request = assembleRequest(command);
    return (index) =>
      answer(command, index.assemble(request), ({ text, n_more }: AssembleResponse) =>
        n_more > 0 ? `${text}… ${n_more} more; raise --tokens\n` : text,
      );
  },
  map(command) {
    const request = mapRequest(command);
    return (index) => answer(command, index.map(request), ({ text }: MapResponse) => text);
  },
};

/** Grammars that a question may need, to open the index with. */
export function grammarsOf(command: Command) {
  return command.name === "structural" ? userGrammars(command) : [];
}

function structuralRequest(command: Command): StructuralRequest {
  const { options } = command;
  const limit = wholeNumber(options.limit, "limit", 1);
  const max_millis = wholeNumber(options["max-millis"], "max-millis", 1);
  const pattern = operand(command, "PATTERN");
  return {
    ...(options["tree-query"] === true ? { query: pattern } : { pattern }),
    constraints: (options.where ?? []).map(constraint),
    paths: options.path ?? [],
    languages: options.language ?? [],
    ...(options.strictness === undefined ? {} : { strictness: options.strictness as Strictness }),
    ...(limit === undefined ? {} : { limit }),
    ...(max_millis === undefined ? {} : { max_millis }),
  };
}

/** `NAME=EXPRESSION`, `NAME!=EXPRESSION` or `NAME:KIND`. */
function constraint(text: string) {
  const [, name, operator, value] = /^\$?(\w+)(!=|=|:)(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`--where expects NAME=EXPRESSION, NAME!=EXPRESSION or NAME:KIND, not "${text}"`);
  if (operator === ":") return { name, kinds: [value] };
  return operator === "=" ? { name, regex: value } : { name, not_regex: value };
}

function assembleRequest(command: Command): AssembleRequest {
  const { options } = command;
  const max_tokens = wholeNumber(options.tokens, "tokens", 0);
  const budget_ratio = fraction(options["budget-ratio"], "budget-ratio");
  const max_chunks = wholeNumber(options["max-chunks"], "max-chunks", 1);
  const similarity_threshold = fraction(options["similarity-threshold"], "similarity-threshold");
  return {
    query: operand(command, "QUERY"),
    paths: options.path ?? [],
    languages: options.language ?? [],
    ...(max_tokens === undefined ? {} : { max_tokens }),
    ...(budget_ratio === undefined ? {} : { budget_ratio }),
    ...(max_chunks === undefined ? {} : { max_chunks }),
    ...(similarity_threshold === undefined ? {} : { similarity_threshold }),
  };
}

function mapRequest({ options, operands }: Command): MapRequest {
  if (operands.length > 0) throw new UsageError("map: takes no operand; --path narrows it");
  const max_tokens = wholeNumber(options.tokens, "tokens", 0);
  return {
    paths: options.path ?? [],
    languages: options.language ?? [],
    ...(max_tokens === undefined ? {} : { max_tokens }),
    ...(options.order === undefined ? {} : { order: options.order as MapOrder }),
  };
}

function matchLines({ matches, truncated, timed_out, cut_off }: StructuralResponse): string {
  const more = truncated ? "… more; raise --limit\n" : "";
  return matches.map(matchLine).join("") + more + cutOff(timed_out, cut_off);
}

function matchLine({ path, start_line, text, captures }: StructuralMatch): string {
  const named = captures.map((capture) => `  ${capture.name} = ${oneLine(capture.text)}\n`);
  return `${path}:${start_line}: ${oneLine(text)}\n${named.join("")}`;
}

function oneLine(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  return rest.length > 0 ? `${first} …` : first;
}
