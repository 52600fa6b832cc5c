/** Commands about one symbol and about changes; and every tool by its name. */

import type { ImpactDirection, ImpactResponse, RenameRequest, TestScope, TextSearch } from "../answers.js";
import type { CodeIndex } from "../code-index.js";
import type { ChangesOfFiles } from "../reading/locate-history.js";
import { rootOfIndex } from "../node/root.js";
import { fraction, operand, operands, UsageError, wholeNumber, type Command } from "../commands/options.js";
import { withHistory } from "./history-of.js";
import { inputText } from "./input-text.js";
import * as print from "./print-change.js";
import { answer, type Question } from "./question.js";

export const CHANGE_COMMANDS: Record<string, (command: Command, indexPath: () => string) => Question> = {
  context(command) {
    const request = { symbol: operand(command, "SYMBOL"), ...bounds(command) };
    return (index) => answer(command, index.context(request), print.context);
  },
  impact(command, indexPath) {
    const direction = oneOf<ImpactDirection>(command.options.direction, "direction", ["upstream", "downstream"]);
    const request = {
      symbol: operand(command, "SYMBOL"),
      ...bounds(command),
      ...reach(command),
      kinds: command.options.edge ?? [],
      ...(direction && { direction }),
    };
    const impact = async (index: CodeIndex, changes: ChangesOfFiles): Promise<ImpactResponse> => {
      const found = await index.impact(request);
      const changes_with = [...((await changes.with(found.target.path)) ?? [])];
      return { ...found, ...(changes_with.length > 0 && { changes_with }) };
    };
    return (index) =>
      answer(
        command,
        withHistory(indexPath(), (changes) => impact(index, changes)),
        print.impact,
      );
  },
  changes(command, indexPath) {
    if (command.operands.length > 0) throw new UsageError("changes: takes no operand; --base REF names a commit");
    const { staged, base, diff } = command.options;
    if (diff !== undefined && (staged === true || base !== undefined))
      throw new UsageError("changes: give either --diff, or --staged or --base");
    const request = { ...bounds(command), ...reach(command) };
    const text = async () => {
      if (diff !== undefined) return inputText(diff);
      // Starting processes is a part of Node that takes several milliseconds to load.
      const { gitDiff } = await import("../node/git-diff.js");
      return gitDiff(rootOfIndex(indexPath()), { staged: staged === true, ...(base === undefined ? {} : { base }) });
    };
    return async (index) => answer(command, index.detectChanges({ diff: await text(), ...request }), print.changes);
  },
  rename(command, indexPath) {
    const [symbol, new_name] = operands(command, ["SYMBOL", "NAME"]) as [string, string];
    const text_search = oneOf<TextSearch>(command.options.text, "text", ["off", "review", "apply"]);
    const request: RenameRequest = {
      symbol,
      new_name,
      ...bounds(command),
      paths: command.options.path ?? [],
      ...(text_search && { text_search }),
    };
    const force = command.options.force === true;
    if (command.options.apply !== true) return (index) => answer(command, index.rename(request), print.rename);
    return async (index) => {
      const { applyRename } = await import("../node/apply-rename.js");
      return answer(command, applyRename(index, request, rootOfIndex(indexPath()), { force }), print.applied);
    };
  },
  query(command) {
    const { min_confidence: _, ...page } = bounds(command);
    const request = {
      query: operand(command, "QUERY"),
      ...page,
      languages: command.options.language ?? [],
      paths: command.options.path ?? [],
    };
    return (index) => answer(command, index.query(request), print.query);
  },
  trace(command) {
    const [from, to] = operands(command, ["FROM", "TO"]) as [string, string];
    const { offset: _, max_bytes: __, ...page } = bounds(command);
    const depth = wholeNumber(command.options.depth, "depth", 1);
    const request = {
      from,
      to,
      ...page,
      kinds: command.options.edge ?? [],
      ...(depth === undefined ? {} : { max_depth: depth }),
    };
    return (index) => answer(command, index.trace(request), print.trace);
  },
  ask(command) {
    const [tool, request] = operands(command, ["TOOL", "JSON"]) as [string, string];
    const asked = parsed(request);
    return async (index) =>
      `${JSON.stringify(await (index.ask as (this: CodeIndex, tool: string, request: unknown) => Promise<unknown>).call(index, tool, asked))}\n`;
  },
};

/** Of an answer where its lists are limited by number: the number counts. */
export const MANY_BYTES = 64 * 1024 * 1024;

/** The options that bound a list. */
function bounds({ options }: Command) {
  const limit = wholeNumber(options.limit, "limit", 1);
  const offset = wholeNumber(options.offset, "offset", 0);
  const max_bytes = wholeNumber(options["max-bytes"], "max-bytes", 256);
  const min_confidence = fraction(options["min-confidence"], "min-confidence");
  return {
    ...(limit === undefined ? {} : { limit, max_bytes: MANY_BYTES }),
    ...(offset === undefined ? {} : { offset }),
    ...(max_bytes === undefined ? {} : { max_bytes }),
    ...(min_confidence === undefined ? {} : { min_confidence }),
  };
}

/** The options that say how far a change is followed. */
function reach({ options }: Command) {
  const depth = wholeNumber(options.depth, "depth", 0);
  const tests = oneOf<TestScope>(options.tests, "tests", ["include", "exclude", "only"]);
  return { ...(depth === undefined ? {} : { depth }), ...(tests && { tests }) };
}

function oneOf<T extends string>(value: string | undefined, option: string, words: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const word = words.find((known) => known === value);
  if (word === undefined) throw new UsageError(`--${option} expects ${words.join(", ")}, not "${value}"`);
  return word;
}

function parsed(request: string): unknown {
  try {
    return JSON.parse(request === "-" ? inputText("-") : request);
  } catch (error) {
    throw new UsageError(`ask: the request is not JSON: ${(error as Error).message}`);
  }
}
