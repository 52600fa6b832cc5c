//! Display settings that the page remembers. Kept in local storage; without it, until the tab closes.

import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

export interface Settings {
  theme: Theme;
  /** One-letter shortcuts (WCAG 2.1.4 asks for a switch). */
  singleKeys: boolean;
  wrapLines: boolean;
  /** Everything is fetched for offline use, not only the parts in use. */
  keepsAll: boolean;
  leftOpen: boolean;
  rightOpen: boolean;
  /** Widths of the panels in CSS pixels. */
  leftWidth: number;
  rightWidth: number;
  /** Width of the right one of two panes; 0 for half of the room. */
  paneWidth: number;
}

export const leftLimits = { min: 200, max: 560 };
export const rightLimits = { min: 260, max: 640 };
export const paneLimits = { min: 240, max: 1600 };

export const defaults: Settings = {
  theme: "system",
  singleKeys: true,
  wrapLines: false,
  keepsAll: false,
  leftOpen: true,
  rightOpen: true,
  leftWidth: 280,
  rightWidth: 360,
  paneWidth: 0,
};

// public/theme.js reads the same key before the first paint.
const key = "portolan.settings";

export const settings = signal<Settings>(read());

/** Changes some settings. */
export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.peek(), ...part };
}

/** Keeps storage and the document's theme equal to the signal. */
export function keepSettings(): void {
  effect(() => {
    const value = settings.value;
    if (value.theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value.theme;
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Storage is off: the settings last as long as the tab.
    }
  });
}

function read(): Settings {
  try {
    return checked(JSON.parse(localStorage.getItem(key) ?? "{}"));
  } catch {
    return defaults;
  }
}

/** Settings of any origin with every field of the right type and within its limits. */
export function checked(value: unknown): Settings {
  const given = (typeof value === "object" && value !== null ? value : {}) as Partial<Record<keyof Settings, unknown>>;
  const flag = (name: "singleKeys" | "wrapLines" | "keepsAll" | "leftOpen" | "rightOpen") => {
    const found = given[name];
    return typeof found === "boolean" ? found : defaults[name];
  };
  const width = (found: unknown, limits: { min: number; max: number }, otherwise: number) =>
    typeof found === "number" && Number.isFinite(found) ? Math.min(limits.max, Math.max(limits.min, found)) : otherwise;
  return {
    theme: given.theme === "light" || given.theme === "dark" ? given.theme : "system",
    singleKeys: flag("singleKeys"),
    wrapLines: flag("wrapLines"),
    keepsAll: flag("keepsAll"),
    leftOpen: flag("leftOpen"),
    rightOpen: flag("rightOpen"),
    leftWidth: width(given.leftWidth, leftLimits, defaults.leftWidth),
    rightWidth: width(given.rightWidth, rightLimits, defaults.rightWidth),
    paneWidth: given.paneWidth === 0 ? 0 : width(given.paneWidth, paneLimits, defaults.paneWidth),
  };
}
