/** A model behind the AI SDK: our messages in, our parts out. The protocols are the SDK's; the request goes to the one host and no other. */

import type {
  LanguageModelV3,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCallPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";

import { PortolanError } from "../errors.js";
import type { Response, URL } from "../platform.js";
import { brokenOff, failureOf } from "./failure.js";
import { builtInModel } from "./built-in.js";
import { type Address, addressOf, checkSettings, nameOfModel, providerNamed, type ModelSettings } from "./providers.js";
import { textOfMessage } from "./tokens.js";
import type { Message, Model, ModelPart, ModelRequest, OfferedTool, ToolCall, Usage } from "./types.js";

/** Opens a model; the SDK is loaded now. Rejects with `chat.…` where a setting is wrong. */
export async function openModel(settings: ModelSettings): Promise<Model> {
  checkSettings(settings);
  const url = addressOf(settings);
  if (!url) return builtInModel();
  const model = await modelOfSdk(settings, url);
  const name = nameOfModel(settings);
  return { name, host: url.host, canCall: true, stream: (request) => streamed(model, name, url.host, request) };
}

async function modelOfSdk(settings: ModelSettings, url: Address): Promise<LanguageModelV3> {
  const { createAnthropic, createGoogleGenerativeAI, createOpenAICompatible } = await import("./sdk.js");
  const baseURL = url.href.replace(/\/+$/, "");
  // The SDK calls it with addresses as texts.
  const fetch = guardedFetch(url.origin) as typeof globalThis.fetch;
  const { model, key = "" } = settings;
  const { protocol, id } = providerNamed(settings.provider);
  if (protocol === "google") return createGoogleGenerativeAI({ baseURL, apiKey: key, fetch })(model);
  if (protocol === "anthropic")
    return createAnthropic({
      baseURL,
      apiKey: key,
      fetch,
      // Anthropic answers pages only where they say that they know whose key it is.
      headers: { "anthropic-dangerous-direct-browser-access": "true" },
    })(model);
  return createOpenAICompatible({ name: id, baseURL, fetch, includeUsage: true, ...(key !== "" && { apiKey: key }) })(
    model,
  );
}

/** `fetch` for one origin: no other host, no redirect, no cookie and no address of the page. */
export function guardedFetch(origin: string): (input: string | URL, init?: object) => Promise<Response> {
  return (input, init) => {
    const url = new globalThis.URL(String(input));
    if (url.origin !== origin)
      throw new PortolanError("chat.host", `a request to ${url.host} was held back`, `only ${origin} may be asked`);
    return fetch(url, {
      ...init,
      redirect: "error",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
    });
  };
}

async function* streamed(
  model: LanguageModelV3,
  name: string,
  host: string,
  { messages, tools, signal }: ModelRequest,
): AsyncGenerator<ModelPart> {
  try {
    const { stream, response } = await model.doStream({
      prompt: promptOf(messages),
      ...(tools.length > 0 && { tools: tools.map(toolOf) }),
      abortSignal: signal as globalThis.AbortSignal,
    });
    if (response?.headers) yield { type: "headers", headers: definedOf(response.headers) };
    // Leaving the loop early cancels the stream and with it the request.
    for await (const part of stream as unknown as AsyncIterable<LanguageModelV3StreamPart>) {
      const ours = partOf(part, name);
      if (ours) yield ours;
    }
  } catch (error) {
    throw failureOf(error, name, host, Date.now());
  }
}

function partOf(part: LanguageModelV3StreamPart, name: string): ModelPart | undefined {
  switch (part.type) {
    case "text-delta":
      return { type: "text", text: part.delta };
    case "tool-call":
      return {
        type: "call",
        call: {
          id: part.toolCallId,
          name: part.toolName,
          input: inputOf(part.input),
          ...(part.providerMetadata && { metadata: part.providerMetadata }),
        },
      };
    case "error":
      throw part.error;
    case "finish":
      // The SDK ends a stream that was cut off as one whose reason nobody gave.
      if (part.finishReason.unified === "other" && part.finishReason.raw === undefined) throw brokenOff(name);
      return { type: "end", usage: usageOf(part.usage) };
    default:
      return undefined;
  }
}

/** Models write JSON, and sometimes none. */
function inputOf(text: string): unknown {
  try {
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage | undefined {
  const [input, output] = [inputTokens.total, outputTokens.total];
  return input === undefined && output === undefined
    ? undefined
    : { input: input ?? 0, output: output ?? 0, isEstimate: false };
}

function definedOf(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function toolOf({ name, description, inputSchema }: OfferedTool): LanguageModelV3FunctionTool {
  return {
    type: "function",
    name,
    description,
    inputSchema: inputSchema as LanguageModelV3FunctionTool["inputSchema"],
  };
}

function promptOf(messages: readonly Message[]): LanguageModelV3Prompt {
  return messages.map(messageOf);
}

function messageOf(message: Message): LanguageModelV3Prompt[number] {
  if (message.role === "system") return { role: "system", content: message.text };
  if (message.role === "user") return { role: "user", content: [{ type: "text", text: textOfMessage(message) }] };
  if (message.role === "assistant") {
    const said = message.text === "" ? [] : [{ type: "text" as const, text: message.text }];
    return { role: "assistant", content: [...said, ...message.calls.map(callOf)] };
  }
  const output = { type: message.failed ? ("error-text" as const) : ("text" as const), value: message.text };
  return { role: "tool", content: [{ type: "tool-result", toolCallId: message.id, toolName: message.name, output }] };
}

function callOf({ id, name, input, metadata }: ToolCall): LanguageModelV3ToolCallPart {
  const call = { type: "tool-call" as const, toolCallId: id, toolName: name, input };
  if (metadata === undefined) return call;
  return { ...call, providerOptions: metadata as NonNullable<LanguageModelV3ToolCallPart["providerOptions"]> };
}
