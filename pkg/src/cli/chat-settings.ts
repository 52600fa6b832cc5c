/** Which models `portolan chat` asks: `--llm PROVIDER:MODEL`, keys from the environment. */

import { PROVIDERS, addressOf, type ModelSettings } from "../chat/providers.js";
import { PortolanError } from "../errors.js";
import { UsageError, type Command } from "../commands/options.js";

/** The models in the order in which they are asked; throws `chat.off` where none is named. */
export function modelsOf({ options }: Command, env: NodeJS.ProcessEnv): ModelSettings[] {
  const named = options.llm ?? (env.PORTOLAN_CHAT_LLM ?? "").split(/[\s,]+/).filter((text) => text !== "");
  const url = options["base-url"] ?? env.PORTOLAN_CHAT_URL;
  if (named.length === 0)
    throw new PortolanError(
      "chat.off",
      "no language model is set",
      "name one, such as --llm ollama:qwen3 or --llm anthropic:MODEL, or put it into PORTOLAN_CHAT_LLM",
    );
  const first = providerIn(named[0] as string);
  return named.map((text) => {
    const provider = providerIn(text);
    const model = text.slice(text.indexOf(":") + 1).trim();
    const baseUrl = provider.id === first.id ? url : undefined;
    return { provider: provider.id, model, baseUrl, key: keyFor({ provider: provider.id, model, baseUrl }, env) };
  });
}

function providerIn(text: string) {
  const id = text.slice(0, Math.max(0, text.indexOf(":")));
  const found = PROVIDERS.find((provider) => provider.id === id && provider.protocol !== "browser");
  if (found) return found;
  const known = PROVIDERS.filter(({ protocol }) => protocol !== "browser").map((provider) => provider.id);
  throw new UsageError(`--llm expects PROVIDER:MODEL with one of ${known.join(", ")}, not "${text}"`);
}

/** A provider's own key goes to the provider's own host; another host gets the key that was meant for it. */
function keyFor(settings: ModelSettings, env: NodeJS.ProcessEnv): string | undefined {
  const provider = PROVIDERS.find(({ id }) => id === settings.provider);
  if (!provider) return undefined;
  const isOwnHost = provider.baseUrl !== "" && addressOf(settings)?.origin === new URL(provider.baseUrl).origin;
  const variable = isOwnHost ? provider.keyVariable : "PORTOLAN_CHAT_KEY";
  return (variable === "" ? undefined : env[variable]) || undefined;
}

/** `3,15`: what a million tokens cost, read and written. */
export function priceOf(text: string | undefined): { input: number; output: number } | undefined {
  if (text === undefined) return undefined;
  const [, input, output] = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (input === undefined || output === undefined)
    throw new UsageError(`--price expects two numbers for a million tokens, such as 3,15, not "${text}"`);
  return { input: Number(input), output: Number(output) };
}
