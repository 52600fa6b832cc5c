/** The providers of models: where each is, how it speaks, and what its key is called. None is used until the person names one. */

import { PortolanError } from "../errors.js";

export type Protocol = "openai" | "google" | "anthropic" | "browser";

/** A service with language models. */
export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly protocol: Protocol;
  /** Empty where the person gives it. */
  readonly baseUrl: string;
  /** The variable that holds its key on the command line; empty where it takes none. */
  readonly keyVariable: string;
  /** Whether it answers without a key. */
  readonly isKeyless: boolean;
}

/** All providers, in the order of their list. */
export const PROVIDERS: readonly Provider[] = [
  {
    id: "openai",
    name: "OpenAI",
    protocol: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    isKeyless: false,
  },
  {
    id: "anthropic",
    name: "Anthropic",
    protocol: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
    isKeyless: false,
  },
  {
    id: "gemini",
    name: "Gemini",
    protocol: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GEMINI_API_KEY",
    isKeyless: false,
  },
  {
    id: "groq",
    name: "Groq",
    protocol: "openai",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    isKeyless: false,
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    protocol: "openai",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    isKeyless: false,
  },
  {
    id: "ollama",
    name: "Ollama on this machine",
    protocol: "openai",
    baseUrl: "http://localhost:11434/v1",
    keyVariable: "",
    isKeyless: true,
  },
  {
    id: "server",
    name: "Another server that speaks as OpenAI does",
    protocol: "openai",
    baseUrl: "",
    keyVariable: "PORTOLAN_CHAT_KEY",
    isKeyless: true,
  },
  {
    id: "browser",
    name: "The model of this browser",
    protocol: "browser",
    baseUrl: "",
    keyVariable: "",
    isKeyless: true,
  },
];

/** A model as the person set it. */
export interface ModelSettings {
  /** Of {@link PROVIDERS}. */
  readonly provider: string;
  /** The provider's name for it; empty for the model of this browser. */
  readonly model: string;
  /** In place of the provider's own address. */
  readonly baseUrl?: string | undefined;
  readonly key?: string | undefined;
}

/** The parts of an address that are asked for; a type of our own, since some hosts have no `URL` among their types. */
export interface Address {
  readonly href: string;
  readonly origin: string;
  readonly host: string;
  readonly hostname: string;
  readonly protocol: string;
}

/** The provider of this name; throws `chat.provider`. */
export function providerNamed(id: string): Provider {
  const found = PROVIDERS.find((provider) => provider.id === id);
  if (found) return found;
  throw new PortolanError(
    "chat.provider",
    `there is no provider "${id}"`,
    `providers: ${PROVIDERS.map(({ id }) => id).join(", ")}`,
  );
}

/** Where requests for a model go; nothing for a model of this browser. Throws `chat.address` where the address cannot be used. */
export function addressOf({ provider, baseUrl }: ModelSettings): Address | undefined {
  const known = providerNamed(provider);
  if (known.protocol === "browser") return undefined;
  const text = (baseUrl ?? "").trim() || known.baseUrl;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new PortolanError(
      "chat.address",
      text === "" ? `${known.id} needs the address of the server` : `"${text}" is no address of a server`,
      "an address such as http://localhost:8080/v1",
    );
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    throw new PortolanError("chat.address", "the address of a server must hold no password", "give the key by itself");
  return url;
}

/** Checks all that can be checked before anything is sent. */
export function checkSettings(settings: ModelSettings): void {
  const provider = providerNamed(settings.provider);
  const url = addressOf(settings);
  if (!url) return;
  if (settings.model.trim() === "")
    throw new PortolanError(
      "chat.model",
      `the name of a model of ${provider.name} is missing`,
      "its documentation lists them",
    );
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (settings.key && url.protocol === "http:" && !isHere)
    throw new PortolanError(
      "chat.insecure",
      `the key would travel to ${url.host} without encryption`,
      "use an https address, or a server on this machine",
    );
  if (!settings.key && !provider.isKeyless && !settings.baseUrl)
    throw new PortolanError(
      "chat.key",
      `${provider.name} needs a key`,
      `in a page: enter it with the model; on the command line: put it into ${provider.keyVariable}`,
    );
}

/** The names of provider and model in one: `groq:llama-4`. */
export function nameOfModel({ provider, model }: ModelSettings): string {
  return model === "" ? provider : `${provider}:${model}`;
}
