/** Counts of tokens, before a provider has counted, and what they cost. */

import type { Excerpt, Message, ModelRequest, Usage } from "./types.js";

/** In money for a million tokens, as the person entered it: prices change too often to be built in. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** About how many tokens: four bytes each, which is near for code with every current tokenizer. */
export function tokensOfText(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Tokens of a request, by the same estimate. */
export function tokensOfRequest({ messages, tools }: Pick<ModelRequest, "messages" | "tools">): number {
  const ofTools = tokensOfText(JSON.stringify(tools));
  return messages.reduce((sum, message) => sum + tokensOfText(textOfMessage(message)) + 4, ofTools);
}

/** The text of a message as it is sent, with its excerpts and calls. */
export function textOfMessage(message: Message): string {
  if (message.role === "user") {
    const [open, close] = message.tag === undefined ? ["", ""] : [`\n<${message.tag}>`, `</${message.tag}>`];
    return message.text + (message.excerpts ?? []).map((one) => `${open}${textOfExcerpt(one)}${close}`).join("");
  }
  if (message.role === "assistant")
    return message.text + message.calls.map(({ name, input }) => name + JSON.stringify(input)).join("");
  return message.text;
}

/** With line numbers, so that the model can cite them. */
export function textOfExcerpt({ path, from, to, text }: Excerpt): string {
  const lines = text.split("\n").map((line, at) => `${from + at}  ${line}`);
  return `\n${path}:${from}-${to}\n${lines.join("\n")}\n`;
}

/** The tokens of two requests together. */
export function sumOf(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    isEstimate: a.isEstimate || b.isEstimate,
  };
}

/** No tokens. */
export const NO_USAGE: Usage = { input: 0, output: 0, isEstimate: false };

/** The cost of these tokens; undefined where no price is known. */
export function costOf(usage: Usage, price: Price | undefined): number | undefined {
  return price && (usage.input * price.input + usage.output * price.output) / 1e6;
}
