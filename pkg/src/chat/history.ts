/** Conversations as they are kept on this machine: data that is read back with suspicion, since others can write to where it was kept. */

import { textOfCitation } from "./citations.js";
import type { Citation, Step, Turn, Usage } from "./types.js";

/** A conversation as it is stored. */
export interface Conversation {
  readonly v: 1;
  readonly id: string;
  readonly repository: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly turns: readonly Turn[];
}

const MAX_TURNS = 200;
/** Maximum length of a kept step's text: the code is in the index. */
const MAX_STEP_TEXT = 400;

/** A conversation without turns. */
export function newConversation(repository: string, now: number): Conversation {
  return { v: 1, id: crypto.randomUUID(), repository, at: now, turns: [] };
}

/** The conversation with one more turn. */
export function withTurn(conversation: Conversation, turn: Turn): Conversation {
  const steps = turn.steps.map((step) => ({ ...step, text: step.text.slice(0, MAX_STEP_TEXT) }));
  return { ...conversation, at: turn.at, turns: [...conversation.turns, { ...turn, steps }].slice(-MAX_TURNS) };
}

/** The first question, on one line. */
export function titleOf({ turns }: Conversation): string {
  const text = (turns[0]?.question ?? "").replace(/\s+/g, " ").trim();
  return text.length > 80 ? `${text.slice(0, 80)}…` : text || "Nothing asked yet";
}

/** The kept value, if it is a conversation. */
export function conversationOf(value: unknown): Conversation | undefined {
  const { v, id, repository, at, turns } = recordOf(value);
  if (v !== 1 || typeof id !== "string" || typeof repository !== "string" || !isCount(at) || !Array.isArray(turns))
    return undefined;
  const read = turns.slice(-MAX_TURNS).map(turnOf);
  return read.every((turn) => turn !== undefined) ? { v: 1, id, repository, at, turns: read as Turn[] } : undefined;
}

/** All of it as Markdown, for a file. */
export function markdownOf({ repository, turns }: Conversation): string {
  const parts = turns.map(({ question, answer, citations, model, usage }) => {
    const doubtful = citations.filter(({ state }) => state === "unknown").map(textOfCitation);
    return [
      `## ${question.replace(/\s+/g, " ")}`,
      answer,
      ...(doubtful.length > 0 ? [`Not in the index: ${doubtful.join(", ")}`] : []),
      `_${model}, ${usage.input} + ${usage.output} tokens_`,
    ].join("\n\n");
  });
  return `# ${repository}\n\n${parts.join("\n\n")}\n`;
}

function turnOf(value: unknown): Turn | undefined {
  const { question, answer, steps, citations, model, usage, cost, at, stopped } = recordOf(value);
  const texts = [question, answer, model, stopped];
  if (texts.some((text) => typeof text !== "string") || !isCount(at)) return undefined;
  const counted = usageOf(usage);
  if (!counted || !Array.isArray(steps) || !Array.isArray(citations)) return undefined;
  return {
    question: question as string,
    answer: answer as string,
    steps: steps.flatMap((step) => stepOf(step) ?? []),
    citations: citations.flatMap((one) => citationOf(one) ?? []),
    model: model as string,
    usage: counted,
    cost: isCount(cost) ? cost : undefined,
    at,
    stopped: stopped as string,
  };
}

function stepOf(value: unknown): Step | undefined {
  const { id, tool, input, state, text } = recordOf(value);
  const known = (["done", "failed", "refused"] as const).find((one) => one === state);
  if (typeof id !== "string" || typeof tool !== "string" || typeof text !== "string") return undefined;
  // A step that was running when the page was closed did not end.
  return { id, tool, input, state: known ?? "failed", text };
}

function citationOf(value: unknown): Citation | undefined {
  const { path, from, to, state } = recordOf(value);
  const known = (["read", "known", "unknown"] as const).find((one) => one === state);
  if (typeof path !== "string" || !isCount(from) || !isCount(to) || !known) return undefined;
  return { path, from, to, state: known };
}

function usageOf(value: unknown): Usage | undefined {
  const { input, output, isEstimate } = recordOf(value);
  return isCount(input) && isCount(output) ? { input, output, isEstimate: isEstimate === true } : undefined;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
