/** The questions: open the index in this process, ask, print. Only the small reading artifact is loaded. */

import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";

import type { CodeIndex } from "../code-index.js";
import { fromThrown, PortolanError } from "../errors.js";
import { withSettings } from "../config/settings-file.js";
import { baseOf } from "../node/made-index.js";
import { isOverlay, readOverlay } from "../node/overlay-file.js";
import { requireOwnIndex } from "../node/own-index.js";
import { noteSearch } from "../node/history.js";
import { indexPathOf, requireIndex, rootOfIndex } from "../node/root.js";
import { jsonShape } from "../reading/request-limits.js";
import { CHANGE_COMMANDS } from "./change-commands.js";
import { STRUCTURAL_COMMANDS, grammarsOf } from "./structural-commands.js";
import { GRAPH_COMMANDS } from "./graph-commands.js";
import { inputText } from "./input-text.js";
import { LOCATE_COMMANDS } from "./locate-command.js";
import { openIndex } from "./open-index.js";
import { fraction, noOperands, operand, UsageError, wholeNumber, type Command } from "../commands/options.js";
import { slashed } from "./source-options.js";
import { staleOf } from "../node/stale-files.js";
import { noteStale } from "./stale-note.js";
import { intelligence } from "./print-graph.js";
import * as print from "./print.js";
import { answer, type Question } from "./question.js";
import { TABLE_COMMANDS } from "./table-commands.js";
import type { RerankOptions } from "../types.js";
import { visible } from "../visible.js";
import type { FileText, SearchFusion, SearchMode, SearchRequest, SearchResponse } from "../answers.js";

/** Each command reads its operands and options first, so that a wrong command line fails before anything is opened. */
export const COMMANDS: Record<string, (command: Command, indexPath: () => string) => Question> = {
  search: (command) => (command.options.batch === undefined ? search(command) : batch(command)),
  find(command) {
    const request = symbolRequest(command);
    return (index) => answer(command, index.find(request), print.symbols);
  },
  refs(command) {
    const request = usesRequest(command);
    return (index) => answer(command, index.references(request), print.references);
  },
  callers(command) {
    const request = callsRequest(command);
    return (index) => answer(command, index.callers(request), print.calls);
  },
  callees(command) {
    const request = callsRequest(command);
    return (index) => answer(command, index.callees(request), print.calls);
  },
  regex(command) {
    const request = regexRequest(command);
    return (index) => answer(command, index.regex(request), print.matches);
  },
  chunks(command) {
    const path = slashed(operand(command, "FILE"));
    return (index) => answer(command, index.chunks(path), print.chunks);
  },
  outline(command) {
    const path = slashed(operand(command, "FILE"));
    return (index) => answer(command, index.outline(path), print.outline);
  },
  definition(command) {
    const request = placeOf(operand(command, "FILE:LINE:COLUMN"));
    return (index) => answer(command, index.definition(request), print.definitions);
  },
  similar(command) {
    const limit = wholeNumber(command.options.limit, "limit", 1);
    const request = {
      command: "similar",
      symbol: operand(command, "SYMBOL"),
      ...(limit === undefined ? {} : { limit }),
    } as const;
    return (index) => answer(command, index.codeIntelligence(request), intelligence);
  },
  text(command) {
    const { path, from, to } = linesOf(operand(command, "FILE[:FROM-TO]"));
    return (index) =>
      answer(
        command,
        index.text(path).then((file) => ({ ...file, text: someLines(file, from, to) })),
        ({ text }) => (text === "" || text.endsWith("\n") ? text : `${text}\n`),
      );
  },
  files(command) {
    noOperands(command);
    return (index) => answer(command, index.files(), print.files);
  },
  ...GRAPH_COMMANDS,
  ...TABLE_COMMANDS,
  ...CHANGE_COMMANDS,
  ...STRUCTURAL_COMMANDS,
  ...LOCATE_COMMANDS,
  edges: () => async (index) => print.jsonLines(await index.edges()),
  status(command, indexPath) {
    noOperands(command);
    const withStale = async (index: CodeIndex) => {
      const [status, stale] = [await index.status(), await staleOf(index, indexPath(), true)];
      const overlay = overlayAt(indexPath());
      return { ...status, ...(overlay && { overlay }), ...(stale && { stale }) };
    };
    return (index) => answer(command, withStale(index), print.status);
  },
  generate: (command) => async (index) => (await import("./generate-command.js")).generated(command, index),
};

export async function ask(command: Command): Promise<string> {
  if (command.name === "search" && command.options.repo !== undefined) return searchedInSeveral(command);
  const prepare = COMMANDS[command.name];
  if (!prepare) throw new UsageError(`there is no command "${command.name}"`);
  const path = () => indexPath(command.options.index);
  const question = prepare(command, path);
  const file = path();
  const index = await openedOrAnew(file, command);
  const started = performance.now();
  try {
    const text = await question(index);
    noteAsked(command, file, performance.now() - started);
    if (command.options.quiet !== true && command.name !== "status") {
      const stale = await staleOf(index, file, false);
      if (stale) noteStale(stale);
    }
    return text;
  } finally {
    index.close();
  }
}

/** Opens the index. An overlay whose base is gone is made anew, which is told: the question is answered all the same. */
async function openedOrAnew(file: string, command: Command): Promise<CodeIndex> {
  try {
    return await openIndex(file, command, grammarsOf(command));
  } catch (error) {
    if (!(error instanceof PortolanError) || error.code !== "overlay.base") throw error;
    process.stderr.write(`portolan: ${visible(error.message)}: making it anew [${error.code}]\n`);
    const { index } = await import("./index-command.js");
    await index(await withSettings({ name: "index", operands: [rootOfIndex(file)], options: { quiet: true } }));
    return openIndex(file, command, grammarsOf(command));
  }
}

/** The base of an overlay, and how much differs from it; nothing for a whole index. */
function overlayAt(path: string) {
  if (!isOverlay(path)) return undefined;
  const { base, files, deleted } = readOverlay(path);
  const n_bytes = statSync(path).size;
  return { base, root: baseOf(path, base)?.root ?? "", n_changed: files.length, n_deleted: deleted.length, n_bytes };
}

/** Commands whose queries are kept in the history. */
const SEARCHES = ["search", "assemble", "query", "find", "regex", "structural", "similar"];

function noteAsked({ name, operands }: Command, file: string, milliseconds: number): void {
  const [query] = operands;
  if (query !== undefined && SEARCHES.includes(name))
    noteSearch({ root: rootOfIndex(file), tool: name, query, milliseconds });
}

async function searchedInSeveral(command: Command): Promise<string> {
  const { batch, index, rerank } = command.options;
  if (batch !== undefined || index !== undefined || rerank !== undefined)
    throw new UsageError("search: --repo goes with none of --batch, --index and --rerank");
  const request = searchRequest(command, operand(command, "QUERY"));
  return (await import("./several-command.js")).searchRepositories(command, request);
}

/** The given file, whoever made it; else the index that was made here of the given folder, of this one or the nearest one above. */
export function indexPath(given: string | undefined): string {
  if (given === undefined) return requireIndex();
  if (given === "") throw new UsageError("--index expects a file or a folder");
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? requireOwnIn(resolve(given)) : resolve(given);
}

function requireOwnIn(folder: string): string {
  const path = indexPathOf(folder);
  return existsSync(path) ? requireOwnIndex(path) : path;
}

function search(command: Command): Question {
  const request = searchRequest(command, operand(command, "QUERY"));
  return async (index) => {
    const again =
      command.options.rerank === undefined ? undefined : await (await import("../config/models.js")).reranker(command);
    try {
      return await answer(command, index.search(request, again), print.hits);
    } finally {
      again?.close();
    }
  };
}

/** One request a line in, one answer a line out, in the same order. */
function batch(command: Command): Question {
  if (command.operands.length > 0) throw new UsageError("search: give either a QUERY or --batch");
  const file = command.options.batch as string;
  const requests = readLines(file).map(([number, line]) => {
    try {
      return searchRequest(command, queryOfLine(line, `${file}:${number}`));
    } catch (error) {
      // One bad line costs its own answer: there is still one line out for each line in.
      if (error instanceof PortolanError) return error;
      throw error;
    }
  });
  return async (index) => {
    const answers: unknown[] = [];
    const again =
      command.options.rerank === undefined ? undefined : await (await import("../config/models.js")).reranker(command);
    try {
      for (const request of requests) answers.push(await answerOf(index, request, again));
    } finally {
      again?.close();
    }
    return print.jsonLines(answers);
  };
}

async function answerOf(index: CodeIndex, request: SearchRequest | PortolanError, again?: RerankOptions) {
  if (request instanceof PortolanError) return faultOf(request);
  try {
    return brief(await index.search(request, again));
  } catch (error) {
    const fault = fromThrown(error);
    // The engine is gone, or the index is none: the lines that follow would fail alike.
    if (/^(internal|snapshot|storage)/.test(fault.code)) throw fault;
    return { query: request.query, ...faultOf(fault) };
  }
}

function faultOf(error: PortolanError) {
  const { code, message, help } = error;
  process.stderr.write(`portolan: ${visible(message)} [${code}]\n`);
  return { error: { code, message, ...(help === "" ? {} : { help }) } };
}

function brief({ query, hits }: SearchResponse) {
  return {
    query,
    hits: hits.map(({ path, start_line, end_line, score, symbol }) => ({
      path,
      start_line,
      end_line,
      score,
      symbol: symbol ?? null,
    })),
  };
}

/** The lines that are not empty, with their numbers. */
function readLines(file: string): [number: number, line: string][] {
  const lines = inputText(file).split("\n");
  return lines.map((line, lineIdx): [number, string] => [lineIdx + 1, line]).filter(([, line]) => line.trim() !== "");
}

function queryOfLine(line: string, place: string): string {
  const { fault } = jsonShape(line);
  if (fault) throw new PortolanError(fault.code, `${place}: ${fault.message}`, fault.help);
  try {
    const { query } = JSON.parse(line) as { query?: unknown };
    if (typeof query === "string") return query;
  } catch {
    // not JSON: the same message
  }
  throw new PortolanError("input.invalid", `${place}: expected {"query": "…"}`);
}

function searchRequest({ options }: Command, query: string): SearchRequest {
  const limit = wholeNumber(options.limit, "limit", 1);
  const offset = wholeNumber(options.offset, "offset", 0);
  return {
    query,
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(options.mode === undefined ? {} : { mode: options.mode as SearchMode }),
    languages: options.language ?? [],
    paths: options.path ?? [],
    kinds: options.kind === undefined ? [] : [options.kind],
    ...conditions(options),
    ...(options.fusion === undefined ? {} : { fusion: options.fusion as SearchFusion }),
    ...(options.weight === undefined ? {} : { weights: weightsOf(options.weight) }),
    explain: options.explain === true,
  };
}

/** Conditions on chunks beyond their file and kind. */
function conditions(options: Command["options"]): Partial<SearchRequest> {
  const min_complexity = wholeNumber(options["min-complexity"], "min-complexity", 0);
  const max_complexity = wholeNumber(options["max-complexity"], "max-complexity", 0);
  const similarity_threshold = fraction(options["similarity-threshold"], "similarity-threshold");
  return {
    ...(options["node-type"] && { node_types: options["node-type"] }),
    ...(min_complexity === undefined ? {} : { min_complexity }),
    ...(max_complexity === undefined ? {} : { max_complexity }),
    ...(similarity_threshold === undefined ? {} : { similarity_threshold }),
  };
}

/** `test_penalty=1`: which names there are is for the index to say. */
function weightsOf(words: readonly string[]): Record<string, number> {
  const pair = (word: string): [string, number] => {
    const [, name, number = ""] = /^([^=]+)=(.+)$/.exec(word) ?? [];
    if (name === undefined || !Number.isFinite(Number(number)))
      throw new UsageError(`--weight: expected NAME=NUMBER, not "${word}"`);
    return [name.trim(), Number(number)];
  };
  return Object.fromEntries(words.map(pair));
}

function symbolRequest(command: Command) {
  const limit = wholeNumber(command.options.limit, "limit", 1);
  const { kind } = command.options;
  return {
    symbol: operand(command, "SYMBOL"),
    ...(limit === undefined ? {} : { limit }),
    ...(kind === undefined ? {} : { kind }),
  };
}

function usesRequest(command: Command) {
  const offset = wholeNumber(command.options.offset, "offset", 0);
  return { ...symbolRequest(command), ...(offset === undefined ? {} : { offset }) };
}

function callsRequest(command: Command) {
  const depth = wholeNumber(command.options.depth, "depth", 1);
  const min_confidence = fraction(command.options["min-confidence"], "min-confidence");
  return {
    ...usesRequest(command),
    ...(depth === undefined ? {} : { depth }),
    ...(min_confidence === undefined ? {} : { min_confidence }),
  };
}

function regexRequest(command: Command) {
  const { options } = command;
  const limit = wholeNumber(options.limit, "limit", 1);
  const context_lines = wholeNumber(options.context, "context", 0);
  const max_millis = wholeNumber(options["max-millis"], "max-millis", 1);
  return {
    pattern: operand(command, "PATTERN"),
    ignore_case: options["ignore-case"] === true,
    whole_word: options.word === true,
    ...(context_lines === undefined ? {} : { context_lines }),
    ...(max_millis === undefined ? {} : { max_millis }),
    paths: options.path ?? [],
    languages: options.language ?? [],
    ...(limit === undefined ? {} : { limit }),
  };
}

/** `src/cart.ts:17:12` as an editor says it: line and column from 1. */
function placeOf(text: string) {
  const [, path, line, column] = /^(.+?):(\d+):(\d+)$/.exec(text) ?? [];
  if (path === undefined || Number(line) < 1 || Number(column) < 1)
    throw new UsageError(`definition: expected FILE:LINE:COLUMN, counted from 1, not "${text}"`);
  return { path: slashed(path), line: Number(line) - 1, character: Number(column) - 1 };
}

/** `src/cart.ts`, `src/cart.ts:10` or `src/cart.ts:10-20`. */
function linesOf(text: string) {
  const [, path = text, from, to = from] = /^(.+?):(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (from !== undefined && (Number(from) < 1 || Number(to) < Number(from)))
    throw new UsageError(`text: expected lines as FROM-TO, counted from 1, not "${text}"`);
  return {
    path: slashed(path),
    from: from === undefined ? 1 : Number(from),
    to: to === undefined ? Infinity : Number(to),
  };
}

function someLines({ path, text }: FileText, from: number, to: number): string {
  if (from === 1 && to === Infinity) return text;
  const lines = text.replace(/\n$/, "").split("\n");
  if (from > lines.length)
    throw new PortolanError("position.outside", `${path} ends at line ${lines.length}, there is no line ${from}`);
  return lines.slice(from - 1, to).join("\n");
}
