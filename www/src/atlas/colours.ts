//! Colours of files, areas and symbols, and the legend that explains them.

/** A property that colours the map. */
export const properties = ["language", "area", "complexity", "tests", "churn"] as const;
export type Property = (typeof properties)[number];

/** A thing with a colour. */
export interface Coloured {
  readonly language: string;
  readonly area: string;
  readonly complexity: number;
  readonly lines: number;
  readonly isTest: boolean;
  /** Commits that changed its file; absent where the history does not know it. */
  readonly churn?: number | undefined;
  /** Number of files that it holds; an area counts as many times. */
  readonly files?: number;
}

/** An entry of the legend. */
export interface Shade {
  readonly label: string;
  /** For boxes with text on them. */
  readonly soft: string;
  /** For discs and lines. */
  readonly strong: string;
}

export interface Colours {
  readonly legend: readonly Shade[];
  of(thing: Coloured): Shade;
}

/** Most frequent values with a colour of their own; the others share one. */
const most = 9;
const hues = [205, 28, 140, 330, 262, 55, 178, 0, 95];
/** Branches per line, from "hardly any" to "very many". */
const steps = [0.02, 0.08, 0.15, 0.25];
const complexities = ["hardly any branches", "few branches", "some branches", "many branches", "very many branches"];

/** Most commits of each shade of churn but the last. */
const churns = [2, 9, 29, 99];
const churnWords = ["1 or 2 commits", "3 to 9 commits", "10 to 29 commits", "30 to 99 commits", "100 commits or more"];

function churnColours(isDark: boolean): Colours {
  const legend = churnWords.map((label, at) => shade(label, 58 - at * 11, 22 + at * 15, isDark, at * 6));
  const unknown = shade("no commit yet", 0, 0, isDark);
  return {
    legend: [...legend, unknown],
    of: ({ churn = 0 }) => {
      if (churn === 0) return unknown;
      const at = churns.findIndex((most) => churn <= most);
      return legend[at < 0 ? churns.length : at] as Shade;
    },
  };
}

/** The colours of these things by a property. */
export function coloursOf(things: readonly Coloured[], by: Property, isDark: boolean): Colours {
  if (by === "complexity") {
    const legend = complexities.map((label, at) => shade(label, 48 - at * 12, 30 + at * 14, isDark, at * 5));
    return {
      legend,
      of: ({ complexity, lines }) => {
        const dense = complexity / Math.max(1, lines);
        const at = steps.findIndex((step) => dense < step);
        return legend[at < 0 ? steps.length : at] as Shade;
      },
    };
  }
  if (by === "churn") return churnColours(isDark);
  if (by === "tests") {
    const product = shade("product", 205, 40, isDark);
    const tests = shade("tests", 28, 60, isDark);
    return { legend: [product, tests], of: ({ isTest }) => (isTest ? tests : product) };
  }
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(thing[by], (counts.get(thing[by]) ?? 0) + Math.max(1, thing.files ?? 1));
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, most);
  const shades = new Map(frequent.map(([name], at) => [name, shade(name, hues[at] ?? 0, 52, isDark)]));
  const rest = shade(`other ${by}s`, 0, 0, isDark);
  return {
    legend: counts.size > most ? [...shades.values(), rest] : [...shades.values()],
    of: (thing) => shades.get(thing[by]) ?? rest,
  };
}

function shade(label: string, hue: number, saturation: number, isDark: boolean, deeper = 0): Shade {
  return {
    label,
    soft: isDark ? hex(hue, saturation * 0.7, 24 + deeper / 2) : hex(hue, saturation, 86 - deeper),
    strong: isDark ? hex(hue, saturation, 64 - deeper / 2) : hex(hue, saturation, 44 - deeper / 2),
  };
}

/** `#rrggbb` of a hue in degrees, saturation and lightness in percent. */
export function hex(hue: number, saturation: number, lightness: number): string {
  const l = lightness / 100;
  const a = (saturation / 100) * Math.min(l, 1 - l);
  const part = (n: number) => {
    const k = (n + hue / 30) % 12;
    const value = l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}
