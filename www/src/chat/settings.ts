//! Which models are asked and how. Kept in this browser without keys; keys are in memory until the tab closes, unless the person says otherwise.

import { signal } from "@preact/signals";
import type { ModelSettings, Price } from "portolan/chat";

/** A model without its key. */
export type ChosenModel = Pick<ModelSettings, "provider" | "model" | "baseUrl">;

export interface ChatSettings {
  /** The first one answers; the others follow when it fails. */
  readonly models: readonly ChosenModel[];
  readonly mode: "agent" | "linear";
  /** Every request is shown before it is sent, not only the first of a conversation. */
  readonly reviewAll: boolean;
  /** Requests for each minute, at most; null leaves it to the host. */
  readonly perMinute: number | null;
  readonly price: Price | null;
  /** Keys are kept in this browser. */
  readonly keepsKeys: boolean;
}

export const defaults: ChatSettings = {
  models: [],
  mode: "agent",
  reviewAll: false,
  perMinute: null,
  price: null,
  keepsKeys: false,
};

const key = "portolan.chat";
const keyOfKeys = "portolan.chat.keys";

export const chatSettings = signal<ChatSettings>(checkedChat(stored(key)));
/** Keys by origin: each is sent to its origin only. */
export const keys = signal<Readonly<Record<string, string>>>(
  chatSettings.peek().keepsKeys ? checkedKeys(stored(keyOfKeys)) : {},
);

export function changeChat(part: Partial<ChatSettings>): void {
  chatSettings.value = { ...chatSettings.peek(), ...part };
  keep();
}

/** Sets the key of an origin; an empty one is forgotten. */
export function setKey(origin: string, value: string): void {
  const { [origin]: _, ...others } = keys.peek();
  keys.value = value === "" ? others : { ...others, [origin]: value };
  keep();
}

function keep(): void {
  const settings = chatSettings.peek();
  try {
    localStorage.setItem(key, JSON.stringify(settings));
    if (settings.keepsKeys) localStorage.setItem(keyOfKeys, JSON.stringify(keys.peek()));
    else localStorage.removeItem(keyOfKeys);
  } catch {
    // Storage is off: the settings last as long as the tab.
  }
}

function stored(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Settings of any data with every field of the right type. */
export function checkedChat(value: unknown): ChatSettings {
  const { models, mode, reviewAll, perMinute, price, keepsKeys } = recordOf(value);
  const { input, output } = recordOf(price);
  return {
    models: (Array.isArray(models) ? models : []).flatMap(modelOf).slice(0, 10),
    mode: mode === "linear" ? "linear" : "agent",
    reviewAll: reviewAll === true,
    perMinute: typeof perMinute === "number" && Number.isInteger(perMinute) && perMinute >= 1 ? perMinute : null,
    price: isPrice(input) && isPrice(output) ? { input, output } : null,
    keepsKeys: keepsKeys === true,
  };
}

/** Keys of any data, by origin. */
export function checkedKeys(value: unknown): Record<string, string> {
  const entries = Object.entries(recordOf(value)).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === "string" && URL.canParse(entry[0]) && new URL(entry[0]).origin === entry[0],
  );
  return Object.fromEntries(entries);
}

function modelOf(value: unknown): ChosenModel[] {
  const { provider, model, baseUrl } = recordOf(value);
  if (typeof provider !== "string" || typeof model !== "string") return [];
  return [{ provider, model, ...(typeof baseUrl === "string" && baseUrl !== "" && { baseUrl }) }];
}

function isPrice(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
