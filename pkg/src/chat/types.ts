/** The words of the chat: requests to a model, its answers, and the person's view of them. */

import type { Schema } from "../commands/tools/schema.js";
import type { PortolanError } from "../errors.js";
import type { AbortSignal } from "../platform.js";

/** A tool that the model asks for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Of the provider's protocol, which wants it back as it was. */
  readonly metadata?: unknown;
}

/** Lines of a file that are sent with a question. */
export interface Excerpt {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export type Message =
  | { readonly role: "system"; readonly text: string }
  /** `tag` is put around each excerpt: it marks them as data. */
  | { readonly role: "user"; readonly text: string; readonly excerpts?: readonly Excerpt[]; readonly tag?: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ToolCall[] }
  | {
      readonly role: "tool";
      readonly id: string;
      readonly name: string;
      readonly text: string;
      readonly failed: boolean;
    };

/** A tool as it is described to the model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
}

/** Tokens, as the provider counted them, or about as many where it does not say. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly isEstimate: boolean;
}

/** A request to a model. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
  readonly signal: AbortSignal;
}

/** A part of an answer as it comes. `end` is the last one: a stream without it broke off. */
export type ModelPart =
  | { readonly type: "headers"; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly call: ToolCall }
  | { readonly type: "end"; readonly usage: Usage | undefined };

/** A language model behind any protocol. */
export interface Model {
  /** As people know it: `groq:llama-4`. */
  readonly name: string;
  /** Where requests go; empty for a model of this browser. */
  readonly host: string;
  /** Whether it can ask for tools. */
  readonly canCall: boolean;
  /** Rejects with a `ModelFailure`. */
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
}

/** One action of the agent loop, as it is shown. */
export interface Step {
  readonly id: string;
  /** Empty for a remark of the model. */
  readonly tool: string;
  readonly input: unknown;
  /** `refused`: the model called something that is no read-only tool. */
  readonly state: "running" | "done" | "failed" | "refused";
  /** The text that the model reads. */
  readonly text: string;
}

/** A piece of the request that is about to be sent. */
export interface Piece {
  readonly id: string;
  readonly kind: "instructions" | "tools" | "history" | "question" | "excerpt" | "result";
  readonly title: string;
  readonly text: string;
  /** Whether the person can leave it out. */
  readonly canLeave: boolean;
}

/** A request before it is sent. */
export interface Outgoing {
  readonly host: string;
  readonly model: string;
  /** The next ones in the chain, which get the same when this one fails. */
  readonly otherwise: readonly { readonly host: string; readonly model: string }[];
  readonly pieces: readonly Piece[];
  /** About how many tokens. */
  readonly n_tokens: number;
  /** Whether nothing of this conversation was sent before. */
  readonly isFirst: boolean;
}

/** Which pieces stay here; null sends nothing. */
export type Review = (outgoing: Outgoing) => Promise<{ readonly leaveOut: readonly string[] } | null>;

/** A place in the code that an answer names, compared with the index. */
export interface Citation {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** `read`: the model was shown these lines; `known`: they are in the index, but were not read; `unknown`: there are no such lines. */
  readonly state: "read" | "known" | "unknown";
}

export type ChatEvent =
  | { readonly type: "step"; readonly step: Step }
  | { readonly type: "text"; readonly text: string }
  /** The text since the last step was a remark before the next one. */
  | { readonly type: "aside"; readonly step: Step }
  /** The text since the last step came from an attempt that failed: it counts no more. */
  | { readonly type: "restart"; readonly why: string }
  | { readonly type: "wait"; readonly millis: number; readonly model: string; readonly why: string }
  | { readonly type: "fallback"; readonly from: string; readonly to: string; readonly why: string }
  | { readonly type: "usage"; readonly usage: Usage; readonly cost: number | undefined }
  | { readonly type: "end"; readonly turn: Turn; readonly error?: PortolanError };

/** A question with its answer, as it is kept. */
export interface Turn {
  readonly question: string;
  readonly answer: string;
  readonly steps: readonly Step[];
  readonly citations: readonly Citation[];
  readonly model: string;
  readonly usage: Usage;
  readonly cost: number | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Why it is not whole; empty where it is. */
  readonly stopped: string;
}
