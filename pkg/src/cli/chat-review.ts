/** Shows on stderr what would be sent to a language model, and asks. */

import type { Interface } from "node:readline/promises";

import type { Model, Outgoing, Review } from "../chat/types.js";
import type { Command } from "../commands/options.js";
import { PortolanError } from "../errors.js";
import { quantity } from "../quantity.js";
import { visible } from "../visible.js";

/** Shows what would be sent and asks; pieces are left out by their numbers. */
export function reviewOf({ options }: Command, lines: Interface | undefined): Review {
  return async (outgoing) => {
    if (options.yes === true) return { leaveOut: [] };
    process.stderr.write(visible(outgoingText(outgoing, false)));
    if (!lines)
      throw new PortolanError(
        "chat.unasked",
        "there is no terminal to agree on what is sent",
        "look at it with --dry-run, and confirm with --yes",
      );
    for (;;) {
      const answer = (
        await lines.question("Send it? [y]es, [n]o, [s]how all, or the numbers of pieces to leave out: ")
      ).trim();
      if (/^y(es)?$/i.test(answer)) return { leaveOut: [] };
      if (/^(n(o)?)?$/i.test(answer)) return null;
      if (/^s(how)?$/i.test(answer)) process.stderr.write(visible(outgoingText(outgoing, true)));
      else if (/^\d+([\s,]+\d+)*$/.test(answer)) {
        const left = answer.split(/[\s,]+/).map((number) => outgoing.pieces[Number(number) - 1]);
        if (left.every((piece) => piece?.canLeave)) return { leaveOut: left.map((piece) => piece?.id ?? "") };
        process.stderr.write("only pieces with a number in brackets can be left out\n");
      }
    }
  };
}

/** Keeps the text in place of sending anything. */
export function dryReview(shown: { text?: string }): Review {
  return async (outgoing) => {
    shown.text = outgoingText(outgoing, true);
    return null;
  };
}

function outgoingText({ host, model, otherwise, pieces, n_tokens }: Outgoing, whole: boolean): string {
  const to = [{ host, model }, ...otherwise].map((one) => `${one.model}${one.host === "" ? "" : ` at ${one.host}`}`);
  const lines = pieces.flatMap(({ title, text, canLeave }, at) => [
    `  ${canLeave ? `[${at + 1}]` : ` ${at + 1} `} ${title} (${quantity(text.length, "character")})`,
    ...(whole ? text.split("\n").map((line) => `        ${line}`) : []),
  ]);
  const later =
    "What the model asks its tools for is sent to the same host afterwards; --review-all shows each request.\n";
  const tools = pieces.some(({ kind }) => kind === "tools");
  return `To ${to.join(", or if that fails ")}, about ${quantity(n_tokens, "token")}:\n${lines.join("\n")}\n${tools ? later : ""}`;
}

/** In place of a model that is not asked. */
export function silent(name: string): Model {
  return {
    name,
    host: "",
    canCall: true,
    stream: () => {
      throw new PortolanError("internal", "a dry run asked a model");
    },
  };
}
