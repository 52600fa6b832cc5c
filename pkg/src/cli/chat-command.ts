/** `portolan chat`: questions to a language model about an index. The answer goes to stdout, steps and what is sent to stderr. */

import { createInterface, type Interface } from "node:readline/promises";

import { Chat, someModels } from "../chat/chat.js";
import { piecesOf, placesKept, textOfCitation } from "../chat/citations.js";
import { newConversation, withTurn, type Conversation } from "../chat/history.js";
import { openModel } from "../chat/model.js";
import { checkSettings, nameOfModel } from "../chat/providers.js";
import type { Model, Review, Step, Turn } from "../chat/types.js";
import { wholeNumber, UsageError, type Command } from "../commands/options.js";
import type { CodeIndex } from "../code-index.js";
import { PortolanError } from "../errors.js";
import { rootOfIndex } from "../node/root.js";
import { quantity } from "../quantity.js";
import { visible } from "../visible.js";
import { indexPath } from "./ask.js";
import { keepConversation, lastConversation } from "./chat-kept.js";
import { dryReview, reviewOf, silent } from "./chat-review.js";
import { modelsOf, priceOf } from "./chat-settings.js";
import { openIndex } from "./open-index.js";

/** A session of the command line. */
interface Session {
  readonly command: Command;
  readonly chat: Chat;
  /** Answers of the person; absent where there is no terminal. */
  readonly lines: Interface | undefined;
  conversation: Conversation;
  readonly root: string;
}

export async function chat(command: Command): Promise<string | undefined> {
  const { options, operands } = command;
  if (operands.length > 1) throw new UsageError("chat: put the question in quotes");
  const [question] = operands;
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (question === undefined && !isTerminal) throw new UsageError("chat: QUESTION is missing");
  const models = modelsOf(command, process.env);
  const dry = options["dry-run"] === true;
  if (!dry) for (const settings of models) checkSettings(settings);
  if (dry && question === undefined) throw new UsageError("chat: --dry-run needs a QUESTION");
  const path = indexPath(options.index);
  const index = await openIndex(path, command);
  const lines = isTerminal ? createInterface({ input: process.stdin, output: process.stderr }) : undefined;
  try {
    const { name } = await index.status();
    const root = rootOfIndex(path);
    const before = options.continue === true ? lastConversation(root) : undefined;
    const opened = dry ? models.map((one) => silent(nameOfModel(one))) : await Promise.all(models.map(openModel));
    const shown: { text?: string } = {};
    const review = dry ? dryReview(shown) : reviewOf(command, lines);
    const session: Session = {
      command,
      chat: chatOf(command, index, name, opened, review, before),
      lines,
      conversation: before ?? newConversation(name, Date.now()),
      root,
    };
    if (question === undefined) return void (await talk(session));
    const turn = await asked(session, question, dry);
    if (dry) return shown.text;
    return options.json === true ? `${JSON.stringify(turn)}\n` : `${answerText(turn)}\n`;
  } finally {
    lines?.close();
    index.close();
  }
}

function chatOf(
  { options }: Command,
  index: CodeIndex,
  repository: string,
  models: readonly Model[],
  review: Review,
  before: Conversation | undefined,
): Chat {
  return new Chat({
    index,
    repository,
    models: someModels(models),
    mode: options.linear === true ? "linear" : "agent",
    review,
    reviewAll: options["review-all"] === true,
    maxSteps: wholeNumber(options.steps, "steps", 1),
    contextTokens: wholeNumber(options["code-tokens"], "code-tokens", 1),
    limits: { requests: wholeNumber(options["per-minute"], "per-minute", 1) },
    price: priceOf(options.price),
    structural: true,
    turns: before?.turns,
  });
}

/** One question; Ctrl-C ends it. */
async function asked(session: Session, question: string, dry = false): Promise<Turn> {
  const { chat, command, lines } = session;
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once("SIGINT", end);
  lines?.once("SIGINT", end);
  const note = (text: string) => command.options.quiet !== true && process.stderr.write(visible(`${text}\n`));
  try {
    for await (const event of chat.ask(question, stop.signal)) {
      if (event.type === "step") noteStep(event.step, note);
      else if (event.type === "aside") note(`  ${event.step.text.trim()}`);
      else if (event.type === "wait") note(`  waiting ${Math.ceil(event.millis / 1000)} s: ${event.why}`);
      else if (event.type === "fallback") note(`  ${event.from} gives up (${event.why}); asking ${event.to}`);
      else if (event.type === "restart") note(`  ${event.why}; asking again`);
      else if (event.type === "end") {
        if (dry) return event.turn;
        if (event.error) throw event.error;
        note(figures(event.turn));
        if (event.turn.stopped !== "" && event.turn.answer === "")
          throw new PortolanError("chat.stopped", "stopped: there is no answer", "");
        session.conversation = withTurn(session.conversation, event.turn);
        keepConversation(session.root, session.conversation);
        return event.turn;
      }
    }
    throw new PortolanError("internal", "the conversation ended without an end");
  } finally {
    process.off("SIGINT", end);
    lines?.off("SIGINT", end);
  }
}

/** Question after question, until the person ends it. */
async function talk(session: Session): Promise<void> {
  const { lines, command } = session;
  if (!lines) return;
  process.stderr.write("Ask about the code; an empty line or Ctrl-D ends.\n");
  const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
  for (;;) {
    const question = (await Promise.race([lines.question("> "), closed])).trim();
    if (question === "") return;
    try {
      const turn = await asked(session, question);
      const text = command.options.json === true ? JSON.stringify(turn) : answerText(turn);
      process.stdout.write(`${visible(text)}\n`);
    } catch (error) {
      if (!(error instanceof PortolanError)) throw error;
      process.stderr.write(visible(`${error.message} [${error.code}]\n${error.help ? `  ${error.help}\n` : ""}`));
    }
  }
}

function noteStep({ tool, input, state, text }: Step, note: (text: string) => void): void {
  if (state === "running") return;
  const words = `  ${tool} ${JSON.stringify(input)}`.slice(0, 160);
  if (state === "done") note(`${words}  (${quantity(text.split("\n").length, "line")})`);
  else note(`${words}  ${state}: ${text.split("\n")[0] ?? ""}`);
}

function figures({ model, usage, cost, steps }: Turn): string {
  const about = usage.isEstimate ? "about " : "";
  const price = cost === undefined ? "" : `, ${cost.toFixed(4)} at your price`;
  const calls = steps.filter(({ tool }) => tool !== "").length;
  return `${model}: ${quantity(calls, "step")}, ${about}${usage.input} + ${usage.output} tokens${price}`;
}

/** The answer; a place that the index does not have says so. */
function answerText({ answer, citations, stopped }: Turn): string {
  const pieces = piecesOf(answer, placesKept(citations)).map((piece) =>
    typeof piece === "string"
      ? piece
      : `[${textOfCitation(piece)}${piece.state === "unknown" ? " (not in the index)" : piece.state === "known" ? " (not read)" : ""}]`,
  );
  return pieces.join("") + (stopped === "" ? "" : `\n… ${stopped}`);
}
