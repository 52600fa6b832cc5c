/**
 * A chain of models: the first one answers; when it is refused or fails, it is tried again after a pause, and then the next one is asked
 * the same. An answer that broke off is thrown away whole: half of one and half of another would read as one.
 */

import { abortError } from "../errors.js";
import { ModelFailure, brokenOff, failureOf, tooLong } from "./failure.js";
import { RateLimiter, type Clock, type Limits } from "./limiter.js";
import { tokensOfRequest, tokensOfText } from "./tokens.js";
import type { Model, ModelPart, ModelRequest, ToolCall, Usage } from "./types.js";

/** How models are asked. */
export interface ChainOptions {
  readonly clock: Clock;
  readonly limits?: Limits;
  /** Attempts for each model. */
  readonly attempts?: number;
  readonly random?: () => number;
}

/** A whole answer. */
export interface Answered {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
  readonly model: Model;
}

export type ChainEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "restart"; readonly why: string }
  | { readonly type: "wait"; readonly millis: number; readonly model: string; readonly why: string }
  | { readonly type: "fallback"; readonly from: string; readonly to: string; readonly why: string }
  | { readonly type: "spent"; readonly usage: Usage };

const ATTEMPTS = 4;
/** Characters of an answer, its calls included, and calls in it: a host could send without end. */
const MAX_CHARS = 400_000;
const MAX_CALLS = 64;
/** A longer pause is worth another model. */
const PATIENCE = 20_000;

/** Asks the first model, and the next one if it fails. */
export class ModelChain {
  private readonly limiters: readonly RateLimiter[];
  /** The model that answered last: the steps of one question stay with it. */
  private current = 0;

  constructor(
    readonly models: readonly [Model, ...Model[]],
    private readonly options: ChainOptions,
  ) {
    this.limiters = models.map(() => new RateLimiter(options.limits ?? {}, options.clock, options.random));
  }

  get model(): Model {
    return this.models[this.current] as Model;
  }

  /** Models that are asked if this one fails. */
  get otherwise(): readonly Model[] {
    return this.models.slice(this.current + 1);
  }

  /** Begins with the first model again. */
  startOver(): void {
    this.current = 0;
  }

  /** Streams an answer and returns it whole. Throws the failure of the last model. */
  async *ask(request: ModelRequest): AsyncGenerator<ChainEvent, Answered, void> {
    for (;;) {
      const { model } = this;
      try {
        return yield* this.askOne(model, this.limiters[this.current] as RateLimiter, request);
      } catch (error) {
        if (!(error instanceof ModelFailure) || this.otherwise.length === 0) throw error;
        this.current += 1;
        yield { type: "fallback", from: model.name, to: this.model.name, why: error.message };
      }
    }
  }

  private async *askOne(
    model: Model,
    limiter: RateLimiter,
    request: ModelRequest,
  ): AsyncGenerator<ChainEvent, Answered> {
    const attempts = this.options.attempts ?? ATTEMPTS;
    const size = tokensOfRequest(request);
    for (let attempt = 1; ; attempt++) {
      const wait = limiter.waitFor(size);
      if (wait > 0)
        yield { type: "wait", millis: wait, model: model.name, why: "the limit of requests for each minute" };
      const ticket = await limiter.admit(size, request.signal);
      const answer = new Gathered();
      try {
        yield* gathered(model, request, limiter, answer);
        const whole = answer.whole(model, size);
        limiter.succeeded(ticket, whole.usage.input + whole.usage.output);
        return whole;
      } catch (thrown) {
        if (request.signal.aborted) throw abortError(request.signal.reason);
        const failure = failureOf(thrown, model.name, model.host, this.options.clock.now());
        if (answer.text !== "") {
          yield { type: "restart", why: String((failure as Error).message) };
          yield { type: "spent", usage: { input: size, output: tokensOfText(answer.text), isEstimate: true } };
        }
        if (!(failure instanceof ModelFailure) || !failure.isTransient) throw failure;
        const pause =
          failure.code === "chat.limit"
            ? limiter.refused(ticket, failure.retryAfter)
            : limiter.pause(failure.retryAfter);
        const isOver = attempt >= attempts || (pause > PATIENCE && this.otherwise.length > 0);
        if (isOver) throw failure;
        yield { type: "wait", millis: pause, model: model.name, why: failure.message };
      }
    }
  }
}

async function* gathered(
  model: Model,
  request: ModelRequest,
  limiter: RateLimiter,
  answer: Gathered,
): AsyncGenerator<ChainEvent> {
  for await (const part of model.stream(request)) {
    if (request.signal.aborted) throw abortError(request.signal.reason);
    if (part.type === "headers") limiter.heed(part.headers);
    answer.take(part, model);
    if (part.type === "text" && part.text !== "") yield { type: "text", text: part.text };
  }
}

function lengthOf(part: ModelPart): number {
  if (part.type === "text") return part.text.length;
  return part.type === "call" ? part.call.name.length + JSON.stringify(part.call.input ?? "").length : 0;
}

/** Collects the parts of one attempt. */
class Gathered {
  text = "";
  private readonly calls: ToolCall[] = [];
  private n_chars = 0;
  private end: (ModelPart & { type: "end" }) | undefined;

  take(part: ModelPart, model: Model): void {
    if (part.type === "text") this.text += part.text;
    else if (part.type === "call") this.calls.push(part.call);
    else if (part.type === "end") this.end = part;
    this.n_chars += lengthOf(part);
    if (this.n_chars > MAX_CHARS || this.calls.length > MAX_CALLS) throw tooLong(model.name);
  }

  whole(model: Model, size: number): Answered {
    if (!this.end || (this.text.trim() === "" && this.calls.length === 0)) throw brokenOff(model.name);
    const usage = this.end.usage ?? { input: size, output: tokensOfText(this.text), isEstimate: true };
    return { text: this.text, calls: this.calls, usage, model };
  }
}
