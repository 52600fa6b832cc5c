/** The model that some browsers have (Prompt API): it runs on this machine, has a small window and asks for no tools. */

import { PortolanError } from "../errors.js";
import type { AbortSignal } from "../platform.js";
import { failureOf } from "./failure.js";
import { textOfMessage, tokensOfText } from "./tokens.js";
import type { Message, Model, ModelPart, ModelRequest } from "./types.js";

type Availability = "unavailable" | "downloadable" | "downloading" | "available";

interface Prompt {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

interface Session {
  promptStreaming(input: string, options: { signal: AbortSignal }): ReadableStream<string>;
  destroy(): void;
}

interface PromptApi {
  availability(): Promise<Availability>;
  create(options: { initialPrompts: readonly Prompt[]; signal: AbortSignal }): Promise<Session>;
}

/** Whether this browser has one; `downloadable` means that the browser fetches it first, some gigabytes. */
export async function builtInAvailability(): Promise<Availability> {
  try {
    return (await apiHere()?.availability()) ?? "unavailable";
  } catch {
    return "unavailable";
  }
}

/** The model of this browser; rejects with `chat.built-in` where there is none. */
export async function builtInModel(): Promise<Model> {
  if ((await builtInAvailability()) === "unavailable")
    throw new PortolanError("chat.built-in", "this browser has no model of its own", "set another provider");
  return { name: "browser", host: "", canCall: false, stream: streamed };
}

async function* streamed({ messages, signal }: ModelRequest): AsyncGenerator<ModelPart> {
  const prompts = messages.map(promptOf);
  const last = prompts.at(-1)?.content ?? "";
  let session: Session | undefined;
  let written = "";
  try {
    session = await (apiHere() as PromptApi).create({ initialPrompts: prompts.slice(0, -1), signal });
    for await (const text of session.promptStreaming(last, { signal }) as unknown as AsyncIterable<string>) {
      written += text;
      yield { type: "text", text };
    }
  } catch (error) {
    throw failureOf(error, "browser", "this browser", Date.now());
  } finally {
    session?.destroy();
  }
  const input = prompts.reduce((sum, { content }) => sum + tokensOfText(content), 0);
  yield { type: "end", usage: { input, output: tokensOfText(written), isEstimate: true } };
}

function promptOf(message: Message): Prompt {
  const role = message.role === "tool" ? "user" : message.role;
  return { role, content: textOfMessage(message) };
}

function apiHere(): PromptApi | undefined {
  return (globalThis as { LanguageModel?: PromptApi }).LanguageModel;
}
