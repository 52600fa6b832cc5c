/** `locate`: the places that an issue, an error or a stack trace is about; the text comes from the line or from stdin. */

import type { LocateRequest, LocateResponse, LocatedFile } from "../answers.js";
import { UsageError, wholeNumber, type Command } from "../commands/options.js";
import { locateWithHistory } from "../reading/locate-history.js";
import { withHistory } from "./history-of.js";
import { inputText } from "./input-text.js";
import { answer, type Question } from "./question.js";

export const LOCATE_COMMANDS: Record<string, (command: Command, indexPath: () => string) => Question> = {
  locate(command, indexPath) {
    const request = locateRequest(command);
    return (index) => {
      const locate = (one: LocateRequest) => index.locate(one);
      const asked = withHistory(indexPath(), (changes) => locateWithHistory(locate, changes, request));
      return answer(command, asked, located);
    };
  },
};

function locateRequest(command: Command): LocateRequest {
  const { options } = command;
  const limit = wholeNumber(options.limit, "limit", 1);
  const max_tokens = wholeNumber(options.tokens, "tokens", 256);
  return {
    text: textOf(command),
    paths: options.path ?? [],
    languages: options.language ?? [],
    ...(limit === undefined ? {} : { limit }),
    ...(max_tokens === undefined ? {} : { max_tokens }),
    ...(options.json === true ? {} : { code: false }),
  };
}

/** The operand; without one, or for `-`, what stdin holds. */
function textOf({ operands }: Command): string {
  const [text, ...others] = operands;
  if (others.length > 0) throw new UsageError("locate: takes one TEXT; quote it");
  if (text !== undefined && text !== "-") return text;
  if (process.stdin.isTTY === true) throw new UsageError("locate: give a TEXT, or pipe one into it");
  return inputText("-");
}

function located({ confidence, note, files, n_more, with_history }: LocateResponse): string {
  const head = note === undefined ? "" : `${note}\n\n`;
  const sure = files.length === 0 ? "" : `\nright files among the first five: ${Math.round(100 * confidence)} %\n`;
  const more = n_more > 0 ? `… ${n_more} more; raise --tokens\n` : "";
  const late = with_history === false ? "without the history of git: it is longer than is read for one answer\n" : "";
  return `${head}${files.map(fileLines).join("")}${more}${sure}${late}`;
}

function fileLines({ path, why, functions }: LocatedFile): string {
  const places = functions.map(
    ({ symbol, start_line, rank }) => `  ${path}:${start_line}  ${symbol}  (function ${rank})\n`,
  );
  return `${path}  ${why.join("; ")}\n${places.join("")}`;
}
