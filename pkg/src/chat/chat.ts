/**
 * A conversation about an index: linear (one search, one answer) or as a loop in which the model asks for tools that only read. Nothing is
 * sent before the person has seen it, and every place that an answer names is compared with the index.
 */

import type { CodeIndex } from "../code-index.js";
import { abortError, fromThrown, isAbort, PortolanError } from "../errors.js";
import type { AbortSignal } from "../platform.js";
import { citationsIn, Places } from "./citations.js";
import { ModelChain, type Answered } from "./chain.js";
import { realClock, type Clock, type Limits } from "./limiter.js";
import { DataMarks, instructionsFor, LAST_WORDS, piecesOfRequest, without } from "./prompt.js";
import { costOf, NO_USAGE, sumOf, tokensOfRequest, type Price } from "./tokens.js";
import { ChatTools } from "./tools.js";
import type { ChatEvent, Excerpt, Message, Model, OfferedTool, Review, Step, ToolCall, Turn, Usage } from "./types.js";

/** The parts of a chat. */
export interface ChatOptions {
  readonly index: CodeIndex;
  /** Its name for the model (default: the name of the index). */
  readonly repository?: string | undefined;
  /** The first one answers; the others take its place in turn when it fails. */
  readonly models: readonly [Model, ...Model[]];
  /** `agent` lets the model ask for tools; `linear` searches once (default `agent`). */
  readonly mode?: "agent" | "linear" | undefined;
  /** Shows the request that is about to be sent. Called before the first one of a conversation, and with `reviewAll` before each. */
  readonly review: Review;
  readonly reviewAll?: boolean | undefined;
  /** Requests with tools for a question, at most (default 8). */
  readonly maxSteps?: number | undefined;
  /** Tokens for a question, at most (default 200,000): then the model must answer. */
  readonly maxTokens?: number | undefined;
  /** Tokens of code that a linear question sends (default 6,000). */
  readonly contextTokens?: number | undefined;
  readonly limits?: Limits | undefined;
  readonly price?: Price | undefined;
  /** Whether there is a parser for structural search. */
  readonly structural?: boolean | undefined;
  /** Turns before this one, of a conversation that is continued. */
  readonly turns?: readonly Turn[] | undefined;
  readonly clock?: Clock | undefined;
}

/** The state of a question. */
interface Asking {
  readonly question: string;
  readonly steps: Step[];
  usage: Usage;
  text: string;
}

/** A conversation about one index. */
export class Chat {
  private readonly chain: ModelChain;
  private readonly tools: ChatTools;
  private readonly marks = new DataMarks();
  private history: Message[];
  private wasSent: boolean;
  private checked: Places | undefined;

  constructor(private readonly options: ChatOptions) {
    const { clock = realClock, limits = {} } = options;
    this.chain = new ModelChain(options.models, { clock, limits });
    this.tools = new ChatTools(options.index, { structural: options.structural === true });
    this.history = messagesOf(options.turns ?? []);
    this.wasSent = false;
  }

  /** Compares places with the index; there once a question was asked. */
  get places(): Places {
    return this.checked ?? new Places([]);
  }

  /** Answers a question step by step; the last event is `end`, whatever happens. */
  async *ask(question: string, signal: AbortSignal): AsyncGenerator<ChatEvent, void, void> {
    const asking: Asking = { question, steps: [], usage: NO_USAGE, text: "" };
    this.chain.startOver();
    try {
      this.checked ??= new Places((await this.options.index.files()).files);
      const isAgent = this.options.mode !== "linear" && this.chain.model.canCall;
      yield* isAgent ? this.loop(asking, signal) : this.linear(asking, signal);
      yield this.ended(asking, "");
    } catch (thrown) {
      if (isAbort(thrown) || signal.aborted) yield this.ended(asking, "stopped");
      else {
        const error = fromThrown(thrown);
        yield { ...this.ended(asking, error.message), error };
      }
    }
  }

  private ended(asking: Asking, stopped: string): ChatEvent & { type: "end" } {
    const { question, steps, usage, text } = asking;
    const turn: Turn = {
      question,
      answer: text,
      steps,
      citations: citationsIn(text, this.places),
      model: this.chain.model.name,
      usage,
      cost: costOf(usage, this.options.price),
      at: (this.options.clock ?? realClock).now(),
      stopped,
    };
    this.history.push(...messagesOf([turn]));
    return { type: "end", turn };
  }

  private async *linear(asking: Asking, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const id = "search";
    yield step(asking, { id, tool: "search_codebase", input: { query: asking.question }, state: "running", text: "" });
    const excerpts = await this.excerptsFor(asking.question);
    this.places.note(excerpts);
    const found = excerpts.map(({ path, from, to }) => `${path}:${from}-${to}`).join("\n");
    const input = { query: asking.question };
    yield step(asking, { id, tool: "search_codebase", input, state: "done", text: found || "nothing found" });
    const question: Message = { role: "user", text: asking.question, excerpts, tag: this.marks.name };
    const messages = [this.system(false), ...this.history, question];
    const sent = await this.reviewed(messages, [], 0, signal);
    const { text } = yield* this.request(asking, sent, [], signal);
    asking.text = text;
  }

  private async *loop(asking: Asking, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const { maxSteps = 8, maxTokens = 200_000 } = this.options;
    let messages: Message[] = [this.system(true), ...this.history, { role: "user", text: asking.question }];
    let n_shown = 0;
    for (let at = 0; ; at++) {
      const { usage } = asking;
      const isLast = at >= maxSteps || usage.input + usage.output >= maxTokens;
      if (isLast) messages.push({ role: "user", text: LAST_WORDS });
      const tools = isLast ? [] : this.tools.offered;
      messages = await this.reviewed(messages, tools, n_shown, signal);
      const { text, calls } = yield* this.request(asking, messages, tools, signal);
      // A model that asks for tools when there are none is done.
      if (calls.length === 0 || isLast) {
        asking.text = text;
        return;
      }
      if (text.trim() !== "") yield aside(asking, text, at);
      n_shown = messages.length;
      messages = [...messages, { role: "assistant", text, calls }];
      for (const call of calls) {
        const answer = yield* this.call(asking, call, signal);
        messages.push(answer);
      }
    }
  }

  /** Runs a tool that the model asked for, if it is one of ours; anything else is refused and shown as refused. */
  private async *call(asking: Asking, call: ToolCall, signal: AbortSignal): AsyncGenerator<ChatEvent, Message> {
    const { name, input } = call;
    const id = `${asking.steps.length}-${call.id}`;
    const isOurs = this.tools.has(name);
    if (isOurs) yield step(asking, { id, tool: name, input, state: "running", text: "" });
    let text: string;
    let failed = false;
    try {
      const answer = await this.tools.run(name, input, signal);
      if (signal.aborted) throw abortError(signal.reason);
      this.places.note(answer.read);
      text = answer.text;
    } catch (error) {
      if (isAbort(error)) throw error;
      const { message, help } = fromThrown(error);
      failed = true;
      text = help === "" ? message : `${message}\n${help}`;
    }
    yield step(asking, { id, tool: name, input, state: isOurs ? (failed ? "failed" : "done") : "refused", text });
    return { role: "tool", id: call.id, name, text: this.marks.around(name, text), failed };
  }

  private async *request(
    asking: Asking,
    messages: readonly Message[],
    tools: readonly OfferedTool[],
    signal: AbortSignal,
  ): AsyncGenerator<ChatEvent, Answered> {
    asking.text = "";
    const answers = this.chain.ask({ messages, tools, signal });
    for (;;) {
      const { value, done } = await answers.next();
      if (done) {
        yield this.spent(asking, value.usage);
        return value;
      }
      if (value.type === "spent") yield this.spent(asking, value.usage);
      else {
        if (value.type === "text") asking.text += value.text;
        if (value.type === "restart") asking.text = "";
        yield value;
      }
    }
  }

  private spent(asking: Asking, usage: Usage): ChatEvent {
    asking.usage = sumOf(asking.usage, usage);
    return { type: "usage", usage: asking.usage, cost: costOf(asking.usage, this.options.price) };
  }

  private async reviewed(
    messages: readonly Message[],
    tools: readonly OfferedTool[],
    n_shown: number,
    signal: AbortSignal,
  ): Promise<Message[]> {
    if (this.wasSent && this.options.reviewAll !== true) return [...messages];
    const { model, otherwise } = this.chain;
    const decision = await this.options.review({
      host: model.host,
      model: model.name,
      otherwise: otherwise.map(({ host, name }) => ({ host, model: name })),
      pieces: piecesOfRequest(messages, tools, n_shown),
      n_tokens: tokensOfRequest({ messages, tools }),
      isFirst: !this.wasSent,
    });
    if (signal.aborted) throw abortError(signal.reason);
    if (decision === null) throw abortError("nothing was sent");
    this.wasSent = true;
    return without(messages, decision.leaveOut);
  }

  private system(withTools: boolean): Message {
    const { repository, index } = this.options;
    return { role: "system", text: instructionsFor(repository ?? index.name, this.marks, withTools) };
  }

  /** The code that answers the question best, within the budget. */
  private async excerptsFor(question: string): Promise<Excerpt[]> {
    const { index, contextTokens = 6_000 } = this.options;
    const { pieces } = await index.assemble({ query: question, max_tokens: contextTokens });
    const paths = [...new Set(pieces.map(({ path }) => path))];
    const texts = new Map(
      await Promise.all(paths.map(async (path) => [path, (await index.text(path)).text.split("\n")] as const)),
    );
    return pieces.map(({ path, start_line: from, end_line: to }) => ({
      path,
      from,
      to,
      text: (texts.get(path) ?? []).slice(from - 1, to).join("\n"),
    }));
  }
}

/** Earlier turns as a model reads them: questions and answers, without the code that was read for them. */
function messagesOf(turns: readonly Turn[]): Message[] {
  return turns
    .filter(({ answer }) => answer.trim() !== "")
    .flatMap(({ question, answer }): Message[] => [
      { role: "user", text: question },
      { role: "assistant", text: answer, calls: [] },
    ]);
}

/** Adds a step or replaces it by its later state. */
function step(asking: Asking, next: Step): ChatEvent {
  const at = asking.steps.findIndex(({ id }) => id === next.id);
  if (at < 0) asking.steps.push(next);
  else asking.steps[at] = next;
  return { type: "step", step: next };
}

function aside(asking: Asking, text: string, at: number): ChatEvent {
  const remark: Step = { id: `remark-${at}`, tool: "", input: {}, state: "done", text };
  asking.steps.push(remark);
  asking.text = "";
  return { type: "aside", step: remark };
}

/** Checks that models were given; throws `chat.off` where there is none. */
export function someModels(models: readonly Model[]): readonly [Model, ...Model[]] {
  const [first, ...others] = models;
  if (!first) throw new PortolanError("chat.off", "no model is set", "set a provider and a model first");
  return [first, ...others];
}
