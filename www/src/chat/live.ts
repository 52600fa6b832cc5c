//! A question under way, as its events arrive.

import type { ChatEvent, Step, Usage } from "portolan/chat";

export interface Live {
  readonly question: string;
  readonly text: string;
  readonly steps: readonly Step[];
  /** Current activity, in words. */
  readonly note: string;
  readonly usage: Usage;
  readonly cost: number | undefined;
}

export function begun(question: string): Live {
  return {
    question,
    text: "",
    steps: [],
    note: "Preparing…",
    usage: { input: 0, output: 0, isEstimate: false },
    cost: undefined,
  };
}

/** The question after one more event. */
export function after(live: Live, event: ChatEvent): Live {
  switch (event.type) {
    case "text":
      return { ...live, text: live.text + event.text, note: "" };
    case "aside":
      return { ...live, text: "", steps: [...live.steps, event.step] };
    case "restart":
      return { ...live, text: "", note: `${event.why}. Asking again…` };
    case "step":
      return { ...live, steps: withStep(live.steps, event.step), note: noteOf(event.step) };
    case "wait":
      return { ...live, note: `Waiting ${seconds(event.millis)} for ${event.model}: ${event.why}` };
    case "fallback":
      return { ...live, text: "", note: `${event.from} failed: ${event.why}. Asking ${event.to}…` };
    case "usage":
      return { ...live, usage: event.usage, cost: event.cost };
    case "end":
      return live;
  }
}

function withStep(steps: readonly Step[], step: Step): readonly Step[] {
  return steps.some(({ id }) => id === step.id)
    ? steps.map((one) => (one.id === step.id ? step : one))
    : [...steps, step];
}

function noteOf({ state, tool }: Step): string {
  return state === "running" ? `Running ${tool}…` : "Waiting for the model…";
}

function seconds(millis: number): string {
  const whole = Math.max(1, Math.ceil(millis / 1000));
  return whole === 1 ? "1 second" : `${whole} seconds`;
}

/** `search_codebase("addTax")`: the arguments of a step, short. */
export function argumentsOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return input === undefined ? "" : JSON.stringify(input);
  const shown = Object.values(input).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const text = shown.join(", ");
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
